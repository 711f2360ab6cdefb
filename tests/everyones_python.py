"""A Python that other users may run: this one may lie in root's own folder."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.grading.host.other_user import STUDENT
from tests.conftest import ROOT


def python_for_all(folder):
    """A Python of this version that another user may run, with what this one has; "" for none."""
    version = ".".join(map(str, sys.version_info[:2]))
    for python in (f"{sys.base_prefix}/bin/python{version}", f"/usr/bin/python{version}"):
        shutil.rmtree(folder, ignore_errors=True)
        made = [python, "-m", "venv", "--without-pip", str(folder)]
        if not Path(python).exists() or subprocess.run(made).returncode:
            continue
        packages = folder / f"lib/python{version}/site-packages/these.pth"
        packages.write_text(f"{Path(pytest.__file__).parents[1]}\n{ROOT}\n")
        try:
            subprocess.run(
                [folder / "bin/python", "-c", "import torch, IPython"],
                user=STUDENT,
                group=STUDENT,
                extra_groups=[],
                cwd="/",
                check=True,
            )
            return str(folder / "bin/python")
        except (OSError, subprocess.CalledProcessError):
            pass
    return ""
