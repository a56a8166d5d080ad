from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import assay
from assay.agreement import Batch, Statistic, Values
from assay.agreement import statistic as statistic_registry
from assay.errors import ConfigError, InputError, PluginError
from assay.metaeval.alignment import align
from assay.metaeval.replicates import values_of_subsets
from assay.study.agree import agree
from assay.types import ScoreTable

NAN = np.nan


def tables(systems=8, segments=60, seed=3, gaps=0.2):
    """A metric that follows people with noise; people judged most cells."""
    random = np.random.Generator(np.random.PCG64(seed))
    quality = random.normal(size=(systems, 1)) + random.normal(size=(systems, segments))
    values = quality + random.normal(size=quality.shape)
    quality[random.random(quality.shape) < gaps] = NAN
    names = tuple(f"s{k}" for k in range(systems))
    return ScoreTable("m", "segment", names, values), ScoreTable("h", "segment", names, quality, protocol="other")


def by_system(values, name="m", **changes):
    names = tuple(f"s{k}" for k in range(len(values)))
    return ScoreTable(name, "system", names, np.array(values, float)[:, np.newaxis], **changes)


def people(values, **changes):
    return by_system(values, "h", protocol="DA", **changes)


def obvious(metric, human, grouping):
    """Loops: the correlation of each group over the cells that both have."""
    m, h = metric.values, human.values
    groups = {
        "none": [(m.ravel(), h.ravel())],
        "item": list(zip(m.T, h.T, strict=True)),
        "system": list(zip(m, h, strict=True)),
    }
    found = []
    for x, y in groups[grouping]:
        both = ~np.isnan(x) & ~np.isnan(y)
        found.append((np.corrcoef(x[both], y[both])[0, 1], both.sum()))
    return found


@pytest.mark.parametrize("grouping", ["none", "item", "system"])
@pytest.mark.parametrize("average", ["macro", "micro"])
def test_groups_are_averaged(grouping, average):
    metric, human = tables()
    values, sizes = zip(*obvious(metric, human, grouping), strict=True)
    found = agree(metric, human, grouping=grouping, average=average)
    assert found.value == pytest.approx(np.average(values, weights=sizes if average == "micro" else None), abs=1e-12)
    assert (found.n, found.groups, found.groups_undefined) == (sum(sizes), len(sizes), 0)
    assert found.weight == sum(sizes)
    assert (found.segments, len(found.systems), found.reason) == (60, 8, None)
    assert found.settings["level"] == "segment"


def test_the_facts_of_the_field():
    """mt-metrics-eval's own test: g = 1..6, m = [2,1,4,3,3,7], two systems: none .776, sys .760, item 1."""
    metric = ScoreTable("m", "segment", ("a", "b"), np.array([[2.0, 1, 4], [3, 3, 7]]))
    human = ScoreTable("h", "segment", ("a", "b"), np.array([[1.0, 2, 3], [4, 5, 6]]), protocol="DA")
    found = {grouping: agree(metric, human, grouping=grouping).value for grouping in ("none", "system", "item")}
    assert found == {
        "none": pytest.approx(0.776, abs=5e-4),
        "system": pytest.approx(0.760, abs=5e-4),
        "item": pytest.approx(1.0),
    }


def test_system_level():
    found = assay.agree(by_system([1, 2, 4]), people([1, 3, 3]))
    assert found.value == pytest.approx(np.corrcoef([1, 2, 4], [1, 3, 3])[0, 1])
    assert (found.n, found.groups, found.segments, found.source) == (3, 1, 0, "system scores of both")
    metric, human = tables(gaps=0.0)
    means = agree(metric, human, level="system")
    assert means.value == pytest.approx(np.corrcoef(metric.values.mean(1), human.values.mean(1))[0, 1])


def test_direction_and_order_do_not_matter():
    metric, human = tables()
    turned = dataclasses.replace(metric, values=-metric.values, higher_is_better=False)
    shuffled = human.take(human.systems[::-1])
    plain = agree(metric, human, grouping="item", resamples=50)
    for found in (
        agree(turned, human, grouping="item", resamples=50),
        agree(metric, shuffled, grouping="item", resamples=50),
    ):
        assert found.estimate == plain.estimate


