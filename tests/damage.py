"""Ways in which editors, platforms and people damage a notebook: functions that change a solved
notebook (a dictionary) in place.

Each says, in its docstring, what happens; RESULT gives the points it must still get in the small
chapter (3 in all, 2 + 1).
"""

import copy

STUB = "    # YOUR CODE HERE\n    raise NotImplementedError()"
SOLVED = {
    "ch01_double": "def double(x):\n    result = x + x\n    return result",
    "ch01_half": "def half(x):\n    return x * 0.5",
}


def cell(notebook, grade_id):
    return next(
        c
        for c in notebook["cells"]
        if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id
    )


def place(notebook, grade_id):
    return notebook["cells"].index(cell(notebook, grade_id))


def text(c):
    return "".join(c["source"])


def _without_code_fields(c):
    """Drop what only a code cell may have."""
    del c["outputs"], c["execution_count"]


def _setup_place(notebook):
    """Index of the chapter's own set-up cell; the build adds others above it."""
    return next(
        n for n, c in enumerate(notebook["cells"]) if "setup" in c["metadata"].get("tags", ())
    )


def new(source, kind="code", **more):
    made = {"cell_type": kind, "metadata": {}, "source": source, **more}
    return {**made, "outputs": [], "execution_count": None} if kind == "code" else made


def solved(release):
    notebook = copy.deepcopy(release)
    for grade_id, source in SOLVED.items():
        cell(notebook, grade_id)["source"] = source
    return notebook


def nothing(nb):
    "no damage"


def metadata_gone(nb):
    "every cell's metadata is empty; ids stay"
    for c in nb["cells"]:
        c["metadata"] = {}


def ids_gone(nb):
    "nbformat 4.4: no ids"
    _without_ids(nb, 4)


def ids_and_metadata_gone(nb):
    "neither ids nor metadata"
    metadata_gone(nb)
    ids_gone(nb)


def ids_regenerated(nb):
    "new random ids, metadata kept"
    for number, c in enumerate(nb["cells"]):
        c["id"] = f"{number:08x}"


def ids_regenerated_and_metadata_gone(nb):
    "new random ids, no metadata"
    metadata_gone(nb)
    ids_regenerated(nb)


def nbgrader_key_null(nb):
    "nbgrader metadata became null"
    for c in nb["cells"]:
        if "nbgrader" in c["metadata"]:
            c["metadata"]["nbgrader"] = None


def metadata_null(nb):
    "metadata became null"
    for c in nb["cells"]:
        c["metadata"] = None


def grade_id_renamed(nb):
    "a grade_id was changed by hand"
    cell(nb, "ch01_double")["metadata"]["nbgrader"]["grade_id"] = "my_double"


def solution_duplicated(nb):
    "a solution cell copied and pasted as it is"
    i = place(nb, "ch01_double")
    nb["cells"].insert(i, copy.deepcopy(nb["cells"][i]))


def stub_pasted_back_below(nb):
    "a fresh stub was pasted below the answer"
    i = place(nb, "ch01_double")
    stub = copy.deepcopy(nb["cells"][i])
    stub["source"] = f'def double(x):\n    """Twice x, a number."""\n{STUB}'
    nb["cells"].insert(i + 1, stub)


def wrong_try_kept_above(nb):
    "an earlier, wrong try stands above the right one under the same grade_id"
    i = place(nb, "ch01_double")
    wrong = copy.deepcopy(nb["cells"][i])
    wrong["source"] = "def double(x):\n    return x ** 2"
    nb["cells"].insert(i, wrong)


def check_duplicated(nb):
    "a check cell stands twice"
    i = place(nb, "ch01_double_check")
    nb["cells"].insert(i, copy.deepcopy(nb["cells"][i]))


def check_deleted(nb):
    "a check cell was deleted"
    nb["cells"].remove(cell(nb, "ch01_double_check"))


def check_edited(nb):
    "a check cell was edited"
    cell(nb, "ch01_double_check")["source"] = "assert True"


def split_keeping_metadata(nb):
    "JupyterLab: a split cell, both halves with the same metadata"
    i = place(nb, "ch01_double")
    half = copy.deepcopy(nb["cells"][i])
    nb["cells"][i]["source"], half["source"], half["id"] = (
        "def double(x):\n    result = x + x",
        "    return result",
        "other",
    )
    nb["cells"].insert(i + 1, half)


def split_without_metadata(nb):
    "a split cell, the second half plain"
    i = place(nb, "ch01_double")
    nb["cells"][i]["source"] = "def double(x):\n    result = x + x"
    nb["cells"].insert(i + 1, new("    return result", id="other"))


def split_after_the_signature(nb):
    "split right below the signature, so that the first half does not parse"
    i = place(nb, "ch01_double")
    nb["cells"][i]["source"] = "def double(x):"
    nb["cells"].insert(i + 1, new("    return x + x", id="other"))


