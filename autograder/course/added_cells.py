"""The code cells that the build adds to every student notebook, told by what they call: editors and
platforms number the cells of a file anew.

The build writes their texts; intake leaves them out of what is graded. Both agree on what stands
here, so that a sentence which such a cell shows can change without changing what a verdict
depends on.
"""

import ast

from autograder.course.model import Chapter

PACKAGE = "ab"  # the name under which chapters import attention_built
HANDIN_ID = "before-you-hand-in"
LINK_ID, PAGE_ID, YOURS_ID = "interactive-link", "interactive-page", "interactive-yours"
MODEL_ID = "interactive-model"
SOUND_ID = "narration-by-address"
PROGRESS_ID = "your-progress"
RULES_ID = "house-rules"  # the box of house rules, a Markdown cell
RULES_LINK = "](#house-rules)"  # as the source and the site name the rules
NOTEBOOK_LINK = "](#House-rules)"  # Jupyter and GitHub name a heading by its words, as they are

NAMES = {  # id of the cell: what it may call
    HANDIN_ID: {"ab.ready_to_hand_in"},
    PAGE_ID: {"ab.page"},
    YOURS_ID: {"ab.show_my_attention"},
    MODEL_ID: {"ab.show_my_model"},
    SOUND_ID: {"ab.listen"},
    PROGRESS_ID: {"ab.follow"},
}


def below_import(chapter: Chapter) -> int:
    """Index of the cell below the one in which a chapter imports the package; 0 where none does: no
    code cell is added then.
    """
    imports = f"import attention_built as {PACKAGE}"
    found = (place for place, cell in enumerate(chapter.cells, 1) if imports in cell.source)
    return next(found, 0)


def is_untouched(source: str) -> bool:
    """Whether a cell of a submission is one of ours: nothing to grade. One that a student wrote
    into is the student's.

    Ours is a cell that does nothing but call the names of one of our cells.
    """
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    calls = {
        ast.unparse(one.value.func)
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)
        else ""
        for one in body
    }
    return bool(calls) and any(calls <= names for names in NAMES.values())
