"""``make bench`` can be run: the chapters' own models against their peers."""

import pytest

from coursesite import speed
from tests.conftest import ROOT


@pytest.mark.slow
def test_every_row_has_its_rounds_and_ours_gives_what_the_peer_gives(monkeypatch):
    monkeypatch.setattr(speed, "SIZES", {"tiny": (16, 2, 1, 32)})
    monkeypatch.setattr(speed, "ROUNDS", 1)
    rows = list(speed.compare(ROOT, "cpu"))
    assert [row.size.split(",")[0] for row in rows] == ["GPT"] * 5 + [
        "MultiHeadAttention against nn.MultiheadAttention"
    ] * 2
    assert all(len(row.ratios) == 1 and row.ratios[0] > 0 for row in rows)
