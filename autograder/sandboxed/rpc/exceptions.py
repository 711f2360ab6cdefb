"""Exceptions that travel: which ones went over the pipe, so that one that comes back is the same
one.
"""

from typing import TYPE_CHECKING, Any

from . import failures
from .failures import Remote

if TYPE_CHECKING:
    from .endpoint import Endpoint


MOST_KEPT = 200


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
        data = failures.describe(error, self.endpoint.cells)
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
        error = failures.rebuild(data, endings=not self.endpoint.strict)
        token = data.get("token")
        error.token, error.conversation = token if type(token) is int else None, self.endpoint
        return error
