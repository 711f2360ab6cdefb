"""The sandbox in which students' code runs: bubblewrap around the student server, and new
namespaces inside it for each submission.

What a submission's process sees
    Python with its installed packages, the C library, the pipe's own code, all read-only; a scratch
    folder of its own that is thrown away; /dev/null, zero, random; an empty /proc. No network
    device, sockets of no family but Unix's, no other process, nothing of the course, the gradebook,
    other submissions or home folders. It runs without privileges or a way to gain any, as a user of
    its own where the caller is root, with limits on memory, processes, files and time. Killing its
    first process ends all it has started.

What this does not cover
    - Faults of the kernel. User namespaces are a large part of it; keep it patched, and grade on a
      machine that holds nothing else.
    - Load. Where no control group may be made (control_group.py), memory of all processes together
      is measured a few times a second and not capped: sockets count as full, pipes are bounded by
      the kernel's limit for a user. Processor time and memory bandwidth are shared, so a submission
      can slow others and be slowed by them.
    - Side channels: time, caches, the processor's own faults.
    - Data that goes to the student's functions. A check's text never enters the sandbox, but the
      values that it passes do; code may look at them, and its own error messages may repeat them,
      shortened.
    - A grader without a sandbox: with ``--no-sandbox`` the same processes run with the caller's
      rights, files and network.
"""

import os
import shutil
import site
import sys
from pathlib import Path

from autograder.course.environment import sandbox_environment
from autograder.course.errors import SandboxError
from autograder.grading.host.fork_servers import Broken, Parent

INSTALL = (
    "Install it with 'apt-get install bubblewrap' (Fedora: 'dnf install bubblewrap'), or grade code"
    " that you trust with --no-sandbox."
)
ALLOW = (
    "If user namespaces are switched off here, allow them with 'sysctl -w"
    " kernel.unprivileged_userns_clone=1' (Debian) or 'sysctl -w"
    " kernel.apparmor_restrict_unprivileged_userns=0' (Ubuntu), or grade code that you trust with"
    " --no-sandbox."
)
ALONE = (
    "--unshare-all --die-with-parent --new-session --hostname sandbox --uid 65534 --gid 65534"
    " --proc /proc --dev /dev"
)
READ_ONLY = ("--remount-ro", "/dev", "--remount-ro", "/")
SANDBOXED = Path(__file__).parents[2] / "sandboxed"
OF_STUDENTS = SANDBOXED.parents[1] / "attention_built"  # what their notebooks import
SYSTEM = ("/usr/lib", "/usr/lib64", "/usr/lib32", "/lib", "/lib64", "/etc/ld.so.cache")


def find_bwrap() -> str:
    """Path of bubblewrap. Raises SandboxError, one line, where it is not installed."""
    bwrap = shutil.which("bwrap")
    if not bwrap:
        raise SandboxError(
            f"bubblewrap is needed to run students' code and was not found. {INSTALL}"
        )
    return bwrap


def start_student_server() -> Parent:
    """The student server inside a new sandbox, not waited for."""
    bwrap = find_bwrap()
    server = Parent.start(
        lambda number: command(bwrap, number), {"PATH": os.environ.get("PATH", "")}, refused
    )
    server.sealed = True
    return server


def probe(server: Parent) -> None:
    """Raise SandboxError, one line, if the sandbox cannot be had, or if one of its promises does
    not hold here.
    """
    try:
        broken = server.order("probe")["broken"]
    except SandboxError:
        server.close()
        raise
    except Broken as error:
        server.close()
        raise refused(str(error)) from error
    if broken:
        server.close()
        raise refused(f"inside it, {broken[0]}")


def command(bwrap: str, number: int) -> list[str]:
    """The command line that starts the student server. number: file number of its socket."""
    binds, links = visible()
    options = [*ALONE.split(), "--size", str(64 << 20), "--tmpfs", "/tmp", "--clearenv"]
    for name, value in sandbox_environment().items():
        options += ["--setenv", name, value]
    for target, link in links:
        options += ["--symlink", target, link]
    module = ["-s", "-m", "sandboxed.process.student_server"]
    program = [*READ_ONLY, sys.executable, *module, str(number), "sealed"]
    hidden = [option for folder in own_package() for option in ("--tmpfs", folder)]
    if os.geteuid() == 0:  # root puts the folders where anyone may reach them, then steps down
        drop_root = [sys.executable, "-I", str(Path(__file__).with_name("drop_root.py"))]
        pairs = [part for pair in binds for part in pair]
        return [*drop_root, *pairs, "--", bwrap, *options, "BINDS", *hidden, *program]
    bound = [option for source, target in binds for option in ("--ro-bind", source, target)]
    return [bwrap, *options, *bound, *hidden, *program]


def visible() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """([(folder or file, where it is seen)], [(target, link)]): what Python needs to run, and the
    pipe.
    """
    binds, links = [], []
    for path in SYSTEM:
        if os.path.islink(path):
            links.append((os.readlink(path), path))
        elif os.path.exists(path):
            binds.append((path, path))
    wanted = [
        path
        for path in (sys.base_prefix, sys.prefix)
        for path in (f"{path}/lib", f"{path}/lib64", f"{path}/pyvenv.cfg")
    ]
    wanted += [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    wanted += [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    for path in wanted:
        seen = any(_inside(path, there) for _, there in binds)
        if os.path.exists(path) and not seen and not any(path == link for _, link in links):
            binds.append((os.path.realpath(path), path))
    binds += [(os.path.realpath(sys.executable), hop) for hop in _hops(sys.executable)]
    binds.append((str(SANDBOXED), "/package/sandboxed"))
    binds.append((str(OF_STUDENTS), "/package/attention_built"))
    return binds, links


def own_package() -> list[str]:
    """Folders of this project inside what is visible, if it was installed there: they are covered
    up.
    """
    places = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    found = [os.path.join(path, "autograder") for path in places]
    return [folder for folder in found if os.path.isdir(folder)]


def _inside(path: str, folder: str) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _hops(path: str) -> list[str]:
    """A path and all the paths that it leads to link by link."""
    hops = [path]
    while os.path.islink(hops[-1]) and len(hops) < 40:
        place = os.path.join(os.path.dirname(hops[-1]), os.readlink(hops[-1]))
        hops.append(os.path.normpath(place))
    return hops


def refused(said: str) -> SandboxError:
    """The error for what a process said when it could not start."""
    said = said.removeprefix("bwrap: ").rstrip(".")
    told = "start the grader as" in said or "chmod -R" in said  # by drop_root.py
    what_to_do = "" if told else f" {ALLOW}"
    return SandboxError(f"the sandbox cannot be set up on this machine: {said}.{what_to_do}")
