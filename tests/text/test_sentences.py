"""Sentences of a text."""

from __future__ import annotations

from assay.text.sentences import sentences


def test_sentences_have_no_spaces_around_them() -> None:
    text = "One. Two? Three 3.5\nfour \u4eca\u65e5\u3002\u660e\u65e5"
    assert [text[slice(*place)] for place in sentences(text)] == [
        "One.", "Two?", "Three 3.5", "four \u4eca\u65e5\u3002", "\u660e\u65e5"
    ]  # fmt: skip
