"""Makes the stock nbgrader commands work from this folder, on the same preprocessors as `python -m
autograder release`.
"""

import os
import sys
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

from autograder.build.pairing import pair
from autograder.build.preprocessors import (
    AddCells,
    AddStudentCells,
    FoldWhatCameOut,
    PrepareChapter,
    StripMarkers,
)
from autograder.classroom.run.formgrader import grade_with_ours
from autograder.course.chapter import chapter_paths, read_chapter
from autograder.course.regions import STUB
from autograder.course.settings import load_settings

if not os.environ.get("AUTOGRADER_STOCK"):  # what runs students' code unsealed
    grade_with_ours()

settings = load_settings(Path(__file__).resolve().parent)
c = get_config()  # noqa: F821  (given by traitlets)

# nbgrader starts the program alembic, which lies beside it, also where .venv is not activated
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"

# nbgrader reads notebooks; a fresh clone has only the scripts that they are paired with
for script in chapter_paths(settings.root):
    notebook = script.with_suffix(".ipynb")
    if not notebook.exists() or notebook.stat().st_mtime < script.stat().st_mtime:
        pair(settings.root, read_chapter(script))

c.CourseDirectory.root = str(settings.root)
c.CourseDirectory.course_id = settings.course_id
c.CourseDirectory.release_directory = "release"  # "notebooks" is what make release commits
c.CourseDirectory.solution_directory = "solutions"
c.CourseDirectory.submitted_directory = settings.submitted
c.CourseDirectory.autograded_directory = settings.autograded
c.CourseDirectory.feedback_directory = settings.feedback
c.CourseDirectory.db_url = settings.database
c.CourseDirectory.ignore = [
    ".ipynb_checkpoints",
    "*.pyc",
    "__pycache__",
    "feedback",
    "*.py",
]  # the source beside the notebook holds solutions

c.CoursePreprocessor.root = str(settings.root)
c.ClearSolutions.code_stub = {"python": "\n".join(STUB)}

c.GenerateAssignment.preprocessors = [
    PrepareChapter,
    FoldWhatCameOut,
    AddStudentCells,
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
    AddCells,
    LockCells,
    ClearOutput,
    ClearMarkScheme,
    StripMarkers,
    Execute,
]
c.Execute.timeout = 300