def test_undefined_groups_are_counted_and_not_averaged():
    metric = ScoreTable("m", "segment", ("a", "b", "c"), np.array([[1, 5, 1, NAN], [2, 5, 2, 1], [3, 5, 3, 1.0]]))
    human = ScoreTable(
        "h", "segment", ("a", "b", "c"), np.array([[1, 1, 1, 1], [2, 2, NAN, NAN], [3, 3, NAN, NAN]]), protocol="DA"
    )
    found = agree(metric, human, grouping="item")
    assert found.value == pytest.approx(1.0)
    assert (found.n, found.groups, found.groups_undefined) == (3, 3, 2)


@pytest.mark.parametrize(
    ("metric", "human", "reason"),
    [
        ([1, 1, 1], [1, 2, 3], "are constant"),
        ([1, NAN, NAN], [1, 2, 3], "no group has two scores"),
        ([NAN, 1, NAN], [1, NAN, NAN], "have no cell in common"),
    ],
)
def test_nothing_is_nan_with_a_reason(metric, human, reason):
    found = agree(by_system(metric), people(human), resamples=10)
    assert math.isnan(found.value)
    assert reason in found.reason
    assert found.to_dict()["value"] is None


def test_outliers():
    human = people([1.0, 2.0, 3.0, 4.0, 5.0, 40.0])
    metric = by_system([2.0, 1.0, 4.0, 3.0, 5.0, 40.0])
    kept, dropped, both = (agree(metric, human, outliers=what) for what in ("keep", "drop", "both"))
    assert kept.value > 0.99 > dropped.value == pytest.approx(0.8)
    assert dropped.left_out == {"s5": "an outlier in the human scores"}
    assert (dropped.settings["outliers"], dropped.n) == ("dropped", 5)
    assert (both.value, both.without_outliers.value) == (kept.value, dropped.value)
    assert agree(metric, human, outliers="drop", cutoff=100.0).value == kept.value
    segments = ScoreTable("h", "segment", human.systems, np.repeat(human.values, 3, axis=1), protocol="DA")
    assert agree(metric, segments, outliers="drop").left_out == dropped.left_out


def test_outliers_are_found_among_the_selected_systems():
    """Also among systems that the metric did not score: the same for every metric."""
    human = people([1.0, 2.0, 3.0, 4.0, 5.0, 40.0])
    lacking = by_system([2.0, 1.0, NAN, 3.0, 5.0, 40.0])
    assert agree(lacking, human, outliers="drop").left_out["s5"] == "an outlier in the human scores"
    assert agree(lacking, human, outliers="drop", exclude=("s5",)).left_out["s5"] == "excluded"


def test_the_interval_of_systems_is_the_obvious_one():
    metric = by_system([1, 2, 4, 3, 6, 7, 2, 8, 9, 1, 5, 5])
    human = people([1, 3, 3, 2, 5, 9, 4, 6, 8, 3, 2, 7])
    found = agree(metric, human, ci="systems", resamples=4000, seed=7)
    random = np.random.Generator(np.random.PCG64(1))
    drawn = []
    for _ in range(4000):
        places = random.integers(0, 12, size=12)
        x, y = metric.values[places, 0], human.values[places, 0]
        drawn.append(np.corrcoef(x, y)[0, 1])
    assert found.estimate.standard_error == pytest.approx(np.std(drawn), rel=0.1)
    low, high = found.interval
    assert low < found.value < high
    assert (low, high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.02)
    assert found.settings["resamples"] == "4000"
    assert found.estimate == agree(metric, human, ci="systems", resamples=4000, seed=7).estimate
    assert found.estimate != agree(metric, human, ci="systems", resamples=4000, seed=8).estimate


