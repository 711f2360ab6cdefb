"""Run nbgrader's own converters on one chapter, in a folder of their own, so that a failed build
leaves nothing behind.
"""

import logging
import tempfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.converters import GenerateAssignment, GenerateSolution
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import Execute, SaveCells
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from autograder.course.chapter import notebook_of
from autograder.course.errors import SourceError
from autograder.course.model import Chapter


def course_config(root: Path) -> Config:
    """The course's nbgrader_config.py, as nbgrader's command line would load it."""
    return PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config()


def student_notebook(root: Path, chapter: Chapter, repository: str = "") -> NotebookNode:
    """The chapter as students get it: nbgrader's generate_assignment.

    repository: "owner/name" for the links, where it is not to be the one of the settings.
    """
    return _convert(root, chapter, GenerateAssignment, "release_directory", repository)


def solution_notebook(root: Path, chapter: Chapter, repository: str = "") -> NotebookNode:
    """The chapter solved, not executed: nbgrader's generate_solution without its Execute step."""
    return _convert(root, chapter, SolutionWithoutGradebook, "solution_directory", repository)


class SolutionWithoutGradebook(GenerateSolution):
    """generate_solution asks the gradebook whether the assignment exists; a build has none."""

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        BaseConverter.init_assignment(self, assignment_id, student_id)


def _convert(root, chapter, converter, directory_trait, repository=""):
    with tempfile.TemporaryDirectory(prefix="autograder-release-") as folder:
        source = Path(folder, "source", chapter.name, f"{chapter.name}.ipynb")
        source.parent.mkdir(parents=True)
        nbformat.write(notebook_of(chapter), source)
        config = Config(course_config(root))
        config.CourseDirectory.root = folder
        config.PrepareChapter.repository = config.AddInteractive.repository = repository
        config.CourseDirectory.assignment_id = chapter.name
        config.CourseDirectory.student_id = "."
        config.CourseDirectory.db_url = f"sqlite:///{folder}/gradebook.db"
        section = (
            config.GenerateAssignment
            if converter is GenerateAssignment
            else config.GenerateSolution
        )
        steps = [step for step in section.preprocessors if step is not Execute]
        if converter is GenerateAssignment:
            section.no_database = True
            steps = [step for step in steps if step is not SaveCells]
        section.preprocessors = steps
        coursedir = CourseDirectory(config=config)
        made = converter(coursedir=coursedir, config=config)
        said = _listen(made.log)
        try:
            made.start()
        except NbGraderException as error:
            raise SourceError(
                f"{chapter.path}: nbgrader refused the chapter: {_last(said) or error}"
            ) from error
        output = Path(
            folder, getattr(coursedir, directory_trait), chapter.name, f"{chapter.name}.ipynb"
        )
        return nbformat.read(output, as_version=4)


def _listen(log):
    """Keep what nbgrader logs as errors, instead of printing it."""
    said = []
    handler = logging.Handler(level=logging.ERROR)
    handler.emit = lambda record: said.append(record.getMessage())
    log.handlers, log.propagate = [handler], False
    return said


def _last(said):
    lines = [line for message in said for line in message.splitlines() if line.strip()]
    return next(
        (line.strip() for line in reversed(lines) if "Error" in line), lines[-1] if lines else ""
    )
