"""Every statistic has what a statistic must have, and keeps the contract."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest

from assay import ScoreTable, agree
from assay.agreement import Batch, statistic
from assay.errors import ConfigError
from tests.agreement.twins import TWINS, acc23, batch_of, best_epsilon, members, random_batch, tally, twin_values

PAGE = (Path(__file__).parents[2] / "docs/methods/agreement.md").read_text(encoding="utf-8")
NAMES = statistic.names()
CALIBRATED = {"acc-star": lambda share: share, "tau-star": lambda share: 2 * share - 1}
POOLED = {"pdp", "pairwise-difference-pearson"}
SPECS = sorted({*TWINS, *CALIBRATED, *POOLED})
DRAWN = {"spa", "soft-pairwise-accuracy"}  # depends on the order of segments; its twin is in its own file
UNDEFINED = {  # scores for which a statistic says NaN
    **dict.fromkeys(("pearson", "spearman", "kendall", "pdp", "pairwise-difference-pearson"), ([1, 2, 3], [5, 5, 5])),
    **dict.fromkeys(("kendall-wmt", "kendall-wmt12", "kendall-wmt13", "kendall-wmt14"), ([1, 2, 3], [5, 5, 5])),
    **dict.fromkeys(("acc23", "tau23", "acc-star", "tau-star", "pairwise-accuracy", *DRAWN), ([1], [5])),
    "kendall-like": ([1, 2, 3], [5, 10, 15]),
    "skipped": ([1, 2, 3, 4, 5, 6], [5, 5, 5, 5, 6, 7]),
}


def slow(spec, batch):
    """One file of slow answers for all."""
    if spec in TWINS:
        return twin_values(TWINS[spec], batch)
    if spec in CALIBRATED:
        epsilon = best_epsilon(batch)
        return twin_values(lambda *group, **chosen: CALIBRATED[spec](acc23(*group, epsilon=epsilon, **chosen)), batch)
    differences = [
        (x[i] - x[j], y[i] - y[j]) for x, y, _ in members(batch) for i in range(len(x)) for j in range(len(x))
    ]
    dx, dy = np.array(differences, dtype=float).reshape(-1, 2).T
    scale = np.sqrt((dx * dx).sum() * (dy * dy).sum())
    return np.array([(dx * dy).sum() / scale if scale else np.nan])


def values(spec, batch):
    return statistic.create(spec).compute(batch).values


def test_all_are_in_the_table():
    assert {spec.partition(":")[0] for spec in (*SPECS, *DRAWN)} == set(NAMES) == set(UNDEFINED)


@pytest.mark.parametrize("name", NAMES)
def test_is_documented(name):
    cls, _ = statistic.type_of(name)
    sections = [part for part in re.split(r"^## ", PAGE, flags=re.M)[1:] if f"`{name}`" in part.splitlines()[0]]
    assert len(sections) == 1, f"docs/methods/agreement.md needs one section about {name}"
    (section,) = sections
    for word in ("Formula", "Source", "Undefined", "Interval", "Parity"):
        assert f"**{word}" in section
    assert all(f"`{option.name}`" in section for option in dataclasses.fields(cls))
    interval = "bootstrap over systems" + (", without self-pairs" if cls.excludes_self_pairs else "")
    if name in ("pearson", "spearman"):
        interval = "Fisher's z over systems"
    assert re.search(rf"\*\*Interval\*\*: {interval}[.;,]", section)
    assert cls.no_interval is None or cls.no_interval in " ".join(section.split())


@pytest.mark.parametrize("name", NAMES)
def test_has_an_interval_or_says_why_not(name):
    cls, _ = statistic.type_of(name)
    random = np.random.default_rng(3)
    level = "segment" if "segment" in cls.levels or cls.reads_segments else "system"
    values = 100 * random.random((2, 8, 10 if level == "segment" else 1))
    systems = tuple("abcdefgh")
    tables = ScoreTable("m", level, systems, values[0]), ScoreTable("h", level, systems, values[1], protocol="DA-z")
    level = "system" if cls.reads_segments else None
    low, high = agree(*tables, name, resamples=30, level=level).interval
    assert cls.low <= low < high <= cls.high
    if cls.no_interval is not None:
        assert cls.no_interval in agree(*tables, name, ci="segments", resamples=30, level=level).reason


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_equals_its_slow_twin(spec):
    random = np.random.default_rng(len(spec))
    for _ in range(12):
        batch = random_batch(random, groups=25)
        np.testing.assert_allclose(values(spec, batch), slow(spec, batch), rtol=0, atol=1e-12)


@pytest.mark.parametrize("spec", [s for s in SPECS if statistic.type_of(s.partition(":")[0])[0].uses_pairs])
def test_heeds_a_choice_of_pairs(spec):
    random = np.random.default_rng(len(spec) + 100)
    for _ in range(6):
        plain = random_batch(random, groups=15)
        chosen = random.random((plain.mask.shape[1],) * 2) < 0.5
        batch = Batch(plain.metric, plain.human, plain.mask, chosen | chosen.T)
        np.testing.assert_allclose(values(spec, batch), slow(spec, batch), rtol=0, atol=1e-12)


@pytest.mark.parametrize("spec", [s for s in SPECS if not statistic.type_of(s.partition(":")[0])[0].uses_pairs])
def test_refuses_a_choice_of_pairs(spec):
    with pytest.raises(ConfigError, match="does not compare pairs"):
        values(spec, batch_of([1, 2], [1, 2], np.ones((2, 2), dtype=bool)))


@pytest.mark.parametrize("spec", [*SPECS, *sorted(DRAWN)])
def test_says_whether_groups_depend_on_each_other(spec):
    random = np.random.default_rng(11)
    cls, _ = statistic.type_of(spec.partition(":")[0])
    differ = False
    for _ in range(20):
        batch = random_batch(random, groups=12)
        alone = [
            values(spec, Batch(*(part[i : i + 1] for part in (batch.metric, batch.human, batch.mask))))
            for i in range(12)
        ]
        together = values(spec, batch)
        differ |= len(together) != 12 or not np.array_equal(np.concatenate(alone), together, equal_nan=True)
    assert differ == cls.is_joint


@pytest.mark.parametrize("name", NAMES)
def test_undefined_is_nan_with_a_reason(name):
    found = statistic.create(name).compute(batch_of(*UNDEFINED[name]))
    assert np.isnan(found.values).all()
    assert len(found.reason) > 10


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (2, 0), (2, 1)])
def test_nothing_to_compare(spec, shape):
    cls, _ = statistic.type_of(spec.partition(":")[0])
    found = statistic.create(spec).compute(Batch(np.ones(shape), np.ones(shape), np.ones(shape, dtype=bool)))
    assert found.values.shape == found.weights.shape == ((1,) if cls.is_pooled else shape[:1])
    assert np.isnan(found.values).all()


@pytest.mark.parametrize("spec", SPECS)
def test_range_shapes_and_hits(spec):
    random = np.random.default_rng(5)
    cls, _ = statistic.type_of(spec.partition(":")[0])
    for _ in range(10):
        batch = random_batch(random)
        found = statistic.create(spec).compute(batch)
        defined = found.values[~np.isnan(found.values)]
        assert found.values.shape == found.weights.shape == ((1,) if cls.is_pooled else (len(batch.mask),))
        assert ((cls.low <= defined) & (defined <= cls.high)).all()
        assert (found.weights >= 0).all()
        assert found.hits is None or found.pairs is not None
        if found.hits is not None:
            np.testing.assert_array_equal(found.values, found.hits / np.where(found.pairs, found.pairs, np.nan))


@pytest.mark.parametrize("spec", SPECS)
def test_order_scale_and_gaps_do_not_matter(spec):
    """Of items and groups; a metric in other units (powers of two, so that ties stay); what gaps hold."""
    random = np.random.default_rng(9)
    unit = 1.0 if "epsilon" in spec else 4.0
    for _ in range(5):
        batch = random_batch(random, items=7)
        expected = values(spec, batch)
        items, groups = random.permutation(7), random.permutation(60)
        shuffled = Batch(*(each[groups][:, items] for each in (unit * batch.metric, batch.human, batch.mask)))
        found = values(spec, shuffled)
        np.testing.assert_allclose(found, expected[groups] if len(found) > 1 else expected, rtol=0, atol=1e-12)
        gaps = np.where(batch.mask, batch.metric, np.nan), np.where(batch.mask, batch.human, np.inf)
        np.testing.assert_array_equal(values(spec, Batch(*gaps, batch.mask)), expected)


@pytest.mark.parametrize("spec", SPECS)
def test_best_where_metric_is_people(spec):
    human = np.arange(1.0, 7.0)[np.newaxis] * 30
    cls, _ = statistic.type_of(spec.partition(":")[0])
    assert values(spec, batch_of(human, human)) == pytest.approx(1.0, abs=1e-15)
    assert values(spec, batch_of(-human, human)) == pytest.approx(cls.low, abs=1e-15)


def test_the_twin_of_twins():
    """x = [1,1,1,2,2,3,4], y = [1,1,2,2,4,3,3], worked out by hand."""
    assert tally([1, 1, 1, 2, 2, 3, 4], [1, 1, 2, 2, 4, 3, 3], range(7)) == (13, 2, 3, 2, 1)
