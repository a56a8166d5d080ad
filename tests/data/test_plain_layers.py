from __future__ import annotations

import pytest

from assay.data.plain_layers import check_word_counts, read_layer
from assay.errors import AlignmentError, InputError
from assay.types import as_column

TEXTS = as_column(["The cat sat.", "", None, "A_b"])


def read(tmp_path, layer, *lines, texts=TEXTS):
    path = tmp_path / f"x.{layer}"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return read_layer(path, layer, texts)


def test_a_layer(tmp_path):
    tokens = read(tmp_path, "tokens", "The cat sat .", "", "", "A _ b")
    assert tuple(tokens.layers["tokens"]) == ("The cat sat .", "", "", "A _ b")
    assert (tokens.annotator, tokens.notes) == ("unnamed", ())


@pytest.mark.parametrize("layer", ["tokens", "lemma", "pos", "xpos", "dependencies", "sempos"])
@pytest.mark.parametrize("empty", ["", " ", "\u3000"])
def test_an_empty_line_of_a_text_is_missing(tmp_path, layer, empty):
    """A reference with an empty line in `.sempos` used to score 1, whatever the output."""
    annotated = read(tmp_path, layer, empty, "", "", empty)
    assert tuple(annotated.layers[layer]) == (None, "", "", None)
    (note,) = annotated.notes
    assert (note.where, note.count) == (str(tmp_path / f"x.{layer}"), 2)
    assert note.text.startswith(f"the layer '{layer}' lacks values in 2 of 4 segments")


def test_an_alignment_may_have_no_pairs(tmp_path):
    assert tuple(read(tmp_path, "alignment", "", "", "", "0-0").layers["alignment"]) == ("", "", "", "0-0")


@pytest.mark.parametrize(
    ("layer", "line"),
    [("pos", "DET _ VERB PUNCT"), ("dependencies", "2:det _ 0:root 3:punct"), ("lemma", "the _ sit .")],
)
def test_a_segment_with_an_unknown_value_is_missing(tmp_path, layer, line):
    annotated = read(tmp_path, layer, line, "", "", "_")
    assert tuple(annotated.layers[layer]) == (None, "", "", "_" if layer == "lemma" else None)


@pytest.mark.parametrize("tokens", ["The cat sat", "The dog sat .", "The cat sat . .", "the cat sat ."])
def test_tokens_must_be_those_of_the_text(tmp_path, tokens):
    with pytest.raises(InputError, match="the tokens are not those of the text") as caught:
        read(tmp_path, "tokens", tokens, "", "", "A_b")
    assert (caught.value.path, caught.value.line) == (str(tmp_path / "x.tokens"), 1)
    assert "'The cat sat.'" in caught.value.hint
    with pytest.raises(InputError, match=r"x.tokens, line 2: the tokens are not those of the text"):
        read(tmp_path, "tokens", "The cat sat .", "a", "", "A_b")


def test_white_space_in_tokens(tmp_path):
    texts = as_column(["20 000 e\u0301", "a"])
    assert read(tmp_path, "tokens", "20_000  \u00e9", "a", texts=texts).notes == ()


@pytest.mark.parametrize(
    ("layer", "line", "message"),
    [
        ("sempos", "cat|n a|b|c", r"'a\|b\|c' is not of the form lemma\|class"),
        ("sempos", "cat|n |n", r"'\|n' is not of the form"),
        ("sempos", "cat|", r"'cat\|' is not of the form"),
        ("dependencies", "2:x 1:x", "the heads form a cycle: 1 → 2 → 1"),
        ("dependencies", "7:x 0:x", "head 7 is out of range: the segment has 2 words"),
        ("dependencies", "nsubj", "'nsubj' is not a head and a relation"),
    ],
)
def test_faulty_values(tmp_path, layer, line, message):
    with pytest.raises(InputError, match=f"x.{layer}, line 4: {message}") as caught:
        read(tmp_path, layer, "", "", "", line)
    assert caught.value.hint


def test_as_many_lines_as_segments(tmp_path):
    with pytest.raises(AlignmentError, match="has 1 line, but there are 4 segments"):
        read(tmp_path, "pos", "NOUN")


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        ({"pos": "x.pos"}, "x.pos, line 3: 2 values of the layer 'pos', but 1 of 'lemma'"),
        ({"lemma": "x.lemma"}, "x.lemma, line 3: 1 value of the layer 'lemma', but 2 of 'pos'"),
        ({"lemma": "x.lemma", "pos": "x.pos"}, "x.pos, line 3: 2 values of the layer 'pos', but 1 of 'lemma'"),
    ],
)
def test_layers_with_different_numbers_of_values(plain, message):
    layers = {
        "lemma": as_column(["a b", None, "a"]),
        "pos": as_column(["X X", "X X X", "X X"]),
        "sempos": as_column([""]),
    }
    with pytest.raises(InputError, match=message):
        check_word_counts(layers, plain)
    check_word_counts(layers, {"sempos": "x.sempos"})


def test_errors_may_be_none_or_not_read(tmp_path):
    layer = read(tmp_path, "errors", "0-3:minor 4-7:major", "", "_", " _ ").layers["errors"]
    assert tuple(layer) == ("0-3:minor 4-7:major", "", None, None)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0-99:minor", "an error ends at character 99, but the output has 12"),
        ("minor", "'minor' is not an error with a severity"),
        ("0-3:majro", "unknown severity 'majro'"),
    ],
)
def test_errors_that_do_not_fit(tmp_path, line, message):
    with pytest.raises(InputError, match=message) as raised:
        read(tmp_path, "errors", line, "", "", "")
    assert raised.value.line == 1
