"""What Sphinx needs beside its own: alternative texts of pictures that notebooks carry, lazy loading, a chapter's question
as its description, and code without marks that no style colours.
"""

import json
import re
from pathlib import Path, PurePosixPath

import sphinxext.opengraph as opengraph
from docutils import nodes
from pygments.formatters import HtmlFormatter
from pygments.token import Name, Number, Punctuation, String, Text, Token, Whitespace
from sphinx.highlighting import PygmentsBridge
from sphinx.transforms import SphinxTransform

PLAIN = {Token, Text, Whitespace, Punctuation, Name, Name.Namespace}  # have the colour of all code
ONE_MARK = (String, Number)  # the parts of an f-string have one colour, as whole numbers and others
MARKED = {String.Escape}  # but these have their own
INDENT = re.compile(r"(?:<span[^>]*>)?( *)")
described = opengraph.get_description


class PlainFormatter(HtmlFormatter):
    """Code in which letters without a colour of their own stand without a mark: a third of the page's bytes less."""

    def _get_css_classes(self, ttype):
        return "" if ttype in PLAIN else super()._get_css_classes(ttype)

    def wrap(self, source):
        """Each line knows its indentation: what wraps on a phone or on paper stays to the right of where it begins."""
        return super().wrap(
            (
                kind,
                f'<span style="--in:{len(INDENT.match(line)[1])}">{line}</span>'
                if line.strip()
                else line,
            )
            for kind, line in source
        )

    def format_unencoded(self, tokensource, outfile):
        """The dot of `x.shape` is a delimiter, as Python's grammar has it, and a twentieth of a page: it gets no mark.
        Neighbours in a string are one mark."""
        told = ((Punctuation if text == "." else general(kind), text) for kind, text in tokensource)
        super().format_unencoded(told, outfile)


def general(kind):
    """The token's family, where all of the family have one colour; else the token's own type."""
    if kind in MARKED:
        return kind
    return next((family for family in ONE_MARK if kind in family), kind)


class Alternatives(SphinxTransform):
    """Give a picture of a notebook the text that its output's metadata holds, and its height, so that its place is kept: myst-nb
    names the file by the hash of its bytes."""

    default_priority = 400

    def apply(self, **kwargs):
        known = self.config.course_alternatives
        for image in self.document.findall(nodes.image):
            text, wide, high = known.get(PurePosixPath(image["uri"]).stem, ("", 0, 0))
            if text:
                image["alt"] = text
                width = nodes.parse_measure(image.get("width", str(wide)))[0]
                image["width"], image["height"] = str(width), str(round(width * high / wide))
                if self.env.docname != "whole_course":  # printed whole
                    image["loading"] = "lazy"


def read_course(app, config):
    """course.json, which the build puts beside conf.py."""
    path = Path(app.srcdir, "course.json")
    about = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    config.course_alternatives = about.get("alternatives", {})
    config.course_descriptions = about.get("descriptions", {})

    def description(doctree, length, known_titles=frozenset()):
        """A chapter's question, or what a page begins with."""
        asked = config.course_descriptions.get(PurePosixPath(doctree["source"]).stem)
        return asked or described(doctree, length, known_titles)

    opengraph.get_description = description


def setup(app):
    app.add_config_value("course_alternatives", {}, "env", dict)
    app.add_config_value("course_descriptions", {}, "env", dict)
    PygmentsBridge.html_formatter = PlainFormatter
    app.connect("config-inited", read_course)
    app.add_transform(Alternatives)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
