"""A check: the cases of one point, tried in order; the first that differs is told."""

from __future__ import annotations

import json
import linecache
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from attention_built.cases import Case
from attention_built.comparison import Names, agree, difference, first_difference
from attention_built.looks import Seen, observe
from attention_built.relations import relation

TABLES = Path(__file__).with_name("tables")
FINER = 4  # times as close as a right answer must be to the reference is a mistake to a known one
MOST_LINES = 4  # of an answer that raised: more, as of a recursion, are not shown
MOST_NAMED = 2  # mistakes with one outcome: more are not told
DRAWN = 0.01  # a case that allows numbers to be farther off is about chance, or about low precision
_records: list[dict[str, Any]] = []  # where a recording is on
# (slips, what was wrong) of a check passed with slips, for who knows in the end whether a check of
# theirs was lost; None in a kernel, where it counts as long as none of theirs has passed
carried: list[tuple[list[str], str]] | None = None
_passed: set[str] = set()  # points whose check was passed last time, without a slip
# by point and subject: the cases so far, what was like it in all of them, and what was wrong
_tried: dict[tuple[Any, ...], tuple[list[Case], list[str], str, Any]] = {}


class Refused(AssertionError):
    """What a check found wrong. A notebook shows the sentence and, where the answer raised, its own
    lines; ``%tb`` shows the rest.
    """

    def _render_traceback_(self) -> list[str]:
        """IPython asks for the lines to show, while it handles the error, and for ``%tb``."""
        shell = sys.modules["IPython"].get_ipython()
        if sys.exc_info()[1] is self or shell is None:
            return self.told().split("\n")
        about = type(self), self, self.__traceback__
        return list(shell.InteractiveTB.structured_traceback(*about))

    def told(self) -> str:
        """The sentence, and the lines of the notebook that led to what the answer raised."""
        steps = traceback.walk_tb(self.__cause__.__traceback__) if self.__cause__ else ()
        check = {frame.f_code.co_filename for frame, _ in traceback.walk_tb(self.__traceback__)}
        own = [
            f"  line {line} of {frame.f_code.co_name}: {linecache.getline(name, line).strip()}"
            for frame, line in steps
            if frame.f_globals.get("__name__") == "__main__"
            and (name := frame.f_code.co_filename) not in check
        ]
        rest = ["  (%tb shows the whole traceback)"] if own else []
        return "\n".join([str(self), *own[-MOST_LINES:], *rest])


class Answers:
    """The reference solution and the known slips, to compare hidden cases with: the build puts
    ``reference = ab.Answers(globals(), {"": text, name: text})`` above hidden tests.

    earlier: the solutions of earlier exercises that they call; those around are a student's.
    """

    def __init__(self, around: dict[str, Any], texts: dict[str, str], earlier: str = "") -> None:
        self.around, self.texts, self.earlier = around, texts, earlier
        self._made: dict[str, dict[str, Any]] = {}
        self._seen: dict[tuple[Any, ...], tuple[Case, Seen]] = {}  # a base case comes again

    def __call__(self, *names: str, along: Any = None) -> dict[str, Callable[[Case, int], Seen]]:
        """{"" or name of a slip: what is seen, in a case, of what it calls so, and ``along``}."""
        return {slip: partial(self._observe, slip, names, along) for slip in self.texts}

    def _observe(self, slip: str, names: Sequence[str], along: Any, case: Case, parts: int) -> Seen:
        key = slip, names, along, id(case)
        if key not in self._seen:
            made = self._subject(slip, names)
            self._seen[key] = case, observe((made, along) if along else made, case, parts)
        if not slip and "error" in self._seen[key][1]:
            raise self._seen[key][1]["error"]
        return self._seen[key][1]

    def _subject(self, slip: str, names: Sequence[str]) -> Any:
        if slip not in self._made:
            self._made[slip] = dict(self.around)
            exec(f"{self.earlier}\n{self.texts[slip]}", self._made[slip])
        found = tuple(self._made[slip][name] for name in names)
        return found if len(names) > 1 else found[0]


