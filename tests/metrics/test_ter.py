"""TER by hand; tests/oracle compares it with sacreBLEU and the Moses scorer at large."""

from __future__ import annotations

import random

import pytest

from assay import load, match, score
from assay.errors import ConfigError
from assay.types import NoteKind


def ter(output, *references, spec="ter"):
    columns = {f"r{k}": [reference] for k, reference in enumerate(references)}
    return score(load(outputs={"x": [output]}, references=columns), spec, resamples=0, agg="corpus,segment")[spec]


@pytest.mark.parametrize(
    ("output", "reference", "edits"),
    [
        ("a b c", "a b c", 0),
        ("a x c", "a b c", 1),
        ("c d a b", "a b c d", 1),  # one shift
        ("A b", "a B", 0),
        ("a b c d e", "a e", 3),
        ("", "a b", 2),
        ("a b", "", 2),
    ],
)
def test_edits(output, reference, edits):
    assert ter(output, reference).statistics.table[0, 0].tolist() == [edits, len(reference.split())]


def test_empty_references_as_in_sacrebleu():
    assert ter("a b", "").corpus["x"] == 100
    assert ter("", "").corpus["x"] == 0


def test_the_fewest_edits_over_the_mean_length():
    found = ter("a b c", "a b c", "a b c d")
    assert found.statistics.table[0, 0].tolist() == [0, 3.5]
    assert ter("a x", "a b", "c d e f").corpus["x"] == pytest.approx(100 / 3)


@pytest.mark.parametrize(
    ("options", "output", "reference"),
    [
        ("normalized=yes", "it was (3.5).", "it was ( 3.5 ) ."),
        ("no_punct=yes", "a, b!", "a b"),
        ("normalized=yes,asian=yes", "我们去", "我 们 去"),
        ("no_punct=yes,asian=yes", "我们。去", "我们去"),
        ("normalized=yes", "&amp; &quot;", '& "'),
    ],
)
def test_options(options, output, reference):
    assert ter(output, reference).corpus["x"] > 0
    assert ter(output, reference, spec=f"ter:{options}").corpus["x"] == 0


def test_case():
    assert ter("A", "a", spec="ter:case_sensitive=yes").corpus["x"] == 100
    assert ter("A", "a", spec="ter-moses").corpus["x"] == 0
    assert ter("A", "a", spec="ter-moses:case_sensitive=no").corpus["x"] == 1


def test_references_are_normalised_twice_as_in_sacrebleu():
    """Once, `it's.` is `it's .`; twice, `it 's .`"""
    assert ter("it's.", "it's.", spec="ter:normalized=yes").statistics.table[0, 0].tolist() == [2, 3]
    assert ter("it 's.", "it's.", spec="ter:normalized=yes").corpus["x"] == 0


def test_moses_prints_one_minus_the_rate():
    found = ter("a x c d", "a b c d", spec="TER-MOSES")
    assert found.corpus["x"] == 0.75
    assert found.higher_is_better
    assert not ter("a", "a").higher_is_better
    assert found.signature.metric == "ter"
    assert ter("a b", "", spec="ter-moses").corpus["x"] == 1
    assert ter("a\u00a0b", "a b", spec="ter-moses").corpus["x"] == 0


def test_options_that_do_not_go_together():
    for spec in ("ter:flavour=moses,normalized=yes", "ter:flavour=tercpp"):
        with pytest.raises(ConfigError):
            ter("a", "a", spec=spec)


def test_signatures():
    assert ter("a", "a", spec="ter:no_punct=yes").sacrebleu_signature == (
        "nrefs:1|case:lc|tok:tercom|norm:no|punct:no|asian:no|version:2.6.0"
    )
    assert ter("a", "a", spec="ter-moses").sacrebleu_signature is None
    assert "|case_sensitive:no|" in str(ter("a", "a").signature)


def test_advice():
    chinese = load(outputs={"x": ["我们去"]}, references=["我们去公园"])
    (note,) = score(chinese, "ter", resamples=0).notes
    assert (note.kind, note.where) == (NoteKind.ADVICE, "ter")
    assert note.text.endswith("use ter:normalized=yes,asian=yes")
    assert not score(chinese, "ter:normalized=yes,asian=yes", resamples=0).notes
    (note,) = score(load(outputs={"x": ["b"]}, references=["a"]), "ter:asian=yes", resamples=0).notes
    assert str(note) == "ter: asian=yes has no effect without normalized=yes or no_punct=yes"


def test_match_finds_normalisation():
    testset = load(outputs={"x": ["a, b c"]}, references=["a , b d."])
    value = score(testset, "ter:normalized=yes", resamples=0)["ter:normalized=yes"].corpus["x"]
    found = match(testset, f"{value:.4f}", "ter", resamples=10)
    assert found.candidates[0].spec == "ter:normalized=yes"


def test_a_long_segment_is_exact_and_ends():
    """4,000 words, 40 of them moved: as many shifts, each one edit."""
    rng = random.Random(1)
    words = [f"w{i}" for i in range(4000)]
    moved = list(words)
    for i in range(50, 3950, 100):
        moved[i], moved[i + 5] = moved[i + 5], moved[i]
    assert ter(" ".join(moved), " ".join(words)).statistics.table[0, 0, 1] == 4000
    rng.shuffle(moved)
    ter(" ".join(moved), " ".join(words))
