"""Commands that measure the checks themselves: quality, survivors, stability and others."""

import time
from argparse import Namespace
from typing import Any

from autograder.assurance import quality
from autograder.assurance.properties import stated_properties
from autograder.build.readme import with_quality
from autograder.cli.console import add_chapters, add_command, progress_bar, say
from autograder.course.chapter import chosen_chapters
from autograder.course.files import write
from autograder.course.model import Chapter
from autograder.course.settings import load_settings


def add(commands: Any) -> None:
    """Add the commands of this file to the parser."""
    about = "grade the bank of right and wrong answers; the table goes into README.md"
    add_chapters(add_command(commands, "quality", about, _quality), "all, and README.md is written")
    about = "change reference solutions in small places: which changes do the checks not see?"
    parser = add_command(commands, "survivors", about, _survivors, chapter="as ch02")
    few = "only so many changes, always the same ones"
    parser.add_argument("--sample", type=int, metavar="N", help=few)
    _add_subjects(parser, "change the bank's right answers instead: nothing explains what survives")
    about = "run every check on right code again and again, each time with other seeds"
    parser = add_command(commands, "stability", about, _stability, chapter="as ch02")
    option = parser.add_argument
    option("--times", type=int, default=200, metavar="N", help="how many seeds; default 200")
    each = "each seed with so many threads; default 1 and 2"
    option("--threads", type=int, nargs="+", default=[1, 2], metavar="N", help=each)
    _add_subjects(parser, "the bank's right answers, not the reference")
    about = "list what hidden tests ask and where the exercise says so"
    add_chapters(add_command(commands, "properties", about, _properties))


def _add_subjects(parser: Any, answers: str) -> None:
    """Add the options that say what is tried. answers: what --answers does."""
    words = "exercises whose id contains this"
    parser.add_argument("--only", default="", metavar="TEXT", help=words)
    parser.add_argument("--answers", action="store_true", help=answers)


def _quality(chosen: Namespace) -> int:
    """Print the table, keep that of all chapters. 1 where a verdict is not what the bank says."""
    root, began = load_settings().root, (time.monotonic(), _processor_seconds())
    with progress_bar() as bar:
        chapters = chosen_chapters(root, chosen.chapters)
        tasks = {chapter.name: bar.add_task(chapter.name, total=None) for chapter in chapters}

        def done(chapter: Chapter, found: quality.Quality) -> None:
            bar.remove_task(tasks[chapter.name])
            hidden = [f"only hidden tests find {line}" for line in found.hidden_only]
            for line in [*found.faults, *hidden]:
                say(line, bar.console)

        rows = quality.measure_chapters(
            root, chapters, lambda chapter: bar.advance(tasks[chapter.name]), done
        )
    table = quality.table(rows)
    say(table)
    answers = sum(row.right + row.wrong for row in rows)
    wall, processor = time.monotonic() - began[0], _processor_seconds() - began[1]
    say(f"{answers} answers graded in {wall:.0f} s, {processor:.0f} s of processor time")
    if not chosen.chapters:
        readme = root / "README.md"
        write(readme, with_quality(readme.read_text(encoding="utf-8"), table).encode())
    return 1 if any(row.faults for row in rows) else 0


def _processor_seconds() -> float:
    """What this process and those that it has seen the end of have used."""
    import resource  # not on Windows

    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _survivors(chosen: Namespace) -> int:
    from autograder.assurance.survivors import ENOUGH, hunt  # not on Windows

    result = hunt(
        load_settings().root,
        chosen.chapter,
        chosen.sample,
        chosen.only,
        lambda subject, change: say(f"survives  {subject}: {change}"),
        chosen.answers,
    )
    for line in result.dead:
        say(f"refused, though said to compute the same  {line}")
    known = "" if chosen.answers else f", {result.equivalent} of them equivalent"
    say(
        f"{result.chapter}: {result.tried} changed answers{known}, "
        f"{100 * result.rate:.1f}% of {'them' if chosen.answers else 'the others'} refused"
    )
    if chosen.answers:
        return 0
    return 1 if result.found or result.dead or not (chosen.sample or result.rate >= ENOUGH) else 0


def _stability(chosen: Namespace) -> int:
    from autograder.assurance.stability import unstable  # not on Windows

    lines = unstable(
        load_settings().root,
        chosen.chapter,
        chosen.times,
        chosen.threads,
        chosen.only,
        say,
        chosen.answers,
    )
    threads = " and ".join(map(str, chosen.threads))
    say(f"{chosen.chapter}: {chosen.times} seeds with {threads} thread(s): {len(lines)} failures")
    return 1 if lines else 0


def _properties(chosen: Namespace) -> int:
    """Print every property with its sentence, then what is wrong; 1 where something is."""
    faults = 0
    for chapter in chosen_chapters(load_settings().root, chosen.chapters):
        stated = stated_properties(chapter)
        say(f"{chapter.name}: {len(stated.properties)} properties, {len(stated.faults)} faults")
        exercise = ""
        for one in stated.properties:
            if one.exercise != exercise:
                exercise = one.exercise
                say(f"  {exercise}")
            say(f"    [{one.id or '?'}] {one.words}")
            say(f"        {one.sentence or 'NOT STATED'}")
        for fault in stated.faults:
            say(f"  fault: {fault}")
        faults += len(stated.faults)
    return 1 if faults else 0
