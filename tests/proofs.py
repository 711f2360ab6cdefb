"""A plugin for pytest: what has been proved need not be proved again.

Some promises take minutes to try: a chapter's bank of answers, its notebook run from top to bottom,
every page in a browser. Their tests belong to *proofs*, as "bank ch02_single_head": a kind, and the
chapter that it is about; "python ch02_single_head 3.12" names the Python, too. The fingerprint of a
proof is a hash of all that its outcome depends on: of a module what it does, of a chapter and its
notebooks the code and its outputs, so that words may change. ``tests/proofs.json`` keeps the
fingerprint of each proof whose tests have all passed, how many tests there were, and what they
counted.

A run that was asked for some tests of a proof only (``-k``, ``-m``, ``file::test``, one file of a
folder that is proved as a whole) writes down nothing of it.

A run leaves out the tests of a proof whose fingerprint is the recorded one, but for one test in
twenty, drawn anew in each run. ``AUTOGRADER_ALL=1`` leaves nothing out. A run that proves something
writes it down, but for what was edited meanwhile: the file is committed with the change that made
it necessary.

An entry that was edited by hand is refused: it is sealed with a hash of what it says. And a test
that is drawn must count what the entry says.
"""

import ast
import hashlib
import json
import os
import re
import secrets
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from autograder.course.carry import filled_chapter
from autograder.course.files import write

ROOT = Path(__file__).parents[1]
RECORD = "tests/proofs.json"
EVERY = 600  # seconds after which the record is written: a run may be ended before its end
ONE_IN = 20  # of how many proved tests one is tried again in each run
EVERYWHERE = ("requirements.txt", "requirements.lock", "tests/conftest.py", "tests/apart.py")
CHECKS = (
    "attention_built/[!_]*.py",
    "attention_built/shipped",  # what cells read
    "attention_built/tables/{chapter:.4}.json",
)
GRADER = (
    "attention_built/[!_]*.py",
    "autograder/course",
    "autograder/grading",
    "autograder/sandboxed",
    "autograder/assurance",
)
CODE = "code of the chapter"  # its code cells, with what it carries from others
# What a proof depends on beside its own test file: files, and folders with all that is in them.
# The costliest kind first: in this order the tests of what is not yet proved are run.
KINDS: dict[str, tuple[str, ...]] = {
    "corpus": (*GRADER, *CHECKS, CODE, "bank/hostile", "tests/hostile"),
    "mutants": (*GRADER, *CHECKS, CODE, "bank/{chapter}"),
    "python": (
        *CHECKS,
        "attention_built/notebook",
        "solutions/{chapter}",
        "notebooks/{chapter}",
        "source/{chapter}/model.txt",
        "tests/nbval_numbers.py",
        "tests/sanitize.cfg",
        "tests/other_pythons.py",
    ),
    "device": (*CHECKS, "solutions/{chapter}", "tests/assurance/other_device.py"),
    "bank": (*GRADER, *CHECKS, CODE, "bank/{chapter}"),
    "stability": (*GRADER, *CHECKS, CODE),
    "marks": (*GRADER, *CHECKS, CODE, "notebooks/{chapter}"),
    "release": (*CHECKS, "attention_built/notebook", CODE, "notebooks/{chapter}"),
    "outputs": (
        *CHECKS,
        "attention_built/notebook",
        "solutions/{chapter}",
        "notebooks/{chapter}",
        "tests/nbval_numbers.py",
        "tests/sanitize.cfg",
    ),
    "site": ("autograder/course", "coursesite", "site", "solutions", "narration"),
    "page": (
        "site/interactive/pages/{chapter}.html",
        "site/interactive/fixtures/{chapter}.json",
        "site/interactive/stills/{chapter}.png",
        "tests/pages/conftest.py",
    ),
    "pages": (
        "attention_built/shipped",
        "autograder/course",
        "coursesite/pages",
        "site/interactive",
        "source",
    ),
    "hostile": (*GRADER, "bank/hostile", "tests/hostile/corpus.py"),
    "odd": (*GRADER, "bank/hostile", "tests/hostile/corpus.py", "source"),
}
# the call of a chapter about a GPU, and what its proofs depend on beyond those of others
STAND_IN = "ab.gpu(", "attention_built/chip"
WORDS = ("site",)  # kinds whose tests read them
MODULES = ("attention_built", "autograder", "coursesite", "tests")
# what git ignores: a clone, in which CI runs, has none of it
NO_CLONE_HAS = re.compile(r"(^|/)(__pycache__|_build|\.ipynb_checkpoints)/|^source/.*\.ipynb$")
TEXT_CELLS = re.compile(rb"^# %% \[markdown\].*?(?=^# %%|\Z)", re.MULTILINE | re.DOTALL)
FOLDERS = {"tests/site": "site", "tests/pages": "pages", "tests/hostile": "hostile"}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "proof(kind): costly; left out where tests/proofs.json says that it holds"
    )
    os.environ.setdefault("AUTOGRADER_DRAW", secrets.token_hex(4))  # the same in every worker
    os.environ.setdefault("AUTOGRADER_DAY", str(date.today().toordinal()))
    config.pluginmanager.register(Proofs(config), "proofs of this run")


