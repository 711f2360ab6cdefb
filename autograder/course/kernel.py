"""A Jupyter kernel for one notebook."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nbclient import NotebookClient
from nbformat import NotebookNode


@contextmanager
def kernel(notebook: NotebookNode, **options: Any) -> Iterator[NotebookClient]:
    """A NotebookClient with a kernel that talks over sockets in a folder of its own: no port,
    whatever folder the kernel works in. On Windows, which has no such sockets, over ports.
    """
    client = NotebookClient(
        notebook, kernel_name="python3", record_timing=False, coalesce_streams=True, **options
    )
    manager = client.create_kernel_manager()
    with tempfile.TemporaryDirectory(prefix="kernel-") as folder:
        if os.name == "posix":
            manager.transport, manager.ip = "ipc", str(Path(folder, "socket"))
        with client.setup_kernel():
            yield client
