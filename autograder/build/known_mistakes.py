"""The tables of attention_built: what is seen in every visible case of a chapter's checks, with the
reference solution, and with the wrong answers of the bank.
"""

import contextlib
import hashlib
import io
import json
import math
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attention_built as ab
from attention_built.checks import TABLES
from attention_built.comparison import Names, agree
from attention_built.looks import Seen, observe
from autograder.course.bank import Answer, answers_path, wrong_answers
from autograder.course.carry import REFERENCE, filled
from autograder.course.errors import SourceError
from autograder.course.model import Cell, Chapter, Exercise
from autograder.course.regions import strip_markers

KEPT, CARRIED = 12, 4  # numbers of each result of a mistake, and of a slip that is carried forward
TEXT = 60  # characters of an error
SEEDS = (1, 2)  # what is not the same with both is left to chance, and no outcome to know it by


def table_path(root: Path, chapter: Chapter) -> Path:
    """Where the table of a chapter lies."""
    return Path(root, "attention_built", "tables", f"{chapter.name[:4]}.json")


def has_cases(exercise: Exercise) -> bool:
    """Whether the checks of an exercise are lists of cases."""
    return any(REFERENCE in check.checks for check in exercise.checks)


def table_bytes(root: Path, chapter: Chapter) -> bytes:
    """The table of a chapter; empty where none of its checks are cases. The committed one is used
    again where nothing has changed that it is made from.

    Raises SourceError where the reference solution gives other numbers with another seed.
    """
    exercises = [exercise for exercise in chapter.exercises if has_cases(exercise)]
    if not exercises:
        return b""
    path, key = table_path(root, chapter), _key(root, chapter)
    if path.is_file() and json.loads(path.read_text(encoding="utf-8"))["key"] == key:
        return path.read_bytes()
    return _written({"key": key, **_points(root, chapter)})


def code_of_checks(figures: bool = False) -> bytes:
    """The modules that checks are run by, as they are here; figures: with the one that draws."""
    modules = sorted(TABLES.parent.glob("[!_]*.py"))
    wanted = [path for path in modules if figures or path.name != "drawing.py"]
    return b"".join(path.read_bytes() for path in wanted)


def _key(root: Path, chapter: Chapter) -> str:
    """What a table is made from, as a hash."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    digest.update(code_of_checks())
    for cell in chapter.code:
        if cell.role == "check" or _is_run(cell):
            digest.update(cell.visible.encode() + b"\0")
    for exercise in chapter.exercises:
        if has_cases(exercise):
            digest.update(answers_path(root, chapter.name, exercise.id).read_bytes())
    return digest.hexdigest()[:32]


def _is_run(cell: Cell) -> bool:
    """Whether checks may need what the cell defines."""
    return not cell.show_only and "uses-exercise" not in cell.tags


def _points(root: Path, chapter: Chapter) -> dict[str, Any]:
    """{point: its record}, for all exercises of a chapter that have cases."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    by_id = {exercise.id: exercise for exercise in chapter.exercises}
    points: dict[str, Any] = {}
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        for cell in chapter.code:
            if cell.role != "check" and _is_run(cell):
                exec(strip_markers(filled(root, cell, chapter.path)), namespace)
            exercise = by_id.get(cell.grade_id)
            if exercise and has_cases(exercise):
                answers = wrong_answers(root, chapter.name, exercise.id)
                points |= _exercise(exercise, answers, namespace)
    return points


def _exercise(
    exercise: Exercise, answers: Iterable[Answer], namespace: dict[str, Any]
) -> dict[str, Any]:
    """The records of one exercise's points."""
    runs = [_seen(exercise, exercise.solution.text, namespace, seed) for seed in SEEDS]
    points = {}
    for (point, (asked, wanted)), (_, again) in zip(runs[0].items(), runs[1].values(), strict=True):
        for one, first, second in zip(asked["cases"], wanted, again, strict=True):
            if "error" in first:
                raise first["error"]
            if not agree(first, second, one.within):
                raise SourceError(
                    f"{exercise.id}: {point}, case {one.words!r}: the reference solution gives "
                    "another result with another seed; let the case make its own generator."
                )
        records = [
            _record(see, one.within) for see, one in zip(wanted, asked["cases"], strict=True)
        ]
        points[point] = {
            "form": asked["form"],
            "wanted": records,
            "slips": {},
            "costs": {},
            "mistakes": [],
        }
    for answer in answers:
        runs = [_seen(exercise, answer.text, namespace, seed) for seed in SEEDS]
        costs = [point for place, point in enumerate(points, 1) if place in answer.costs]
        for place, (point, record) in enumerate(points.items(), 1):
            _add(record, answer, place, runs[0][point], runs[1][point][1])
            if answer.name in record["slips"]:
                record["costs"][answer.name] = costs
    return points


