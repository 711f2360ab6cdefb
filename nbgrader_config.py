"""Makes the stock nbgrader commands work from this folder, on the same preprocessors as `python -m
autograder release`.
"""

from pathlib import Path

from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    Execute,
    LockCells,
    SaveCells,
)

from autograder.build.preprocessors import AddInteractive, PrepareChapter, StripMarkers
from autograder.course.regions import STUB
from autograder.course.settings import load_settings

settings = load_settings(Path(__file__).resolve().parent)
c = get_config()  # noqa: F821  (given by traitlets)

c.CourseDirectory.root = str(settings.root)
c.CourseDirectory.course_id = settings.course_id
c.CourseDirectory.release_directory = "notebooks"
c.CourseDirectory.solution_directory = "solutions"
c.CourseDirectory.submitted_directory = settings.submitted
c.CourseDirectory.feedback_directory = settings.feedback
c.CourseDirectory.db_url = settings.database
c.CourseDirectory.ignore = [
    ".ipynb_checkpoints",
    "*.pyc",
    "__pycache__",
    "feedback",
    "*.py",
]  # the source beside the notebook holds solutions

c.PrepareChapter.root = str(settings.root)
c.AddInteractive.root = str(settings.root)
c.ClearSolutions.code_stub = {"python": "\n".join(STUB)}

c.GenerateAssignment.preprocessors = [
    PrepareChapter,
    AddInteractive,
    LockCells,
    ClearSolutions,
    ClearOutput,
    CheckCellMetadata,
    ComputeChecksums,
    SaveCells,
    ClearHiddenTests,
    ClearMarkScheme,
    ComputeChecksums,
    CheckCellMetadata,
]
c.GenerateSolution.preprocessors = [
    PrepareChapter,
    LockCells,
    ClearOutput,
    ClearMarkScheme,
    StripMarkers,
    Execute,
]
c.Execute.timeout = 300
