"""A small page and a card for every scene of the interactive pages, so that a link to a scene shows
what it leads to where it is posted.

The state of a page stands behind the # of its address, which no server and no other site ever sees:
a scene as it opens can have a card, what a reader changed in it cannot. The page says what the card
shows (https://ogp.me) and leads on to the scene at once.
"""

import html
import json
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.course.files import write
from autograder.course.settings import Settings
from coursesite.pages.cues import cues_path

FONT = "DejaVu Sans"  # has √ and Greek letters
LONGEST = 180  # characters of a description
SENTENCE_ENDS = re.compile(r"(?<=[.?!]) ")
WIDTH, HEIGHT = 1146, 600  # what sphinxext.opengraph draws
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="description" content="{said}">
<meta property="og:type" content="article">
<meta property="og:site_name" content="{name}">
<meta property="og:title" content="{title}">
<meta property="og:description" content="{said}">
<meta property="og:url" content="{site}share/{file}.html">
<meta property="og:image" content="{site}share/{file}.png">
<meta property="og:image:width" content="{width}">
<meta property="og:image:height" content="{height}">
<meta property="og:image:alt" content="{title}: {said}">
<meta name="twitter:card" content="summary_large_image">
<meta http-equiv="refresh" content="0; url=../interactive/{page}.html#scene={scene}">
</head>
<body><main><h1>{title}</h1>
<p><a href="../interactive/{page}.html#scene={scene}">{said}</a></p></main></body>
</html>
"""


@dataclass(frozen=True)
class Scene:
    """A scene of an interactive page. title: its heading; about: the page's; said: how its text
    begins.
    """

    page: str
    id: str
    title: str
    about: str
    said: str

    @property
    def file(self) -> str:
        return f"{self.page}-{self.id}"


def scenes(root: Path) -> Iterator[Scene]:
    """Every scene of every page, as cues.json names them."""
    known = json.loads(cues_path(root).read_text(encoding="utf-8"))
    for page, facts in known.items():
        for scene in facts["scenes"]:
            words = facts["words"][scene]
            yield Scene(page, scene, words["title"], facts["title"], shortened(words["said"]))


def shortened(text: str) -> str:
    """The first sentences of a text, as many as fit a card, or as much of the first as does."""
    kept = ""
    for sentence in SENTENCE_ENDS.split(text):
        if len(kept) + len(sentence) >= LONGEST:
            break
        kept = f"{kept} {sentence}".strip()
    return kept or textwrap.shorten(text, LONGEST, placeholder=" …")


def write_share_pages(settings: Settings, output: Path) -> None:
    """Write share/PAGE-SCENE.html and .png into the site at ``output``."""
    from matplotlib import pyplot as plt
    from sphinxext.opengraph._social_cards import create_social_card_objects, render_social_card

    site = settings.site_url
    folder = output / "share"
    folder.mkdir(parents=True, exist_ok=True)
    mark = output / "_static" / "mark.png"
    plt.rcdefaults()  # the size of a card follows matplotlib's own settings
    drawn = create_social_card_objects(image_mini=mark, line_color="#0072B2", font=FONT)
    for scene in scenes(settings.root):
        said = {
            key: html.escape(value)
            for key, value in vars(scene).items()
            if key in ("page", "said", "title")
        }
        text = PAGE.format(
            **said,
            scene=scene.id,
            file=scene.file,
            name=settings.course,
            site=site,
            width=WIDTH,
            height=HEIGHT,
        )
        write(folder / f"{scene.file}.html", text.encode())
        render_social_card(
            folder / f"{scene.file}.png",
            f"{settings.course} · {scene.about}",
            scene.title,
            scene.said,
            site.removeprefix("https://").strip("/"),
            drawn,
        )
    plt.close(drawn[0])
