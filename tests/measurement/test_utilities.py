from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import pytest

import assay
from assay.contracts import Metric
from assay.errors import ConfigError
from assay.measurement.utilities import candidate_scores, expected_utilities
from assay.metrics import metric as metric_registry
from assay.types import Candidates, Note, NoteKind, as_column
from assay.types.runtime import Runtime

WORDS = [
    "der",
    "die",
    "das",
    "ein",
    "eine",
    "Haus,",
    "Hund.",
    "und",
    "ist",
    "nicht",
    "!",
    "zwei",
    "läuft",
    "Über",
    "漢字",
    "🙂",
    "a",
    "b",
    "c",
]


def text(rng):
    return " ".join(rng.choice(WORDS) for _ in range(rng.choice([0, 1, 2, 3, 5, 8, 13, 30])))


def variation(rng, original):
    words = original.split(" ")
    for _ in range(rng.randint(0, 3)):
        words[rng.randrange(len(words))] = rng.choice(WORDS)
    return " ".join(words)


def random_groups(rng, segments=8):
    for _ in range(segments):
        base = text(rng)
        yield [variation(rng, base) if rng.random() < 0.9 else text(rng) for _ in range(rng.choice([1, 2, 3, 10, 40]))]


def one_pair(spec, candidate, reference):
    """The segment score of a test set with one segment: the slow twin."""
    run = assay.score(
        assay.load(outputs={"x": [candidate]}, references={"r": [reference]}), spec, agg="segment", resamples=0
    )
    return float(run[spec].segments["x"][0])


SPECS = (
    "chrf",
    "chrf++",
    "bleu",
    "sentbleu",
    "bleu:lowercase=yes,tok=char",
    "chrf:lowercase=yes,whitespace=yes",
    "chrf:eps_smoothing=yes",
    "bleu:flavour=mteval",
    "bleu:max_order=6,smooth=floor",
    "chrf:char_order=0,word_order=3",
    "chrf:char_order=9",
    "ter",
)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("own", [True, False])
def test_utilities_are_segment_scores(spec, own):
    rng = random.Random(7)
    groups = [["a b c d", "a b d c", "", "a b c d"], ["Über Haus, 漢字", "x"], ["y"]]
    groups += [[variation(rng, "der Hund läuft nicht . ein Haus") for _ in range(3)]]
    others = None if own else [["a b", ""], ["Über Haus, 漢字"], ["z", "y", "y"], ["der Hund"]]
    found = utilities(spec, groups, others)
    for group, references, matrix in zip(groups, others or groups, found.utilities, strict=True):
        expected = [[one_pair(spec, candidate, reference) for reference in references] for candidate in group]
        np.testing.assert_allclose(matrix, expected, rtol=0, atol=1e-12)


def utilities(spec, groups, others, threads=1, keeps_all=True):
    metric = metric_registry.create(spec)
    candidates = Candidates.of(groups)
    references = None if others is None else Candidates.of(others)
    runtime = Runtime(threads=threads)
    return expected_utilities(spec, metric, candidates, references, None, None, runtime, keeps_all=keeps_all)


@pytest.mark.parametrize("spec", ["chrf", "chrf++", "bleu", "sentbleu"])
@pytest.mark.parametrize("own", [True, False])
def test_the_kernel_equals_the_ordinary_path(spec, own, monkeypatch):
    rng = random.Random(3)
    groups = list(random_groups(rng))
    others = None if own else [[*rng.sample(group, rng.randint(1, len(group))), text(rng)] for group in groups]
    fast = utilities(spec, groups, others, threads=2)
    again = utilities(spec, groups, others, keeps_all=False)
    assert again.utilities is None
    assert again.values.tobytes() == fast.values.tobytes()
    monkeypatch.setattr(type(metric_registry.create(spec)), "has_utilities", False)
    monkeypatch.setattr("assay.measurement.utilities._BATCH_CELLS", 100)  # many batches
    slow = utilities(spec, groups, others)
    for one, other in zip(fast.utilities, slow.utilities, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)
    np.testing.assert_allclose(fast.values, slow.values, rtol=0, atol=1e-11)


def test_parts_give_the_same_bytes(monkeypatch):
    groups = list(random_groups(random.Random(5)))
    whole = utilities("chrf", groups, None)
    monkeypatch.setattr("assay.measurement.utilities._KERNEL_CELLS", 50)
    parts = utilities("chrf", groups, None)
    assert parts.values.tobytes() == whole.values.tobytes()
    assert all(np.array_equal(a, b) for a, b in zip(parts.utilities, whole.utilities, strict=True))


def test_undefined_pseudo_references_do_not_count():
    """WER is undefined against an empty reference, whatever the candidate."""
    found = utilities("wer", [["a b", "a", ""], ["", ""]], None)
    matrix = found.utilities[0]
    assert np.isnan(matrix[:, 2]).all()
    np.testing.assert_allclose(found.values[:3], matrix[:, :2].mean(axis=1))
    assert np.isnan(found.values[3:]).all()


def test_scores_without_a_reference():
    metric = metric_registry.create("markup")
    candidates = Candidates.of([["<b>a</b>", "a"], ["x"]])
    found = candidate_scores("markup", metric, candidates, as_column(["<b>q</b>", "q"]), None, Runtime())
    assert found.values[0] > found.values[1]
    assert np.isnan(found.values[2])


@dataclass(frozen=True)
class Length(Metric):
    """The number of characters of the output, with a note on each table."""

    name = "length"
    needs = frozenset()
    columns = ("characters",)

    def statistics(self, testset, runtime):
        return np.array([[[len(text or "")] for text in column] for column in testset.outputs.values()])

    def score(self, totals):
        return np.asarray(totals, dtype=float)[..., 0]

    def advice(self, testset):
        text = f"{len(testset)} lines were scored (first: {testset.systems[0]}, line 1) slowly"
        yield Note(NoteKind.CHANGED, text, where="length", count=len(testset), severity="warning")


@dataclass(frozen=True)
class LengthAgainst(Length):
    name = "length-against"
    needs = frozenset({"reference"})


def advice(made, monkeypatch=None, cells=None):
    if cells is not None:
        monkeypatch.setattr("assay.measurement.utilities._BATCH_CELLS", cells)
    groups = Candidates.of([["a", "bb"], ["c"], ["ddd", "e", "f"]])
    task = ("length", made, groups)
    if "reference" in made.needs:
        return expected_utilities(*task, None, None, None, Runtime(), keeps_all=False).notes
    return candidate_scores(*task, None, None, Runtime()).notes


def test_the_notes_of_a_metric_are_kept():
    (note,) = advice(Length())
    assert (note.text, note.count) == ("3 lines were scored (first: candidate1, line 1) slowly", 3)
    assert note.severity == "warning"


def test_notes_on_comparisons_name_no_line():
    (note,) = advice(LengthAgainst())
    assert (note.text, note.count) == ("6 lines were scored slowly", 6)


def test_notes_on_batches_are_merged(monkeypatch):
    (note,) = advice(Length(), monkeypatch, 2)
    first = "1 lines were scored (first: candidate1, line 1) slowly"
    assert note.text == f"{first} (the first of 3 such notes, one for each batch of candidates)"
    assert note.count == 3


def test_a_metric_that_compares_systems_cannot_choose():
    judge = metric_registry.create("judge:protocol=pairwise,model=m,endpoint=http://127.0.0.1:9/v1")
    with pytest.raises(ConfigError, match="judge cannot choose: the score of a candidate would depend on the other"):
        candidate_scores("judge", judge, Candidates.of([["a", "b"]]), as_column(["s"]), None, Runtime())
