"""Turn an executed solution into the notebook that the site shows: what is practised stands open,
what solves it is folded.
"""

import html
import re
from collections.abc import Mapping, Sequence

import nbformat
from nbformat import NotebookNode

from autograder.course.added_cells import NOTEBOOK_LINK, RULES_ID, RULES_LINK
from autograder.course.chapter import DEEPER
from autograder.course.errors import SourceError
from autograder.course.model import KERNELSPEC, TITLED, UNDER_TITLE
from coursesite.pages.cells import PAGE_MARK
from coursesite.site.chapters import QUESTION, ChapterFacts
from coursesite.site.player import head, player, playground
from coursesite.site.quiz import quiz, quiz_id

BADGE = re.compile(r"^\[!\[Open in Colab\].*$\n?", re.MULTILINE)
EXERCISE = re.compile(r"^### (?P<name>Exercise [^·\n]+·[^·\n]+?) · (?P<about>.+)$", re.MULTILINE)
SECTION = re.compile(r"^## ", re.MULTILINE)
SECTION_BEGINS = re.compile(r"^(?=## )", re.MULTILINE)
NUMBER = re.compile(r"## (?P<number>\d+\.\d+) ")
CALLOUT = re.compile(r"(?:\A|(?<=\n\n))\*\*(?=(?:Predict, then run|What breaks if))")
ABILITIES = re.compile(
    r"\*\*(?P<title>After this chapter you can)\*\*.*?\n\n(?P<list>(?:- .+(?:\n  .+)*\n?)+)"
)
CLAIM = re.compile(r'^"""(?:Exercise [\d.]+[:,] )?(?P<claim>.+?)(?:"""|$)')
NOTEBOOK_TALK = re.compile(
    r" \(you typed no guess\)|^You typed no guesses.*\n?|^wanted .* got .*\n?", re.MULTILINE
)
BEFORE = "Before you start: goals, set-up, narration"
WHICH_POINT = re.compile(r"\w+ point: ")
FOLDED, OPEN, NONE = "folded", "open", "none"


def page(
    facts: ChapterFacts,
    everyone: Sequence[ChapterFacts],
    solution: NotebookNode,
    student: NotebookNode,
    colab_url: str,
    answers: str = FOLDED,
) -> NotebookNode:
    """The page's notebook.

    everyone: the facts of all chapters; solution, student: the two released notebooks of this
    chapter;
    answers: FOLDED, OPEN, or NONE, which leaves them out. Hidden tests are in neither form.
    """
    stubs = {cell.id: cell.source for cell in student.cells if cell.cell_type == "code"}
    spoken = {f"listen-{segment.id}": player(facts, segment) for segment in facts.spoken}
    made = nbformat.v4.new_notebook(
        metadata={
            "kernelspec": KERNELSPEC,
            "language_info": {"name": "python"},
        }
    )
    begun = False  # whether the first section has begun: what stands above it only sets up
    before: list[NotebookNode] = []  # goals, set-up and narration, folded into one line
    number = ""  # of the section that is being made, while its questions are still to come
    begins = head(facts, {other.number: other for other in everyone}, colab_url)
    for index, cell in enumerate(solution.cells):
        if cell.id == RULES_ID:  # they stand on the first chapter's page
            continue
        if cell.cell_type == "markdown":
            begun = begun or SECTION.search(cell.source) is not None
            text = spoken.get(cell.id) or linked(prose(cell.source), facts, everyone)
            if index == 0:
                text, goals = opened(text, facts.question, begins)
                before += [_text(goals)] * bool(goals)
            elif cell.id in spoken and not begun:
                before.append(_text(text))
                continue
            text = text.replace(PAGE_MARK, f"{playground(facts)}\n\n")
            for part in SECTION_BEGINS.split(text):
                if part.startswith("## "):
                    made.cells += fold("before", BEFORE, *before) if before else []
                    before = []
                    made.cells += [_text(one) for one in quiz(facts.name, number, facts.asked)]
                    heading = NUMBER.match(part)
                    number = heading["number"] if heading else ""
                if part.strip():
                    made.cells.append(_text(part))
        else:
            shown = code(cell, stubs, answers, sets_up=not begun)
            (made.cells if begun else before).extend(shown)
    made.cells.append(_text(onwards(facts)))
    for index, cell in enumerate(made.cells):
        cell.id = f"c{index}"  # the same at every build
    return made


def linked(source: str, facts: ChapterFacts, everyone: Sequence[ChapterFacts]) -> str:
    """Markdown of a chapter's notebook with its links to what lies beside it as the site has them:
    the optional notebook, and the house rules.
    """
    rules = "" if facts.name == everyone[0].name else f"{everyone[0].name}.ipynb"
    source = source.replace(NOTEBOOK_LINK, RULES_LINK.replace("(", f"({rules}"))
    return source.replace(f"]({DEEPER}.ipynb", f"]({facts.name}_{DEEPER}.ipynb")


def onwards(facts: ChapterFacts) -> str:
    """Links at the end of a chapter to what goes with it."""
    links = list(facts.beside)
    if facts.asked:
        first, count = next(iter(facts.asked)), sum(map(len, facts.asked.values()))
        links.append((f"#{quiz_id(first)}", f"Its {count} quick questions, from the first one on"))
    rows = "".join(
        f'<li><a href="{address}">{html.escape(title, quote=False)}</a></li>'
        for address, title in links
    )
    name = "What goes with this chapter"
    return f'<nav class="onwards" aria-label="{name}"><p>{name}</p><ul>{rows}</ul></nav>'


