from __future__ import annotations

from assay.types import AnnotatedSentence, Word, first_circle, head_of, word_layers


def test_layers_of_segments():
    first = AnnotatedSentence("It rains.", (Word("It", "it", "PRON", "PRP", 2, "nsubj"), Word("rains", "rain", "VERB")))
    second = AnnotatedSentence("20 000", (Word("20 000", "20 000", "NUM", None, 0, "root"),))
    layers = word_layers([[first, second], None, [], [second]])
    assert {name: tuple(column) for name, column in layers.items()} == {
        "tokens": ("It rains 20_000", None, "", "20_000"),
        "lemma": ("it rain 20_000", None, "", "20_000"),
        "pos": ("PRON VERB NUM", None, "", "NUM"),
        "xpos": ("PRP _ _", None, "", "_"),
        "dependencies": ("2:nsubj _ 0:root", None, "", "0:root"),
    }


def test_heads_are_counted_through_the_segment():
    sentence = AnnotatedSentence("a b", (Word("a", head=2, relation="nsubj:pass"), Word("b", head=0)))
    layers = word_layers([[sentence, sentence]])
    assert tuple(layers["dependencies"]) == ("2:nsubj:pass 0:_ 4:nsubj:pass 0:_",)
    assert [head_of(value) for value in layers["dependencies"][0].split()] == [2, 0, 4, 0]
    assert head_of("_") == 0


def test_a_layer_that_no_word_has_is_left_out():
    assert list(word_layers([[AnnotatedSentence("a", (Word("a"),))]])) == ["tokens"]


def test_circles():
    assert first_circle([2, 0, 2]) is None
    assert first_circle([]) is None
    assert first_circle([0, 3, 4, 2]) == [2, 3, 4]
    assert first_circle([2, 2]) == [2]
