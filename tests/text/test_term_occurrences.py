"""Words, the longest terms first, and which term a translation is for."""

from __future__ import annotations

import itertools
import random
import unicodedata

import pytest

from assay.lexicons.term_list import as_terms
from assay.text.term_occurrences import Word, assign, by_first, find_phrases, split_words, term_index


def words(text, *, lowercase=True):
    return [word.forms[0] for word in split_words(text, lowercase=lowercase)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The e-mail, l'Union.", ["the", "e", "-", "mail", ",", "l", "'", "union", "."]),
        ("中央银行 is 42%", ["中", "央", "银", "行", "is", "42", "%"]),
        ("किताब है", ["किताब", "है"]),
        ("ก็ดี", ["ก็", "ดี"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        (unicodedata.normalize("NFD", "Café"), ["café"]),
        ("snake_case 한국어", ["snake_case", "한국어"]),
        ("", []),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


def test_case_and_places():
    assert words("The Bank", lowercase=False) == ["The", "Bank"]
    assert [(word.start, word.end) for word in split_words("a  bc.", lowercase=True)] == [(0, 1), (3, 5), (5, 6)]


def found(text, terms):
    index = term_index(as_terms((term, ["x"]) for term in terms), lowercase=True)
    return [" ".join(phrase) for _, _, phrase in find_phrases(split_words(text, lowercase=True), index.by_first)]


def test_words_in_capitals_have_a_form_with_them():
    words = split_words("US us Us A 5G F16", lowercase=True)
    assert [word.forms for word in words] == [("us", "US"), ("us",), ("us",), ("a",), ("5g",), ("f16",)]
    assert [word.forms for word in split_words("US us", lowercase=False)] == [("US",), ("us",)]


def test_the_longest_term_is_taken():
    assert found("the central bank of a bank", ["bank", "central bank"]) == ["central bank", "bank"]
    assert found("a b c d", ["a b", "b c d"]) == ["b c d"]
    assert found("a b c", ["a b", "b c"]) == ["a b"]
    assert found("a a a", ["a a"]) == ["a a"]
    assert found("banker", ["bank"]) == []
    assert found("中央银行", ["银行", "中央"]) == ["中 央", "银 行"]


def test_terms_that_are_the_same_words_are_one():
    index = term_index((("Bank", ("x",)), ("bank", ("y", "X"))), lowercase=True)
    assert index.translations == {("bank",): (("x",), ("y",))}


def test_other_forms_of_a_word():
    text = [Word(0, 5, ("banks",)), Word(6, 8, ("rates", "rate"))]
    assert find_phrases(text, by_first([("banks", "rate")])) == [(0, 2, ("banks", "rate"))]
    assert find_phrases(text, by_first([("bank", "rate")])) == []


def best(phrases, wanted):
    """Slow: the most phrases that can be used, by trying all."""
    choices = [[None, *(n for n, (own, _) in enumerate(wanted) if each in own)] for each in phrases]
    usable = (
        chosen
        for chosen in itertools.product(*choices)
        if all(chosen.count(n) <= count for n, (_, count) in enumerate(wanted))
    )
    return max(sum(each is not None for each in chosen) for chosen in usable)


def test_as_many_translations_as_possible_are_used():
    draw = random.Random(1)
    for _ in range(300):
        phrases = [(draw.choice("abc"),) for _ in range(draw.randint(0, 6))]
        wanted = [
            ([(letter,) for letter in draw.sample("abc", draw.randint(1, 3))], draw.randint(1, 3))
            for _ in range(draw.randint(1, 4))
        ]
        chosen = assign(phrases, wanted)
        assert all(chosen.count(n) <= count for n, (_, count) in enumerate(wanted))
        assert all(n is None or each in wanted[n][0] for each, n in zip(phrases, chosen, strict=True))
        assert sum(each is not None for each in chosen) == best(phrases, wanted)