def page_of(cells: Sequence[NotebookNode]) -> NotebookNode:
    """A page that is no chapter: its cells, with ids that are the same at every build."""
    made = nbformat.v4.new_notebook(cells=list(cells), metadata={"kernelspec": KERNELSPEC})
    for index, cell in enumerate(made.cells):
        cell.id = f"c{index}"
    return made


def deeper_page(notebook: NotebookNode) -> NotebookNode:
    """The page of the optional notebook beside a chapter."""
    cells: list[NotebookNode] = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cells.append(_text(prose(cell.source)))
        else:
            cells += code(cell, {}, NONE)
    return page_of(cells)


def opened(source: str, question: str, begins: str) -> tuple[str, str]:
    """A chapter's first cell: the title, its question, what the site adds, then the words, without
    badge, facts in a line, and the question where they ask it in the same words. And what one can
    do afterwards.
    """
    title, _, words = source.partition("\n")
    words = UNDER_TITLE.sub("", BADGE.sub("", words), count=1)
    words = QUESTION.sub(
        lambda asked: "" if " ".join(asked["text"].split()) == question else asked[0], words
    )
    goals = found.expand(r"\g<title>\n\n\g<list>") if (found := ABILITIES.search(words)) else ""
    lead = f"{{.lead}}\n{question}\n\n" if question else ""
    return f"{title}\n\n{lead}{begins}\n\n{ABILITIES.sub('', words).strip()}", goals


def prose(source: str) -> str:
    """Markdown of a cell with exercises, questions to the reader and hints marked for the style
    sheet.
    """
    source = EXERCISE.sub(
        lambda match: f"### {match['name']}\n\n{{.exercise-facts}}\n{match['about']}\n", source
    )
    source = CALLOUT.sub("{.callout}\n**", source)
    return source.replace("<details><summary>Hint", '<details class="hint"><summary>Hint')


def code(
    cell: NotebookNode, stubs: Mapping[str, str], answers: str, sets_up: bool = False
) -> list[NotebookNode]:
    """The cells that show one code cell, some of them a fold around it. Raises SourceError where
    the two releases differ.
    """
    grader, tags = cell.metadata.get("nbgrader", {}), cell.metadata.get("tags", ())
    shown = _code(cell.source, cell.outputs)
    if cell.source.strip() == "worst_guesses()":  # says only what a reader has typed
        return []
    if grader.get("solution"):
        return solution_cells(cell, stubs.get(cell.id), answers)
    if grader.get("grade"):
        if cell.id not in stubs:
            raise SourceError(f"check {cell.id}: not in the student notebook; run 'make release'.")
        said = CLAIM.match(stubs[cell.id])
        points = "1 point" if grader["points"] == 1 else f"{grader['points']:g} points"
        claim = html.escape(said["claim"].rstrip("."), quote=False) if said else ""
        if WHICH_POINT.match(claim):  # it says itself which of the points it is worth
            label = claim
        else:
            label = f"{points}: {claim}" if claim else points
        return fold("check", f"Check <span>{label}</span>", _code(stubs[cell.id], cell.outputs))
    if cell.source.startswith(TITLED):
        title, _, drawn = cell.source.removeprefix(TITLED).partition("\n")
        return fold("aside", html.escape(title, quote=False), _code(drawn)) + _outputs(cell)
    if cell.metadata.get("jupyter", {}).get("source_hidden"):
        return fold("aside", "Code from earlier chapters", _code(cell.source)) + _outputs(cell)
    if sets_up or "setup" in tags:
        return fold("aside", "Set-up", _code(cell.source)) + _outputs(cell)
    if any("image/png" in output.get("data", {}) for output in cell.outputs):
        return fold("aside", "The code that draws this picture", _code(cell.source)) + _outputs(
            cell
        )
    return [shown]


def solution_cells(cell: NotebookNode, stub: str | None, answers: str) -> list[NotebookNode]:
    """What the reader is asked to write, and under it one right answer, as ``answers`` says."""
    if stub is None:
        raise SourceError(f"exercise {cell.id}: not in the student notebook; run 'make release'.")
    if answers == NONE:
        return [_code(stub)]
    return [
        _code(stub),
        *fold(
            "answer", "One right answer", _code(cell.source, cell.outputs), is_open=answers == OPEN
        ),
    ]


def fold(
    kind: str, summary: str, *cells: NotebookNode, is_open: bool = False
) -> list[NotebookNode]:
    """Cells inside <details>: each half of the tag is a Markdown cell of its own, since a directive
    cannot hold a code cell.
    """
    return [
        _text(f'<details class="fold {kind}"{" open" * is_open}><summary>{summary}</summary>'),
        *cells,
        _text("</details>"),
    ]


def _outputs(cell: NotebookNode) -> list[NotebookNode]:
    """The outputs of a cell whose code is folded away."""
    made = _code("...", cell.outputs)  # a cell without text would not be shown at all
    made.metadata["tags"] = ["remove-input"]
    return [made] if made.outputs else []


def _code(source: str, outputs: Sequence[NotebookNode] = ()) -> NotebookNode:
    """A code cell with what it printed, but for what only a running notebook has to say."""
    made = [nbformat.from_dict(output) for output in outputs]
    for output in made:
        if "text" in output:
            output["text"] = NOTEBOOK_TALK.sub("", output["text"])
    return nbformat.v4.new_code_cell(source, outputs=[one for one in made if one.get("text", "-")])


def _text(source: str) -> NotebookNode:
    return nbformat.v4.new_markdown_cell(source)
