"""Words are found where they are in their text, or not at all."""

from __future__ import annotations

import pytest

from assay import _core
from assay.text import make_tokenizer
from assay.text.word_places import word_places


def found(text, words):
    """The words of the text at the places."""
    return [None if place is None else text[slice(*place)] for place in word_places(text, words)]


@pytest.mark.parametrize("tok", ["none", "13a", "intl", "char", "zh", "moses-en", "mteval"])
@pytest.mark.parametrize(
    "text",
    [
        'say &quot;yes&quot; and "no" now',
        "The  Istanbul cat, it's 3,5 & more.",
        "a&amp;a &lt;b&gt; 你好 world",
        "",
    ],
)
@pytest.mark.parametrize("lowercase", [False, True])
def test_all_words_of_tokenisers_that_change_spaces_case_and_escapes(tok, text, lowercase):
    change, core = make_tokenizer(tok).reader(lowercase=lowercase)
    words = _core.tokenize(change(text) if change else text, core)
    places = word_places(text, words)
    assert None not in places
    assert "".join(text[slice(*place)] for place in places) == text.replace(" ", "")


def test_repeated_words():
    assert word_places("a b a b", ["a", "b", "a", "b"]) == [(0, 1), (2, 3), (4, 5), (6, 7)]


def test_a_letter_that_becomes_two():
    assert word_places("der İ ß cat", ["der", "i̇", "ß", "cat"]) == [(0, 3), (4, 5), (6, 7), (8, 11)]


def test_escapes_are_covered_as_a_whole():
    assert found("a &quot;b&quot;", ["a", '"', "b", '"']) == ["a", "&quot;", "b", "&quot;"]
    assert found('it "is', ["it", "&quot;", "is"]) == ["it", '"', "is"]


def test_words_between_changes_have_no_place():
    assert found("one well-known and well-read man", ["one", "well", "known", "and", "well", "read", "man"]) == [
        *("one", "well", None, None, None, "read", "man")
    ]


def test_a_word_that_could_be_at_two_places_has_none():
    assert found("a a b", ["a", "b"]) == [None, "b"]


def test_words_that_are_not_in_the_text():
    assert found("a b", ["x"]) == [None]
    assert found("", ["x"]) == [None]
    assert found("a b", ["a", "", "b"]) == ["a", None, "b"]
