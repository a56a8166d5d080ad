from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.types import AnnotatedSentence, Word, check_heads, check_sempos, find_cycle, head_of, word_layers


def test_layers_of_segments():
    first = AnnotatedSentence("It rains.", (Word("It", "it", "PRON", "PRP", 2, "nsubj"), Word("rains", "rain", "VERB")))
    second = AnnotatedSentence("20 000", (Word("20 000", "20 000", "NUM", None, 0, "root"),))
    layers = word_layers([[first, second], None, [], [second]])
    assert {name: tuple(column) for name, column in layers.items()} == {
        "tokens": ("It rains 20_000", None, "", "20_000"),
        "lemma": ("it rain 20_000", None, "", "20_000"),
        "pos": ("PRON VERB NUM", None, "", "NUM"),
        "xpos": (None, None, "", None),  # not all words have a value
        "dependencies": (None, None, "", "0:root"),
    }


def test_heads_are_counted_through_the_segment():
    sentence = AnnotatedSentence("a b", (Word("a", head=2, relation="nsubj:pass"), Word("b", head=0)))
    layers = word_layers([[sentence, sentence]])
    assert tuple(layers["dependencies"]) == ("2:nsubj:pass 0:_ 4:nsubj:pass 0:_",)
    assert [head_of(value) for value in layers["dependencies"][0].split()] == [2, 0, 4, 0]
    assert head_of("_") == 0


@pytest.mark.parametrize("dependency", ["nsubj", "-3:dep", "junk", "", ":dep", "2.1:dep", "\u0662:dep", "9" * 10])
def test_what_is_not_a_dependency(dependency):
    with pytest.raises(InputError, match="is not a head and a relation, such as 2:nsubj"):
        head_of(dependency)


def test_a_layer_that_no_word_has_is_left_out():
    assert list(word_layers([[AnnotatedSentence("a", (Word("a"),))]])) == ["tokens"]


def test_cycles():
    assert find_cycle([2, 0, 2]) is None
    assert find_cycle([]) is None
    assert find_cycle([0, 3, 4, 2]) == [2, 3, 4]
    assert find_cycle([2, 2]) == [2]


def test_heads_that_are_not_those_of_trees():
    check_heads([2, 0, 0])
    check_heads([])
    with pytest.raises(InputError, match="head 3 is out of range: the segment has 1 word\n"):
        check_heads([3])
    with pytest.raises(InputError, match="the heads form a cycle: 2 → 2\n"):
        check_heads([0, 2])


@pytest.mark.parametrize("value", ["cat", "a|b|c", "|n", "cat|", "|"])
def test_what_is_not_a_lemma_with_a_class(value):
    check_sempos("cat|n.denot")
    with pytest.raises(InputError, match="is not of the form lemma"):
        check_sempos(value)