def pytest_report_header() -> str:
    if os.environ.get("AUTOGRADER_ALL"):
        return "proofs: everything is tried"
    return (
        f"proofs: one in {ONE_IN} is tried again, AUTOGRADER_DRAW={os.environ['AUTOGRADER_DRAW']}"
    )


class Proofs:
    """What a run leaves out, and what it writes down."""

    def __init__(self, config: pytest.Config) -> None:
        self.path = config.rootpath / RECORD
        self.worker = hasattr(config, "workerinput")
        self.recorded = read(self.path)
        self.tried: dict[str, dict[str, Any]] = {}  # by proof, in this run
        self.looked = time.monotonic()  # when the record was last written

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        proofs: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in items:
            if proof := proof_of(item):
                proofs[proof].append(item)
        left_out = set()
        for proof, tests in proofs.items():
            found = {"fingerprint": fingerprint(tests[0].path, proof), "tests": len(tests)}
            known = self.recorded.get(proof, {})
            proved = {key: known.get(key) for key in found} == found
            for item in tests:
                item.user_properties.append(("proof", {"name": proof, **found}))
                item.user_properties.append(("in part", narrowed(config, proof)))
                if proved and not wanted(unit(item)):
                    left_out.add(item)
        if left_out:
            config.hook.pytest_deselected(items=list(left_out))
        cost = {kind: place for place, kind in enumerate(KINDS)}
        kept = [item for item in items if item not in left_out]
        kept.sort(key=lambda one: cost.get(proof_of(one).partition(" ")[0], len(cost)))
        items[:] = kept

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        yield
        proof = dict(item.user_properties).get("proof")
        known = self.recorded.get(proof["name"], {}) if proof else {}
        if known and known["fingerprint"] == proof["fingerprint"]:
            said = known["counted"].get(item.nodeid)
            counted = dict(item.user_properties).get("counted")
            assert counted == said, (
                f"{RECORD} says of {proof['name']} that {said} was counted, and it is {counted}: "
                "take its line out, and the next run proves it anew"
            )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        properties = dict(report.user_properties)
        if self.worker or "proof" not in properties or properties["in part"]:
            return
        proof = properties["proof"]
        run = self.tried.setdefault(
            proof["name"], {"proof": proof, "passed": set(), "other": set(), "counted": {}}
        )
        if report.when == "call" and report.passed:
            run["passed"].add(report.nodeid)
            if "counted" in properties:
                run["counted"][report.nodeid] = properties["counted"]
        elif not report.passed and report.outcome != "rerun":
            run["other"].add(report.nodeid)
        if time.monotonic() - self.looked > EVERY:
            self.write_down()

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.worker:
            return
        if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self.recorded:
            session.exitstatus = pytest.ExitCode.OK  # all of them are proved
        self.write_down()

    def write_down(self) -> None:
        """Write the record with what this run has proved so far."""
        forget()
        proved = {
            name: sealed(run["proof"] | {"counted": dict(sorted(run["counted"].items()))})
            for name, run in self.tried.items()
            if len(run["passed"]) == run["proof"]["tests"] and not run["other"]
            if unchanged(name, run["proof"]["fingerprint"], run["passed"])
        }
        self.looked = time.monotonic()
        if proved:
            rows = sorted((self.recorded | proved).items())
            lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows)
            write(self.path, f"{{\n{lines}\n}}\n".encode())


def proof_of(item: pytest.Item) -> str:
    """The proof that a test belongs to: its kind and, where it is about one, its chapter and
    its Python; "" for none.
    """
    place = item.path.relative_to(item.config.rootpath)
    if place.suffix == ".ipynb":  # nbval compares its outputs
        return f"outputs {place.parent.name}"
    marker = item.get_closest_marker("proof")
    kind = marker.args[0] if marker else FOLDERS.get(place.parent.as_posix(), "")
    params = getattr(item, "callspec", None).params if hasattr(item, "callspec") else {}
    chapter = str(params.get("name", params.get("chapter", "")))
    about = chapter if any("{chapter" in one or one == CODE for one in KINDS.get(kind, ())) else ""
    python = params.get("python", "") if kind == "python" else ""
    return " ".join(part for part in (kind, about, python) if part)


