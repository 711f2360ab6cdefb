"""The process of one student's code: runs their cells, then answers for their functions."""

import socket
from typing import TYPE_CHECKING

from ..rpc import failures, frames
from ..rpc.endpoint import Endpoint
from ..rpc.failures import Gone
from . import tamper

if TYPE_CHECKING:
    from .ipython_shell import Shell


class CodeRunner:
    """Serves one socket: runs the cells that the worker sends, and answers in the conversations of
    the checks.
    """

    def __init__(self, sock: socket.socket, shell: "Shell") -> None:
        self.sock, self.shell = sock, shell
        self.cells: dict[str, str] = {}
        self.endpoint = self._conversation()

    def serve(self) -> None:
        orders = {
            "cell": self._cell,
            "begin": self._begin,
            "evidence": lambda message: {"evidence": tamper.differences(self.shell)},
        }
        while True:
            try:
                message, payload = frames.receive(self.sock, frames.WIDE)
                if message.get("do") in orders:
                    frames.send(self.sock, orders[message["do"]](message))
                else:
                    self.endpoint.perform(message, payload)
            except Gone:
                return

    def _conversation(self):
        return Endpoint(
            self.sock,
            strict=False,
            namespace=self.shell.user_ns,
            cells=self.cells,
            run_cell=self.run_cell,
        )

    def _begin(self, message):
        """A check begins: nothing that was handed over in an earlier one is valid any more."""
        self.endpoint.open = False
        self.endpoint = self._conversation()
        return {"begun": True}

    def _cell(self, message):
        error = self.run_cell(message["label"], message["text"])
        return {"ran": None if error is None else failures.describe(error, self.cells)}

    def run_cell(self, label: str, text: str) -> BaseException | None:
        """Run a cell; returns the exception that ended it, or None."""
        self.cells[f"<{label}>"] = label
        try:
            return self.shell.run(label, text)
        except BaseException as escaped:
            return escaped
