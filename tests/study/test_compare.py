from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest

import assay
from assay.errors import ConfigError, InputError, UnknownNameError
from assay.reports import document, renderer
from assay.reports.table import Table
from assay.results import Outcome
from assay.sample import generate
from assay.types import NoteKind
from assay.version import __version__
from assay.words import verdict


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
    assert [p.p for p in plain.pairs] == [p.p for p in holm.pairs]
    assert all(b.p_corrected >= a.p_corrected for a, b in zip(plain.pairs, holm.pairs, strict=True))
    assert list(plain.clusters.values()) == sorted(plain.clusters.values())
    assert plain.rank_shares.sum(axis=1) == pytest.approx(1.0)


def test_a_copy_is_not_shown_to_differ(sample):
    name = sample.systems[0]
    copy = dataclasses.replace(sample, outputs={name: sample.outputs[name], "copy": sample.outputs[name]})
    result = assay.compare(copy, "bleu", resamples=300)
    assert [pair.p for pair in result.pairs] == [1.0, 1.0]
    assert verdict((result,)).lede == (
        f"copy and {name} have the same score in every segment, as identical outputs do, by BLEU and BLEU segment "
        "mean.",
    )


def test_a_copy_does_not_differ_by_the_p_value_of_sacrebleu(sample):
    """It is the smallest, because sacreBLEU counts larger differences only."""
    name = sample.systems[0]
    copy = dataclasses.replace(sample, outputs={name: sample.outputs[name], "copy": sample.outputs[name]})
    result = assay.compare(copy, "bleu", resamples=300, compat="sacrebleu", all_pairs=True)
    assert result.pairs[0].p_corrected < 0.01
    assert result.pairs[0].outcome is Outcome.TIED
    assert verdict((result,)).text == f"{name} and copy have the same score in every segment."
    assert set(result.metrics[0].clusters.values()) == {1}


def test_threads_and_repetition_change_nothing(sample, found):
    again = assay.compare(sample, "bleu,ter", resamples=500, runtime=assay.Runtime(threads=3))
    assert again.to_dict() == found.to_dict()


def test_the_verdict_comes_first(found):
    text = Table().render(document(found, details=True))
    assert text.startswith(verdict((found,)).text)
    assert "80 % power" in text
    json.dumps(found.to_dict(), allow_nan=False)


def test_saved_and_opened(found, tmp_path):
    assay.save_result(found, tmp_path / "x")
    opened = assay.open_result(tmp_path / "x")
    assert opened.to_dict() == found.to_dict()


def test_needed_segments(sample):
    result = assay.compare(sample, "bleu", agg="corpus", resamples=500, delta=1.0)
    for pair in result.pairs:
        assert pair.power.needed == pytest.approx(len(sample) * pair.power.detectable**2, abs=1)


def test_a_difference_that_no_test_set_shows_has_a_reason(sample):
    result = assay.compare(sample, "bleu", agg="corpus", resamples=100, delta=1e-9)
    (pair, _) = result.pairs
    assert pair.power.needed is None
    assert "1e-09 needs more than" in pair.to_dict()["power_reason"]
    text = Table().render(document(result, details=True))
    assert "1e-09 needs more than" in text
    assert pair.power.reason in text


def test_tests_of_segments_compare_segment_means(sample):
    result = assay.compare(sample, "bleu", test="signed-rank", resamples=50)
    assert [metric.aggregation for metric in result.metrics] == ["segment"]
    with pytest.raises(ConfigError, match="corpus scores are not means of segment scores"):
        assay.compare(sample, "bleu", test="signed-rank", agg="corpus", resamples=50)
    with pytest.raises(ConfigError, match="paired-t compares segments, not documents"):
        assay.compare(sample, "bleu", test="paired-t", unit="document")


def test_one_document_has_no_interval(sample):
    documents = ("d",) * len(sample)
    result = assay.compare(dataclasses.replace(sample, documents=documents), "bleu", unit="document", resamples=50)
    pair = result.pairs[0]
    assert (pair.difference.n, pair.difference.reason, pair.p) == (1, "a single unit has no interval", 1.0)
    assert math.isnan(pair.difference.low)
    assert "no difference can be significant" in " ".join(note.text for note in result.notes)


def test_segments_won_are_those_that_count(sample):
    """A segment that one system lacks is left out for all pairs."""
    outputs = dict(sample.outputs)
    outputs["elm"] = (None, *outputs["elm"][1:])
    result = assay.compare(dataclasses.replace(sample, outputs=outputs), "bleu", agg="segment", resamples=50)
    for pair in result.pairs:
        assert pair.wins + pair.ties + pair.losses == pair.difference.n == len(sample) - 1


