"""Exceptions that cross the pipe, so that one that comes back is the same one; and those that say
what could not cross.
"""

import builtins
import contextlib
import re
import traceback
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .endpoint import Endpoint

LONGEST_MESSAGE = 2000
MOST_KEPT = 200  # exceptions that went over
CONTROL = re.compile(
    r"\x1b\[[0-9;]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)


# what Python raises for data that is not what it claims to be
NONSENSE = (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError)


class BridgeError(Exception):
    """Something cannot be carried over the pipe, or the other end broke the protocol."""


class Gone(BridgeError):
    """The other process ended, or closed the pipe."""


class Garbled(BridgeError):
    """What came is no frame; nothing that follows on this pipe can be understood."""


class Remote:
    """Mixed into everything that was raised on the other side.

    ``remote_type`` is the name of its class there, ``where`` the (cell, line) it came from, or
    None.
    """

    remote_type = "Exception"
    remote_message = ""
    where: tuple[str, int] | None = None
    token: int | None = None
    conversation: "Endpoint | None" = None

    def __str__(self) -> str:
        return self.remote_message


class RemoteError(Remote, Exception):
    """Mixed into every ordinary exception that was raised on the other side."""


def _raisable() -> dict[str, type[Exception]]:
    """Builtin exceptions that an error of the other side may take the shape of; none of them ends a
    process or a loop.
    """
    special = (StopIteration, StopAsyncIteration, Warning)
    return {
        name: kind
        for name, kind in vars(builtins).items()
        if isinstance(kind, type)
        and issubclass(kind, Exception)
        and not issubclass(kind, special)
        and "Group" not in name
    }


BUILTIN = _raisable()
# what no ``except Exception`` catches: it may take this shape in the student's process alone
ENDINGS = {"KeyboardInterrupt": KeyboardInterrupt, "SystemExit": SystemExit}


def clean(text: object, limit: int = LONGEST_MESSAGE) -> str:
    """Text from the other side made safe to show: bounded, no control characters, nothing that is
    not UTF-8.
    """
    text = str(text)[: 4 * limit].encode("utf-8", "replace").decode("utf-8")
    text = CONTROL.sub("", text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def describe(error: BaseException, cells: dict[str, str] | None = None) -> dict[str, Any]:
    """An exception as plain data. cells: file names of the student's cells and their labels."""
    kind, known = type(error), BUILTIN | ENDINGS
    base = next((name.__name__ for name in kind.__mro__ if known.get(name.__name__) is name), None)
    try:
        message = error.args[0] if isinstance(error, KeyError) and len(error.args) == 1 else error
        message = clean(message)
    except BaseException:
        message = ""
    return {
        "type": clean(getattr(kind, "__name__", "Exception"), 80),
        "base": base or "RuntimeError",
        "message": message,
        "where": _where(error, cells) if cells else None,
    }


def _where(error: BaseException, cells: dict[str, str]) -> list[Any] | None:
    """The last line of the student's own cells that the exception passed through."""
    for frame in reversed(list(traceback.walk_tb(error.__traceback__))):
        label = cells.get(frame[0].f_code.co_filename)
        if label:
            return [label, frame[1]]
    return None


def rebuild(data: Any, endings: bool = False) -> Any:
    """An exception to raise here for one that was raised there; the nearest builtin type, with the
    name of its type there. endings: one of ``ENDINGS`` is raised as such; else as a RuntimeError.
    """
    if not isinstance(data, dict):
        raise BridgeError("an error came over the pipe in an unknown form")
    name = data.get("type")
    name = (
        name if isinstance(name, str) and name.isidentifier() and len(name) <= 80 else "Exception"
    )
    known = BUILTIN | ENDINGS if endings else BUILTIN
    told = data.get("base")
    base = known.get(told, RuntimeError) if isinstance(told, str) else RuntimeError
    remote = RemoteError if issubclass(base, Exception) else Remote
    message = data.get("message")
    message = clean(message) if isinstance(message, str) else ""
    error = type(
        name,
        (remote, base),
        {"remote_type": name, "remote_message": message, "where": _place(data.get("where"))},
    )
    try:
        return error(message)
    except TypeError:  # a builtin that wants more than a message, as UnicodeDecodeError
        return type(
            name, (RemoteError, RuntimeError), {"remote_type": name, "remote_message": message}
        )(message)


def _place(where: Any) -> tuple[str, int] | None:
    if (
        isinstance(where, list)
        and len(where) == 2
        and isinstance(where[0], str)
        and type(where[1]) is int
    ):
        return clean(where[0], 80), where[1]
    return None


class Errors:
    """The exceptions of one conversation. From the trusted side only the type travels, never the
    text.
    """

    def __init__(self, endpoint: "Endpoint") -> None:
        self.endpoint = endpoint
        self._sent: dict[int, BaseException] = {}
        self._last = 0

    def encode(self, error: BaseException) -> dict[str, Any]:
        if (
            isinstance(error, Remote)
            and error.token is not None
            and error.conversation is self.endpoint
        ):
            return {"home": error.token}
        data = describe(error, self.endpoint.cells)
        if self.endpoint.strict:
            data["message"] = ""
        self._last += 1
        self._sent[self._last] = error
        self._sent.pop(self._last - MOST_KEPT, None)
        return {**data, "token": self._last}

    def decode(self, data: Any) -> BaseException:
        if isinstance(data, dict) and type(data.get("home")) is int and data["home"] in self._sent:
            return self._sent[data["home"]]
        # nothing of a student may end a process of ours; what a check raises may end theirs
        error = rebuild(data, endings=not self.endpoint.strict)
        token = data.get("token")
        error.token, error.conversation = token if type(token) is int else None, self.endpoint
        return error


@contextlib.contextmanager
def making_sense() -> Iterator[None]:
    """A message that cannot be read is the other side's fault, whatever it trips over."""
    try:
        yield
    except (*NONSENSE, RuntimeError) as error:
        raise BridgeError(
            f"a message came in a form that makes no sense ({type(error).__name__}:"
            f" {clean(error, 200)})"
        ) from error
