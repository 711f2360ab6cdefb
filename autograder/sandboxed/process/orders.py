"""Orders to a parent process: JSON over a Unix socket, with open files attached."""

import json
import socket
import struct

LENGTH = struct.Struct("!I")
MOST_FILES = 4


def send(sock, message, files=()):
    """Send an order or an answer; ``files`` are file descriptors or sockets that go with it."""
    text = json.dumps(message).encode()
    socket.send_fds(
        sock,
        [LENGTH.pack(len(text))],
        [file if isinstance(file, int) else file.fileno() for file in files],
    )
    sock.sendall(text)


def receive(sock):
    """(message, file descriptors). Raises EOFError when the other side has closed."""
    head, files = b"", []
    while len(head) < LENGTH.size:
        piece, found, _, _ = socket.recv_fds(sock, LENGTH.size - len(head), MOST_FILES)
        files += found
        if not piece:
            raise EOFError
        head += piece
    text, (size,) = bytearray(), LENGTH.unpack(head)
    while len(text) < size:
        piece = sock.recv(min(1 << 20, size - len(text)))
        if not piece:
            raise EOFError
        text += piece
    return json.loads(text), files