@torch.random.fork_rng(devices=[])
def check(
    point: str,
    subject: Any,
    cases: Sequence[Case],
    form: str = "",
    like: dict[str, Callable[[Case, int], Seen]] | None = None,
) -> None:
    """Try ``subject`` in every case; raises Refused, an AssertionError, for the first that differs.
    Random numbers drawn afterwards are those that would have come without it.

    point: "2.3 values". form: "q, k, v -> output, weights", what messages call them. like: what is
    compared with; default: what is recorded of the reference solution in the package.

    The first case is the base case. Where an answer does there what a known slip does, and the slip
    does not cost this point, the other cases are compared with what they give with the slip. It is
    forgiven where a check that it costs was lost, not where all of these have passed.
    """
    if _records:
        _records[-1][point] = {"form": form, "cases": cases, "subject": subject}
        return
    _passed.discard(point)
    known = _table(point.split(".")[0]).get(point, {})
    form = form or known.get("form", "")
    parts = Names(form).count
    records = {} if like else _records_of(known)

    def wanted(slip: str, number: int) -> Seen:
        return like[slip](cases[number], parts) if like else records[slip][number]

    whose = point, *map(id, subject if isinstance(subject, tuple) else [subject])
    before, left, told, _ = _tried.get(whose, ([], [], "", subject))
    tried = before if like and cases[0] in before else []
    alive, told = (left, told) if tried else (list(like or records), "")
    untried = [number for number, one in enumerate(cases) if one not in tried]
    for number in untried:  # the reference first: no answer has a say in what is expected
        wanted("", number)
    for number in untried:
        one, seen = cases[number], observe(subject, cases[number], parts)
        fitting = (slip for slip in alive if agree(wanted(slip, number), seen, one.within))
        first = list(islice(fitting, 1))  # where it is the reference, no slip has to be run
        agreeing = first if first == [""] else [*first, *fitting]
        if not agreeing or agreeing[0] and not number:
            fault = "" if like or alive[0] else _mistake(known, number, one, seen)
            if not fault:  # what is said to be right is what the reference gives
                names = Names(form, one.secret, one.dtypes)
                fault = _described(wanted("", number), seen, one, names, subject, number)
            told = f"{one.words}: {fault}" if fault else told
        if not agreeing:
            raise Refused(told) from seen.get("error")
        alive = agreeing
    _tried[whose] = [*tried, *cases], alive, told, subject
    if not alive[0]:
        _passed.add(point)
    elif carried is not None:
        carried.append((alive, told))
    elif not like and any(_has_passed(known, slip) for slip in alive):
        raise Refused(told)
    if not like:
        count = f"{len(cases)} case{'s' if len(cases) > 1 else ''}"
        apart = ", apart from a mistake that another check names" if alive[0] else ""
        print(f"{point} holds for {count}{apart}. Hidden tests try others.")


def _records_of(known: dict[str, Any]) -> dict[str, list[Seen]]:
    """{"" or name of a slip: what is seen in each case}, from a table."""
    if "wanted" not in known:
        raise LookupError(
            "attention_built is older than this notebook: type %pip uninstall -y attention_built "
            "attention-autograder, restart the kernel, and run the notebook from the top"
        )
    return {"": known["wanted"], **known["slips"]}


def _has_passed(known: dict[str, Any], slip: str) -> bool:
    """Whether all checks that a slip costs were passed: then it is another mistake."""
    costs = known.get("costs", {}).get(slip, [])
    return bool(costs) and _passed.issuperset(costs)


def _mistake(known: dict[str, Any], number: int, one: Case, seen: Seen) -> str:
    """What the bank's answers with this outcome do wrong; "" where none has it, or many do."""
    found = [
        says
        for at, outcome, says in known["mistakes"]
        if at == number
        and agree(outcome, seen, one.within / FINER)
        and seen.get("text", "").startswith(outcome.get("text", ""))
    ]
    named = list(dict.fromkeys(found))
    if len(named) > MOST_NAMED:
        return ""
    return f"either {', or '.join(named)}" if len(named) > 1 else "".join(named)


def _described(wanted: Seen, seen: Seen, one: Case, names: Names, subject: Any, number: int) -> str:
    """What differs in a case where nobody knows the mistake: a relation to what is wanted, or the
    first difference with the case's hint, unless nothing sets the case apart because it is the
    first.
    """
    look, told = first_difference(wanted, seen, one.within, names)
    hint = one.hint if number or one.secret else ""
    if look in ("kinds", "shapes") and names.count > 1:
        whole = observe(subject, one)
        if whole.get("kinds") == ["tensor"]:  # it is no use to say what its rows are
            return difference(wanted, whole, one.within, names)
    drawn = one.then or one.within > DRAWN
    if look in ("shapes", "values") and not drawn and not one.secret:
        given = [(names.input(n), t) for n, t in enumerate(one.args) if torch.is_tensor(t)]
        if related := relation(wanted, seen, names, given, not one.ask, not hint):
            return related
    return f"{told}. {hint}" if told and hint and "raised" not in seen else told


@cache
def _table(chapter: str) -> dict[str, Any]:
    """{point: {"form", "wanted", "slips", "costs", "mistakes"}} of a chapter; empty where there is
    none.
    """
    path = TABLES / f"ch{int(chapter):02d}.json"
    return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else {}


@contextmanager
def recording() -> Iterator[dict[str, Any]]:
    """Inside, checks compare nothing: {point: {"form", "cases", "subject"}} is collected."""
    _records.append({})
    try:
        yield _records[-1]
    finally:
        _records.pop()


def beside(wanted: Any, call: Callable[[], Any]) -> None:
    """Print what is wanted beside what ``call`` gives, or why it gives nothing; raises nothing."""
    try:
        got = _rounded(call())
    except Exception as error:
        stub = isinstance(error, NotImplementedError) and not str(error)
        told = f"{type(error).__name__}: {error}"
        got = "nothing yet: an answer above is missing" if stub else told
    print(f"wanted {_rounded(wanted)}   got {got}")


def _rounded(value: Any) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (tuple, list)):
        return [_rounded(one) for one in value]
    return round(value, 4) + 0.0 if isinstance(value, float) else value  # no -0.0
