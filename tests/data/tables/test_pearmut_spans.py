from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data.tables.pearmut_spans import TOKENS, category_of_token, pearmut_spans
from assay.errors import InputError
from assay.types import ErrorSpan

TEXTS = st.text(st.sampled_from("ab é你😀𝄞"), min_size=1, max_size=12)


def units(text: str) -> int:
    """The length of a text in a browser, by Python's own encoder."""
    return len(text.encode("utf-16-le")) // 2


@given(TEXTS, st.data())
def test_offsets_of_a_browser_become_characters(text: str, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(text) - 1))
    last = data.draw(st.integers(first, len(text) - 1))
    span = {"start_i": units(text[:first]), "end_i": units(text[: last + 1]) - 1, "severity": "minor"}
    assert pearmut_spans([span], text, TOKENS, path="f", line=1) == (ErrorSpan("", "minor", first, last + 1),)


@given(TEXTS, st.integers(0, 1))
def test_special_tokens_follow_the_text(text: str, token: int) -> None:
    place = units(text) + token
    span = {"start_i": place, "end_i": place, "severity": "Major", "category": None}
    category = ("missing", "instruction_fault")[token]
    assert pearmut_spans([span], text, TOKENS, path="f", line=1) == (ErrorSpan(category, "major"),)
    with pytest.raises(InputError, match="an error outside the text") as caught:
        pearmut_spans([span], text, TOKENS[:token], path="f", line=3)
    assert (caught.value.path, caught.value.line) == ("f", 3)


def test_categories_of_special_tokens() -> None:
    tokens = ("[missing]", "[MISSING]", "[instructions fault]", "[instruction_fault]", "[Wrong style]", "[]")
    assert [category_of_token(token) for token in tokens] == [
        "missing",
        "missing",
        "instruction_fault",
        "instruction_fault",
        "wrong_style",
        "missing",
    ]
