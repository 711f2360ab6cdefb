"""Show the built site on this machine.

Python's own handler knows no byte ranges, without which a browser cannot seek in a sound.
"""

import contextlib
import http.server
import re
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from autograder.course.errors import AutograderError

RANGE = re.compile(r"bytes=(?P<start>\d+)-(?P<end>\d*)$")


class SiteHandler(http.server.SimpleHTTPRequestHandler):
    """Files of a folder, whole or the byte range that is asked for. Says nothing."""

    bytes_left: int | None = None  # of the range that is being sent; None: the whole file

    def log_message(self, *arguments: object) -> None:
        pass

    def send_head(self) -> Any:
        wanted = RANGE.match(self.headers.get("Range", ""))
        path = Path(self.translate_path(self.path))
        self.bytes_left = None
        if not wanted or not path.is_file():
            return super().send_head()
        size = path.stat().st_size
        start, end = int(wanted["start"]), min(int(wanted["end"] or size - 1), size - 1)
        if start > end:
            self.send_error(416)
            return None
        self.bytes_left = end - start + 1
        self.send_response(206)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Range", f"bytes {start}-{end}/{size}")
        self.send_header("Content-Length", str(self.bytes_left))
        self.end_headers()
        file = path.open("rb")
        file.seek(start)
        return file

    def copyfile(self, source: Any, outputfile: Any) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the browser has enough
            outputfile.write(source.read(-1 if self.bytes_left is None else self.bytes_left))


@contextlib.contextmanager
def serving(folder: Path, port: int = 0, handler: type[SiteHandler] = SiteHandler) -> Iterator[str]:
    """Serve ``folder`` on 127.0.0.1 and yield its address; port 0 takes a free one.

    Raises AutograderError where the port is taken.
    """
    try:
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", port), partial(handler, directory=str(folder))
        )
    except OSError as error:
        raise AutograderError(
            f"port {port}: {error.strerror}. Choose another one with --port."
        ) from error
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
