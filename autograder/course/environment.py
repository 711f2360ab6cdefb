"""The environment variables of our child processes, and what every process of ours does before it
imports notebook libraries.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

# chapters are small: more threads only wait for one another, and one gives the same bits everywhere
ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
QUIET = {**ONE_THREAD, "TQDM_DISABLE": "1"}
PACKAGES = (  # what students' code finds beside Python's own library
    *("IPython", "attention_built", "huggingface_hub", "matplotlib", "numpy", "safetensors"),
    *("tokenizers", "torch", "tqdm", "transformers"),
)
GRADING = {  # of every process that runs checks or students' code
    **QUIET,
    "CUDA_VISIBLE_DEVICES": "",
    "MPLBACKEND": "Agg",
    "LANG": "C.UTF-8",
    "USER": "student",
    "TORCHDYNAMO_DISABLE": "1",  # there is no compiler: torch.compile gives the function as it is
}


def absent_packages(imported: Iterable[str]) -> list[str]:
    """Those of the modules that students' code will not find when it is graded.

    >>> absent_packages(["seaborn", "torch.nn", "math"])
    ['seaborn']
    """
    tops = {name.partition(".")[0] for name in imported}
    return sorted(tops - {*PACKAGES, *sys.stdlib_module_names})


def sandbox_environment() -> dict[str, str]:
    """The variables of a process inside the sandbox; nothing of the caller's."""
    return {
        **GRADING,
        "PATH": "/nowhere",
        "HOME": "/tmp/home",
        "LOGNAME": "student",
        "TMPDIR": "/tmp",
        "PYTHONPATH": "/package",
        "PYTHONDONTWRITEBYTECODE": "1",
        "MPLCONFIGDIR": "/tmp/matplotlib",
        "IPYTHONDIR": "/tmp/ipython",
    }


def grading_environment(home: str, package: Path) -> dict[str, str]:
    """The variables of a grading process outside the sandbox. home: a folder of its own; package:
    where autograder lies.
    """
    return {
        **GRADING,
        "PATH": os.environ.get("PATH", ""),
        "HOME": home,
        "PYTHONPATH": str(package),
        "MPLCONFIGDIR": os.environ.get("MPLCONFIGDIR", home),
        "IPYTHONDIR": f"{home}/ipython",
    }


def kernel_environment() -> dict[str, str]:
    """What a kernel that executes a solution has besides the caller's variables: the same outputs
    on every run.
    """
    return {
        **QUIET,
        "PYTHONHASHSEED": "0",
        "HF_HUB_OFFLINE": "1",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    }


def without_address_grammar() -> None:
    """Have jsonschema do without a package that builds a grammar of web addresses: a second in
    every process, for nothing here.

    Every entry point of ours calls this before it imports a notebook library; jsonschema copes
    with the package missing.
    """
    modules: dict[str, Any] = sys.modules
    modules.setdefault("rfc3987_syntax", None)
