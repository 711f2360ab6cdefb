"""For _templates/mend.html: the file that a page is written in, and the line of each of its sections. course.json lists the
headings of every source; the sections of a page are found among them in their order.
"""

import json
import re
from pathlib import Path

from docutils import nodes

SIGNS = re.compile(r"[\W_]+")  # of a heading with code and formulas only the letters are compared


def lines_of(doctree, headings):
    """{id of a section: line of its heading}; a section that has none in the source is left out."""
    lines = {}
    for section in doctree.findall(nodes.section):
        title = SIGNS.sub("", section.next_node(nodes.title).astext())
        found = (n for n, (_, text) in enumerate(headings) if SIGNS.sub("", text).startswith(title))
        if (place := next(found, None)) is not None:
            lines[section["ids"][0]] = headings[place][0]
            headings = headings[place + 1 :]
    return lines


def name_source(app, pagename, templatename, context, doctree):
    path, headings = app.config.course_sources.get(pagename, ("", []))
    lines = lines_of(doctree, headings) if doctree and path else {}
    context["course_source"] = {"path": path, "lines": lines} if path else None


def read_sources(app, config):
    path = Path(app.srcdir, "course.json")
    about = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    config.course_sources = about.get("sources", {})


def setup(app):
    app.add_config_value("course_sources", {}, "html", dict)
    app.connect("config-inited", read_sources)
    app.connect("html-page-context", name_source)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
