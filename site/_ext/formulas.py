r"""Formulas set when the site is built: KaTeX, run by a JavaScript engine from PyPI, writes them as HTML with MathML beside it.

The browser gets no script for them, and of KaTeX's letters, which stand in style sheets, those that a page uses. A formula that KaTeX cannot read stops the build with its name and place.
"""

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError

KATEX = Path(__file__).with_name("katex") / "katex.min.js"
# MathML's copy of the LaTeX source: nobody reads it, and it would be found by searches
ANNOTATION = re.compile(r"<semantics>(.*)<annotation[^>]*>.*?</annotation></semantics>", re.DOTALL)

CLASSES = re.compile(r'class="([^"]*)"')
# the letters, and the class of a page that asks for them
FACES = {
    "Main-Regular": "katex-html",
    "Main-Bold": "mathbf|textbf",
    "Main-Italic": "mathit|textit",
    "Math-Italic": "mathnormal",
    "Size1-Regular": "small-op|delimsizing size1|delim-size1",
    "Size2-Regular": "large-op|delimsizing size2",
    "Size3-Regular": "delimsizing size3",
    "Size4-Regular": "delimsizing size4|delim-size4",
    "AMS-Regular": "mathbb|textbb|amsrm|textams",
    "Caligraphic-Regular": "mathcal",
    "Typewriter-Regular": "mathtt|texttt",
}


@cache
def setter(process: int) -> subprocess.Popen:
    """A process that sets formulas, for each process that writes pages: the engine's threads would not survive Sphinx's forks."""
    return subprocess.Popen(
        [sys.executable, __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


@cache
def typeset(latex: str, display: bool) -> str:
    """HTML of one formula. Raises ExtensionError with what KaTeX says about it."""
    process = setter(os.getpid())
    process.stdin.write(json.dumps([latex.strip(), display]) + "\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    if "error" in answer:
        raise ExtensionError(f"this formula cannot be set: {latex!r}: {answer['error']}")
    return ANNOTATION.sub(r"\1", answer["html"])


def serve() -> None:
    """Set formulas, a line of JSON each, until the input ends."""
    from py_mini_racer import JSEvalException, MiniRacer

    engine = MiniRacer()
    engine.eval(KATEX.read_text(encoding="utf-8"))
    for line in sys.stdin:
        latex, display = json.loads(line)
        options = {"displayMode": display, "throwOnError": True, "strict": "error"}
        try:
            answer = {"html": engine.call("katex.renderToString", latex, options)}
        except JSEvalException as error:
            said = str(error)
            answer = {"error": next((one for one in said.splitlines() if "KaTeX" in one), said)}
        print(json.dumps(answer), flush=True)  # noqa: T201


def inline(translator, node: nodes.math) -> None:
    translator.body.append(
        f'<span class="math notranslate nohighlight">{typeset(node.astext(), False)}</span>'
    )
    raise nodes.SkipNode


def block(translator, node: nodes.math_block) -> None:
    translator.body.append(translator.starttag(node, "div", CLASS="math notranslate nohighlight"))
    translator.body.append(f"{typeset(node.astext(), True)}</div>\n")
    raise nodes.SkipNode


def add_letters(app, page, template, context, doctree) -> None:
    """Link KaTeX's style sheets from a page that has formulas, before the site's own."""
    marks = set(CLASSES.findall(context.get("body", "")))
    if "katex" not in marks:
        return
    app.add_css_file("katex/katex.css")
    for face, wanted in FACES.items():
        if any(re.search(rf"(?<![\w-])(?:{wanted})(?![\w-])", mark) for mark in marks):
            app.add_css_file(f"katex/KaTeX_{face}.css")


def setup(app):
    app.connect("html-page-context", add_letters)
    app.add_html_math_renderer("katex", (inline, None), (block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    serve()
