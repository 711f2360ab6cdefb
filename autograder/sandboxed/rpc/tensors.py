"""Tensors as bytes and back: dtype, size, strides, offset, and which of them share memory.

A message carries each storage once, as the span of bytes that its tensors reach; a tensor is a view
of such a span.
"""

import math
from typing import TYPE_CHECKING, Any

import numpy
import torch

from .failures import BridgeError

if TYPE_CHECKING:
    from .frames import Bounds


ALIGNMENT = 16
CARRIED = "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128"
DTYPES: dict[str, torch.dtype] = {name: getattr(torch, name) for name in CARRIED.split()}
NAMES = {kind: name for name, kind in DTYPES.items()}
EQUAL = torch.equal  # whatever a student puts into its place


def plain(tensor: torch.Tensor) -> torch.Tensor:
    """The values of any tensor as an ordinary strided one, or BridgeError."""
    if torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        raise BridgeError(
            "a tensor inside torch.func (vmap, grad, jacrev) cannot leave its process"
        )
    data = (
        tensor.detach()
        if type(tensor) in (torch.Tensor, torch.nn.Parameter)
        else torch.Tensor.detach(tensor)
    )
    if data.layout is not torch.strided or data.is_quantized or data.is_nested:
        raise BridgeError(
            f"a {str(data.layout).removeprefix('torch.')} tensor cannot be carried; make it dense"
        )
    if data.dtype not in NAMES:
        raise BridgeError(f"a tensor of {data.dtype} cannot be carried")
    if data.device.type not in ("cpu", "meta"):
        data = data.cpu()
    return data.resolve_conj().resolve_neg() if data.device.type == "cpu" else data


def raw(storage_of: torch.Tensor, low: int, high: int) -> numpy.ndarray:
    """Bytes low to high of a tensor's storage, without a copy."""
    flat = torch.empty(0, dtype=torch.uint8, device="cpu").set_(storage_of.untyped_storage())
    return flat[low:high].numpy()


def fingerprint(tensor: torch.Tensor) -> tuple[Any, ...]:
    """Something that changes when the tensor's values, dtype, size or device do."""
    data = plain(tensor.to_dense() if tensor.layout is not torch.strided else tensor)
    about = (data.dtype, data.shape, data.device.type)
    if about[2] == "meta" or not data.numel():
        return about
    if data.dtype is torch.bfloat16:  # of which NumPy has none
        data = data.contiguous().reshape(-1).view(torch.uint8)
    return (*about, hash(data.numpy().tobytes()))


class Outgoing:
    """The storages of a message being written."""

    def __init__(self) -> None:
        # address of the storage -> [index, a tensor in it, low, high]
        self._spans: dict[int, Any] = {}

    def add(self, tensor: torch.Tensor) -> list[Any]:
        """Take a tensor along; returns the record that stands for it."""
        data = plain(tensor)
        size, stride, name = list(data.shape), list(data.stride()), NAMES[data.dtype]
        if data.device.type == "meta":
            return [-1, name, size, stride, 0]
        if not data.numel():
            return [-2, name, size, stride, 0]
        start = data.storage_offset() * data.element_size()
        end = start + _reach(size, stride) * data.element_size()
        start -= start % ALIGNMENT
        span = self._spans.setdefault(
            data.untyped_storage().data_ptr(), [len(self._spans), data, start, end]
        )
        span[2], span[3] = min(span[2], start), max(span[3], end)
        return [span[0], name, size, stride, data.storage_offset() * data.element_size()]

    def finish(self) -> tuple[list[list[int]], list[Any]]:
        """The table of spans, and their bytes."""
        table: list[list[int]] = []
        buffers: list[Any] = []
        for _, data, low, high in self._spans.values():
            table.append([low, high])
            buffers.append(raw(data, low, high))
            if (high - low) % ALIGNMENT:
                buffers.append(bytes(-(high - low) % ALIGNMENT))
        return table, buffers


class Incoming:
    """The storages of a message that came."""

    def __init__(self, table: Any, payload: bytes | bytearray, bounds: "Bounds") -> None:
        self._payload, self._bounds = payload, bounds
        self._flat: dict[int, torch.Tensor] = {}
        self._spans: list[tuple[int, int, int]] = []
        position = 0
        if not isinstance(table, list):
            raise BridgeError("a message without a table of its tensors")
        for entry in table:
            low, high = _integers(entry, 2)
            if low > high or low % ALIGNMENT:
                raise BridgeError("a tensor's memory is described wrongly")
            self._spans.append((low, high, position))
            position += high - low + -(high - low) % ALIGNMENT
        if position != len(payload):
            raise BridgeError("a message's bytes are not those its table announces")

    def tensor(self, record: Any) -> torch.Tensor:
        """The tensor that a record stands for, on memory of its own."""
        if not isinstance(record, list) or len(record) != 5:
            raise BridgeError("a tensor is described wrongly")
        index, name, size, stride, start = record
        kind = DTYPES.get(name) if isinstance(name, str) else None
        if kind is None or type(index) is not int:
            raise BridgeError("a tensor is described wrongly")
        size, stride = _integers(size), _integers(stride)
        if len(size) != len(stride) or len(size) > 64:
            raise BridgeError("a tensor is described wrongly")
        count = math.prod(size)
        if count * kind.itemsize > self._bounds.tensor_bytes or max([0, *size, *stride]) >= 1 << 40:
            raise BridgeError(f"a tensor of {count:,} elements is larger than can be carried")
        if index == -1:
            return torch.empty_strided(size, stride, dtype=kind, device="meta")
        if not count:
            return torch.empty(size, dtype=kind, device="cpu")
        return self._view(index, kind, size, stride, start)

    def _view(
        self, index: int, kind: torch.dtype, size: list[int], stride: list[int], start: Any
    ) -> torch.Tensor:
        if not 0 <= index < len(self._spans) or type(start) is not int:
            raise BridgeError("a tensor is described wrongly")
        low, high, _ = self._spans[index]
        last = start + _reach(size, stride) * kind.itemsize
        if start < low or last > high or start % kind.itemsize:
            raise BridgeError("a tensor reaches outside its memory")
        flat = self._memory(index)
        if kind is torch.bool:  # another byte than 0 and 1 would compare strangely
            flat[start - low : last - low].ne_(0)
        view = torch.empty(0, dtype=kind, device="cpu")
        return view.set_(flat.untyped_storage(), (start - low) // kind.itemsize, size, stride)

    def _memory(self, index: int) -> torch.Tensor:
        if index not in self._flat:
            self._flat[index] = self._received(index).clone()
        return self._flat[index]

    def _received(self, index: int) -> torch.Tensor:
        low, high, position = self._spans[index]
        return torch.frombuffer(self._payload, dtype=torch.uint8, count=high - low, offset=position)

    def changed(self) -> set[int]:
        """Addresses of the storages that were written to since they came."""
        return {
            flat.untyped_storage().data_ptr()
            for index, flat in self._flat.items()
            if not EQUAL(flat, self._received(index))
        }


def _reach(size: list[int], stride: list[int]) -> int:
    """How many elements lie from the first to the last of a tensor."""
    return 1 + sum((n - 1) * step for n, step in zip(size, stride, strict=True))


def _integers(values: Any, length: int | None = None) -> list[int]:
    if (
        not isinstance(values, list)
        or length not in (None, len(values))
        or not all(type(n) is int and n >= 0 for n in values)
    ):
        raise BridgeError("a message holds something that should be whole numbers")
    return values
