"""What ``make`` fills its environment with: all packages of requirements.lock, each of which must
have the hash that stands there, and PyTorch.

PyTorch is not in the lock, since its builds for GPU and CPU have other hashes; its version stands
in requirements.txt. On Linux the build on PyPI brings CUDA. Where no NVIDIA GPU is found, the build
for the CPU is taken from PyTorch's own index, if that can be reached.
"""

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent
SMALL = "https://download.pytorch.org/whl/cpu"
WITH_CUDA = "2.7 GB to fetch, 5 GB on disk"


def main(arguments: Sequence[str] | None = None) -> int:
    """Install into the environment of the Python that runs this; returns the exit status."""
    parser = argparse.ArgumentParser(description="Install what the course needs.")
    parser.add_argument(
        "--torch",
        default="auto",
        metavar="auto|cpu|plain|ADDRESS",
        help="the build of PyTorch: the small one where there is no NVIDIA GPU, always, never "
        "(what pip finds), or what an index holds, as https://download.pytorch.org/whl/cu126",
    )
    chosen = parser.parse_args(arguments).torch
    if chosen not in ("auto", "cpu", "plain") and "://" not in chosen:
        parser.error(f"--torch is auto, cpu, plain or the address of an index, not {chosen!r}")
    locked = pip("install", "--require-hashes", "-r", str(ROOT / "requirements.lock"))
    if locked.returncode:
        return locked.returncode
    pins = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    torch = re.findall(r"^torch==\S+", pins, re.MULTILINE)[0]
    small = f"{torch}+cpu"
    if "://" in chosen:
        where = [torch, "--index-url", chosen]
    elif chosen == "plain" or (chosen == "auto" and not small_will_do()):
        where = [torch]
    elif held_at(SMALL, small):
        where = [small, "--index-url", SMALL]
    elif chosen == "cpu":
        print(f"error: {small} is not to be had from {SMALL}; 'make TORCH=plain' takes another.")
        return 1
    else:
        print(
            f"No NVIDIA GPU is found, and {small} is not to be had from {SMALL}. pip takes {torch} "
            f"where it finds it: from PyPI with CUDA, {WITH_CUDA}. (TORCH=… chooses: README.md)",
            flush=True,
        )
        where = [torch]
    return pip("install", *where).returncode


def pip(*words: str, silent: bool = False) -> "subprocess.CompletedProcess[str]":
    """Run pip in this environment."""
    command = [sys.executable, "-m", "pip", *words, "--disable-pip-version-check"]
    return subprocess.run(command, capture_output=silent, text=True, check=False)


def small_will_do() -> bool:
    """Whether this is Linux, where PyPI's build brings CUDA, without an NVIDIA GPU."""
    if sys.platform != "linux" or any(Path("/proc/driver/nvidia/gpus").glob("*")):
        return False
    listed = shutil.which("nvidia-smi")
    return not listed or subprocess.run([listed, "-L"], capture_output=True).returncode != 0


def held_at(index: str, wanted: str) -> bool:
    """Whether an index answers, and holds a version, as torch==2.13.0+cpu, for this machine."""
    name, _, version = wanted.partition("==")
    quick = ("--retries", "0", "--timeout", "15")
    found = pip("index", "versions", name, "--index-url", index, *quick, silent=True)
    listed = re.findall(r"^Available versions: (.*)$", found.stdout, re.MULTILINE)
    return version in ", ".join(listed).split(", ")


if __name__ == "__main__":
    sys.exit(main())
