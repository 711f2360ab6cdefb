"""nbgrader preprocessors that turn a chapter's source notebook into what is released, before
nbgrader's own do their part.

They stand in nbgrader_config.py, so that ``nbgrader generate_assignment`` and ``python -m
autograder release`` make the same notebook.
"""

import re

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Unicode

from autograder.build.added import add, added_cells
from autograder.build.readme import BADGE
from autograder.course.carry import filled
from autograder.course.chapter import find_chapter
from autograder.course.model import KERNELSPEC, Cell
from autograder.course.regions import strip_markers
from autograder.course.rules import parse_carry
from autograder.course.settings import DEFAULT_REPOSITORY, Settings, load_settings

HOUSE_RULES = "ch01_why_attention.html#house-rules"  # on the course site
LONG_CHECK = 25  # lines
# which property a sentence asks for; at the head of a line it would end the Markdown of that line
ASKS = re.compile(r"[ \t]*\n?[ \t]*<!-- asks: [^>]*-->")
BUILD_ONLY = ("carry", "checks", "far", "lines_to_next_cell")


class CoursePreprocessor(NbGraderPreprocessor):
    """What the preprocessors of a course are told."""

    root = Unicode(".", help="The course's root folder").tag(config=True)

    repository = Unicode(
        "", help="'owner/name' on GitHub for the links; empty: as the settings say"
    ).tag(config=True)

    def settings(self) -> Settings:
        """The course's settings, with the repository that the links are to name."""
        return load_settings(self.root, self.repository)


class PrepareChapter(CoursePreprocessor):
    """Fill in carried code, put the Colab badge under the title, fold long checks, drop what only
    the build needs.
    """

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        settings = self.settings()
        name = resources["nbgrader"]["assignment"]
        for cell in nb.cells:
            carry = parse_carry(name, cell.metadata.get("carry", ()))
            shared = tuple(cell.metadata.get("checks", ()))
            if carry or shared:
                grade_id = cell.metadata.get("nbgrader", {}).get("grade_id", "")
                asking = Cell(
                    grade_id, "code", cell.source, 1, (), grade_id, carry=carry, checks=shared
                )
                cell.source = filled(settings.root, asking, name)
            cell.source = ASKS.sub("", with_links(cell.source, settings))
            if carry or _is_long_check(cell):
                cell.metadata["jupyter"] = {"source_hidden": True}
                cell.metadata["cellView"] = "form"  # folded on Colab
            for key in BUILD_ONLY:
                cell.metadata.pop(key, None)
        nb.cells[0].source = with_badge(nb.cells[0].source, settings.colab_url(name))
        nb.metadata = nbformat.from_dict(
            {
                "kernelspec": KERNELSPEC,
                "language_info": {"name": "python"},
                "colab": {"provenance": []},
            }
        )
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
    """Take the BEGIN/END lines out of a solution notebook; what stands between them stays."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict, index: int
    ) -> tuple[NotebookNode, dict]:
        cell.source = strip_markers(cell.source)
        return cell, resources


def _is_long_check(cell: NotebookNode) -> bool:
    """A long check stands folded, so that the chapter reads on; a click opens it."""
    return (
        bool(cell.metadata.get("nbgrader", {}).get("grade"))
        and len(cell.source.splitlines()) > LONG_CHECK
    )


def with_badge(source: str, url: str) -> str:
    """A chapter's first cell with the badge that opens the notebook in Colab under its title."""
    title, _, rest = source.partition("\n")
    return f"{title}\n\n[![Open in Colab]({BADGE})]({url})\n{rest}"


def with_links(source: str, settings: Settings) -> str:
    """A cell whose links to the course's own files, written in the source with the default
    repository, name the one of the settings; the box of house rules is on the course site.
    """
    default = Settings(settings.root, repository=DEFAULT_REPOSITORY)
    places = {
        default.hosted_url(""): settings.hosted_url(""),
        default.viewed_url(""): settings.viewed_url(""),
        "](#house-rules)": f"]({settings.site_url}{HOUSE_RULES})",
    }
    for written, place in places.items():
        source = source.replace(written, place)
    return source
