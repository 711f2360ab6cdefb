"""Commands that make what is read and heard: narration, site, offline."""

from typing import Any

from autograder.cli.console import say


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


def _narration(chosen):
    from autograder.course.settings import load_settings
    from autograder.narration.audio import make_audio

    made = make_audio(load_settings(), chosen.chapters, lambda segment: say(segment.audio))
    say(f"{len(made)} segment(s) spoken")


def _listen(chosen):
    from autograder.course.chapter import chosen_chapters
    from autograder.course.settings import load_settings
    from autograder.narration.heard import summary
    from autograder.narration.listen import listen

    def progress(audio, report):
        wrong, count = report.rates[audio]
        say(f"{audio}: {wrong} of {count} words heard otherwise")

    root = load_settings().root
    names = [chapter.name for chapter in chosen_chapters(root, chosen.chapters)]
    report = listen(root, names, progress)
    say(summary(report))
    return 1 if report.never else 0


def _site(chosen):
    from threading import Event

    from autograder.course.settings import load_settings
    from autograder.site.build import build
    from autograder.site.server import serving

    folder = build(load_settings(), answers=chosen.answers)
    say(f"built: {folder / 'index.html'}")
    if chosen.serve:
        with serving(folder, chosen.port) as address:
            say(f"open {address}  (Ctrl-C ends it)")
            Event().wait()


def _offline(chosen):
    from autograder.course.settings import load_settings
    from autograder.site.build import build
    from autograder.site.offline import write_offline_zip

    settings = load_settings()
    path = write_offline_zip(settings.root, build(settings))
    say(f"packed: {path} ({path.stat().st_size / 1e6:.0f} MB)")
