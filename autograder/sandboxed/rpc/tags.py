"""What each kind of value is in a message: its encoder and its decoder stand side by side, the
tables at the end.
"""

import base64
import collections.abc
import dataclasses
import re
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy
import torch

from . import figures, references
from .arguments import digest_of
from .failures import BridgeError
from .references import from_sender
from .tensors import DTYPES, NAMES

if TYPE_CHECKING:
    from .codec import Decoder, Encoder


NUMPY = re.compile(r"^[<=|][biufc]\d{1,2}$")
DEVICE = re.compile(r"^(cpu|meta|cuda|mps)(:\d{1,2})?$")
LARGEST_INTEGER = 8192  # bits


def encode_integer(encoder: "Encoder", value: Any) -> int:
    value = int.__int__(value)
    if value.bit_length() > LARGEST_INTEGER:
        raise BridgeError(f"a whole number of {value.bit_length():,} bits is too large to carry")
    return value


# lists, dicts and sets: what a call passes by reference


def container_encoder(tag: str) -> Callable[..., Any]:
    def encode(encoder: "Encoder", value: Any) -> list[Any]:
        encoder.arguments.add(value)
        return [tag, encoder.contents(value)]

    return encode


def container_decoder(kind: type) -> Callable[..., Any]:
    def decode(decoder: "Decoder", items: Any) -> Any:
        made = kind()
        decoder.arguments.add(made)
        decoder.fill(made, items)
        decoder.arguments.filled(made)
        return made

    return decode


# tensors: an argument of the call, a parameter that both sides know, or values; with a gradient or
# without


def encode_tensor(encoder: "Encoder", value: torch.Tensor) -> list[Any]:
    known = encoder.endpoint.module_sync.number(value)
    if known is not None:
        return ["p", known]
    record = encoder.tensors.add(value)
    encoder.arguments.add(value)
    if not value.requires_grad:
        return ["t", record]
    encoder.graph.append(value)
    encoder.records.append([record, value.is_leaf])
    return ["g", len(encoder.graph) - 1]


def decode_tensor(decoder: "Decoder", record: Any) -> torch.Tensor:
    made = decoder.tensors.tensor(record)
    decoder.arguments.add(made)
    return made


def decode_with_gradient(decoder: "Decoder", index: Any) -> torch.Tensor:
    made = decoder.graph[index]
    if decoder.leaves:
        decoder.sources[len(decoder.arguments.objects)] = decoder.leaves[index]
    decoder.arguments.add(made)
    return made


# numpy


def encode_array(encoder: "Encoder", value: Any) -> list[Any]:
    if value.dtype.kind not in "biufc":
        return references.encode(encoder, value)
    exact = numpy.ascontiguousarray(value, dtype=value.dtype.newbyteorder("="))
    flat = torch.from_numpy(exact.reshape(-1).view(numpy.uint8).copy())
    return ["n", exact.dtype.str, list(value.shape), encoder.tensors.add(flat)]


def decode_array(decoder: "Decoder", name: str, shape: Any, record: Any) -> numpy.ndarray:
    if not NUMPY.match(name):
        raise BridgeError("a numpy array of a kind that cannot be carried")
    flat = decoder.tensors.tensor(record)
    if flat.dtype is not torch.uint8:
        raise BridgeError("a numpy array is described wrongly")
    kind = numpy.dtype(name)
    array = flat.numpy().view(numpy.uint8 if kind == numpy.dtype(bool) else kind).reshape(shape)
    return array != 0 if kind == numpy.dtype(bool) else array


def encode_numpy_scalar(encoder: "Encoder", value: Any) -> Any:
    if value.dtype.kind not in "biufc":
        return encoder.value(value.item())
    return ["ns", encode_array(encoder, numpy.asarray(value))]


# what belongs to torch


def encode_dtype(encoder: "Encoder", value: Any) -> list[Any]:
    if value not in NAMES:
        raise BridgeError(f"{value} cannot be carried")
    return ["dt", NAMES[value]]


def decode_device(decoder: "Decoder", name: str) -> torch.device:
    if not DEVICE.match(name):
        raise BridgeError("a device that cannot be carried")
    return torch.device(name)


