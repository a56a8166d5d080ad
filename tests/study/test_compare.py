from __future__ import annotations

import dataclasses
import json

import pytest

import assay
from assay.errors import ConfigError, InputError, UnknownNameError
from assay.reports import document
from assay.reports.table import Table
from assay.sample import generate
from assay.types import NoteKind


@pytest.fixture(scope="module")
def sample():
    campaign = generate("de")
    return assay.load(
        outputs={name: campaign.output(name) for name in ("alder", "birch", "elm")},
        references=campaign.references,
        lp="en-de",
    )


@pytest.fixture(scope="module")
def found(sample):
    return assay.compare(sample, "bleu,ter", resamples=500)


def test_every_system_is_compared_with_the_first(sample, found):
    base, *others = sample.systems
    for metric in found.metrics:
        assert [(pair.first, pair.second) for pair in metric.pairs] == [(name, base) for name in others]
    run = assay.score(sample, "bleu", resamples=0)
    pair = found.metric("bleu", "corpus").pair(others[0], base)
    assert pair.difference.value == pytest.approx(run["bleu"].corpus[others[0]] - run["bleu"].corpus[base])
    assert pair.difference.low < pair.difference.value < pair.difference.high
    assert pair.wins + pair.ties + pair.losses == len(sample)


def test_corrections_and_clusters(sample):
    plain, holm = (
        assay.compare(sample, "chrf", agg="corpus", all_pairs=True, resamples=500, correction=name).metrics[0]
        for name in ("none", "holm")
    )
    assert [p.comparison.p for p in plain.pairs] == [p.comparison.p for p in holm.pairs]
    assert all(b.p_corrected >= a.p_corrected for a, b in zip(plain.pairs, holm.pairs, strict=True))
    assert list(plain.clusters.values()) == sorted(plain.clusters.values())
    assert plain.rank_shares.sum(axis=1) == pytest.approx(1.0)


def test_a_copy_is_not_shown_to_differ(sample):
    name = sample.systems[0]
    copy = dataclasses.replace(sample, outputs={name: sample.outputs[name], "copy": sample.outputs[name]})
    result = assay.compare(copy, "bleu", resamples=300)
    assert [pair.comparison.p for pair in result.pairs] == [1.0, 1.0]
    assert result.verdict == (
        f"No difference between copy and {name} is shown by bleu (+0.00, p = 1) and bleu segment mean (+0.00, p = 1).",
    )


def test_threads_and_repetition_change_nothing(sample, found):
    again = assay.compare(sample, "bleu,ter", resamples=500, runtime=assay.Runtime(threads=3))
    assert again.to_dict() == found.to_dict()


def test_the_verdict_comes_first(found):
    text = Table().render(document(found))
    assert text.startswith(found.verdict[0])
    assert "80 % power" in text
    json.dumps(found.to_dict(), allow_nan=False)


def test_saved_and_opened(found, tmp_path):
    assay.save_result(found, tmp_path / "x")
    opened = assay.open_result(tmp_path / "x")
    assert opened.to_dict() == found.to_dict()


def test_needed_segments(sample):
    result = assay.compare(sample, "bleu", agg="corpus", resamples=500, delta=1.0)
    for pair in result.pairs:
        assert pair.needed == pytest.approx(len(sample) * pair.detectable**2, abs=1)


def test_documents_as_units(sample):
    documents = tuple(f"d{i // 10}" for i in range(len(sample)))
    result = assay.compare(dataclasses.replace(sample, documents=documents), "bleu", unit="document", resamples=300)
    assert result.metrics[0].pairs[0].difference.n == 13
    with pytest.raises(InputError, match="need the documents"):
        assay.compare(dataclasses.replace(sample, documents=None), "bleu", unit="document")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"baseline": "nobody"}, UnknownNameError, "no system is called 'nobody'"),
        ({"baseline": "alder", "all_pairs": True}, ConfigError, "baseline has no effect"),
        ({"unit": "paragraph"}, ConfigError, "unknown unit"),
        ({"agg": "bootstrap"}, ConfigError, "unknown aggregation 'bootstrap'"),
        ({"correction": "hom"}, ConfigError, "unknown correction"),
        ({"delta": 0.0}, ConfigError, "delta must be positive"),
    ],
)
def test_wrong_options(sample, options, error, message):
    with pytest.raises(error, match=message):
        assay.compare(sample, "bleu", **options)


def test_one_system_cannot_be_compared(sample):
    with pytest.raises(InputError, match="at least two systems"):
        assay.compare(sample.with_systems(sample.systems[:1]), "bleu")


def test_koehns_test_comes_with_a_warning(sample):
    notes = assay.compare(sample, "bleu", test="koehn", resamples=100).notes
    assert NoteKind.ADVICE in {note.kind for note in notes}


def test_conditions_that_fail_a_build(sample):
    found = assay.compare(sample, "bleu", agg="corpus", resamples=100, fail_if="bleu.delta < 0 or bleu.p > 2")
    assert len(found.failures) == 2
    assert found.failures[0].startswith("bleu.delta < 0 or bleu.p > 2 holds for 'birch': bleu.delta = -")
    assert found.to_dict()["failures"] == list(found.failures)
    with pytest.raises(ConfigError, match="not all pairs"):
        assay.compare(sample, "bleu", all_pairs=True, fail_if="bleu.delta < 0")
    with pytest.raises(UnknownNameError, match="no metric 'chrf' is compared"):
        assay.compare(sample, "bleu", fail_if="chrf.delta < 0")
