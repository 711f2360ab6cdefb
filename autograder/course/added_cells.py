"""The code cells that the build adds to every student notebook, told by the names that they
define: editors and platforms number the cells of a file anew.

The build writes their texts; intake leaves them out of what is graded. Both agree on what stands
here, so that a sentence which such a cell shows can change without changing what a verdict
depends on.
"""

import ast

HANDIN_ID = "before-you-hand-in"
LINK_ID, PAGE_ID, YOURS_ID = "interactive-link", "interactive-page", "interactive-yours"
MODEL_ID, GPT2_ID = "interactive-model", "interactive-gpt2"
SOUND_ID = "narration-by-address"
PROGRESS_ID = "your-progress"

FUNCTIONS = {  # id of the cell: the functions that it may define, and that it may call at top level
    HANDIN_ID: {"not_begun", "read_this_notebook", "absent_packages", "ready_to_hand_in"},
    PAGE_ID: {
        "course_page",
        "in_a_frame",
        "from_the_web",
        "web_answers",
        "interactive_page",
        "show_my_attention",
        "show_my_model",
    },
    YOURS_ID: {"show_my_attention"},
    MODEL_ID: {"show_my_model"},
    GPT2_ID: {"record_run", "watch_gpt2"},
    SOUND_ID: {"play_narration", "web_answers"},
    PROGRESS_ID: {"not_begun", "kept_progress", "note_check", "watch_checks", "status"},
}
ASSIGNED = {  # and the names that it assigns
    HANDIN_ID: {"EXERCISES", "PACKAGES"},
    PAGE_ID: {"PAGES_ON_THE_WEB"},
    GPT2_ID: {"WATCH_GPT2", "GPT2_TEXT"},
    SOUND_ID: {"NARRATION_ON_THE_WEB", "NARRATION"},
    PROGRESS_ID: {"PROGRESS"},
}


def is_untouched(source: str) -> bool:
    """Whether a cell of a submission is one of ours: nothing to grade. One that a student wrote
    into is the student's.

    Ours is a cell whose top level holds nothing but definitions of the functions of one of our
    cells, assignments to its names, and calls of its functions, these also under
    ``if "name" in globals():``, and ends with such a call.
    """
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if not body or not isinstance(body[-1], (ast.Expr, ast.If)):
        return False
    return any(all(_is_ours(cell_id, one) for one in body) for cell_id in FUNCTIONS)


def _is_ours(cell_id: str, statement: ast.stmt) -> bool:
    functions = FUNCTIONS[cell_id]
    if isinstance(statement, ast.FunctionDef):
        return statement.name in functions
    if isinstance(statement, ast.Assign):
        return all(
            isinstance(target, ast.Name) and target.id in ASSIGNED.get(cell_id, ())
            for target in statement.targets
        )
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        called = statement.value.func
        return isinstance(called, ast.Name) and called.id in functions
    if isinstance(statement, ast.If) and not statement.orelse:
        asked = {f"{name!r} in globals()" for name in functions}
        return ast.unparse(statement.test) in asked and all(
            _is_ours(cell_id, one) for one in statement.body
        )
    return False
