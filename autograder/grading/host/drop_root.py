"""Started by root: bind the folders that the sandbox will show where every user can reach them,
become nobody, start bubblewrap.

    python drop_root.py SOURCE TARGET SOURCE TARGET … -- COMMAND … BINDS …

Run as a program of its own, with nothing of the project imported. The word BINDS is replaced by
bubblewrap's options.
"""

import ctypes
import os
import sys
from typing import NoReturn

CLONE_NEWNS, MS_BIND, MS_REC, MS_PRIVATE = 0x00020000, 0x1000, 0x4000, 0x40000
NOBODY = 65534
STAGE = "/tmp"

libc = ctypes.CDLL(None, use_errno=True)


def main(words: list[str]) -> None:
    split = words.index("--")
    pairs, command = list(zip(words[:split:2], words[1:split:2], strict=False)), words[split + 1 :]
    if libc.unshare(CLONE_NEWNS):
        fail("no new mount namespace")
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    opened = [os.open(source, os.O_PATH) for source, _ in pairs]
    mount("tmpfs", STAGE, "tmpfs", 0, "mode=755")
    options = []
    for number, (file, (_source, target)) in enumerate(zip(opened, pairs, strict=False)):
        place = f"{STAGE}/{number}"
        if os.path.isdir(f"/proc/self/fd/{file}"):
            os.mkdir(place, 0o755)
        else:
            os.close(os.open(place, os.O_CREAT | os.O_WRONLY, 0o644))
        mount(f"/proc/self/fd/{file}", place, None, MS_BIND)
        os.close(file)
        options += ["--ro-bind", place, target]
    os.chdir("/")
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    place = command.index("BINDS")  # type: ignore[assignment]
    command[place : place + 1] = options  # type: ignore[index, operator]
    os.execv(command[0], command)


def mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    if libc.mount(
        source.encode(), target.encode(), kind and kind.encode(), flags, options.encode()
    ):
        fail(f"mounting {target}")


def fail(what: str) -> NoReturn:
    sys.exit(f"{what}: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    main(sys.argv[1:])
