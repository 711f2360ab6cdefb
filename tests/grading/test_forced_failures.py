"""A step of the sandbox that fails, or does nothing, ends the grading with one line."""

import shutil

import pytest

from autograder.course.errors import SandboxError
from autograder.grading.host import bubblewrap

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed"),
]
SEVERED = [  # (file, what stands there, what stands there instead, what is said)
    ("seccomp", "PR_SET_SECCOMP, MODE_FILTER = 22, 2", "PR_SET_SECCOMP, MODE_FILTER = 9999, 2",
     "filter on system calls"),
    ("namespaces", "    seccomp.install(libc)", "    pass", "can be opened"),
    ("seccomp", "    for numbers in REFUSED.values():", "    for numbers in ():",
     "unshare is not refused"),
    ("namespaces", "    limit(limits)\n", "", "RLIMIT_AS is not set"),
    ("namespaces", 'for empty in ("/dev/pts", "/proc"):', 'for empty in ("/dev/pts",):',
     "/proc is not empty"),
    ("namespaces", '_mount("tmpfs", "/tmp", "tmpfs"', '_mount("tmpfs", "/nowhere", "tmpfs"',
     "mount /nowhere"),
    ("namespaces", "_checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)",
     "_checked(libc.prctl(9999, 1, 0, 0, 0)", "no new privileges"),
    ("namespaces", '_checked(libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")', "pass",
     "a privilege is left"),
]  # fmt: skip


@pytest.mark.parametrize("file, there, instead, said", SEVERED, ids=[s[3] for s in SEVERED])
def test_a_severed_step_ends_the_grading(tmp_path, monkeypatch, file, there, instead, said):
    copy = tmp_path / "sandboxed"
    shutil.copytree(bubblewrap.SANDBOXED, copy)
    copy.joinpath("process", "preload.py").write_text("def preload():\n    import torch\n")
    path = copy / "process" / f"{file}.py"
    text = path.read_text()
    assert text.count(there) == 1, f"{file}.py: {there!r} does not stand there once any more"
    path.write_text(text.replace(there, instead))
    for part in (copy, *copy.rglob("*")):
        part.chmod(0o755)
    tmp_path.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "SANDBOXED", copy)
    with pytest.raises(SandboxError, match=said) as error:
        bubblewrap.probe(bubblewrap.start_student_server())
    assert "\n" not in str(error.value)


def test_with_all_its_steps_the_sandbox_is_taken():
    server = bubblewrap.start_student_server()
    bubblewrap.probe(server)
    server.close()
