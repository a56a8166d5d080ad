from __future__ import annotations

import pytest

from assay.reports.folding import Labels, blocks, folded, folded_widths, text_width


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
        return folded_widths(("name", "score", "n"), [ROW], Labels(1, 1, [0]), limit)

    whole = [30, 5, 2]
    assert widths(0) == widths(41) == whole
    assert widths(40) == [29, 5, 2]
    assert widths(27) == [16, 5, 2]
    assert widths(26) == [19, 5, 2]  # not enough: two blocks, in each of which it fits


def test_where_no_folding_is_enough_there_are_as_few_blocks_as_possible():
    """And names are no narrower than these need."""
    header, row = ("first", "second", *"abcd"), ("a" * 40, "b" * 40, *(["1.23 [1.0, 1.4]"] * 4))
    widths = folded_widths(header, [row], Labels(2, 2, [0, 1]), 100)
    assert widths == [32, 32, 15, 15, 15, 15]
    assert blocks(widths, 2, 100) == [[0, 1, 2, 3], [0, 1, 4, 5]]


def test_tables_of_texts_alone_are_folded_too():
    row = ("wmt23", "a description of the test set", "a licence in many words")
    widths = folded_widths(("name", "description", "licence"), [row], Labels(3, 3, [0, 1, 2]), 50)
    assert widths == [5, 20, 20]


def test_titles_are_folded_at_their_spaces_and_never_below_their_values():
    header, row = ("", "difference of the two", "p"), ("x", "+1.20 [0.10, 2.30]", "0.01")
    assert folded_widths(header, [row], Labels(1, 1, [0]), 27) == [1, 18, 4]
