"""Build the interactive pages: one self-contained HTML file per chapter, from the engine and one
script each.

A page's script is an ES module; the modules it imports are put in front of it, in one function,
without their import and export words. So top-level names must be unique over the modules of a page:
a clash stops the build.
"""

import base64
import json
import re
from pathlib import Path

from autograder.course.errors import SourceError
from autograder.course.files import write
from autograder.course.settings import load_settings
from coursesite.pages import interactive_folder

IMPORT = re.compile(
    r'^import \{(?P<names>[^}]*)\} from "(?P<path>\./|\.\./engine/)(?P<file>\w+)\.js";\n',
    re.MULTILINE,
)
EXPORT = re.compile(r"^export (?=(?:async )?function|class|const|let)", re.MULTILINE)
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)  # a fifth of a page; no string here depends on it
DEFINED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE)
FONTS = [
    ("Newsreader", "400 600", "normal", "newsreader"),
    ("Newsreader", "400", "italic", "newsreader-italic"),
    ("Inter", "400 650", "normal", "inter"),
]
SHEETS = ("page.css", "parts.css")  # of every page, in this order
DATA = re.compile(r'^  data: "(\w+)",$', re.MULTILINE)  # a page that starts from another's data
ABOUT = re.compile(r'^  title: "([^"]+)",\n  deck: "([^"]+)"', re.MULTILINE)  # a scene has no deck
LIMIT = 420_000  # bytes of a page

TEMPLATE = """<!DOCTYPE html>
<html lang="en" data-theme="light" data-course="{address}" data-name="{course}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{description}">
<meta property="og:title" content="{title}">
<meta property="og:description" content="{description}">
<meta property="og:image" content="{address}interactive/stills/{name}.png">
<link rel="icon" href="data:,">
<title>{title} · {course}</title>
<style>
{css}</style>
</head>
<body>
<noscript><div class="sheet"><p class="bar"><a href="{address}index.html">{course}</a></p>
<h1>{title}</h1><p class="deck">{description}</p>
<figure class="figure"><img src="../stills/{name}.png" alt="The page as it opens"></figure>
<p>A still picture: the page computes what it shows, and needs JavaScript. It belongs to
<a href="{address}index.html">a free course</a> in which you program attention yourself.</p>
</div></noscript>
<script>
(() => {{
"use strict";
{script}}})();
</script>
</body>
</html>
"""


def build_pages(root: Path, check: bool = False) -> list[str]:
    """Write every page, or with check only compare. Returns the names of the pages that are not
    what the sources give.

    Raises SourceError, with the file and what to do, for a script that breaks a rule.
    """
    folder, changed = interactive_folder(root), []
    for script in sorted((folder / "chapters").glob("*.js")):
        target = folder / "pages" / f"{script.stem}.html"
        content = page_html(script).encode()
        if target.exists() and target.read_bytes() == content:
            continue
        changed.append(target.name)
        if not check:
            write(target, content)
    return changed


def page_html(script_path: Path) -> str:
    """The HTML of the page whose script stands in ``chapters/``, beside ``engine/``."""
    own = script_path.read_text(encoding="utf-8")
    about = ABOUT.search(own)
    if not about:
        raise SourceError(
            f'{script_path}: page({{…}}) needs a line  title: "…"  and below it a line  deck: "…".'
        )
    settings = load_settings(script_path.parents[3])
    html = TEMPLATE.format(
        address=settings.site_url,
        course=settings.course,
        name=script_path.stem,
        title=about[1],
        description=about[2].replace('"', "&quot;"),
        css=_css(script_path, with_fonts=not is_tool(own)),
        script=_script(script_path),
    )
    size = len(html.encode())
    if size > LIMIT:
        raise SourceError(
            f"{script_path}: the page has {size:,} bytes, more than {LIMIT:,}. Take something out."
        )
    return html


def is_tool(script: str) -> bool:
    """Whether a page only draws a tensor of its reader's, inside notebooks: it brings no fonts."""
    return "\n  viewer: true," in script


def modules_of(script_path: Path, found: dict[Path, str] | None = None) -> dict[Path, str]:
    """The module at a path after everything it imports: {path: text without imports and exports},
    each once.

    Raises SourceError for an import that is not there or does not stand on one line.
    """
    found = {} if found is None else found
    if script_path in found:
        return found
    found[script_path] = ""  # keeps a circle from going round for ever
    text = script_path.read_text(encoding="utf-8")
    for line in IMPORT.finditer(text):
        target = script_path.parents[1] / "engine" / f"{line['file']}.js"
        if not target.exists():
            raise SourceError(f"{script_path}: imports {target.name}, which is not in engine/.")
        known = set(DEFINED.findall(target.read_text(encoding="utf-8")))
        for name in filter(None, map(str.strip, line["names"].split(","))):
            if name not in known:
                raise SourceError(f"{script_path}: {target.name} defines no {name!r}.")
        modules_of(target, found)
    rest = IMPORT.sub("", text)
    if re.search(r"^import ", rest, re.MULTILINE):
        raise SourceError(
            f"{script_path}: an import must stand on one line, "
            "as 'import { a, b } from \"./file.js\";'."
        )
    del found[script_path]  # it stands after its imports
    found[script_path] = EXPORT.sub("", rest).strip("\n")
    return found


def _script(script_path: Path) -> str:
    """The whole script of a page, with its data in front."""
    modules = modules_of(script_path)
    owner: dict[str, str] = {}
    for path, text in modules.items():
        for name in DEFINED.findall(text):
            if name in owner:
                raise SourceError(f"{path}: {name!r} is defined in {owner[name]} too; rename one.")
            owner[name] = path.name
    parts = [data_of(script_path)]
    parts += [f"// {path.name}\n{INDENT.sub('', text)}\n" for path, text in modules.items()]
    return "\n".join(filter(None, parts)).replace("</script", "<\\/script")


def data_of(script_path: Path) -> str:
    """The line of script with a page's data, from data/<page>.json or the file that its page({…})
    names; "" where there is none.
    """
    other = DATA.search(script_path.read_text(encoding="utf-8"))
    data = script_path.parents[1] / "data" / f"{other[1] if other else script_path.stem}.json"
    if data.exists():
        value = json.loads(data.read_text(encoding="utf-8"))
        compact = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        return f"const PAGE_DATA = {compact};\n"
    if other:
        raise SourceError(
            f"{script_path}: data/{data.name} is missing, which its page({{…}}) names."
        )
    return ""


def _css(script_path: Path, with_fonts: bool) -> str:
    """The style sheet of a page, with its fonts inside, and what its modules have of their
    own beside them.
    """
    folder = script_path.parents[1]
    faces = []
    for family, weight, style, name in FONTS if with_fonts else ():
        font = base64.b64encode((folder / "engine" / "fonts" / f"{name}.woff2").read_bytes())
        faces.append(
            f'@font-face {{ font-family: "{family}"; font-weight: {weight}; font-style: {style}; '
            f'font-display: swap; src: url("data:font/woff2;base64,{font.decode()}") '
            'format("woff2"); }'
        )
    shared = [folder / "engine" / name for name in SHEETS]
    sheet = "".join(path.read_text(encoding="utf-8") for path in shared)
    own = {path.with_suffix(".css"): None for path in modules_of(script_path)}
    for path in shared:
        own.pop(path, None)
    extra = [path.read_text(encoding="utf-8") for path in own if path.exists()]
    return "\n".join([*faces, sheet, *extra])
