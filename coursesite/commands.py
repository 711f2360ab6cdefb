"""Commands that make what is read and heard: narration, listen, site, offline, pages.

The command line of the grader finds them by the entry point ``autograder.commands``.
"""

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from autograder.course.errors import AutograderError

if TYPE_CHECKING:
    from coursesite.narration.heard import Report
    from coursesite.pages.models import Exam


def say(text: object) -> None:
    """Print a line at once, so that long work shows its progress in a log, too."""
    print(text, flush=True)


def add(commands: Any) -> None:
    """Add the commands of this file to the parser."""
    parser = commands.add_parser(
        "narration", help="speak what changed in narration/ (needs 'make voice' once, and ffmpeg)"
    )
    parser.add_argument("chapters", nargs="*", metavar="chapter", help="as ch02; default: all")
    parser.set_defaults(run=_narration)
    parser = commands.add_parser(
        "listen", help="does a speech recogniser hear the narration's terms? (see 'make listen')"
    )
    parser.add_argument("chapters", nargs="*", metavar="chapter", help="as ch02; default: all")
    parser.set_defaults(run=_listen)
    parser = commands.add_parser("site", help="build the course site into _build/site")
    parser.add_argument(
        "--answers",
        choices=["folded", "open", "none"],
        default="",
        help="what the pages show of the answers to exercises; default: the setting site_answers",
    )
    parser.add_argument(
        "--serve", action="store_true", help="and show it on this machine until Ctrl-C"
    )
    parser.add_argument("--port", type=int, default=8000)
    parser.set_defaults(run=_site)
    parser = commands.add_parser(
        "offline",
        help="build the site and pack it with notebooks, audio and interactive pages into one zip",
    )
    parser.set_defaults(run=_offline)
    parser = commands.add_parser(
        "pages", help="build the interactive pages from site/interactive/ and the chapters"
    )
    parser.add_argument("chapters", nargs="*", metavar="chapter", help="as ch07; default: all")
    parser.add_argument(
        "--check", action="store_true", help="say what is not what the sources give; write nothing"
    )
    parser.add_argument(
        "--models",
        action="store_true",
        help="first train the models of chapters 7, 8 and 9 (minutes); with --check: examine them",
    )
    parser.add_argument(
        "--no-cues",
        action="store_true",
        help="leave cues.json and stills/, which need a browser, as they are",
    )
    parser.set_defaults(run=_pages)


def add_benchmark(actions: Any) -> None:
    """Add ``bench models`` to what ``python -m autograder bench`` can measure."""
    parser = actions.add_parser(
        "models", help="against transformers' GPT-2 and nn.MultiheadAttention"
    )
    parser.set_defaults(run=_models)


def _models(chosen: Namespace) -> None:
    """Print the ratios for the CPU, and for a GPU where there is one."""
    from statistics import median

    import torch

    from autograder.course.settings import load_settings
    from coursesite.speed import ROUNDS, compare

    names = {"cpu": f"CPU, {torch.get_num_threads()} threads"}
    if torch.cuda.is_available():
        names["cuda"] = torch.cuda.get_device_name()
    for device, name in names.items():
        say(f"\n{name}: median time of the peer over ours in {ROUNDS} rounds (range)")
        say("above 1 ours is faster")
        for row in compare(load_settings().root, device):
            low, middle, high = min(row.ratios), median(row.ratios), max(row.ratios)
            say(f"  {row.size:48} {row.what:25} {middle:5.2f}x  ({low:.2f} to {high:.2f})")


def _narration(chosen: Namespace) -> None:
    from autograder.course.settings import load_settings
    from coursesite.narration.audio import make_audio

    made = make_audio(load_settings(), chosen.chapters, lambda segment: say(segment.audio))
    say(f"{len(made)} segment(s) spoken")


def _listen(chosen: Namespace) -> int:
    from autograder.course.chapter import chosen_chapters
    from autograder.course.settings import load_settings
    from coursesite.narration.heard import summary
    from coursesite.narration.listen import listen

    def progress(audio: str, report: "Report") -> None:
        wrong, count = report.rates[audio]
        say(f"{audio}: {wrong} of {count} words heard otherwise")

    root = load_settings().root
    names = [chapter.name for chapter in chosen_chapters(root, chosen.chapters)]
    report = listen(root, names, progress)
    say(summary(report))
    return 1 if report.never else 0


def _site(chosen: Namespace) -> None:
    from threading import Event

    from autograder.course.settings import load_settings
    from coursesite.site.build import build
    from coursesite.site.server import serving

    folder = build(load_settings(), answers=chosen.answers)
    say(f"built: {folder / 'index.html'}")
    if chosen.serve:
        with serving(folder, chosen.port) as address:
            say(f"open {address}  (Ctrl-C ends it)")
            Event().wait()


def _offline(chosen: Namespace) -> None:
    from autograder.course.settings import load_settings
    from coursesite.site.build import build
    from coursesite.site.offline import write_offline_zip

    settings = load_settings()
    path = write_offline_zip(settings.root, build(settings))
    say(f"packed: {path} ({path.stat().st_size / 1e6:.0f} MB)")


def _pages(chosen: Namespace) -> None:
    """Write models, fixtures, pages, cues and stills in this order. Raises AutograderError where
    something is stale.
    """
    from autograder.course.settings import load_settings
    from coursesite.pages.build import build_pages
    from coursesite.pages.cues import chromium, write_cues
    from coursesite.pages.fixtures import write_fixtures
    from coursesite.pages.models import train_models
    from coursesite.pages.stills import write_stills

    root = load_settings().root
    if chosen.models:
        for name in train_models(root, chosen.chapters, chosen.check, _show_exam):
            say(f"trained: {name}")
    changed = write_fixtures(root, chosen.chapters, chosen.check)
    changed += [f"pages/{name}" for name in build_pages(root, chosen.check)]
    if not chosen.no_cues:
        with chromium() as browser:
            changed += ["cues.json"] if write_cues(root, browser, chosen.check) else []
            stills = write_stills(root, browser, chosen.check)
        changed += [f"stills/{name}" for name in stills]
    for name in changed:
        say(f"{'stale' if chosen.check else 'wrote'}: {name}")
    if chosen.check and changed:
        raise AutograderError(
            "site/interactive is not what its sources give. "
            "Run 'python -m autograder pages' and commit."
        )


def _show_exam(name: str, exam: "Exam") -> None:
    say(f"{name}: {exam.question}: {exam.measured:.4g}")
