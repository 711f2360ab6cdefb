"""What surrounds a call and changes what it does: gradient mode, default dtype and device, random
numbers, dispatch modes (``recording``).
"""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import _get_current_function_mode_stack
from torch.utils._device import DeviceContext
from torch.utils._python_dispatch import _disable_current_modes

from .arguments import digest, reseed
from .recording import Recorder
from .tensors import DTYPES, NAMES

if TYPE_CHECKING:
    from .endpoint import Endpoint


@contextlib.contextmanager
def hidden_from_modes() -> Iterator[None]:
    """Nothing that the pipe itself does is seen by modes or subclasses."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch._C.DisableTorchFunction())
        if torch._C._len_torch_dispatch_stack():
            stack.enter_context(_disable_current_modes())
        yield


class CallContext:
    """Tells the other side about the surroundings of a call, and follows what it tells."""

    def __init__(self, endpoint: "Endpoint") -> None:
        self.endpoint = endpoint
        self._random: int | None = None  # the state that the other side knows

    def surroundings(self, observed: bool) -> list[Any]:
        """The surroundings of the call about to be made, as plain data; ``observed`` by a dispatch
        mode.
        """
        device = next(
            (
                mode.device
                for mode in reversed(_get_current_function_mode_stack())
                if isinstance(mode, DeviceContext)
            ),
            None,
        )
        dtype = torch.get_default_dtype()
        return [
            torch.is_grad_enabled(),
            torch.is_inference_mode_enabled(),
            None if dtype is torch.float32 else NAMES.get(dtype),
            None if device is None else str(device),
            self._seed(),
            observed,
        ]

    def _seed(self) -> int | None:
        """A seed made from the state of the random numbers, whenever that was changed here since
        the last call.

        Not the state itself: numbers drawn here and there must not be the same ones.
        """
        if not self.endpoint.strict:
            return None
        now = digest(torch.default_generator)
        if now == self._random:
            return None
        self._random = now
        return now

    def random_state(self) -> int:
        """A number that stands for the state of the random numbers here."""
        with hidden_from_modes():
            return digest(torch.default_generator)

    def drew(self, told: Any) -> None:
        """Random numbers were drawn over there: those here go on from elsewhere, as if they had
        been drawn here.
        """
        if self.endpoint.strict:
            reseed(torch.default_generator, told)
            self._random = None  # they have gone on over there: even an earlier seed is news

    @contextlib.contextmanager
    def surrounded(self, told: Any) -> Iterator[list[Any] | None]:
        """Surroundings as the other side told them; yields a list that fills with the tensors
        made, or None.
        """
        gradients, inference, dtype, device, seed, observed = told
        with contextlib.ExitStack() as stack:
            if seed is not None and not self.endpoint.strict:
                torch.default_generator.manual_seed(seed)
            stack.enter_context(torch.set_grad_enabled(gradients is True))
            if inference is True:
                stack.enter_context(torch.inference_mode())
            wanted = DTYPES.get(dtype, torch.float32)
            if wanted.is_floating_point and wanted is not torch.get_default_dtype():
                stack.callback(torch.set_default_dtype, torch.get_default_dtype())
                torch.set_default_dtype(wanted)
            if device in ("cpu", "meta"):
                stack.enter_context(torch.device(device))
            if observed is not True:
                yield None
                return
            yield stack.enter_context(Recorder()).made
