"""A JupyterHub for this course on one machine. Copy this file, mend the upper-case names, and start
it as root: ``jupyterhub -f jupyterhub_config.py``.

Instructors' servers run from the course's own environment: formgrader starts ``grade`` there.
Students' servers run from another one, which holds nothing of the grader; docs/instructors.md says
how both are made.
"""

import os
from pathlib import Path

COURSE = os.environ.get("COURSE", "/srv/attention")  # the instructors' clone
STUDENTS = os.environ.get("STUDENTS", "/srv/students")  # the students' virtual environment
EXCHANGE = os.environ.get("EXCHANGE", "/srv/nbgrader/exchange")  # a folder of mode 777
INSTRUCTORS = set(os.environ.get("INSTRUCTORS", "instructor").split())

c = get_config()  # noqa: F821  (given by traitlets)

# JupyterLab shows formgrader and the list of assignments in frames; the hub forbids all frames
FRAMES = {"headers": {"Content-Security-Policy": "frame-ancestors 'self'"}}
c.JupyterHub.tornado_settings = FRAMES
c.Spawner.args = [f"--ServerApp.tornado_settings={FRAMES}"]
c.Spawner.cmd = [f"{STUDENTS}/bin/jupyterhub-singleuser"]
c.Authenticator.allow_all = True  # whoever has an account on this machine
c.Authenticator.admin_users = INSTRUCTORS

# what nbgrader reads in every server: where assignments are handed out
SHARED = Path(os.environ.get("SHARED", "/srv/nbgrader/config"))
SHARED.mkdir(parents=True, exist_ok=True)
(SHARED / "nbgrader_config.py").write_text(f"c = get_config()\nc.Exchange.root = {EXCHANGE!r}\n")


async def for_instructors(spawner):
    """Before a server starts: an instructor's runs in the course, and nbgrader there finds it."""
    spawner.environment["JUPYTER_CONFIG_PATH"] = str(SHARED)
    if spawner.user.name in INSTRUCTORS:
        spawner.cmd = [f"{COURSE}/.venv/bin/jupyterhub-singleuser"]
        spawner.notebook_dir = COURSE
        spawner.environment["JUPYTER_CONFIG_PATH"] = f"{COURSE}{os.pathsep}{SHARED}"


c.Spawner.pre_spawn_hook = for_instructors