def encode_generator(encoder: "Encoder", value: Any) -> list[Any]:
    encoder.arguments.add(value)
    number = encoder.endpoint.references.number(value)
    return ["gen", number, encoder.tensors.add(value.get_state())]


def decode_generator(decoder: "Decoder", number: Any, record: Any) -> torch.Generator:
    state, known = decoder.tensors.tensor(record), decoder.endpoint.references
    local = from_sender(number)
    if local > 0:  # one of our own comes home; its numbers go on from where they are here
        own = known.own(local)
        if not isinstance(own, torch.Generator):
            raise BridgeError("a generator came over the pipe that is none")
        decoder.arguments.add(own)
        return own
    made = known.registered(local)
    if made is None:
        made = known.register(local, torch.Generator())
    if decoder.endpoint.strict:  # a state chosen with care could make the next numbers anything
        made.manual_seed(digest_of(state.numpy().tobytes()))
    else:
        made.set_state(state)
    decoder.arguments.add(made)
    return made


def encode_optimizer(encoder: "Encoder", value: torch.optim.Optimizer) -> list[Any]:
    """An optimizer of a check goes over once, as its class and settings, its parameters by number.
    The one that is made of that steps the same parameters; what it knows of them stays there.
    """
    endpoint, name = encoder.endpoint, type(value).__name__
    if not endpoint.strict or getattr(torch.optim, name, None) is not type(value) or value.state:
        raise BridgeError(
            f"an optimizer ({name}) cannot be carried, but for one of torch.optim that a check made"
            " and has not stepped"
        )
    alone, known = endpoint.module_sync.register_alone, endpoint.references.known(value)
    groups = [
        [
            [alone(parameter) for parameter in group["params"]],
            [[key, encoder.value(setting)] for key, setting in group.items() if key != "params"],
        ]
        for group in ([] if known else value.param_groups)
    ]
    return ["opt", endpoint.references.number(value), name, groups]


def decode_optimizer(decoder: "Decoder", number: Any, name: str, groups: Any) -> Any:
    if decoder.endpoint.strict:
        raise BridgeError("an optimizer of the student cannot be carried")
    known, tensor = decoder.endpoint.references, decoder.endpoint.module_sync.tensor
    local = from_sender(number)
    if found := known.registered(local):
        return found
    made = [
        {
            "params": [tensor(from_sender(parameter)) for parameter in parameters],
            **{key: decoder.value(setting) for key, setting in settings},
        }
        for parameters, settings in groups
    ]
    return known.register(local, getattr(torch.optim, name)(made, lr=0.0))


# everything else: a figure, a dataclass of a check as its fields, or a reference


def encode_object(encoder: "Encoder", value: Any) -> Any:
    if figures.is_figure(value):
        return figures.encode(encoder, value)
    if (
        encoder.endpoint.strict
        and dataclasses.is_dataclass(value)
        and not isinstance(value, type)
        and encoder.endpoint.references.known(value) is None
    ):
        fields = [field.name for field in dataclasses.fields(value) if field.init]
        return [
            "data",
            type(value).__name__,
            [[name, encoder.value(getattr(value, name))] for name in fields],
        ]
    return references.encode(encoder, value)


def decode_dataclass(decoder: "Decoder", name: Any, fields: Any) -> Any:
    """Of a check: the student's side makes one of its own class of that name."""
    if decoder.endpoint.strict:
        raise BridgeError("an object of a class that is not known here")
    values = {key: decoder.value(value) for key, value in fields}
    kind: Any = decoder.endpoint.namespace.get(name)
    try:
        return kind(**values)
    except Exception:
        return types.SimpleNamespace(**values)