def test_a_reference_among_the_systems_is_named(sample):
    outputs = {"alder": sample.outputs["alder"], "refA": sample.references["refA"]}
    with pytest.raises(ConfigError, match="at least two systems") as caught:
        assay.compare(dataclasses.replace(sample, outputs=outputs), "bleu")
    assert "refA" in caught.value.hint


def test_an_undefined_p_value_has_a_reason(sample):
    constant = assay.ScoreTable("constant", "segment", ("alder", "birch"), np.outer([1.0, 2.0], np.ones(len(sample))))
    two = sample.with_systems(("alder", "birch"))
    result = assay.compare(two, constant, test="paired-t", resamples=50)
    assert verdict((result,)).lede == (
        "The difference between birch and alder is undefined by constant segment mean (the differences do not vary).",
    )
    assert result.to_dict()["rows"][0]["reason"] == "the differences do not vary"


def test_documents_as_units(sample):
    documents = tuple(f"d{i // 10}" for i in range(len(sample)))
    result = assay.compare(dataclasses.replace(sample, documents=documents), "bleu", unit="document", resamples=300)
    assert result.metrics[0].pairs[0].difference.n == 13
    with pytest.raises(ConfigError, match="need the documents"):
        assay.compare(dataclasses.replace(sample, documents=None), "bleu", unit="document")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"baseline": "nobody"}, UnknownNameError, "no system is called 'nobody'"),
        ({"baseline": "alder", "all_pairs": True}, ConfigError, "baseline has no effect"),
        ({"unit": "paragraph"}, ConfigError, "unknown unit"),
        ({"agg": "bootstrap"}, ConfigError, "unknown aggregation 'bootstrap'"),
        ({"correction": "hom"}, ConfigError, "unknown correction"),
        ({"delta": 0.0}, ConfigError, "delta must be a positive number"),
    ],
)
def test_wrong_options(sample, options, error, message):
    with pytest.raises(error, match=message):
        assay.compare(sample, "bleu", **options)


def test_one_system_cannot_be_compared(sample):
    with pytest.raises(ConfigError, match="at least two systems"):
        assay.compare(sample.with_systems(sample.systems[:1]), "bleu")


def test_koehns_test_comes_with_a_warning(sample):
    notes = assay.compare(sample, "bleu", test="koehn", resamples=100).notes
    assert NoteKind.ADVICE in {note.kind for note in notes}


def test_conditions_that_fail_a_build(sample):
    found = assay.compare(sample, "bleu", agg="corpus", resamples=100, fail_if="bleu.delta < 0 or bleu.p > 2")
    assert len(found.failures) == 2
    said = verdict((found,)).remarks
    assert any(line.startswith("bleu.delta < 0 or bleu.p > 2 holds for 'birch': bleu.delta = -") for line in said)
    assert [each["system"] for each in found.to_dict()["failures"]] == ["birch", "elm"]
    with pytest.raises(ConfigError, match="not all pairs"):
        assay.compare(sample, "bleu", all_pairs=True, fail_if="bleu.delta < 0")
    with pytest.raises(UnknownNameError, match="no metric 'chrf' is compared"):
        assay.compare(sample, "bleu", fail_if="chrf.delta < 0")


def test_hints_name_only_options_that_were_given(sample):
    testset = dataclasses.replace(sample, documents=tuple(f"d{k // 5}" for k in range(len(sample))))
    with pytest.raises(ConfigError) as caught:
        assay.compare(testset, "bleu", unit="document", test="paired-t")
    assert "compat" not in caught.value.hint
    with pytest.raises(ConfigError) as caught:
        assay.compare(testset, "bleu", unit="document", compat="sacrebleu")
    assert "leave out compat" in caught.value.hint


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"all_pairs": True, "examples": 1}, "leave out all_pairs"),
        ({"compat": "sacrebleu", "agg": "segment"}, 'agg="corpus"'),
        ({"unit": "document", "test": "paired-t"}, 'test="randomisation"'),
        ({"test": "paired-t", "agg": "corpus"}, 'agg="segment"'),
        ({"labels": "labels.tsv"}, 'by="COLUMN"'),
    ],
)
def test_hints_name_the_keyword_arguments(sample, options, hint):
    with pytest.raises(ConfigError) as caught:
        assay.compare(sample, "bleu", resamples=10, **options)
    assert hint in caught.value.hint


def opposed_ranks():
    """The new system is a little better in most segments and much worse in a few: its mean is lower, its ranks not."""
    differences = np.where(np.arange(60) % 6 == 0, -60.0, 1.0) + np.arange(60) / 100
    outputs = {"base": [f"ein Satz {k}" for k in range(60)], "new": [f"kein Satz {k}" for k in range(60)]}
    testset = assay.load(outputs=outputs, references=[f"der Satz {k}" for k in range(60)])
    return testset, assay.ScoreTable("m", "segment", ("base", "new"), np.stack([np.full(60, 50.0), 50.0 + differences]))


