from __future__ import annotations

import itertools

import pytest

from assay import load, match, score
from assay.errors import ConfigError
from assay.sample import write


@pytest.fixture(scope="module")
def testset(tmp_path_factory):
    pair = write(tmp_path_factory.mktemp("sample"))[0]
    return load(
        outputs={"elm": pair / "systems/elm.de"},
        references={name: pair / f"{name}.de" for name in ("refA", "refB")},
        lp="en-de",
    )


def test_it_finds_what_was_published(testset):
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


def test_a_single_reference_is_tried(testset):
    alone = load(outputs={"elm": testset.outputs["elm"]}, references={"refB": testset.references["refB"]}, lp="en-de")
    value = score(alone, "chrf", resamples=0)["chrf"].corpus["elm"]
    first = match(testset, f"{value:.4f}", "chrf", resamples=0).candidates[0]
    assert (first.spec, first.references) == ("chrf", ("refB",))


def test_given_options_stay(testset):
    found = match(testset, "40", "bleu:tok=intl,lowercase=yes", resamples=0)
    assert all("tok=intl" in c.spec and "lowercase=yes" in c.spec for c in found.candidates)
    assert found.tried == 4 * 2 * 3 * 2  # smoothing, effective order, references, aggregations


def test_bootstrap_is_an_aggregation_too(testset):
    found = match(testset, "40", "bleu:tok=intl", resamples=20)
    assert {c.aggregation for c in found.candidates} == {"corpus", "segment", "bootstrap"}


@pytest.mark.parametrize(
    ("published", "value", "tolerance"),
    [("27.3", 27.3, 0.05), ("27", 27, 0.5), ("0.273", 27.3, 0.05), ("27.30", 27.3, 0.005)],
)
def test_rounding(testset, published, value, tolerance):
    found = match(testset, published, "bleu:tok=intl,smooth=none,lowercase=yes", resamples=0)
    assert found.value == pytest.approx(value)
    assert found.tolerance == pytest.approx(tolerance, abs=1e-6)
    assert bool(found.notes) == (published == "0.273")


@pytest.mark.parametrize("published", ["", "x", "-1", "1e5", "27,3", "nan"])
def test_what_is_not_a_number(testset, published):
    with pytest.raises(ConfigError, match="not a published score"):
        match(testset, published)


def test_all_settings_of_all_combinations_are_told(testset):
    """Merged settings stand for all they were merged from: as many as were tried."""
    found = match(testset, "40", resamples=0)
    told = sum(len(list(itertools.product(*(values for _, values in c.alternatives)))) for c in found.candidates)
    assert told == found.tried == 5 * 2 * 4 * 2 * 3 * 2