ENCODERS: dict[Any, Any] = {  # by the exact type
    int: encode_integer,
    list: container_encoder("l"),
    dict: container_encoder("d"),
    set: container_encoder("s"),
    tuple: lambda encoder, value: ["u", encoder.values(value)],
    frozenset: lambda encoder, value: ["f", encoder.values(value)],
    torch.Tensor: encode_tensor,
    torch.nn.Parameter: encode_tensor,
    numpy.ndarray: encode_array,
    torch.Generator: encode_generator,
    torch.Size: lambda encoder, value: ["size", [int(n) for n in value]],
    torch.dtype: encode_dtype,
    torch.device: lambda encoder, value: ["dv", str(value)],
    complex: lambda encoder, value: ["c", value.real, value.imag],
    bytes: lambda encoder, value: ["b", base64.b64encode(value).decode()],
    slice: lambda encoder, value: ["slice", encoder.values((value.start, value.stop, value.step))],
    range: lambda encoder, value: ["range", value.start, value.stop, value.step],
    type(Ellipsis): lambda encoder, value: ["..."],
}
VIEWS = (collections.abc.KeysView, collections.abc.ValuesView, collections.abc.ItemsView)
FAMILIES: list[tuple[Any, Any]] = [  # for what is not exactly one of those; the first that fits
    (torch.Tensor, encode_tensor),
    (numpy.generic, encode_numpy_scalar),
    (int, encode_integer),
    (float, lambda encoder, value: float.__float__(value)),
    (str, lambda encoder, value: str.__str__(value)),
    (tuple, ENCODERS[tuple]),
    (list, ENCODERS[list]),
    (dict, ENCODERS[dict]),
    (set, ENCODERS[set]),
    (bytearray, lambda encoder, value: ENCODERS[bytes](encoder, bytes(value))),
    (VIEWS, lambda encoder, value: ["l", encoder.values(value)]),
    (types.MappingProxyType, lambda encoder, value: ENCODERS[dict](encoder, dict(value))),
    (
        torch.nn.Module,
        lambda encoder, value: ["m", encoder.endpoint.module_sync.register_module(value)],
    ),
    (torch.optim.Optimizer, encode_optimizer),
    (BaseException, lambda encoder, value: ["e", encoder.endpoint.errors.encode(value)]),
]
DECODERS: dict[str, Any] = {  # by tag
    "l": container_decoder(list),
    "d": container_decoder(dict),
    "s": container_decoder(set),
    "u": lambda decoder, items: tuple(decoder.values(items)),
    "f": lambda decoder, items: frozenset(decoder.values(items)),
    "a": lambda decoder, place: decoder.argument(place),
    "t": decode_tensor,
    "x": lambda decoder, record: decoder.tensors.tensor(record),
    "g": decode_with_gradient,
    "p": lambda decoder, number: decoder.endpoint.module_sync.tensor(from_sender(number)),
    "n": decode_array,
    "ns": lambda decoder, data: decoder.value(data)[()],
    "gen": decode_generator,
    "size": lambda decoder, items: torch.Size(items),
    "dt": lambda decoder, name: DTYPES[name],
    "dv": decode_device,
    "c": lambda decoder, real, imaginary: complex(real, imaginary),
    "b": lambda decoder, text: base64.b64decode(text, validate=True),
    "slice": lambda decoder, parts: slice(*decoder.values(parts)),
    "range": lambda decoder, start, stop, step: range(start, stop, step),
    "...": lambda decoder: Ellipsis,
    "data": decode_dataclass,
    "m": lambda decoder, number: decoder.endpoint.module_sync.module(from_sender(number)),
    "o": references.decode,
    "e": lambda decoder, data: decoder.endpoint.errors.decode(data),
    "opt": decode_optimizer,
    "fig": figures.decode,
}


def encoder_of(value: Any) -> Callable[..., Any]:
    """The function that encodes a value: by its exact type, else by the first family that it
    belongs to.
    """
    exact = ENCODERS.get(type(value))
    return exact or next(
        (encode for family, encode in FAMILIES if isinstance(value, family)), encode_object
    )


def decoder_of(data: Any) -> Callable[..., Any]:
    """The function that decodes what stands in a message. Raises BridgeError for an unknown tag."""
    tag = data[0] if isinstance(data, list) and data else None
    if not isinstance(tag, str) or tag not in DECODERS:
        raise BridgeError("a value of an unknown kind came over the pipe")
    return DECODERS[tag]
