"""Files of role labellers, as they write them."""

from __future__ import annotations

import re

import pytest

from assay import load
from assay.data.annotation_files import _ROLE_FILES
from assay.data.role_files import ROLE_FILES, read_roles
from assay.errors import InputError
from assay.types import as_column


def test_all_kinds_are_looked_for():
    assert tuple(ROLE_FILES) == _ROLE_FILES


def conll09(*rows):
    """ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED APRED…"""
    lines = []
    for number, (form, head, predicate, *arguments) in enumerate(rows, 1):
        fields = [
            number,
            form,
            "_",
            form.lower(),
            "_",
            "X",
            "_",
            "_",
            "_",
            head,
            "_",
            "dep",
            "_",
            predicate,
            *arguments,
        ]
        lines.append("\t".join(map(str, fields)))
    return "\n".join(lines) + "\n\n"


CAT = conll09(
    ("The", 2, "_", "_"), ("cat", 3, "_", "A0"), ("sat", 0, "sit.01", "_"), ("on", 3, "_", "AM-LOC"),
    ("the", 6, "_", "_"), ("mat", 4, "_", "_"),
)  # fmt: skip
HELLO = conll09(("Hello", 0, "_"))


def read(tmp_path, kind, text, *texts):
    path = tmp_path / f"elm.de.{kind}"
    path.write_text(text, encoding="utf-8")
    return read_roles(path, kind, as_column(texts)).layers


def test_conll09_arguments_are_the_phrases_of_their_heads(tmp_path):
    layers = read(tmp_path, "conll09", CAT + HELLO + CAT, "The cat sat on the mat", "", "Hello The cat sat on the mat")
    assert tuple(layers["roles"]) == ("1-2:A0 3:V 4-6:AM-LOC", "", "2-3:A0 4:V 5-7:AM-LOC")
    assert layers["tokens"][0] == "The cat sat on the mat"
    assert layers["lemma"][0] == "the cat sat on the mat"
    assert layers["xpos"][0] == "X X X X X X"
    assert layers["dependencies"][0] == "2:dep 3:dep 0:dep 3:dep 6:dep 4:dep"


def test_conll09_the_phrase_of_a_relative_pronoun_stops_at_the_predicate(tmp_path):
    """In "cats that sleep", `cats` is an argument of `sleep`, which depends on it."""
    text = conll09(("cats", 0, "_", "A0"), ("that", 3, "_", "R-A0"), ("sleep", 1, "sleep.01", "_"))
    assert read(tmp_path, "conll09", text, "cats that sleep")["roles"][0] == "1:A0 2:R-A0 3:V"


CONLL12 = """#begin document (a); part 000
a 0 0 The DT * - - - - * (ARG0* * -
a 0 1 cat NN * - - - - * *) (ARG1*) -
a 0 2 sat VBD * sit 01 1 - * (V*) * -
a 0 3 down RP * - - - - * (ARGM-DIR*) * -
a 0 4 asleep JJ * - - - - * * (V*) -

#end document
"""


def test_conll12_brackets(tmp_path):
    layers = read(tmp_path, "conll12", CONLL12, "The cat sat down asleep")
    assert layers["roles"][0] == "1-2:ARG0 3:V 4:ARGM-DIR | 2:ARG1 5:V"


def test_columns_of_propbank(tmp_path):
    text = "The DT - (A0*\ncat NN - *)\nsat VBD sit (V*)\non IN - (AM-LOC*\nmats NNS - *)\n\nNo - \n\n"
    layers = read(tmp_path, "props", text, "The cat sat on mats", "No")
    assert tuple(layers["roles"]) == ("1-2:A0 3:V 4-5:AM-LOC", "")


def test_json_lines(tmp_path):
    text = (
        '{"words": ["The", "cat", "sat"], "verbs": [{"verb": "sat", "tags": ["B-ARG0", "I-ARG0", "B-V"]}]}\n'
        '{"words": ["Hello", "there"], "verbs": []}\n'
        '{"words": ["is", "it"], "verbs": [{"tags": ["O", "O"]}, {"tags": ["B-V", "I-ARG1"]}]}\n'
    )
    layers = read(tmp_path, "srl.jsonl", text, "The cat sat", "Hello there", "is it")
    assert tuple(layers["roles"]) == ("1-2:ARG0 3:V", "", "1:V 2:ARG1")


@pytest.mark.parametrize(
    ("kind", "text", "message", "line"),
    [
        ("conll09", "1\tThe\n", "2 columns instead of 14 or more", 1),
        ("conll09", CAT.replace("sit.01", "_"), "0 predicates, but 1 column of arguments", 1),
        ("conll09", conll09(("a", 7, "_")), "'7' is not the head of a word", 1),
        ("conll09", CAT.replace("\tAM-LOC", "\tAM-LOC\t_"), "16 columns instead of 15, as in line 1", 4),
        ("props", "The - (A0*\ncat x (V*)\n", "the bracket (A0 is not closed", 1),
        ("props", "The - *)\ncat x (V*)\n", "a bracket is closed that was not opened", 1),
        ("props", "The x *\ncat - *\n", "column 3 has no predicate", 1),
        ("props", "The cat sat\n", "expected a word, then a predicate or -, then", 1),
        ("conll12", "The x *\n", "3 columns instead of 12 or more", 1),
        ("srl.jsonl", '{"words": ["a"], "verbs": [{"tags": []}]}\n', "0 tags for 1 word", 1),
        ("srl.jsonl", '\n{"words": ["a"]}\n', "has no words and verbs", 2),
        ("srl.jsonl", "[1]\n", "has no words and verbs", 1),
        ("srl.jsonl", '{"words": ["a"], "verbs": [{"tags": ["B-ARG0"]}]}\n', "a verb has no predicate", 1),
        ("conll09", HELLO, "expected 'Thecatsat' (segment 1, without white space), found 'Hello'", 1),
    ],
)
def test_faults_name_file_and_line(tmp_path, kind, text, message, line):
    with pytest.raises(InputError, match=re.escape(f"elm.de.{kind}, line {line}: {message}")):
        read(tmp_path, kind, text, "The cat sat")


def test_files_beside_texts(tmp_path):
    (tmp_path / "ref.en").write_text("The cat sat\n")
    (tmp_path / "elm.en").write_text("cats sat\n")
    (tmp_path / "ref.en.tokens").write_text("The cat sat\n")
    (tmp_path / "ref.en.roles").write_text("1-2:ARG0 3:V\n")
    (tmp_path / "elm.en.srl.jsonl").write_text('{"words": ["cats", "sat"], "verbs": [{"tags": ["B-ARG0", "B-V"]}]}\n')
    testset = load(outputs={"elm": tmp_path / "elm.en"}, references=tmp_path / "ref.en", annotations=True)
    roles = testset.annotations["roles"]
    assert [tuple(roles[name]) for name in (*testset.references, "elm")] == [("1-2:ARG0 3:V",), ("1:ARG0 2:V",)]
    (tmp_path / "ref.en.roles").write_text("1-2:ARG0 4:V\n")
    with pytest.raises(InputError, match=r"ref\.en\.roles, line 1: a role ends at word 4, but the segment has 3"):
        load(outputs={"elm": tmp_path / "elm.en"}, references=tmp_path / "ref.en", annotations=True)
    (tmp_path / "ref.en.roles").write_text("sat\n")
    with pytest.raises(InputError, match=r"ref\.en\.roles, line 1: 'sat' is not a span of words and a role"):
        load(outputs={"elm": tmp_path / "elm.en"}, references=tmp_path / "ref.en", annotations=True)
