"""Letters of formulas as style sheets that hold them, one a face: a page links those that it uses,
and its formulas have their size when it is first shown.
"""

import re
from base64 import b64encode
from pathlib import Path

from autograder.course.errors import AutograderError

FOLDER = Path("_static", "katex")
SHEET = FOLDER / "katex.css"
FACE = re.compile(r"@font-face\{[^}]*?url\((fonts/[\w-]+\.woff2)\)[^}]*\}")


def faces(files: dict[Path, bytes]) -> dict[Path, bytes]:
    """The files of a site, {path: bytes}, with each @font-face of KaTeX's style sheet moved to a
    sheet of its own, ``KaTeX_Main-Bold.css``, in which the letters stand as data.

    Raises AutograderError where the letters of a rule are not there.
    """
    if SHEET not in files:
        return files
    css = files[SHEET].decode()
    made = {path: text for path, text in files.items() if path.parent != FOLDER / "fonts"}
    for rule in FACE.finditer(css):
        letters = FOLDER / rule[1]
        if letters not in files:
            raise AutograderError(
                f"site/{SHEET} asks for {rule[1]}, which is not in site/{FOLDER}. "
                "Put the file there, or take its @font-face out of the sheet."
            )
        data = f"data:font/woff2;base64,{b64encode(files[letters]).decode()}"
        made[FOLDER / f"{letters.stem}.css"] = rule[0].replace(rule[1], data).encode()
    made[SHEET] = FACE.sub("", css).encode()
    return made
