"""Connectives and their translations are found from left to right, the longest one at a place."""

from __future__ import annotations

import random
import time

import pytest

from assay.lexicons.connective_dictionary import ConnectiveDictionary, Occurrence, Translation


@pytest.fixture(scope="module")
def dictionary():
    senses = frozenset({"contrast"})
    entries = (Translation("a", r"\ba\b", senses), Translation("ab", r"\ba b\b", frozenset()))
    return ConnectiveDictionary({"while": entries, "not yet": (), "yet": ()}, ("a while",))


def test_connectives(dictionary):
    assert list(dictionary.find_connectives("While, not  yet; yet A WHILE")) == [
        *(
            Occurrence("while", "While", 0, 5),
            Occurrence("not yet", "not  yet", 7, 15),
            Occurrence("yet", "yet", 17, 20),
        ),
    ]
    assert list(dictionary.find_connectives("awhile whilst")) == []


def test_connectives_in_other_spellings_than_the_dictionary_has():
    dictionary = ConnectiveDictionary({"bien que": (), "d'autre part": (), "since": ()}, ())
    source = "Bien qu’il, d’autre  part \u017fince"  # a long s is an s without case
    found = [occurrence.form for occurrence in dictionary.find_connectives(source)]
    assert found == ["bien que", "d'autre part", "since"]
    assert all(dictionary.find_translations(form, "") == [] for form in found if dictionary.translations[form])


def test_translations(dictionary):
    assert dictionary.find_translations("while", "x A b a") == [
        *(Occurrence("ab", "A b", 2, 5), Occurrence("a", "a", 6, 7, frozenset({"contrast"}))),
    ]


def test_exceptions_are_found_near_connectives():
    """As in the whole text before them, which takes too long to search for every connective of a long source."""
    draw = random.Random(3)
    dictionary = ConnectiveDictionary({"while": (), "since": ()}, ("a while", "ever  since then while", "qu' while"))
    pattern, exceptions = dictionary._sources
    words = ("a", "while", "ever", "since", "then", "qu'", "(while", "x", "a,")
    for _ in range(300):
        source = "".join(draw.choice(words) + draw.choice((" ", "  ", "\t")) for _ in range(draw.randint(1, 12)))
        expected = [m.start() for m in pattern.finditer(source) if exceptions.search(source[: m.end()]) is None]
        assert [found.start for found in dictionary.find_connectives(source)] == expected, source
    start = time.process_time()
    assert len(list(dictionary.find_connectives("since " * 100_000))) == 100_000
    assert time.process_time() - start < 10