def _seen(
    exercise: Exercise, text: str, namespace: dict[str, Any], seed: int
) -> dict[str, tuple[dict[str, Any], list[Seen]]]:
    """{point: (what was asked, what was seen in each case)} with ``text`` as the solution cell."""
    import torch

    torch.manual_seed(seed)
    names, found = dict(namespace), {}
    with ab.recording() as asked:
        exec(text, names)
        for check in exercise.checks:
            exec(check.visible, names)
    for point, about in asked.items():
        parts = Names(about["form"]).count
        found[point] = about, [observe(about["subject"], one, parts) for one in about["cases"]]
    return found


def _add(
    record: dict[str, Any],
    answer: Answer,
    place: int,
    first: tuple[dict[str, Any], list[Seen]],
    again: list[Seen],
) -> None:
    """Note what a wrong answer gives: as a slip, where it does not cost this check and can be
    carried forward; else with its sentence, where it first differs.
    """
    cases, seen = first[0]["cases"], first[1]
    differs = [
        number
        for number, (wanted, one) in enumerate(zip(record["wanted"], cases, strict=True))
        if not agree(wanted, seen[number], one.within)
    ]
    kept = [_record(see, one.within, KEPT) for see, one in zip(seen, cases, strict=True)]
    steady = [
        agree(keep, see, one.within) for keep, see, one in zip(kept, again, cases, strict=True)
    ]
    ran = not any("raised" in one for one in seen)  # what does not run shows no other property
    if differs[:1] == [0] and ran and all(steady) and answer.spares(place):
        record["slips"][answer.name] = [
            _record(see, one.within, CARRIED) for see, one in zip(seen, cases, strict=True)
        ]
    elif differs and answer.told and steady[differs[0]]:
        record["mistakes"].append([differs[0], kept[differs[0]], answer.phrase])


def _record(seen: Seen, within: float, most: int | None = None) -> Seen:
    """What is kept of an observation: plain data, as many digits as the tolerance asks for; of a
    wrong answer, the first numbers of each result.
    """
    digits = max(4, 2 - math.floor(math.log10(within)))

    def short(value: Any) -> Any:
        if isinstance(value, float):
            return float(f"{value:.{digits}g}") if math.isfinite(value) else value
        if isinstance(value, dict):
            return {name: short(one) for name, one in value.items()}
        return [short(one) for one in value] if isinstance(value, list) else value

    def cut(value: Any) -> Any:
        if isinstance(value, list) and value and isinstance(value[0], float):
            return value[:most]
        if isinstance(value, dict):
            return {name: cut(one) for name, one in value.items()}
        return [cut(one) for one in value] if isinstance(value, list) else value

    kept = {look: short(cut(value)) for look, value in seen.items() if look != "error"}
    if "text" in kept:
        kept["text"] = kept["text"][:TEXT]
    return kept


def _written(table: dict[str, Any]) -> bytes:
    """A table as JSON, one case or mistake a line."""

    def line(item: Any) -> str:
        return json.dumps(item, ensure_ascii=False, separators=(",", ":"))

    def lines(items: Iterable[Any]) -> str:
        return "[\n" + ",\n".join(map(line, items)) + "]"

    parts = [f'"key":{json.dumps(table["key"])}']
    for point, record in table.items():
        if point == "key":
            continue
        slips = ",\n".join(
            f"{json.dumps(name)}:{line(seen)}" for name, seen in record["slips"].items()
        )
        parts.append(
            f'{json.dumps(point)}:{{"form":{json.dumps(record["form"])},\n'
            f'"wanted":{lines(record["wanted"])},\n"slips":{{{slips}}},\n'
            f'"costs":{line(record["costs"])},\n'
            f'"mistakes":{lines(record["mistakes"])}}}'
        )
    return ("{" + ",\n".join(parts) + "}\n").encode()