@pytest.mark.parametrize("alternative", ["two-sided", "better"])
def test_ranks_that_contradict_the_mean_show_neither_system_to_be_better(alternative):
    testset, scores = opposed_ranks()
    condition = "m.p < 0.05 and m.delta < 0"
    result = assay.compare(testset, scores, test="signed-rank", alternative=alternative, fail_if=condition)
    (pair,) = result.pairs
    assert pair.difference.value < 0
    assert pair.p_corrected < 0.05
    assert pair.outcome is Outcome.OPPOSED
    assert verdict((result,)).lede[0].startswith("Neither of new and base is shown to be better: the mean and the test")
    assert any(note.kind is NoteKind.SUSPECT and "opposite directions" in note.text for note in result.notes)
    assert result.failures[0].undefined == ("m.p",)
    clusters = assay.compare(testset, scores, test="signed-rank", all_pairs=True).metrics[0].clusters
    assert set(clusters.values()) == {1}
    assert not any(pair.outcome is Outcome.OPPOSED for pair in assay.compare(testset, scores, test="paired-t").pairs)


@pytest.mark.parametrize("alternative", ["better", "worse"])
def test_all_pairs_are_not_tested_in_one_direction(sample, alternative):
    """Which system of a pair is the first would depend on the order of the arguments, and with it every cluster."""
    with pytest.raises(ConfigError, match="no meaning for all pairs"):
        assay.compare(sample, "bleu", all_pairs=True, alternative=alternative, resamples=10)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"test": "signed-rank"}, "signed-rank compares ranks"),
        ({"test": "koehn"}, "rejects too often"),
        ({"test": "bootstrap", "compat": "sacrebleu"}, "rejects too often"),
    ],
)
def test_power_is_only_given_for_tests_that_have_it(sample, options, reason):
    found = assay.compare(sample, "chrf", resamples=50, delta=1, **options)
    assert all(math.isnan(pair.power.detectable) and pair.power.needed is None for pair in found.pairs)
    assert all(reason in pair.power.reason for pair in found.pairs)
    assert Table().render(document(found, details=True)).count(reason) == len(found.metrics)  # not once for each pair


def test_power_is_said_to_be_that_of_a_single_pair(sample):
    caption = "detectable is for a single pair, without the correction: all pairs need more"
    options = {"agg": "corpus", "resamples": 50}
    assert caption in Table().render(document(assay.compare(sample, "chrf", **options), details=True))
    assert caption not in Table().render(
        document(assay.compare(sample, "chrf", correction="none", **options), details=True)
    )


def test_unknown_documents_are_no_units(sample):
    options = {"agg": "corpus", "unit": "document", "resamples": 50}
    half = tuple("unknown-1" if k % 2 else f"d{k // 5}" for k in range(len(sample)))
    found = assay.compare(dataclasses.replace(sample, documents=half), "chrf", **options)
    assert any("unknown documents (unknown-1)" in note.text for note in found.notes)
    with pytest.raises(InputError, match="documents of the segments are not known"):
        assay.compare(dataclasses.replace(sample, documents=("unknown",) * len(sample)), "chrf", **options)


def test_the_signature_has_all_that_corrected_p_values_depend_on(sample):
    """The pairs are those that p-values are corrected for; only segments that all systems have count."""
    two = dataclasses.replace(sample, outputs={name: sample.outputs[name] for name in ("alder", "birch")})
    options = {"agg": "corpus", "resamples": 20}
    found = [
        assay.compare(sample, "chrf", **options),
        assay.compare(two, "chrf", **options),
        assay.compare(sample, "chrf", baseline="birch", **options),
        assay.compare(sample, "chrf", all_pairs=True, **options),
    ]
    assert len({each.signature for each in found}) == 4
    assert found[0].signature.endswith(f"|pairs:2 with alder|systems:alder,birch,elm|version:{__version__}")
    assert found[3].signature.endswith(f"|pairs:all 3|systems:alder,birch,elm|version:{__version__}")


def test_scores_whose_corpus_score_is_their_mean_are_compared_once(sample):
    values = np.random.default_rng(1).normal(size=(3, len(sample)))
    scores = assay.ScoreTable("m", "segment", sample.systems, values)
    found = assay.compare(sample, ["chrf", scores], resamples=50, by="length", fail_if="m.delta > 99")
    assert [(metric.metric, metric.aggregation) for metric in found.metrics] == [
        ("chrf", "corpus"),
        ("chrf", "segment"),
        ("m", "segment"),
    ]
    groups = [group for contrast in found.contrasts if contrast.metric == "m" for group in contrast.groups]
    assert {group.aggregation for group in groups} == {"segment"}
    corpus = assay.compare(sample, scores, agg="corpus", resamples=50)
    assert [metric.aggregation for metric in corpus.metrics] == ["corpus"]


