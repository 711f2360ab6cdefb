"""The code cells that the build adds to every student notebook, told by their ids and by the names
that they use.

The build writes their texts; intake leaves them out of what is graded. Both agree on what stands
here, so that a sentence which such a cell shows can change without changing what a verdict
depends on.
"""

import ast

from autograder.course.model import Chapter

PACKAGE = "ab"  # the name under which chapters import attention_built
HANDIN_ID = "before-you-hand-in"
LINK_ID, PAGE_ID, YOURS_ID = "interactive-link", "interactive-page", "interactive-yours"
MODEL_ID, GPT2_ID = "interactive-model", "interactive-gpt2"
SOUND_ID = "narration-by-address"
PROGRESS_ID = "your-progress"

NAMES = {  # id of the cell: what it may call, of the package or its own, and define
    HANDIN_ID: {"ready_to_hand_in"},
    PAGE_ID: {"page"},
    YOURS_ID: {"show_my_attention"},
    MODEL_ID: {"show_my_model"},
    GPT2_ID: {"record_run", "watch_gpt2", "WATCH_GPT2", "GPT2_TEXT"},
    SOUND_ID: {"listen"},
    PROGRESS_ID: {"follow"},
}


def below_import(chapter: Chapter) -> int:
    """Index of the cell below the one in which a chapter imports the package; 0 where none does: no
    code cell is added then.
    """
    imports = f"import attention_built as {PACKAGE}"
    found = (place for place, cell in enumerate(chapter.cells, 1) if imports in cell.source)
    return next(found, 0)


def is_untouched(cell_id: str, source: str) -> bool:
    """Whether a cell of a submission is one of ours: nothing to grade. One that a student wrote
    into is the student's.

    Ours is a cell with one of our ids whose top level holds nothing but calls and definitions of
    its names.
    """
    if cell_id not in NAMES:
        return False
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(_is_ours(NAMES[cell_id], statement) for statement in body)


def _is_ours(names: set[str], statement: ast.stmt) -> bool:
    if isinstance(statement, ast.FunctionDef):
        return statement.name in names
    if isinstance(statement, ast.Assign):
        targets = statement.targets
        return all(isinstance(one, ast.Name) and one.id in names for one in targets)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        called = ast.unparse(statement.value.func)
        return called.removeprefix(f"{PACKAGE}.") in names
    return False
