"""The whole road in two minutes: a class's work as Canvas exports it, collected, graded, and marks that Canvas takes back in."""

import shutil
from dataclasses import replace

from rich.console import Console

from autograder.assurance.sample_class import CLASS, canvas_gradebook, canvas_zip, roster_csv
from autograder.build.fresh import stale_files
from autograder.classroom.collect.collecting import collect, report_path
from autograder.classroom.results.export import export, read_marks
from autograder.classroom.results.late import parse_policy
from autograder.classroom.run.grade import marks_path
from autograder.course.chapter import chosen_chapters
from autograder.course.errors import AutograderError
from autograder.course.files import write
from autograder.course.settings import load_settings

CHAPTERS = 2
console = Console()


def demo(grade_with_progress, show_collected, names=()):
    """Run the demo in the folder demo/, which is made anew, for the named chapters (default: the first two).

    grade_with_progress, show_collected: the command line's own functions, so that what is seen here is what the commands print.
    """
    settings = load_settings()
    stale = stale_files(settings.root)
    if stale:
        raise AutograderError(
            f"the committed release is not what the source gives: {', '.join(map(str, stale[:3]))}. Run 'make release'."
        )
    console.print("The committed release is fresh.")
    folder = settings.root / "demo"
    shutil.rmtree(folder, ignore_errors=True)
    settings = replace(
        settings,
        db_url=f"sqlite:///{folder / 'gradebook.db'}",
        submitted="demo/submitted",
        feedback="demo/feedback",
        marks="demo/marks",
    )
    chapters = chosen_chapters(settings.root, names)[: len(names) or CHAPTERS]
    write(folder / "roster.csv", roster_csv().encode())
    write(folder / "Grades.csv", canvas_gradebook(chapters).encode())
    for chapter in chapters:
        submissions = folder / f"{chapter.name}-submissions.zip"
        write(submissions, canvas_zip(settings.root, chapter))
        show_collected(
            collect(settings, submissions, "canvas", folder / "roster.csv"), report_path(settings)
        )
        grade_with_progress(settings, chapter)
        marks = read_marks(settings, chapter, parse_policy("10%"))
        path, _ = export(
            settings,
            chapter,
            "canvas",
            marks,
            folder / f"{chapter.name}-for-canvas.csv",
            folder / "Grades.csv",
            folder / "roster.csv",
        )
        _say(f"report    {marks_path(settings, chapter).with_suffix('.html')}")
        _say(f"Canvas    {path}  (10% off per day late)\n")
    _say(
        "The stories behind the names: "
        + "; ".join(f"{story.student}: {story.does}" for story in CLASS)
        + "."
    )


def _say(text):
    console.print(text, highlight=False, soft_wrap=True, markup=False)
