"""Show the built site on this machine. Python's own handler knows no byte ranges, without which a browser cannot seek in a sound."""

import http.server
import os
import re
import threading
from contextlib import contextmanager
from functools import partial

from autograder.course.errors import AutograderError

RANGE = re.compile(r"bytes=(?P<start>\d+)-(?P<end>\d*)$")


class SiteHandler(http.server.SimpleHTTPRequestHandler):
    """Files of a folder, whole or the byte range that is asked for. Says nothing."""

    def log_message(self, *arguments):
        pass

    def send_head(self):
        wanted, path = RANGE.match(self.headers.get("Range", "")), self.translate_path(self.path)
        if not wanted or not os.path.isfile(path):
            return super().send_head()
        size = os.path.getsize(path)
        start, end = int(wanted["start"]), min(int(wanted["end"] or size - 1), size - 1)
        if start > end:
            self.send_error(416)
            return None
        self.send_response(206)
        for name, value in [
            ("Content-Type", self.guess_type(path)),
            ("Accept-Ranges", "bytes"),
            ("Content-Range", f"bytes {start}-{end}/{size}"),
            ("Content-Length", str(end - start + 1)),
        ]:
            self.send_header(name, value)
        self.end_headers()
        file = open(path, "rb")
        file.seek(start)
        self.left = end - start + 1
        return file

    def copyfile(self, source, outputfile):
        left, self.left = getattr(self, "left", None), None
        try:
            outputfile.write(source.read() if left is None else source.read(left))
        except (BrokenPipeError, ConnectionResetError):
            pass  # the browser has enough


@contextmanager
def serving(folder, port=0):
    """Serve ``folder`` on 127.0.0.1 and yield its address; port 0 takes a free one. Raises AutograderError where the port is taken."""
    try:
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", port), partial(SiteHandler, directory=str(folder))
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