def merged_with_its_check(nb):
    "the solution cell swallowed its check"
    i = place(nb, "ch01_double")
    check = nb["cells"].pop(i + 1)
    nb["cells"][i]["source"] = text(nb["cells"][i]) + "\n\n" + text(check)


def merged_with_the_cell_above(nb):
    "the set-up cell swallowed the solution cell"
    solution = nb["cells"].pop(place(nb, "ch01_half"))
    setup = nb["cells"][_setup_place(nb)]
    setup["source"] = text(setup) + "\n\n" + text(solution)


def both_solutions_in_one_cell(nb):
    "both exercises answered in the first cell"
    second = nb["cells"].pop(place(nb, "ch01_half"))
    cell(nb, "ch01_double")["source"] = text(cell(nb, "ch01_double")) + "\n\n" + text(second)


def became_markdown(nb):
    "a solution cell became Markdown"
    c = cell(nb, "ch01_double")
    c["cell_type"] = "markdown"
    _without_code_fields(c)


def became_fenced_markdown(nb):
    "a solution cell became Markdown with a code fence, and lost its metadata"
    c = cell(nb, "ch01_double")
    c.update(cell_type="markdown", source=f"```python\n{text(c)}\n```", metadata={}, id="fence")
    _without_code_fields(c)


def became_raw(nb):
    "a solution cell became raw"
    c = cell(nb, "ch01_double")
    c["cell_type"] = "raw"
    _without_code_fields(c)


def check_became_markdown(nb):
    "a check became Markdown"
    c = cell(nb, "ch01_double_check")
    c["cell_type"] = "markdown"
    _without_code_fields(c)


def reversed_order(nb):
    "all cells in reverse order"
    nb["cells"].reverse()


def solution_moved_to_the_end(nb):
    "a solution cell stands at the very end"
    nb["cells"].append(nb["cells"].pop(place(nb, "ch01_double")))


def setup_deleted(nb):
    "the set-up cell was deleted"
    nb["cells"].pop(_setup_place(nb))


def answer_in_a_new_cell(nb):
    "the stub was left, the answer typed into a new cell below"
    i = place(nb, "ch01_double")
    answer = text(nb["cells"][i])
    nb["cells"][i]["source"] = f'def double(x):\n    """Twice x, a number."""\n{STUB}'
    nb["cells"].insert(i + 1, new(answer, id="mine"))


def answer_above_the_stub(nb):
    "the answer typed into a new cell above the stub"
    answer_in_a_new_cell(nb)
    i = place(nb, "ch01_double")
    nb["cells"].insert(i, nb["cells"].pop(i + 1))


def solution_cell_deleted(nb):
    "the answer to the first exercise is gone: only its points are lost"
    nb["cells"].remove(cell(nb, "ch01_double"))


def helper_in_its_own_cell(nb):
    "the answer uses a helper that the student defined in a cell above"
    i = place(nb, "ch01_double")
    nb["cells"][i]["source"] = "def double(x):\n    return twice(x)"
    nb["cells"].insert(i, new("def twice(x):\n    return 2 * x", id="helper"))


def helper_while_metadata_is_gone(nb):
    "the same, with ids and metadata gone"
    helper_in_its_own_cell(nb)
    ids_and_metadata_gone(nb)


def huge_outputs(nb):
    "ten megabytes of output"
    cell(nb, "ch01_double")["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": "x" * 10_000_000}
    ]


def broken_outputs(nb):
    "outputs that no notebook may have"
    cell(nb, "ch01_double")["outputs"] = [{"output_type": "pickle", "data": 7}, None]


def sources_as_lists_without_newlines(nb):
    "sources as lists of lines, as some editors write them"
    for c in nb["cells"]:
        c["source"] = text(c).splitlines(keepends=True)


def windows_line_ends(nb):
    "CRLF in every source"
    for c in nb["cells"]:
        c["source"] = text(c).replace("\n", "\r\n")


def empty_cells_everywhere(nb):
    "an empty cell after each cell"
    nb["cells"] = [
        c for pair in ((c, new("", id=f"e{n}")) for n, c in enumerate(nb["cells"])) for c in pair
    ]


def a_magic_in_front(nb):
    "%%time in front of an answer"
    c = cell(nb, "ch01_double")
    c["source"] = "%%time\n" + text(c)


def teaching_cells_annotated(nb):
    "notes written into the chapter's own cells"
    setup = nb["cells"][_setup_place(nb)]
    setup["source"] = text(setup) + "\n# imports the mathematics"


def ids_swapped(nb):
    "the ids and grade_ids of the two solutions were swapped"
    a, b = cell(nb, "ch01_double"), cell(nb, "ch01_half")
    a["source"], b["source"] = b["source"], a["source"]


