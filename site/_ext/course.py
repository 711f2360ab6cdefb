"""What Sphinx needs beside its own: alternative texts of pictures that notebooks carry, and lazy loading."""

import json
from pathlib import Path, PurePosixPath

from docutils import nodes
from sphinx.transforms import SphinxTransform


class Alternatives(SphinxTransform):
    """Give a picture of a notebook the text that its output's metadata holds: myst-nb names the file by the hash of its bytes."""

    default_priority = 400

    def apply(self, **kwargs):
        for image in self.document.findall(nodes.image):
            text = self.config.course_alternatives.get(PurePosixPath(image["uri"]).stem)
            if text:
                image["alt"] = text
                if self.env.docname != "whole_course":  # printed whole
                    image["loading"] = "lazy"


def read_course(app, config):
    """course.json, which the build stages beside conf.py."""
    path = Path(app.srcdir, "course.json")
    config.course_alternatives = (
        json.loads(path.read_text(encoding="utf-8"))["alternatives"] if path.exists() else {}
    )


def setup(app):
    app.add_config_value("course_alternatives", {}, "env", dict)
    app.connect("config-inited", read_course)
    app.add_transform(Alternatives)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
