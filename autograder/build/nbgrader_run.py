"""Run nbgrader's own steps on one chapter in memory: those of its converters, as
nbgrader_config.py lists them, without gradebook and files.
"""

from pathlib import Path

from nbformat import NotebookNode
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from autograder.build.preprocessors import PrepareChapter
from autograder.course.chapter import notebook_of, read_deeper
from autograder.course.errors import AutograderError, SourceError
from autograder.course.model import Chapter
from autograder.course.settings import Settings

LEFT_OUT = ("Execute", "SaveCells")  # steps that run a kernel, or keep a gradebook


def course_config(root: Path) -> Config:
    """The course's nbgrader_config.py, as nbgrader's command line would load it."""
    return PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config()


def student_notebook(settings: Settings, chapter: Chapter) -> NotebookNode:
    """The chapter as students get it: nbgrader's generate_assignment."""
    return _converted(settings, chapter, "GenerateAssignment")


def solution_notebook(settings: Settings, chapter: Chapter) -> NotebookNode:
    """The chapter solved, not executed: nbgrader's generate_solution."""
    return _converted(settings, chapter, "GenerateSolution")


def deeper_notebook(settings: Settings, name: str) -> NotebookNode | None:
    """The optional notebook beside a chapter, not executed; None where it has none. nbgrader knows
    nothing of it.
    """
    deeper = read_deeper(settings.root, name)
    if not deeper:
        return None
    step = PrepareChapter(root=str(settings.root), repository=settings.repository)
    about = {"nbgrader": {"assignment": name, "notebook": deeper.name}}
    return step.preprocess(notebook_of(deeper), about)[0]


def _converted(settings: Settings, chapter: Chapter, converter: str) -> NotebookNode:
    """The chapter after the steps of a converter. Raises SourceError where nbgrader refuses it."""
    config = course_config(settings.root)
    config.CoursePreprocessor.repository = settings.repository
    notebook, resources = notebook_of(chapter), {"nbgrader": {"assignment": chapter.name}}
    for step in config[converter].preprocessors:
        if step.__name__ in LEFT_OUT:
            continue
        try:
            notebook, resources = step(config=config)(notebook, resources)
        except AutograderError:
            raise
        except Exception as error:
            raise SourceError(f"{chapter.path}: nbgrader refused the chapter: {error}") from error
    return notebook