def narrowed(config: pytest.Config, proof: str) -> bool:
    """Whether a run was asked for some tests only, so that a proof may lack some of its own."""
    asked = [config.invocation_params.dir / one.partition("::")[0] for one in config.args]
    folders = [ROOT / place for place, kind in FOLDERS.items() if kind == proof.split(" ")[0]]
    return bool(
        config.option.keyword
        or config.option.markexpr
        or any("::" in one for one in config.args)
        or not all(any(at.is_relative_to(one) for one in asked) for at in folders)
    )


def unchanged(proof: str, before: str, passed: set[str]) -> bool:
    """Whether what a proof depends on is what it was when its tests were collected."""
    return fingerprint(ROOT / min(passed).partition("::")[0], proof) == before


def unit(item: pytest.Item) -> str:
    """What is drawn as a whole: a test, or a notebook, whose cells need one another."""
    return item.nodeid.partition("::")[0] if item.path.suffix == ".ipynb" else item.nodeid


def wanted(name: str) -> bool:
    """Whether a proved test is tried all the same."""
    drawn = hashlib.sha256(f"{os.environ['AUTOGRADER_DRAW']} {name}".encode()).digest()[0]
    return bool(os.environ.get("AUTOGRADER_ALL")) or drawn % ONE_IN == 0


@cache
def fingerprint(test: Path, proof: str) -> str:
    """A hash of all that the tests of a proof depend on; test: a file of them."""
    kind, chapter, python = (*proof.split(" "), "", "")[:3]
    own = test.parent if FOLDERS.get(test.parent.relative_to(ROOT).as_posix()) == kind else test
    digest = hashlib.sha256(f"Python {python or sys.version_info[:2]}".encode())
    for one in (*EVERYWHERE, *KINDS[kind]):
        if one == CODE:
            cells = [(c.id, c.source, c.tags, c.points, c.far) for c in _code(chapter)]
            digest.update(json.dumps(cells).encode())
        else:
            for path in sorted(ROOT.glob(one.format(chapter=chapter))):
                digest.update(_contents(path, kind in WORDS))
    sources = ROOT.glob(f"source/{chapter}/*.py") if chapter else ()
    if any(STAND_IN[0] in path.read_text(encoding="utf-8") for path in sources):
        digest.update(_contents(ROOT / STAND_IN[1], kind in WORDS))
    if kind != "outputs":
        digest.update(_contents(own, kind in WORDS))
    return digest.hexdigest()[:20]


def forget() -> None:
    """Read every file anew from here on."""
    for one in (fingerprint, _code, _contents):
        one.cache_clear()


@cache
def _code(chapter: str) -> list[Any]:
    return filled_chapter(ROOT, chapter).code


@cache
def _contents(path: Path, words: bool) -> bytes:
    """A hash of a file, or of all files below a folder; of nothing where neither is there."""
    digest = hashlib.sha256()
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        name = file.relative_to(ROOT).as_posix()
        if file.is_file() and not NO_CLONE_HAS.search(name):
            said = file.read_bytes() if words else _without_words(file)
            digest.update(name.encode() + b"\0" + said)
    return digest.digest()


def _without_words(file: Path) -> bytes:
    """What of a file an outcome may depend on. In the bank comments say what must happen."""
    text, folder = file.read_bytes(), file.relative_to(ROOT).parts[0]
    if file.suffix == ".ipynb":
        cells = [one for one in json.loads(text)["cells"] if one["cell_type"] == "code"]
        return json.dumps(cells, sort_keys=True).encode()
    if file.suffix == ".py" and folder == "source":
        return TEXT_CELLS.sub(b"", text)
    if file.suffix == ".py" and folder in MODULES:
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                node.body = node.body[ast.get_docstring(node) is not None :]
        return ast.dump(tree).encode()
    return text


def read(path: Path) -> dict[str, dict[str, Any]]:
    """The record; empty where there is none. Refuses an entry that was edited by hand."""
    entries: dict[str, dict[str, Any]] = (
        json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    )
    for name, entry in entries.items():
        if sealed({"name": name} | entry) != entry:
            raise pytest.UsageError(
                f"{path}: the entry {name!r} was edited by hand: its seal is that of another text. "
                "Take the line out, and the next run proves it anew."
            )
    return entries


def sealed(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry as it stands in the record: without its name, and with a hash of all it says."""
    said = {key: value for key, value in entry.items() if key != "seal"}
    seal = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:12]
    return {key: value for key, value in said.items() if key != "name"} | {"seal": seal}
