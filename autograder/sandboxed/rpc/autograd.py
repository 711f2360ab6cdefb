"""Gradients over the pipe.

A result that requires a gradient stays, with its graph, where it was computed; the other side holds
its values as the output of a ``RemoteCall``, whose backward sends the gradients of the outputs over
and fetches those of the inputs.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch.autograd.function import once_differentiable

from .failures import BridgeError
from .proxies import Remote

if TYPE_CHECKING:
    from .endpoint import Endpoint


class Imported(torch.autograd.Function):
    """A tensor that came from the other side and is no leaf there: it may be changed in place, as
    there.

    Its gradient arrives at ``source``, a leaf of the same size that stands for the tensor as it
    came.
    """

    @staticmethod
    def forward(ctx: Any, source: Any, box: list[Any]) -> Any:
        return box[0]

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Any:
        return gradient, None


def anchor() -> torch.Tensor:
    """Something that requires a gradient, so that what hangs on it does too."""
    return torch.empty(0, device="cpu", requires_grad=True)


def imported(tensor: torch.Tensor, leaf: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """A tensor that came and requires a gradient, and the leaf where its gradient will arrive."""
    if leaf:
        return tensor.requires_grad_(), tensor
    source = (
        torch.empty((), dtype=tensor.dtype, device=tensor.device)
        .expand(tensor.shape)
        .requires_grad_()
    )
    with torch.enable_grad():
        return Imported.apply(source, [tensor]), source


class Node:
    """Results that stayed here with their graph, and the inputs whose gradients the other side may
    ask for.
    """

    def __init__(self, outputs: Sequence[torch.Tensor], inputs: Sequence[torch.Tensor]) -> None:
        self.outputs, self.inputs = outputs, inputs

    def gradients(self, received: Any) -> list[Any]:
        """The gradients of the inputs for given gradients of the outputs (None where there is
        none).
        """
        if not isinstance(received, (list, tuple)) or len(received) != len(self.outputs):
            raise BridgeError("gradients came for other outputs than there are")
        pairs = [
            (output, gradient)
            for output, gradient in zip(self.outputs, received, strict=False)
            if gradient is not None
        ]
        if not pairs or not self.inputs:
            return [None] * len(self.inputs)
        outputs, gradients = zip(*pairs, strict=False)
        return list(
            torch.autograd.grad(
                outputs, self.inputs, gradients, retain_graph=True, allow_unused=True
            )
        )


def export_node(
    endpoint: "Endpoint", outputs: Sequence[torch.Tensor], sources: Mapping[int, torch.Tensor]
) -> list[Any]:
    """What the other side needs to fetch gradients: number of the node, numbers of the arguments
    and of the parameters that both sides know.

    sources: the leaf for every argument that came with a gradient, by its number.
    """
    leaves = _reached(outputs)
    places = [place for place, source in sources.items() if id(source) in leaves]
    numbers, inputs = [], [sources[place] for place in places]
    for leaf in leaves.values():
        number = endpoint.module_sync.number(leaf)
        if number is not None:
            numbers.append(number)
            inputs.append(leaf)
    return [endpoint.references.number(Node(outputs, inputs)), places, numbers]


def _reached(outputs: Sequence[torch.Tensor]) -> dict[int, torch.Tensor]:
    """Leaf tensors behind some tensors, by id."""
    leaves = {id(output): output for output in outputs if output.grad_fn is None}
    functions: set[Any] = set()
    waiting: list[Any] = [output.grad_fn for output in outputs if output.grad_fn is not None]
    while waiting:
        function = waiting.pop()
        if function in functions:
            continue
        functions.add(function)
        variable = getattr(function, "variable", None)
        if variable is not None:
            leaves[id(variable)] = variable
        waiting += [following for following, _ in function.next_functions if following is not None]
    return leaves


class RemoteNode(Remote):
    """Stands here for a Node of the other side."""

    def __init__(self, endpoint: "Endpoint", number: Any, inputs: Sequence[torch.Tensor]) -> None:
        super().__init__(endpoint, number)
        object.__setattr__(self, "inputs", inputs)

    def results(self, made: Any) -> list[Any]:
        """The received values as tensors that know where their gradient comes from."""
        with torch.enable_grad():
            return list(RemoteCall.apply(self, [made], anchor(), *self.inputs))

    def gradients(self, gradients: Any) -> list[Any]:
        received = self._ask("backward", list(gradients))
        if not isinstance(received, list) or len(received) != len(self.inputs):
            raise BridgeError("gradients came for other inputs than there are")
        for gradient, value in zip(received, self.inputs, strict=False):
            if gradient is not None and not (
                isinstance(gradient, torch.Tensor) and gradient.shape == value.shape
            ):
                raise BridgeError("a gradient came that does not fit its tensor")
        return received


class RemoteCall(torch.autograd.Function):
    """A call on the other side as one step of the graph here."""

    @staticmethod
    def forward(ctx: Any, node: Any, box: list[Any], anchor: torch.Tensor, *inputs: Any) -> Any:
        ctx.node = node
        ctx.set_materialize_grads(False)
        return tuple(box[0])

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Any) -> Any:
        return None, None, None, *ctx.node.gradients(gradients)
