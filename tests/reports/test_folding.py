from __future__ import annotations

import pytest

from assay.reports.folding import folded, folded_widths, text_width


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("Online-B", 16, ["Online-B"]),
        ("Gemini-1.5-Pro-finetuned-v2", 16, ["Gemini-1.5-Pro-", "finetuned-v2"]),
        ("org/model_large:v2", 10, ["org/model_", "large:v2"]),
        ("noticed if real, %", 16, ["noticed if real,", "%"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("中文系统", 4, ["中文", "系统"]),
        ("", 3, [""]),
    ],
)
def test_names_are_broken_where_they_can_be_and_lose_nothing(text, width, lines):
    assert folded(text, width) == lines
    assert all(text_width(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


ROW = ("a-rather-long-name-of-a-system", "1.23", "45")


def test_only_tables_that_are_too_wide_are_folded_and_no_further_than_needed():
    def widths(limit):
        return folded_widths(("name", "score", "n"), [ROW], 1, [0], 2, limit)

    whole = [30, 5, 2]
    assert widths(0) == widths(41) == whole
    assert widths(40) == [29, 5, 2]
    assert widths(27) == [16, 5, 2]
    assert widths(26) == [16, 5, 2]  # not enough: blocks of columns, beside a narrow name
    assert folded_widths(("name", "score"), [("x", "1.23")], 1, [0], 2, 3) == [4, 5]


def test_titles_are_folded_at_their_spaces_and_never_below_their_values():
    header, row = ("", "difference of the two", "p"), ("x", "+1.20 [0.10, 2.30]", "0.01")
    assert folded_widths(header, [row], 1, [0], 2, 27) == [1, 18, 4]