def loose(pearson):
    @dataclasses.dataclass(frozen=True)
    class Loose(type(pearson)):
        is_joint = True

    return Loose()


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_the_short_ways_to_an_interval_equal_the_long_one(average, monkeypatch):
    metric, human = tables(systems=5, segments=30)
    pearson = statistic_registry.create("pearson")
    monkeypatch.setattr(statistic_registry, "_types", dict(statistic_registry._types))
    slow = statistic_registry("loose")(type(loose(pearson)))()
    for options in ({"grouping": "item", "ci": "segments"}, {"level": "system", "ci": "systems"}):
        one, other = (
            agree(metric, human, each, resamples=60, average=average, **options).estimate for each in (pearson, slow)
        )
        assert one.to_dict().items() >= {"reason": other.reason, "n": other.n}.items()
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), abs=1e-12)


@pytest.mark.parametrize("grouping", ["none", "system", "item"])
def test_segments_are_resampled(grouping):
    metric, human = tables()
    found = agree(metric, human, grouping=grouping, resamples=100)
    low, high = found.interval
    assert low < found.value < high
    assert high - low < 0.3


def test_a_statistic_may_have_no_interval_or_level(monkeypatch):
    monkeypatch.setattr(statistic_registry, "_types", dict(statistic_registry._types))

    @statistic_registry("lone")
    @dataclasses.dataclass(frozen=True)
    class Lone(Statistic):
        """One value for all groups together."""

        levels = frozenset({"segment"})
        no_interval = "it resamples by itself"
        is_joint = is_pooled = True

        def compute(self, batch: Batch) -> Values:
            return Values(np.array([0.5]), np.array([1.0]), "", (("threshold", "3"),))

    metric, human = tables()
    found = agree(metric, human, "lone", grouping="system", resamples=10)
    assert (found.value, found.n, found.groups) == (0.5, int((~np.isnan(human.values)).sum()), 8)
    assert found.reason == "no interval: it resamples by itself"
    assert found.details == {"threshold": "3"}
    with pytest.raises(ConfigError, match="lone is not defined at the system level"):
        agree(metric, human, "lone", level="system")
    monkeypatch.setattr(Lone, "is_pooled", False)
    with pytest.raises(PluginError, match="the statistic 'lone' returned 1 values for 8 groups"):
        agree(metric, human, "lone", grouping="system")


def test_parts_of_the_systems():
    paired = align(by_system([1, 2, 4, 3]), people([1, 3, 3, 2]))
    parts = np.array([[True, True, True, False], [True, False, False, False]])
    found = values_of_subsets(statistic_registry.create("pearson"), paired, parts).values
    assert found[0] == pytest.approx(np.corrcoef([1, 2, 4], [1, 3, 3])[0, 1])
    assert math.isnan(found[1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"statistic": "peerson"}, "unknown statistic 'peerson'"),
        ({"grouping": "word"}, "unknown grouping 'word'"),
        ({"average": "best"}, "unknown average 'best'"),
        ({"outliers": "hide"}, "unknown outliers 'hide'"),
        ({"grouping": "item"}, "grouping by item needs segment scores"),
        ({"confidence": 1.0}, "confidence must be between 0 and 1"),
        ({"resamples": -1}, "resamples must be"),
        ({"cutoff": 0.0, "outliers": "drop"}, "cutoff must be positive"),
    ],
)
def test_invalid_options(options, message):
    with pytest.raises(ConfigError, match=message):
        agree(by_system([1, 2, 3]), people([1, 2, 3]), **options)


@pytest.fixture
def sign_agreement(monkeypatch):
    """The share of pairs of systems that both order alike, by the obvious way."""
    monkeypatch.setattr(statistic_registry, "_types", dict(statistic_registry._types))

    @statistic_registry("sign-agreement")
    @dataclasses.dataclass(frozen=True)
    class SignAgreement(Statistic):
        low = 0.0
        excludes_self_pairs = True
        uses_pairs = True

        def compute(self, batch: Batch) -> Values:
            i, j = np.triu_indices(batch.mask.shape[1], 1)
            count = batch.mask[:, i] & batch.mask[:, j]
            if batch.pairs is not None:
                count &= batch.pairs[i, j]
            signs = [np.sign(part[:, i] - part[:, j]) for part in (batch.metric, batch.human)]
            copies = 0 if batch.self_pairs is None else batch.self_pairs
            hits, pairs = ((count & (signs[0] == signs[1])).sum(axis=1) - copies, count.sum(axis=1) - copies)
            with np.errstate(invalid="ignore"):
                return Values(hits / pairs, pairs.astype(float), "no pair", hits=hits, pairs=pairs)

    return SignAgreement()


