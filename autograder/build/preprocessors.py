"""nbgrader preprocessors that turn a chapter's source notebook into what is released, before
nbgrader's own do their part.

They stand in nbgrader_config.py, so that ``nbgrader generate_assignment`` and ``python -m
autograder release`` make the same notebook, but for the outputs that a release shows.
"""

import re

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Unicode

from autograder.build.added import add, added_cells
from autograder.build.guesses import TOLD, fold_what_came_out
from autograder.build.readme import badge
from autograder.course.added_cells import NOTEBOOK_LINK, RULES_LINK
from autograder.course.carry import filled
from autograder.course.chapter import DEEPER, chapter_paths, find_chapter
from autograder.course.model import KERNELSPEC, LANGUAGE, TITLED, UNDER_TITLE, Cell
from autograder.course.regions import strip_markers
from autograder.course.rules import parse_carry
from autograder.course.settings import Settings, load_settings

LONG_CHECK = 25  # lines
# which property a sentence asks for; at the head of a line it would end the Markdown of that line
ASKS = re.compile(r"[ \t]*\n?[ \t]*<!-- asks: [^>]*-->")
BUILD_ONLY = ("carry", "checks", "far", "lines_to_next_cell")


class CoursePreprocessor(NbGraderPreprocessor):
    """What the preprocessors of a course are told."""

    root = Unicode(".", help="The course's root folder").tag(config=True)

    links = "'owner/name' on GitHub for the links; empty: as the settings say"
    repository = Unicode("", help=links).tag(config=True)

    def settings(self) -> Settings:
        """The course's settings, with the repository that the links are to name."""
        return load_settings(self.root, self.repository)

    def __call__(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """Run the step on a chapter; a plain nbgrader assignment beside the chapters stays as it
        is.
        """
        chapters = [path.stem for path in chapter_paths(self.root)]
        if resources["nbgrader"]["assignment"] not in chapters:
            return nb, resources
        return super().__call__(nb, resources)


class PrepareChapter(CoursePreprocessor):
    """Fill in carried code, put the Colab badge under the title, fold long checks and
    what has a title, drop what only the build needs.
    """

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        settings = self.settings()
        name = resources["nbgrader"]["assignment"]
        chapter = find_chapter(settings.root, name)
        for cell in nb.cells:
            carry = parse_carry(name, cell.metadata.get("carry", ()))
            shared = tuple(cell.metadata.get("checks", ()))
            tags = tuple(cell.metadata.get("tags", ()))
            grade_id = cell.metadata.get("nbgrader", {}).get("grade_id", "")
            asking = Cell(
                grade_id, "code", cell.source, 1, tags, grade_id, carry=carry, checks=shared
            )
            if asking.is_filled:
                cell.source = filled(settings.root, asking, name)
            cell.source = ASKS.sub("", settings.linked(cell.source))
            cell.source = cell.source.replace(RULES_LINK, NOTEBOOK_LINK)
            if head := UNDER_TITLE.search(cell.source) if chapter.exercises else None:
                cell.source = cell.source.replace(head["work"], chapter.work, 1)
            if carry or cell.source.startswith(TITLED) or _is_long_check(cell):
                cell.metadata["jupyter"] = {"source_hidden": True}
                cell.metadata["cellView"] = "form"  # folded on Colab
            for key in BUILD_ONLY:
                cell.metadata.pop(key, None)
        notebook = resources["nbgrader"].get("notebook", name)
        below = badge(settings.colab_url(name, notebook)) + _other(settings, name, notebook, nb)
        nb.cells[0].source = with_badge(nb.cells[0].source, below)
        about = {"language_info": LANGUAGE, "colab": {"provenance": []}}
        nb.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC, **about})
        return nb, resources


class FoldWhatCameOut(CoursePreprocessor):
    """Fold, in a student notebook, the words that tell the answer of a guess."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        fold_what_came_out(nb.cells)
        return nb, resources


class AddCells(CoursePreprocessor):
    """Add to a solution notebook what the build adds to all: players, the hand-in cell."""

    for_students = False

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        settings = self.settings()
        chapter = find_chapter(settings.root, resources["nbgrader"]["assignment"])
        add(nb, added_cells(settings, chapter, self.for_students))
        return nb, resources


class AddStudentCells(AddCells):
    """Add to a student notebook what the build adds, its interactive page and status() too."""

    for_students = True


class StripMarkers(NbGraderPreprocessor):
    """Take the BEGIN/END lines out of a solution notebook; what stands between them stays. And the
    marks behind what tells the answer of a guess.
    """

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict, index: int
    ) -> tuple[NotebookNode, dict]:
        cell.source = strip_markers(cell.source).replace(f" {TOLD}", "")
        return cell, resources


def _is_long_check(cell: NotebookNode) -> bool:
    """A long check stands folded, so that the chapter reads on; a click opens it."""
    graded = bool(cell.metadata.get("nbgrader", {}).get("grade"))
    return graded and len(cell.source.splitlines()) > LONG_CHECK


def _other(settings: Settings, name: str, notebook: str, nb: NotebookNode) -> str:
    """The way to the notebook beside this one, where it is named: its file, and its page on the
    web, since Colab follows no link to a file.
    """
    other, page, words = DEEPER, f"{name}_{DEEPER}", "deeper"
    if notebook == DEEPER:
        other, page, words = name, name, "the chapter"
    link = f"]({other}.ipynb"
    if not any(link in cell.source for cell in nb.cells):
        return ""
    return f" · [{words}{link}) ([on the web]({settings.site_url}{page}.html))"


def with_badge(source: str, line: str) -> str:
    """A notebook's first cell with the line of its badge under the title."""
    title, _, rest = source.partition("\n")
    return f"{title}\n\n{line}\n{rest}"
