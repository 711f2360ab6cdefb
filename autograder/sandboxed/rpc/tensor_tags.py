"""Encoder and decoder of tensors, arrays, generators and what else belongs to torch and numpy."""

import re
from typing import TYPE_CHECKING, Any

import numpy
import torch

from . import references
from .arguments import digest_of
from .failures import BridgeError
from .tensors import NAMES

if TYPE_CHECKING:
    from .codec import Decoder, Encoder


NUMPY = re.compile(r"^[<=|][biufc]\d{1,2}$")
DEVICE = re.compile(r"^(cpu|meta|cuda|mps)(:\d{1,2})?$")

# tensors: an argument of the call, a parameter that both sides know, or values; with a gradient or
# without


def encode_tensor(encoder: "Encoder", value: torch.Tensor) -> list[Any]:
    place = encoder.arguments.place(value)
    if place is not None:
        return ["a", place]
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


def decode_parameter(decoder: "Decoder", number: Any) -> torch.Tensor:
    return decoder.endpoint.module_sync.tensor(references.from_sender(number))


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
    place = encoder.arguments.place(value)
    if place is not None:
        return ["a", place]
    encoder.arguments.add(value)
    number = encoder.endpoint.references.number(value)
    return ["gen", number, encoder.tensors.add(value.get_state())]


def decode_generator(decoder: "Decoder", number: Any, record: Any) -> torch.Generator:
    state, known = decoder.tensors.tensor(record), decoder.endpoint.references
    local = references.from_sender(number)
    if local > 0:  # one of our own comes home; its numbers go on from where they are here
        own = known.own(local)
        if not isinstance(own, torch.Generator):
            raise BridgeError("a generator came over the pipe that is none")
        decoder.arguments.add(own)
        return own
    made = known.adopted(local)
    if made is None:
        made = known.adopt(local, torch.Generator())
    if decoder.endpoint.strict:  # a state chosen with care could make the next numbers anything
        made.manual_seed(digest_of(state.numpy().tobytes()))
    else:
        made.set_state(state)
    decoder.arguments.add(made)
    return made