def test_a_system_is_not_compared_with_its_copy(sign_agreement):
    """All pairs are ordered the other way, so a copy that ties with itself would be the only agreement."""
    found = agree(by_system([1, 2, 3, 4]), people([4, 3, 2, 1]), sign_agreement, resamples=200)
    assert (found.value, found.reason) == (0.0, "no interval: every resample has the same value")
    assert np.isnan(found.interval).all()
    assert (found.hits, found.pairs, found.weight) == (0, 6, 6.0)


def test_bare_arrays_are_refused_with_the_call_that_was_meant():
    table = ScoreTable("x", "system", ("a", "b"), np.array([[1.0], [2.0]]))
    for arguments, what in (((table.values, table), "scores"), ((table, [[1.0], [2.0]]), "human")):
        with pytest.raises(
            InputError, match=f"{what} must be a ScoreTable( or Rankings)?, not (ndarray|list)"
        ) as caught:
            agree(*arguments)
        assert "assay.ScoreTable(" in caught.value.hint


@pytest.mark.parametrize("grouping", ["none", "system"])
@pytest.mark.parametrize("spec", ["acc23", "acc-star", "tau23", "tau-star", "kendall:variant=a"])
def test_a_segment_is_not_compared_with_its_copy(spec, grouping):
    """As above. With eight segments the copies would be an eighth of all pairs."""
    human = np.random.default_rng(1).permutation(24).reshape(3, 8).astype(float)
    human[0, 3] = NAN
    names = ("a", "b", "c")
    opposite = ScoreTable("m", "segment", names, -human), ScoreTable("h", "segment", names, human, protocol="DA")
    found = agree(*opposite, spec, grouping=grouping, resamples=100, outliers="keep")
    lowest = 0.0 if spec.startswith("acc") else -1.0
    assert (found.value, found.reason) == (lowest, "no interval: every resample has the same value")
    assert set(found.replicates) == {lowest}


@pytest.mark.parametrize("spec", ["acc23", "acc-star", "kendall", "kendall:variant=c", "pairwise-accuracy"])
def test_copies_are_counted_as_pair_by_pair(spec):
    """The matrix of who may be compared with whom says the same as the number of copies."""
    random = np.random.default_rng(5)
    statistic = statistic_registry.create(spec)
    for size in (4, 9, 140):
        places = np.sort(random.integers(0, size, size=size))
        metric, human = (random.integers(0, 5, size=size)[places].astype(float)[np.newaxis] for _ in range(2))
        given = np.ones((1, size), dtype=bool)
        counts = np.bincount(places)
        copies = np.array([(counts * (counts - 1) // 2).sum()])
        apart = Batch(metric, human, given, np.not_equal.outer(places, places))
        counted = Batch(metric, human, given, self_pairs=copies)
        assert dataclasses.astuple(statistic.compute(counted)) == dataclasses.astuple(statistic.compute(apart))


def test_positive_mqm_scores_are_refused():
    """Penalties would turn every agreement around."""
    metric, human = tables()
    positive = ScoreTable("mqm", "segment", human.systems, np.abs(human.values), protocol="MQM")
    with pytest.raises(InputError, match="the segment scores 'mqm' are positive, but MQM scores are at most 0"):
        agree(metric, positive)
    penalties = dataclasses.replace(positive, higher_is_better=False)
    negative = dataclasses.replace(positive, values=-positive.values)
    assert agree(metric, penalties).value == agree(metric, negative).value
