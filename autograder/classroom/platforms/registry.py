"""The platforms that the course knows: those that come with it, and those of other packages.

A new one is a class in a file of its own and one line: in BUILT_IN, or in another package's
pyproject.toml under ``[project.entry-points."autograder.platforms"]``, as
``toy = "my_package.toy:Toy"``.
"""

from collections.abc import Sequence
from importlib.metadata import entry_points

from autograder.classroom.platforms.blackboard import Blackboard
from autograder.classroom.platforms.brightspace import Brightspace
from autograder.classroom.platforms.canvas import Canvas
from autograder.classroom.platforms.folder import Folder
from autograder.classroom.platforms.gradescope import Gradescope
from autograder.classroom.platforms.ilias import Ilias
from autograder.classroom.platforms.moodle import Moodle
from autograder.classroom.platforms.platform import ExportedFile, Platform
from autograder.course.errors import AutograderError

GROUP = "autograder.platforms"
BUILT_IN: tuple[type[Platform], ...] = (
    Gradescope,
    Moodle,
    Blackboard,
    Brightspace,
    Canvas,
    Ilias,
)


def platforms() -> list[Platform]:
    """Every platform, in the order in which they are asked whether an export is theirs. Raises
    AutograderError for a plug-in that cannot be loaded.
    """
    found = [kind() for kind in BUILT_IN]
    for plug_in in entry_points(group=GROUP):
        try:
            found.append(plug_in.load()())
        except Exception as error:
            raise AutograderError(
                f"platform {plug_in.name}: {plug_in.value} cannot be loaded "
                f"({type(error).__name__}: {error}). Mend or uninstall the package that brings it."
            ) from error
    return [*found, Folder()]


def find_platform(name: str) -> Platform:
    """The platform of this name. Raises AutograderError with the names that there are."""
    known = {one.name: one for one in platforms()}
    if name not in known:
        raise AutograderError(f"platform: expected one of {', '.join(known)}; got {name!r}.")
    return known[name]


def recognise(entries: Sequence[ExportedFile]) -> Platform:
    """The platform that exported these files; Folder where none is recognised."""
    paths = [entry.path for entry in entries]
    notebooks = [path for path in paths if path.suffix == ".ipynb"] or paths
    return next(
        one for one in platforms() if any(map(one.owns, paths)) or one.recognises(notebooks)
    )
