# What the course brings along: a small package, whose wheel lies beside the notebooks.
try:
    import attention_built as ab
except ImportError:
    import subprocess, sys
    from pathlib import Path
    wheel = "attention_built-1.0.0-py3-none-any.whl"
    here = "https://raw.githubusercontent.com/attention-built/attention-built/main/notebooks"
    place = f"../{wheel}" if Path(f"../{wheel}").exists() else f"{here}/{wheel}"
    own = "google.colab" in sys.modules or sys.prefix != sys.base_prefix  # yours
    wanted = own or input(f"Install {wheel} into {sys.prefix}? y or n: ") == "y"
    pip = [sys.executable, "-m", "pip", "install", "-q", place]
    if not wanted or subprocess.run(pip).returncode:
        raise ImportError(f"download {here}/{wheel}, and type: pip install {wheel}")
    import attention_built as ab
