"""Patterns find words with all apostrophes, in tokenised text and in other text."""

from __future__ import annotations

import pytest

from assay.lexicons.connective_patterns import WORD_START, compile_pattern, form_of, phrase_pattern


@pytest.mark.parametrize(
    ("phrase", "text", "is_found"),
    [
        ("even though", "EVEN  THOUGH, it", True),
        ("even though", "eventhough", False),
        ("bien que", "bien qu’il", True),
        ("bien qu'", "bien qu&apos; il", True),
        ("bien que", "bien quelle", False),
        ("même si", "même s' ils", True),
        ("même si", "même s'arrête", False),
        ("aujourd'hui", "aujourd’ hui.", True),
        ("da", "da-", False),
        ("da", "da--", True),
        ("da", "Soda da", True),
        ("da", "Soda", False),
    ],
)
def test_phrases(phrase, text, is_found):
    pattern = compile_pattern(f"{WORD_START}{phrase_pattern(phrase)}")
    assert (pattern.search(text) is not None) == is_found


def test_forms():
    assert [form_of(entry) for entry in ("Bien qu'", "bien qu’", "^mais", "tant que")] == [
        *("bienque", "bienque", "mais", "tantque"),
    ]
