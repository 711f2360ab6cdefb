"""Started by root: bind the folders that the sandbox will show where every user can reach them,
become nobody, start bubblewrap.

Root of a container often may not mount (no CAP_SYS_ADMIN). Then the folders are shown from where
they are, which must be open to every user; the sandbox is the same, as nobody makes it either way.

    python drop_root.py SOURCE TARGET SOURCE TARGET … -- COMMAND … BINDS …

Run as a program of its own, with nothing of the project imported. The word BINDS is replaced by
bubblewrap's options.
"""

import ctypes
import errno
import os
import shlex
import sys
from typing import NoReturn

CLONE_NEWNS, MS_BIND, MS_REC, MS_PRIVATE = 0x00020000, 0x1000, 0x4000, 0x40000
NOBODY = 65534
BOUND = "/tmp"  # where the folders are bound

libc = ctypes.CDLL(None, use_errno=True)


def main(words: list[str]) -> None:
    split = words.index("--")
    pairs, command = list(zip(words[:split:2], words[1:split:2], strict=False)), words[split + 1 :]
    may_mount = libc.unshare(CLONE_NEWNS) == 0
    if not may_mount and ctypes.get_errno() != errno.EPERM:
        fail("no new mount namespace")
    folders = [source for source, _ in pairs]
    if may_mount:
        pairs = bound(pairs)
    os.chdir("/")
    try:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    except PermissionError:
        sys.exit("root may not become another user here; start the grader as one that is not root")
    closed = [
        folder
        for folder, (source, _) in zip(folders, pairs, strict=True)
        if not os.access(source, os.R_OK | os.X_OK if os.path.isdir(source) else os.R_OK)
    ]
    if closed and may_mount:
        sys.exit(
            f"the sandbox's user cannot read {closed[0]}. Made under umask 077? "
            f"Type: chmod -R go+rX {shlex.join(closed)}"
        )
    if closed:
        sys.exit(
            f"root may not mount here and other users may not read {closed[0]}; install Python "
            "where every user may read it, or start the grader as a user that is not root"
        )
    options = [part for source, target in pairs for part in ("--ro-bind", source, target)]
    place = command.index("BINDS")
    command[place : place + 1] = options
    os.execv(command[0], command)


def bound(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pairs with each source bound to a place that every user can reach."""
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    opened = [os.open(source, os.O_PATH) for source, _ in pairs]
    mount("tmpfs", BOUND, "tmpfs", 0, "mode=755")
    made = []
    for number, (file, (_, target)) in enumerate(zip(opened, pairs, strict=False)):
        place = f"{BOUND}/{number}"
        if os.path.isdir(f"/proc/self/fd/{file}"):
            os.mkdir(place, 0o755)
        else:
            os.close(os.open(place, os.O_CREAT | os.O_WRONLY, 0o644))
        mount(f"/proc/self/fd/{file}", place, None, MS_BIND)
        os.close(file)
        made.append((place, target))
    return made


def mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    if libc.mount(
        source.encode(), target.encode(), kind and kind.encode(), flags, options.encode()
    ):
        fail(f"mounting {target}")


def fail(what: str) -> NoReturn:
    sys.exit(f"{what}: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    main(sys.argv[1:])
