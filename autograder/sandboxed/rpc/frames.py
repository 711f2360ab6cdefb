"""Frames on a socket: two lengths, JSON, raw bytes, and open files where a server is given an
order. Data only: nothing runs.

What arrives at the trusted end was written by a stranger: every length is checked before memory is
taken for it.
"""

import json
import socket
import struct
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .failures import BridgeError, Garbled, Gone

HEADER = struct.Struct("!QQ")
PIECE = 1 << 20
MOST_FILES = 4


@dataclass(frozen=True)
class Bounds:
    """How much one message may hold, and one conversation may nest."""

    json_bytes: int = 16 << 20
    payload_bytes: int = 512 << 20
    tensor_bytes: int = 1 << 30  # of one tensor as it is indexed; an expanded one occupies less
    items: int = 400_000  # values in one message
    mapping: int = 20_000  # entries of one dict or set
    depth: int = 60
    calls: int = 40  # calls inside calls
    modules: int = 4_000
    exports: int = 100_000


WIDE = Bounds(
    json_bytes=1 << 30,
    payload_bytes=4 << 30,
    tensor_bytes=8 << 30,
    items=1 << 40,
    mapping=1 << 40,
    depth=500,
    calls=200,
    modules=1 << 30,
    exports=1 << 40,
)


TAKEN = Bounds()  # by the trusted end


def send(
    sock: socket.socket,
    message: dict[str, Any],
    buffers: Iterable[Any] = (),
    files: Iterable[socket.socket | int] = (),
    bounds: Bounds | None = None,
) -> None:
    """Send one frame. buffers: bytes-like, sent one after the other; files: sockets or file
    descriptors that go with it.

    bounds: what the other end takes; BridgeError, and nothing is sent, where the frame is larger.
    """
    text = json.dumps(message, separators=(",", ":")).encode()
    views = [b if isinstance(b, bytes) else memoryview(b).cast("B") for b in buffers]
    size = sum(len(view) for view in views)
    if bounds and (len(text) > bounds.json_bytes or size > bounds.payload_bytes):
        raise BridgeError(f"it takes {len(text) + size:,} bytes, which is more than can be carried")
    try:
        parts = [HEADER.pack(len(text), size), text, *views]
        if files:
            numbers = [file if isinstance(file, int) else file.fileno() for file in files]
            socket.send_fds(sock, [parts.pop(0)], numbers)
        for part in [b"".join(parts)] if size < PIECE else parts:
            sock.sendall(part)
    except (BrokenPipeError, ConnectionResetError) as error:
        raise Gone("the other process is gone") from error


def receive(
    sock: socket.socket, bounds: Bounds, deadline: float | None = None
) -> tuple[dict[str, Any], bytearray]:
    """The next frame as (message, payload). Raises Gone at the end of the stream, Garbled for a
    frame out of bounds.

    deadline: time (monotonic) at which TimeoutError is raised, however little by little the frame
    comes.
    """
    return _rest(sock, _exactly(sock, HEADER.size, deadline), bounds, deadline)


def receive_order(sock: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """The next frame between our own processes as (message, file descriptors that came with it)."""
    header, files = b"", []
    try:
        while len(header) < HEADER.size:
            piece, found, _, _ = socket.recv_fds(sock, HEADER.size - len(header), MOST_FILES)
            files += found
            if not piece:
                raise Gone("the other process is gone")
            header += piece
    except (ConnectionResetError, BrokenPipeError) as error:
        raise Gone("the other process is gone") from error
    return _rest(sock, header, WIDE, None)[0], files


def _rest(
    sock: socket.socket, header: bytes | bytearray, bounds: Bounds, deadline: float | None
) -> tuple[dict[str, Any], bytearray]:
    """What follows a header, as (message, payload)."""
    text_size, payload_size = HEADER.unpack(header)
    if text_size > bounds.json_bytes:
        raise Garbled(
            f"an answer of {text_size:,} bytes of text is more than the {bounds.json_bytes:,} that"
            " are taken"
        )
    if payload_size > bounds.payload_bytes:
        raise Garbled(
            f"an answer of {payload_size:,} bytes is more than the {bounds.payload_bytes:,} that"
            " are taken"
        )
    data = _exactly(sock, text_size + payload_size, deadline)
    text, payload = (data[:text_size], data[text_size:]) if payload_size else (data, bytearray())
    try:
        message = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Garbled("the other process sent something that is no message") from error
    if not isinstance(message, dict):
        raise Garbled("the other process sent something that is no message")
    return message, payload


def _exactly(sock: socket.socket, size: int, deadline: float | None) -> bytearray:
    """Read ``size`` bytes; memory grows with what arrives, not with what was announced."""
    data = bytearray()
    try:
        while len(data) < size:
            if deadline is not None:
                sock.settimeout(max(0.001, deadline - time.monotonic()))
            piece = sock.recv(min(PIECE, size - len(data)))
            if not piece:
                raise Gone("the other process is gone")
            data += piece
    except (ConnectionResetError, BrokenPipeError) as error:
        raise Gone("the other process is gone") from error
    return data
