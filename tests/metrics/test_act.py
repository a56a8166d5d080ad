"""ACT by hand, and against a stored report of the authors' program."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

from assay import load, score
from assay.errors import ConfigError, InputError
from assay.metrics import metric
from assay.testing import check_metric, sample_testset
from assay.types import TestSet

GOLDEN = json.loads((Path(__file__).parents[1] / "golden/act.json").read_text(encoding="utf-8"))


def texts(source, reference, output, lp="en-fr", **alignments):
    return TestSet(
        outputs={"x": [output]},
        references={"A": [reference]},
        sources=[source],
        lp=lp,
        annotations={"alignment": {name: [pairs] for name, pairs in alignments.items()}} if alignments else {},
    )


def cases(testset, spec="act"):
    """(connective, reference, output, case) of all connectives."""
    found = metric.create(spec).prepare(testset).connective_cases(testset)
    return [(each.connective, each.reference, each.output, each.case) for row in found.values() for each in row]


def test_the_program_of_the_authors():
    """It used the published dictionaries; ours have all of these translations, in the same senses."""
    rows = GOLDEN["input"]
    testset = load(outputs={"x": rows["cand"]}, references=rows["ref"], sources=rows["src"], lp="en-fr")
    pattern = r"SENTENCE \d+: Csrc = (\w+).*\tCref ?(?:= ?(\S+)\tC|=C)cand = (\S+)\t.*==> case (\d)"
    expected = []
    for line in GOLDEN["report"]:
        connective, reference, output, case = re.match(pattern, line).groups()
        expected.append((connective, reference or output, None if output == "0" else output, int(case)))
    assert [(name.replace(" ", ""), *rest) for name, *rest in cases(testset)] == expected
    run = score(testset, ["act", "act5+6"], resamples=0)
    assert run["act"].statistics.table[0].sum(axis=0).tolist() == [1, 5, 1, 1, 0, 0]
    assert [run["act"].corpus["x"], run["act5+6"].corpus["x"]] == [0.75, 0.75]


@pytest.mark.parametrize(
    ("reference", "output", "case"),
    [
        ("Il dort alors que je lis.", "Il dort alors que je lis.", 1),
        ("Il dort tandis que je lis.", "Il dort alors qu'il lit.", 2),
        ("Il dort, mais je lis.", "Il dort pendant que je lis.", 3),
        ("Il dort alors que je lis.", "Il dort. Je lis.", 4),
        ("Il dort. Je lis.", "Il dort alors que je lis.", 5),
        ("Il dort. Je lis.", "Il dort. Je lis.", 6),
    ],
)
def test_cases(reference, output, case):
    testset = texts("He sleeps while I read.", reference, output)
    assert [each[3] for each in cases(testset)] == [case]


def test_a_synonym_has_all_senses_of_the_reference():
    """`alors que` is also temporal, `mais` is not."""
    source = "He sleeps while I read."
    assert cases(texts(source, "mais", "alors que"))[0][3] == 2
    assert cases(texts(source, "alors que", "mais"))[0][3] == 3


def test_untranslated_connectives_of_the_reference():
    testset = load(outputs={"x": ["mais", "mais"]}, references=["mais", ""], sources=["however", "however"], lp="en-fr")
    run = score(testset, ["act", "act5+6"], resamples=0, agg="corpus,segment")
    assert (run["act"].corpus["x"], run["act5+6"].corpus["x"]) == (0.5, 1.0)
    assert run["act"].segments["x"].tolist() == [1, 0]
    assert math.isnan(run["act5+6"].segments["x"][1])


def test_undefined_without_connectives():
    found = score(texts("Hello.", "Bonjour.", "Salut."), "act", resamples=0)["act"].corpus.estimate("x")
    assert math.isnan(found.value)
    assert found.reason == "no connective of the dictionary was counted"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("I waited a while, yet nothing came.", ["yet"]),
        ("He acted as though he knew. Although he did not.", ["although"]),
        ("In the meanwhile, even though it rained, not yet.", ["even though", "not yet"]),
        ("Meanwhile, however: since", ["meanwhile", "however", "since"]),
        ("Princesince thoughtful whiley", []),
        ("EVEN  THOUGH", ["even though"]),
    ],
)
def test_connectives_of_the_source(source, found):
    assert [each[0] for each in cases(texts(source, "", ""))] == found


@pytest.mark.parametrize("text", ["bien qu'il", "bien qu' il", "bien qu’il", "bien qu&apos;il", "Bien que , il"])
def test_elided_que(text):
    assert cases(texts("although", text, ""))[0][1] == "bienque"


def test_elided_si():
    source = "even though"
    assert cases(texts(source, "même s'il", "même s' ils"))[0][1:3] == ("mêmesi", "mêmesi")
    assert cases(texts(source, "même s'arrête", "même si elle"))[0][1:3] == (None, "mêmesi")


def test_german():
    testset = texts("Since it rained, he stayed.", "Weil es regnete, blieb er.", "Da es regnete, blieb er.", lp="en-de")
    assert cases(testset) == [("since", "weil", "da", 2)]


def test_word_alignment_chooses_between_translations():
    source, text = "he left , however , since it rained", "mais il est parti car il pleuvait , cependant comme toujours"
    without = texts(source, text, text)
    assert cases(without)[1][1:] == ("car", "car", 1)
    aligned = texts(source, text, text, A="0-1 5-4", x="5-9")
    assert cases(aligned, "act:word_alignment=yes")[1][1:] == ("car", "comme", 2)
    # not aligned: nearest to word 6 of the source; aligned with a word that is none: nearest to the word before that
    elsewhere = texts(source, text, text, A="0-1", x="5-10")
    assert cases(elsewhere, "act:word_alignment=yes")[1][1:] == ("car", "comme", 2)


def test_word_alignments_are_checked():
    def failing(pairs):
        score(texts("while", "mais", "mais", A="0-0", x=pairs), "act:word_alignment=yes", resamples=0)

    with pytest.raises(InputError, match="line 1 of the word alignment of 'x' is not in Pharaoh format: '0:0'"):
        failing("0:0")
    with pytest.raises(InputError, match="line 1 of the word alignment of 'x' has more words than the texts: 1 and 1"):
        failing("0-1")
    with pytest.raises(InputError, match="needs the annotation layer 'alignment'"):
        score(texts("while", "mais", "mais"), "act:word_alignment=yes", resamples=0)


def test_the_best_reference_counts_and_absent_texts_do_not():
    testset = load(
        outputs={"x": ["mais", None, "mais"]},
        references={"A": ["cependant", "or", None], "B": ["mais", "or", "mais"]},
        sources=["however", "however", None],
        lp="en-fr",
    )
    found = score(testset, "act", resamples=0)["act"]
    assert found.statistics.table[0].tolist() == [[1, 0, 0, 0, 0, 0], [0] * 6, [0] * 6]


@pytest.mark.parametrize("lp", ["en-cs", None])
def test_language_pairs_without_a_dictionary(lp):
    with pytest.raises(ConfigError, match="act has dictionaries for en-de and en-fr; ") as caught:
        score(texts("while", "", "", lp=lp), "act", resamples=0)
    assert "act:dictionary=FILE" in caught.value.hint


def test_the_dictionary_is_in_the_signature(tmp_path):
    signature = score(texts("while", "", ""), "act", resamples=0)["act"].signature
    assert dict(signature.resources)["dictionary"].startswith("sha256-")
    own = tmp_path / "own.tsv"
    own.write_text("while\tcontrast\tkdežto|zatímco\n", encoding="utf-8")
    testset = texts("while", "kdežto", "zatímco", lp="en-cs")
    assert cases(testset, f"act:dictionary={own}") == [("while", "kdežto", "zatímco", 2)]


def test_the_contract():
    sample = sample_testset()

    def longer(columns):
        return {
            name: [f"mais {text} bien que" if text else text for text in column] for name, column in columns.items()
        }

    sources = [f"while {text} although" for text in sample.sources]
    testset = TestSet(outputs=longer(sample.outputs), references=longer(sample.references), sources=sources, lp="en-fr")
    check_metric(metric.create("act"), testset)
    check_metric(metric.create("act5+6"), testset)


def test_names():
    assert metric.spec(metric.create("act:cases=1-4")) == "act5+6"
    with pytest.raises(ConfigError, match="expected 1-6 or 1-4"):
        metric.create("act:cases=2")