def notebook_metadata_gone(nb):
    "no kernel, no language"
    nb["metadata"] = {}


def colab_download(nb):
    "Colab: format 4.0, ids in the metadata"
    nb["nbformat_minor"] = 0
    for c in nb["cells"]:
        c["metadata"] = {**c["metadata"], "id": c.pop("id"), "outputId": "0"}


def _ran(nb, **output_metadata):
    for number, c in enumerate(nb["cells"], 1):
        if c["cell_type"] == "code":
            c["execution_count"] = number
            c["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["1.1 holds.\n"]}]
            c["metadata"] = {**c["metadata"], **output_metadata}


def saved_by_jupyterlab_4(nb):
    "JupyterLab 4: execution times, collapsed outputs, language details, a Markdown cell moved into an attachment"
    _ran(
        nb,
        execution={
            "iopub.execute_input": "2026-11-01T10:00:00.000000Z",
            "shell.execute_reply": "2026-11-01T10:00:00.1Z",
        },
        collapsed=False,
        trusted=True,
    )
    nb["metadata"] = {
        "kernelspec": {
            "display_name": "Python 3 (ipykernel)",
            "language": "python",
            "name": "python3",
        },
        "language_info": {
            "codemirror_mode": {"name": "ipython", "version": 3},
            "file_extension": ".py",
            "mimetype": "text/x-python",
            "name": "python",
            "nbconvert_exporter": "python",
            "pygments_lexer": "ipython3",
            "version": "3.12.4",
        },
        "toc-showtags": False,
    }
    nb["cells"][0]["attachments"] = {}


def saved_by_notebook_7(nb):
    "Notebook 7: the same format, a scrolled output, an empty cell at the end"
    saved_by_jupyterlab_4(nb)
    for c in nb["cells"]:
        c["metadata"]["scrolled"] = True
    nb["cells"].append(new([], id="9f8e7d6c"))


def saved_by_vs_code(nb):
    "VS Code: vscode metadata in each cell, its own kernelspec, no nbconvert fields, sources as lists"
    _ran(nb, vscode={"languageId": "python"})
    nb["metadata"] = {
        "kernelspec": {"display_name": ".venv", "language": "python", "name": "python3"},
        "language_info": {"name": "python", "version": "3.11.9"},
        "orig_nbformat": 4,
    }
    for c in nb["cells"]:
        c["source"] = text(c).splitlines(keepends=True)


def stub_left_below_the_return(nb):
    "the stub's last line left below a return, and an experiment of the same name at the end"
    c = cell(nb, "ch01_double")
    c["source"] = (
        f"def double(x):\n    if x:\n        return x + x\n    else:\n        return x\n{STUB}"
    )
    nb["cells"].append(new("def double(x):\n    return 0", id="experiment"))


def continued_in_the_next_cell(nb):
    "a helper above the untouched stub in the answer's cell, the answer in the next one"
    i = place(nb, "ch01_double")
    nb["cells"][i]["source"] = f"def twice(x):\n    return x + x\n\ndef double(x):\n{STUB}"
    nb["cells"].insert(i + 1, new("def double(x):\n    return twice(x)", id="next"))


def split_between_definitions(nb):
    "JupyterLab: a split cell, both halves whole and with the same metadata"
    i = place(nb, "ch01_double")
    half = copy.deepcopy(nb["cells"][i])
    nb["cells"][i]["source"] = "def twice(x):\n    return x + x"
    half["source"], half["id"] = "def double(x):\n    return twice(x)", "other"
    nb["cells"].insert(i + 1, half)


def copied_below_the_check(nb):
    "an answer's cell copied with its metadata, below the check, for an experiment"
    i = place(nb, "ch01_double_check")
    tried = copy.deepcopy(cell(nb, "ch01_double"))
    tried["source"], tried["id"] = "def double(x):\n    return 0", "tried"
    nb["cells"].insert(i + 1, tried)


def both_answers_beside_a_stub(nb):
    "both exercises answered in the second cell, the first one's stub untouched"
    first, second = cell(nb, "ch01_double"), cell(nb, "ch01_half")
    second["source"] = text(first) + "\n\n" + text(second)
    first["source"] = f'def double(x):\n    """Twice x, a number."""\n{STUB}'


def both_answers_above_a_stub(nb):
    "both exercises answered in the first cell, the second one's stub untouched"
    first, second = cell(nb, "ch01_double"), cell(nb, "ch01_half")
    first["source"] = text(first) + "\n\n" + text(second)
    second["source"] = f"def half(x):\n{STUB}"


def answer_in_a_cell_of_the_chapter(nb):
    "an answer typed below the text of the set-up, its stub untouched"
    setup, answer = nb["cells"][_setup_place(nb)], cell(nb, "ch01_half")
    setup["source"] = text(setup) + "\n\n" + text(answer)
    answer["source"] = f"def half(x):\n{STUB}"


def fences_around_an_answer(nb):
    "an answer pasted with its Markdown fences"
    c = cell(nb, "ch01_double")
    c["source"] = f"```python\n{text(c)}\n```"


def conflict_with_the_stub(nb):
    "nbmerge: an answer, and the stub of who had not begun"
    c = cell(nb, "ch01_double")
    c["source"] = (
        f"def double(x):\n<<<<<<< local\n{STUB}\n=======\n    return x + x\n>>>>>>> remote\n"
    )


def all_merged(nb):
    "all code cells of the chapter in one"
    merged = [c for c in nb["cells"] if c["cell_type"] == "code" and _of_the_chapter(c)]
    source = "\n\n".join(map(text, merged))
    first = nb["cells"].index(merged[0])
    nb["cells"] = [c for c in nb["cells"] if not any(c is one for one in merged)]
    nb["cells"].insert(first, {**merged[0], "source": source})


def all_merged_into_an_answer(nb):
    "the same, under the id of the first answer"
    about = copy.deepcopy(cell(nb, "ch01_double"))
    all_merged(nb)
    merged = nb["cells"][_setup_place(nb)]
    merged.update(id=about["id"], metadata=about["metadata"])


def _of_the_chapter(c):
    return c["metadata"].get("cellView") != "form" or "nbgrader" in c["metadata"]


def indented_and_without_ids(nb):
    "an answer indented as a whole, which Jupyter runs, and no ids"
    c = cell(nb, "ch01_half")
    c["source"] = "".join(f"    {line}" for line in text(c).splitlines(keepends=True))
    ids_and_metadata_gone(nb)


def name_from_a_check(nb):
    "an answer uses what a check and a cell that shows something import"
    answer = "def half(x):\n    return float(operator.mul(x, fractions.Fraction(1, 2)))"
    cell(nb, "ch01_half")["source"] = answer


def name_typed_below_a_check(nb):
    "an answer uses what the student imported below the text of a check"
    c = cell(nb, "ch01_double_check")
    c["source"] = text(c) + "\nfrom operator import truediv"
    cell(nb, "ch01_half")["source"] = "def half(x):\n    return truediv(x, 2)"


def package_that_the_grader_lacks(nb):
    "a package that is not here, above imports that are needed, in use there and in a hint"
    setup = nb["cells"][_setup_place(nb)]
    lines = ["import nobodys.package as nobody; from operator import mul", "nobody.set_theme()"]
    setup["source"] = "\n".join([text(setup), *lines, "from fractions import Fraction"])
    hinted = (
        'def half(x: nobody.Float[float, "any"] | None):\n    return float(mul(x, Fraction(1, 2)))'
    )
    cell(nb, "ch01_half")["source"] = f"from nobodys import anything\n{hinted}"


def saved_by_nbstripout(nb):
    "nbstripout: ids numbered anew, nothing that a run left"
    for number, c in enumerate(nb["cells"]):
        c["id"] = str(number)


def saved_by_kaggle(nb):
    "Kaggle: no ids, metadata of its own"
    _without_ids(nb, 4)
    for number, c in enumerate(nb["cells"]):
        c["metadata"] = {"_uuid": f"{number:036x}", "_cell_guid": f"{number:036x}", "trusted": True}


def saved_by_databricks(nb):
    "Databricks: no ids, a title and a number for each cell"
    _without_ids(nb, 0)
    for number, c in enumerate(nb["cells"]):
        about = {"nuid": f"{number:036x}", "showTitle": False, "title": ""}
        c["metadata"] = {"application/vnd.databricks.v1+cell": about}


def saved_by_deepnote(nb):
    "Deepnote: ids in the metadata, a cell of its own at the end"
    _without_ids(nb, 0)
    for number, c in enumerate(nb["cells"]):
        c["metadata"] = {"cell_id": f"{number:032x}", "deepnote_cell_type": c["cell_type"]}
    nb["cells"].append(new("<a>Created in Deepnote</a>", "markdown"))


def saved_by_pycharm(nb):
    "PyCharm: long ids of its own, CRLF on Windows"
    windows_line_ends(nb)
    for number, c in enumerate(nb["cells"]):
        c["id"] = f"{number:016x}"
        c["metadata"] = {**c["metadata"], "pycharm": {"name": "#%%\n"}}


def _without_ids(nb, minor):
    nb["nbformat_minor"] = minor
    for c in nb["cells"]:
        c.pop("id")


DAMAGES = {
    f.__name__: f
    for f in list(globals().values())
    if callable(f)
    and f.__module__ == __name__
    and f.__name__ not in ("cell", "place", "text", "new", "solved")
    and not f.__name__.startswith("_")
}
RESULT = {"solution_cell_deleted": 1}
