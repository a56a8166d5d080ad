from __future__ import annotations

import dataclasses
import itertools

import pytest

from assay import load, match, score
from assay.errors import ConfigError
from assay.metrics import metric as metric_registry
from assay.sample import write
from assay.types import NoteKind
from assay.types.runtime import Runtime


@pytest.fixture(scope="module")
def testset(tmp_path_factory):
    pair = write(tmp_path_factory.mktemp("sample"))[0]
    return load(
        outputs={"elm": pair / "systems/elm.de"},
        references={name: pair / f"{name}.de" for name in ("refA", "refB")},
        lp="en-de",
    )


@pytest.mark.slow
def test_finds_the_published_settings(testset):
    """Publish under many settings, then ask how it was done: the setting is among the matches."""
    specs = [
        f"bleu:tok={t},lowercase={c},smooth={s}"
        for t in ("intl", "char")
        for c in ("yes", "no")
        for s in ("exp", "add-k")
    ]
    run = score(testset, specs, resamples=0)
    for spec, aggregation in itertools.product(specs, ("corpus", "segment")):
        published = run[spec].aggregations[aggregation]["elm"]
        found = match(testset, f"{published:.2f}", resamples=0)
        assert any(
            abs(c.value - published) < 1e-9 and c.aggregation == aggregation and c.references == ("refA", "refB")
            for c in found.matches
        )


def test_the_usual_setting_comes_first(testset):
    value = score(testset, "bleu", resamples=0)["bleu"].corpus["elm"]
    first = match(testset, f"{value:.1f}", resamples=0).candidates[0]
    assert (first.spec, first.aggregation, first.departures) == ("bleu", "corpus", 0)
    assert dict(first.alternatives)["effective_order"] == ("no", "yes")


@pytest.mark.slow
def test_a_single_reference_is_tried(testset):
    alone = load(outputs={"elm": testset.outputs["elm"]}, references={"refB": testset.references["refB"]}, lp="en-de")
    value = score(alone, "chrf", resamples=0)["chrf"].corpus["elm"]
    first = match(testset, f"{value:.4f}", "chrf", resamples=0).candidates[0]
    assert (first.spec, first.references) == ("chrf", ("refB",))


@pytest.mark.warns("METEOR's")
def test_settings_that_are_the_same_metric_are_one(testset):
    """Such as meteor and, where there are no files, meteor:task=rank,modules=exact+stem."""
    pytest.importorskip("Stemmer")
    alone = dataclasses.replace(testset, references={"refA": testset.references["refA"]}).take(range(20))
    found = match(alone, "0.5", "meteor:files=none", resamples=0)
    corpus = [candidate for candidate in found.candidates if candidate.aggregation == "corpus"]
    prepared = [metric_registry.create(candidate.spec).prepare(alone) for candidate in corpus]
    assert len(set(prepared)) == len(prepared)
    assert "meteor:files=none" in [candidate.spec for candidate in corpus]


def test_explicit_options_are_not_varied(testset):
    found = match(testset, "40", "bleu:tok=intl,lowercase=yes", resamples=0)
    assert all("tok=intl" in c.spec and "lowercase=yes" in c.spec for c in found.candidates)
    assert found.tried == (4 * 2 + 4 + 4) * 3  # smoothing × effective order; segment means; three choices of references


def test_bootstrap_is_an_aggregation_too(testset):
    found = match(testset, "40", "bleu:tok=intl", resamples=20)
    assert {c.aggregation for c in found.candidates} == {"corpus", "segment", "segment (corpus settings)", "bootstrap"}
    other = match(testset, "40", "bleu:tok=intl", resamples=20, seed=7)
    drawn = [{c.value for c in m.candidates if c.aggregation == "bootstrap"} for m in (found, other)]
    assert drawn[0] != drawn[1]


@pytest.mark.parametrize(
    ("published", "readings"),
    [
        ("27.3", {27.3: 0.05}),
        ("27", {27: 0.5}),
        ("0.273", {0.273: 0.0005, 27.3: 0.05}),
        ("27.30", {27.3: 0.005}),
        ("1", {1: 0.5}),
        ("0", {0: 0.5}),
    ],
)
def test_rounding(testset, published, readings):
    found = match(testset, published, "bleu:tok=intl,smooth=none,lowercase=yes", resamples=0)
    assert dict(found.readings) == pytest.approx(readings)


