from __future__ import annotations

import pytest

from assay.data.tables import parsed_once
from assay.data.tables.parsed_once import Numbered, ParsedOnce


def test_a_text_is_parsed_once():
    seen = []

    def parse(text):
        seen.append(text)
        return int(text)

    cells = ParsedOnce(parse)
    assert [cells[text] for text in ("1", "2", "1", "1")] == [1, 2, 1, 1]
    assert seen == ["1", "2"]
    with pytest.raises(ValueError, match="x"):
        cells["x"]


def test_columns_that_do_not_repeat_are_not_kept(monkeypatch):
    monkeypatch.setattr(parsed_once, "_LARGEST", 2)
    cells = ParsedOnce(float)
    assert [cells[str(number)] for number in range(4)] == [0, 1, 2, 3]
    assert len(cells) == 2


def test_values_are_numbered_in_order_of_appearance():
    cells = Numbered(str.strip)
    assert [cells[text] for text in ("b", "a", " b", "a")] == [0, 1, 0, 1]
    assert cells.values_in_order == ["b", "a"]
