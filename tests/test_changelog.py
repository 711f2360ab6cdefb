"""Who reads what changed finds the version that is released."""

import re

import attention_built

from .conftest import ROOT


def test_the_newest_entry_is_the_version_of_the_wheel():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, date = re.findall(r"^## (\S+) · (\S+)$", text, re.MULTILINE)[0]
    assert version == attention_built.__version__
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", date)
