"""What is done in a notebook: the checks that passed, what is not begun, what comes next.

ab.follow("https://…/ch02_single_head.html")     # the chapter's page on the course site
ab.status()
"""

from __future__ import annotations

import ast
import io
import json
import linecache
import os
import sys
import time
import traceback
from contextlib import redirect_stdout, suppress
from pathlib import Path
from textwrap import shorten
from typing import Any

from attention_built.checks import Refused
from attention_built.notebook.names import global_names

EXERCISES = Path(__file__).with_name("exercises.json")  # made by the build
STUB = ["# YOUR CODE HERE", "raise NotImplementedError()"]
NOT_RUN = "its check was not run"
_followed: Progress | None = None


class Progress:
    """What has happened to a chapter's exercises since its notebook was started."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.chapter = address.rsplit("/", 1)[-1].removesuffix(".html")
        chapters = json.loads(EXERCISES.read_text("utf-8")) if EXERCISES.is_file() else {}
        self.exercises: dict[str, Any] = chapters.get(self.chapter, {})
        self.packages: list[str] = chapters.get("packages", [])  # that the grader has
        self.now: dict[str, str] = {}  # {check: why it failed, or ""}
        self.waits: dict[str, str] = {}  # {name: the exercise that is not begun, and owes it}
        self.before: set[str] = set()  # names that were there before the last cell

    def note(self, result: Any) -> None:
        """IPython calls this after every cell, to note how a check ended. A cell that waits for an
        exercise has not failed, nor has a later one that needs its names; "Run all" goes on there,
        and behind a check that says what is wrong.
        """
        source = (result.info.raw_cell or "").strip()
        names = sorted(global_names(source).assigned)
        error, space = result.error_before_exec or result.error_in_exec, _shell().user_ns
        missing = self.not_begun(error)
        for number, exercise in self.exercises.items():
            if f"\n{exercise['begins']}" in f"\n{source}":  # its answer was run
                owed = f"Needs exercise {number}: "
                names += exercise["leaves"]
                names += [name for name, said in self.waits.items() if said.startswith(owed)]
                self.now.update(dict.fromkeys(exercise["checks"], NOT_RUN))
                self.kept(dict.fromkeys(exercise["checks"], ""))
            for check, (first_line, _) in exercise["checks"].items():
                if source.startswith(first_line):
                    self.now[check] = self.said(number, error)
                    now = "" if self.now[check] else time.strftime("%d %b %Y, %H:%M")
                    self.kept({check: now})
        self.waits.update(dict.fromkeys(names, missing))
        if self.told(error):
            result.error_in_exec = None
        if missing:
            for name in set(names) - self.before:  # what is half made goes
                if not hasattr(space.get(name), "__code__"):  # functions are complete
                    space.pop(name, None)
        self.before = set(space)

    def not_begun(self, error: BaseException | None) -> str:
        """The sentence that names the exercise whose untouched stub stands behind an error; "" if
        none does.
        """
        seen: list[BaseException] = []
        while error is not None and error not in seen:
            seen.append(error)
            owed = self.waits.get(error.name or "") if isinstance(error, NameError) else ""
            if owed:
                return owed
            for frame, line in [*traceback.walk_tb(error.__traceback__)][-1:]:
                text = linecache.getlines(frame.f_code.co_filename)
                if [one.strip() for one in text[line - 2 : line]] != STUB:
                    continue
                what = getattr(frame.f_code, "co_qualname", frame.f_code.co_name)  # from 3.11 on
                what = what.replace("<module>", "its cell")
                for number, exercise in self.exercises.items():
                    if f"\n{exercise['begins']}" in "\n" + "".join(text):
                        return f"Needs exercise {number}: {what} is not begun"
            error = error.__cause__ or error.__context__
        return ""

    def told(self, error: BaseException | None) -> str:
        """What stands in place of a traceback: the exercise that is missing, or what a check found
        wrong.
        """
        missing = self.not_begun(error)
        return f"{missing}." if missing else error.told() if isinstance(error, Refused) else ""

    def said(self, number: str, error: BaseException | None) -> str:
        """How a check of an exercise ended: "" where it passed."""
        missing = self.not_begun(error).removeprefix(f"Needs exercise {number}: ")
        judged = isinstance(error, AssertionError) and str(error)
        kind = "" if judged else f"{type(error).__name__}: "
        return missing or (shorten(f"{kind}{error}", 110, placeholder=" …") if error else "")

    def kept(self, changes: dict[str, str] | None = None) -> dict[str, str]:
        """The checks of this folder that have passed, {check: when}; changes: note these first, ""
        in place of a time where one failed. A file on this machine, never sent.
        """
        try:
            folder = Path(_shell().profile_dir.location, "attention-built")
            path, here = folder / f"{self.chapter}.json", os.getcwd()
            folders = json.loads(path.read_text("utf-8")) if path.is_file() else {}
            noted = {**folders.get(here, {}), **(changes or {})}
            folders[here] = {check: when for check, when in noted.items() if when}
            if changes:
                folder.mkdir(parents=True, exist_ok=True)
                path.with_suffix(".new").write_text(json.dumps(folders), "utf-8")
                os.replace(path.with_suffix(".new"), path)
            return dict(folders[here])
        except (OSError, ValueError, AttributeError):  # no notebook, or nowhere to write
            return {}

    def show(self, states: dict[str, str], since: dict[str, str]) -> None:
        """Print a line for each exercise, what comes next, and what to tick.

        states: {check: "" if it passed, or why not}; since: {check: when it passed earlier}.
        """
        if not self.exercises:
            print(f"attention_built is older than {self.chapter}: install the one beside it.")
            return
        done: list[str] = []
        waiting: list[str] = []
        rows, held, possible = [], 0, 0
        for number, exercise in self.exercises.items():
            worth = {check: points for check, (_, points) in exercise["checks"].items()}
            ended = {one: states.get(one, "" if one in since else NOT_RUN) for one in worth}
            passed = [check for check in worth if not ended[check]]
            points, most = sum(worth[check] for check in passed), sum(worth.values())
            held, possible = held + points, possible + most
            (done if len(passed) == len(worth) else waiting).append(number)
            before = [since[check] for check in passed if check not in states]
            said = [f"before this run ({before[-1]})"] if before else []
            told = "; ".join(dict.fromkeys([*said, *filter(None, ended.values())]))
            name = exercise["name"][:36]
            rows.append(f"{number:5} {name:36} {points:g} of {most:g}  {told}".rstrip())
        print(f"{held:g} of {possible:g} points by the visible checks. ", end="")
        print("Hidden tests decide the mark.", *rows, sep="\n")
        if waiting:
            name, section = (self.exercises[waiting[0]][part] for part in ("name", "section"))
            print(f"Next: exercise {waiting[0]}, {name}, in section {section}.")
        else:
            print("Nothing is left: the last cell says whether the file is complete.")
        if done and "/" in self.address:
            print(f"Tick these on the course site: {self.address}#done={','.join(done)}")


def follow(address: str) -> None:
    """Note from now on which visible checks pass, and say in words which exercise a cell needs.

    address: the chapter's page on the course site; its name is the chapter's.
    """
    global _followed
    _followed, shell = Progress(address), _shell()
    if shell is None or os.environ.get("NBGRADER_EXECUTION") == "autograde":  # errors are zeros
        return
    if _after_cell not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _after_cell)
        _tell_what_is_missing(shell)
    print("Passed checks are noted on this machine; nothing is sent.", end=" ")
    print("From earlier runs:" if _followed.kept() else "ab.status() says what is left.")
    if _followed.kept():
        status()


def status() -> None:
    """Print which exercises the visible checks hold for done, what is left, and what comes next."""
    if _followed is None:
        print("First run the cell below the set-up: it follows what you do.")
    else:
        _followed.show(_followed.now, _followed.kept())


def ready_to_hand_in(chapter: str) -> None:
    """Run the visible checks of a chapter again, and look whether its file holds every exercise."""
    progress = _followed
    if progress is None or progress.chapter != chapter:
        progress = Progress(chapter)
    space = _shell().user_ns if _shell() else {}
    ran = [source.strip() for source in space.get("In", ()) if isinstance(source, str)]
    states, wanted = {}, set()
    for number, exercise in progress.exercises.items():
        wanted |= {exercise["solution"], *exercise["checks"]}
        names = dict(space)  # what one check of an exercise defines, the next one may use
        for check, (first_line, _) in exercise["checks"].items():
            source = next((one for one in reversed(ran) if one.startswith(first_line)), None)
            states[check] = NOT_RUN if source is None else _again(progress, number, source, names)
    progress.show(states, {})
    if absent := _imported(ran) - {*progress.packages, *sys.stdlib_module_names}:
        print(f"The grader does not have {', '.join(sorted(absent))}: what needs that fails there.")
        print(f"It has {', '.join(progress.packages)}.")
    print(_about_the_file(wanted))


def _again(progress: Progress, number: str, source: str, space: dict[str, Any]) -> str:
    """How a check of an exercise ends when it is run again."""
    try:
        with redirect_stdout(io.StringIO()):
            exec(compile(source, "check", "exec"), space)
    except Exception as error:
        return progress.said(number, error)
    return ""


def _imported(sources: list[str]) -> set[str]:
    """The packages that cells import."""
    names: set[str] = set()
    for source in sources:
        with suppress(SyntaxError):
            for line in ast.walk(ast.parse(source)):
                names |= {one.name for one in line.names} if isinstance(line, ast.Import) else set()
                names |= {line.module or ""} if isinstance(line, ast.ImportFrom) else set()
    return {name.split(".")[0] for name in names} - {""}


def _about_the_file(wanted: set[str]) -> str:
    """Whether the notebook's file, where it can be seen from here, holds the cells ``wanted``."""
    try:  # Colab keeps the file in the browser
        from google.colab import _message

        notebook = _message.blocking_request("get_ipynb", timeout_sec=10)["ipynb"]
    except Exception:
        vs_code = _shell() and _shell().user_ns.get("__vsc_ipynb_file__")
        path = vs_code or os.environ.get("JPY_SESSION_NAME", "")
        try:
            notebook = json.loads(Path(path).read_text("utf-8"))
        except (OSError, ValueError):
            return "The notebook file cannot be seen from here: save it, and hand in that .ipynb."
    cells = [(cell, cell.get("metadata", {})) for cell in notebook.get("cells", ())]
    ids = {about.get("nbgrader", {}).get("grade_id") or cell.get("id") for cell, about in cells}
    missing = ", ".join(sorted(wanted - ids))
    if missing:
        return f"Cells missing from the file: {missing}. Copy them back from a fresh notebook."
    return "The file holds every exercise: it would be accepted."


def _shell() -> Any:
    """The IPython that runs the notebook; None where there is none."""
    from IPython import get_ipython

    return get_ipython()


def _after_cell(result: Any) -> None:
    if _followed:
        _followed.note(result)


def _tell_what_is_missing(shell: Any) -> None:
    """Let IPython say what is missing or wrong in place of a traceback, and show no figure of a
    cell that waits for an exercise.
    """
    usual = shell.showtraceback

    def showtraceback(*args: Any, **kwargs: Any) -> None:
        error, pyplot = sys.exc_info()[1], sys.modules.get("matplotlib.pyplot")
        if pyplot and _followed and _followed.not_begun(error):
            pyplot.close("all")
        told = _followed.told(error) if _followed else ""
        if not told:
            usual(*args, **kwargs)
            return
        last = {"last_type": type(error), "last_value": error, "last_exc": error}
        vars(sys).update(last, last_traceback=error and error.__traceback__)  # what %tb shows
        print(told, file=sys.stderr)

    shell.showtraceback = showtraceback
