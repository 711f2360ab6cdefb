"""A PostgreSQL server of a test's own, which can be stopped, killed and started again."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import psutil
import psycopg

FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
INITDB = shutil.which("initdb") or next(
    (str(folder / "initdb") for folder in FOLDERS if (folder / "initdb").exists()), None
)
MISSING = "PostgreSQL's server is not installed (apt-get install postgresql)"
USER = "nobody"  # initdb refuses root


class Server:
    """Listens on a socket file only. A context manager: started inside, gone with its folder
    afterwards.
    """

    def __enter__(self):
        self.folder = Path(
            tempfile.mkdtemp(prefix="pg-", dir="/tmp")
        )  # a socket's path is at most 107 bytes long
        if os.geteuid() == 0:
            shutil.chown(self.folder, USER)
        self._run(INITDB, "-U", "teacher", "--auth=trust", "--encoding=UTF8", "--no-sync")
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database="postgres"):
        return f"postgresql+psycopg://teacher@/{database}?host={self.folder}"

    def create(self, database):
        """A new, empty database; its URL."""
        where = f"postgresql://teacher@/postgres?host={self.folder}"
        with psycopg.connect(where, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {database}")
        return self.url(database)

    def start(self):
        settings = f"-k {self.folder} -c listen_addresses='' -c fsync=off"
        self._run(self._control, "-l", str(self.folder / "log"), "-w", "-o", settings, "start")

    def stop(self):
        """Stop it at once, without a farewell to its clients; nothing where it is stopped."""
        if (self.folder / "data/postmaster.pid").exists():
            self._run(self._control, "-m", "immediate", "-w", "stop")

    def kill(self):
        """Signal 9 to the server and to all processes that it started, as when a machine fails."""
        pid = int((self.folder / "data/postmaster.pid").read_text().split()[0])
        server = psutil.Process(pid)
        processes = [server, *server.children(recursive=True)]
        for process in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(processes, timeout=30)

    @property
    def _control(self):
        return str(Path(INITDB).with_name("pg_ctl"))

    def _run(self, program, *options):
        step_down = {"user": USER, "extra_groups": []} if os.geteuid() == 0 else {}
        subprocess.run(
            [program, "-D", str(self.folder / "data"), *options],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            env={**os.environ, "HOME": str(self.folder), "LC_ALL": "C.UTF-8"},
            **step_down,
        )