def test_a_number_below_one_is_tried_as_it_is():
    """13a BLEU of Japanese is often below 1."""
    poor = load(outputs={"x": ["a b c d e f g h i j", "k"] * 3}, references=["z b y x w v u t s r", "q"] * 3)
    value = score(poor, "bleu:smooth=add-k", resamples=0)["bleu:smooth=add-k"].corpus["x"]
    assert 0 < value < 100
    scaled = match(poor, f"{value / 100:.4f}", resamples=0)
    assert any(abs(c.value - value) < 1e-9 for c in scaled.matches)


def test_segment_means_with_and_without_effective_order():
    """The mean of sacreBLEU's sentence scores, whose default is without effective order, can be found too."""
    short = load(outputs={"x": ["a b", "c d", "a b c d e"]}, references=["a b", "c x", "a b c d f"])
    bleu = metric_registry.create("bleu").prepare(short)
    rows = bleu.statistics(short, runtime=Runtime(threads=1))[0]
    for form, aggregation in ((bleu, "segment (corpus settings)"), (bleu.segment_form, "segment")):
        mean = float(form.score(rows).mean())
        found = [c for c in match(short, f"{mean:.4f}", resamples=0).matches if c.aggregation == aggregation]
        assert found[0].value == pytest.approx(mean)
        assert "effective_order" not in dict(found[0].alternatives)
        assert f"effective_order:{'yes' if form.effective_order else 'no'}|" in found[0].signature


def test_options_given_at_their_default_stay_too(testset):
    found = match(testset, "40", "bleu:smooth=exp,lowercase=no", resamples=0)
    assert all("lowercase=no,smooth=exp" in c.spec for c in found.candidates)


def test_references_in_all_combinations(testset):
    three = dataclasses.replace(testset, references={**testset.references, "refC": testset.outputs["elm"]})
    found = match(three, "40", "bleu:tok=intl,smooth=exp,lowercase=no,effective_order=no", resamples=0)
    assert {c.references for c in found.candidates} == {
        *(("refA", "refB", "refC"), ("refA", "refB"), ("refA", "refC"), ("refB", "refC")),
        *(("refA",), ("refB",), ("refC",)),
    }
    partial = next(c for c in found.candidates if len(c.references) == 2 and c.aggregation == "corpus")
    assert partial.departures == 1  # tok=intl is what was asked for; not all references were used


def test_tokenisers_fit_the_script():
    japanese = load(outputs={"x": ["今日は天気がいいです。"]}, references=["今日はいい天気ですね。"])
    korean = load(outputs={"x": ["오늘은 날씨가 좋습니다."]}, references=["오늘 날씨가 좋네요."])
    specs = {c.spec for t in (japanese, korean) for c in match(t, "40", resamples=0).candidates}
    assert any("tok=ja-mecab" in spec for spec in specs)
    assert any("tok=ko-mecab" in spec for spec in specs)


def test_notes_of_scoring_are_passed_on():
    japanese = load(outputs={"x": ["今日は天気がいいです。"]}, references=["今日はいい天気ですね。"])
    assert NoteKind.ADVICE in {note.kind for note in match(japanese, "40", resamples=0).notes}


@pytest.mark.parametrize("top", [0, -1, 1.5])
def test_top_must_be_a_count(testset, top):
    with pytest.raises(ConfigError, match="top must be"):
        match(testset, "40", top=top)


@pytest.mark.parametrize("published", ["", "x", "-1", "1e5", "27,3", "nan"])
def test_an_invalid_number(testset, published):
    with pytest.raises(ConfigError, match="not a score"):
        match(testset, published)


def test_alternatives_list_all_settings(testset):
    """Merged settings stand for all they were merged from: as many as were tried."""
    found = match(testset, "40", resamples=0)
    told = sum(len(list(itertools.product(*(values for _, values in c.alternatives)))) for c in found.candidates)
    assert told == found.tried == 5 * 2 * (4 * 2 + 4 + 4) * 3