def test_a_gate_that_never_closes_is_noted(sample):
    options = {"agg": "corpus", "resamples": 20, "fail_if": "chrf.p < 0.05 and chrf.delta < 0"}
    assert any(
        "never holds" in note.text for note in assay.compare(sample, "chrf", alternative="better", **options).notes
    )
    assert not any("never holds" in note.text for note in assay.compare(sample, "chrf", **options).notes)


def test_two_references_are_no_ground_for_a_calibration_and_a_note_says_so(sample):
    two = dataclasses.replace(sample, references={**sample.references, "refZ": sample.references["refA"]})

    def has_advice(testset, **options):
        notes = assay.compare(testset, "chrf", resamples=100, **options).notes
        return any("to learn whether people would notice" in note.text for note in notes)

    assert has_advice(two)
    assert not has_advice(two, calibration="none")
    assert not has_advice(two.with_references(["refA"]))


def many_systems(count, segments=60):
    """Systems that get more and more words wrong."""
    random = np.random.default_rng(11)
    words = [f"w{number}" for number in range(300)]
    reference = [random.choice(words, 12).tolist() for _ in range(segments)]
    outputs = {
        f"s{k:02}": [" ".join(word if random.random() > 0.02 * (k + 1) else "x" for word in line) for line in reference]
        for k in range(count)
    }
    outputs["copy"] = outputs["s00"]
    return assay.load(outputs=outputs, references={"refA": [" ".join(line) for line in reference]})


@pytest.mark.slow
def test_many_pairs_are_tested_with_more_resamples():
    """With 10,000 resamples, Holm's correction for 561 pairs takes the smallest possible p-value to .056."""
    testset = many_systems(33)
    options = {"agg": "segment", "all_pairs": True, "calibration": "none"}
    found = assay.compare(testset, "chrf", **options)
    (metric,) = found.metrics
    assert any(pair.shows_difference for pair in metric.pairs)
    assert found.settings["resamples"] == "10000"
    assert found.settings["test_resamples"] == "60000"
    assert "10,000 resamples cannot show a difference after the correction for 561 pairs" in str(found.notes)
    copy, worst = metric.pair("s00", "copy"), metric.pair("s00", "s32")
    assert (copy.p, copy.p_corrected, copy.resamples, copy.is_bound) == (1.0, 1.0, 10_000, False)
    assert (worst.p, worst.resamples, worst.is_bound) == (1 / 60_001, 60_000, True)
    assert worst.p_corrected == pytest.approx(561 / 60_001)
    again = assay.compare(testset, "chrf", **options, runtime=assay.Runtime(threads=3))
    assert json.dumps(again.to_dict()) == json.dumps(found.to_dict())
    given = assay.compare(testset, "chrf", **options, resamples=10_000)
    assert {pair.resamples for pair in given.metrics[0].pairs} == {10_000}
    assert "test_resamples" not in given.settings
    assert "no difference can be significant" in str(given.notes)
    by_p = {(pair.first, pair.second): pair for pair in given.metrics[0].pairs}
    for pair in metric.pairs:  # pairs that were not drawn further, and all intervals, are as they were
        before = by_p[pair.first, pair.second]
        assert pair.difference == before.difference
        assert pair.resamples > 10_000 or pair.p == before.p


def test_p_values_that_no_resample_reached_are_bounds(sample):
    """In every form for people; JSON has the number and the resamples."""
    worse = dataclasses.replace(sample, outputs={**sample.outputs, "empty": ["x"] * len(sample)})
    found = assay.compare(worse, "chrf", agg="corpus", baseline="alder", calibration="none")
    pair = found.metrics[0].pair("empty", "alder")
    assert (pair.p, pair.resamples, pair.is_bound) == (1 / 10_001, 10_000, True)
    assert pair.to_dict()["resamples"] == 10_000
    assert any(
        "empty is worse" in sentence and "p < 0.0003" in sentence for sentence in verdict((found,)).answers[0].others
    )
    shown = document(found)
    for name in ("table", "md"):
        assert "<0.0003" in renderer.create(name).render(shown)
    assert r"\textless{}0.0003" in renderer.create("latex").render(shown)
    assert "&lt;0.0003" in renderer.create("html").render(shown)
    other = next(pair for pair in found.metrics[0].pairs if pair.first == "birch")
    assert not other.is_bound
