"""ACT by hand, and against a stored report of the authors' program."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

from assay import load, score
from assay.errors import ConfigError, InputError
from assay.lexicons.connective_dictionary import ConnectiveDictionary
from assay.lexicons.connective_patterns import form_of
from assay.metrics import metric
from assay.testing import check_metric, sample_testset
from assay.types import NoteKind, TestSet

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
    found = [
        (form_of(name), *(text and form_of(text.replace("s'", "si")) for text in translations), case)
        for name, *translations, case in cases(testset)
    ]
    assert found == expected
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


@pytest.mark.warns("nothing was scored")
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
    assert cases(texts("although", text, "bien que"))[0][3] == 1


def test_elided_si():
    source = "even though"
    assert cases(texts(source, "même s'il", "même s' ils"))[0][1:] == ("même s'", "même s'", 1)
    assert cases(texts(source, "même s'arrête", "même si elle"))[0][1:3] == (None, "même si")


def test_german():
    testset = texts("Since it rained, he stayed.", "Weil es regnete, blieb er.", "Da es regnete, blieb er.", lp="en-de")
    assert cases(testset) == [("since", "Weil", "Da", 2)]


@pytest.mark.parametrize(
    ("source", "reference", "output", "case"),
    [
        ("He came, although late.", "Er kam, wobei es spät war.", "Er kam, obwohl es spät war.", 2),
        ("However, he came.", "Allerdings kam er.", "Aber er kam.", 2),
        ("However, he came.", "Er kam aber.", "Er kam allerdings.", 3),  # which is no contrast
    ],
)
def test_common_german_translations(source, reference, output, case):
    assert [each[3] for each in cases(texts(source, reference, output, lp="en-de"))] == [case]


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

    message = "line 1 of 'x' has a faulty annotation: the alignment is not in Pharaoh format: '{}'"
    with pytest.raises(InputError, match=message.format("0:0")):
        failing("0-0 0:0")
    with pytest.raises(InputError, match=message.format("０-０")):
        failing("０-０")
    message = "line 1 of 'x' .*: the alignment has the pair 0-1, but the source has 1 word, 'x' has 1 word"
    with pytest.raises(InputError, match=message):
        failing("0-0 0-1")
    with pytest.raises(InputError, match="needs the annotation layer 'alignment'"):
        score(texts("while", "mais", "mais"), "act:word_alignment=yes", resamples=0)


@pytest.mark.warns("no segments of|lacks the annotation layer")
@pytest.mark.parametrize("names", ["x", "A", "B x", "A B"])
def test_references_and_outputs_need_word_alignments(names):
    """A reference without one is not used; without any, the segment is not scored."""
    layer = {name: ["0-0"] for name in names.split()}
    testset = TestSet(
        outputs={"x": ["mais"]},
        references={"A": ["mais"], "B": ["cependant"]},
        sources=["however"],
        lp="en-fr",
        annotations={"alignment": layer},
    )
    spec = "act:word_alignment=yes"
    run = score(testset, spec, resamples=0)
    found = run[spec].statistics
    is_scored = names == "B x"
    assert found.scored.tolist() == [[is_scored]]
    assert found.table.tolist() == [[[0, 0, 1, 0, 0, 0] if is_scored else [0] * 6]]  # B has another sense
    texts = [note.text for note in run.notes if note.kind == NoteKind.EXCLUDED]
    if is_scored:
        assert texts == ["the reference 'A' lacks the annotation layer 'alignment', and is not used"]
        assert "|refs:1|" in str(run[spec].signature)
    else:
        assert any("they lack the annotation layer 'alignment'" in text for text in texts)


def test_a_note_on_the_dictionary(tmp_path):
    def notes(spec):
        run = score(texts("while", "mais", "mais"), spec, resamples=0)
        return [note.text for note in run.notes if note.kind == NoteKind.PROVENANCE]

    assert notes("act") == [
        "the dictionary is Assay's own: scores are not comparable with published ACT scores, such as those of WMT13"
    ]
    own = tmp_path / "own.tsv"
    own.write_text("while\tcontrast\tmais\n", encoding="utf-8")
    assert notes(f"act:dictionary={own}") == []


@pytest.mark.warns("no connectives for")
def test_a_dictionary_of_another_language_pair():
    def warnings(spec):
        return [
            note.text
            for note in score(texts("while", "mais", "si"), spec, resamples=0).notes
            if note.severity == "warning"
        ]

    assert warnings("act:dictionary=en-de") == ["the dictionary en-de has no connectives for en-fr"]
    assert warnings("act") == []


def test_texts_are_searched_once_for_all_systems_and_references(monkeypatch):
    searched = []
    find = ConnectiveDictionary.find_translations

    def counted(self, connective, text):
        searched.append(text)
        return find(self, connective, text)

    monkeypatch.setattr(ConnectiveDictionary, "find_translations", counted)
    outputs, references = {"x": ["o1"], "y": ["o2"], "z": ["o3"]}, {"A": ["r1"], "B": ["r2"]}
    testset = load(outputs=outputs, references=references, sources=["however"], lp="en-fr")
    assert len(cases(testset)) == 6
    assert sorted(searched) == ["o1", "o2", "o3", "r1", "r2"]


def test_the_best_reference_counts_and_absent_texts_do_not():
    testset = load(
        outputs={"x": ["mais", None, "mais"]},
        references={"A": ["cependant", "or", None], "B": ["mais", "or", "mais"]},
        sources=["however", "however", None],
        lp="en-fr",
    )
    found = score(testset, "act", resamples=0)["act"]
    assert found.statistics.table[0].tolist() == [[1, 0, 0, 0, 0, 0], [0] * 6, [0] * 6]


def test_each_variant_chooses_by_its_own_score():
    """A has cases 5, 5 and 1: 1/3 and 1/1; B has cases 1, 1 and 3: 2/3 and 2/3."""
    source = "however , although it rained since noon"
    references = {"A": ["depuis"], "B": ["mais bien que comme"]}
    testset = load(outputs={"x": ["mais bien que depuis"]}, references=references, sources=[source], lp="en-fr")
    run = score(testset, ["act", "act5+6"], resamples=0)
    assert (run["act"].corpus["x"], run["act5+6"].corpus["x"]) == (2 / 3, 1.0)
    assert run["act5+6"].statistics.table.tolist() == [[[1, 0, 0, 0, 2, 0]]]


@pytest.mark.parametrize(("lp", "pair"), [("en-cs", "en-cs"), (None, "an unknown language pair")])
def test_language_pairs_without_a_dictionary(lp, pair):
    with pytest.raises(ConfigError, match=rf"act has no dictionary for {pair} \(available: en-de, en-fr\)") as caught:
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
