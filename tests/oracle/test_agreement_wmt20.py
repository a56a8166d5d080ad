"""WMT20: 1,534 published correlations (standard reference; by system and by segment) against the organisers' results.

Not compared: those by document, and those with other references.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

import pytest

from assay import agree, load_campaign
from assay.human.comparisons import preferences_by_threshold
from assay.human.outliers import find_outliers
from assay.metaeval.alignment import system_means
from assay.results import Measure, MetaColumn
from assay.study.meta import meta
from tests import archives

pytestmark = pytest.mark.skipif(
    archives.folder() is None, reason="ASSAY_DATA does not name the folder of the WMT archives"
)

PUBLISHED = json.loads((Path(__file__).parents[1] / "golden/wmt20.json").read_text(encoding="utf-8"))["pairs"]
BY_THE_RULE = {"de-en", "ru-en", "zh-en", "en-ta", "en-iu"}  # the organisers' outliers are those of median and MAD
NO_TOLERANCE = {"en-cs": 6, "en-ja": 6, "en-zh": 7}  # pairs lost where rounded scores are 24.9999... apart
THREE_DIGITS = 5.01e-4


@functools.cache
def campaign_of(lp):
    return load_campaign(archives.unpacked("wmt20"), lp=lp)


def people_of(lp, gold, level, left_out=()):
    """Human scores of systems that are no references."""
    table = campaign_of(lp).find(gold, level)
    return table.take([name for name in table.systems if name not in {*campaign_of(lp).references, *left_out}])


def metric_of(lp, name, level):
    """Without a reference, or with the standard one."""
    tables = [t for t in campaign_of(lp).metrics if (t.name, t.level) == (name, level)]
    (table,) = (t for t in tables if t.references in ((), ("ref",)))
    return table


def test_all_are_there():
    kinds = ("kendall", "pearson", "pearson_without_outliers", "darr", "darr_without_outliers")
    assert [sum(len(pair[kind]) for pair in PUBLISHED.values()) for kind in kinds] == [527, 527, 382, 54, 44]


@pytest.mark.parametrize("lp", PUBLISHED)
def test_systems(lp):
    """Kendall and Pearson over all systems: the whole table of `assay meta`."""
    table = meta([campaign_of(lp)], gold="wmt-z", statistics=["kendall", "pearson"])
    rows = {row.metric: row for row in table}
    for spec in ("kendall", "pearson"):
        expected = dict(PUBLISHED[lp][spec])
        raw = expected.pop("HUMAN_RAW")
        found = agree(people_of(lp, "wmt-raw", "system"), people_of(lp, "wmt-z", "system"), spec)
        assert found.value == pytest.approx(raw, abs=THREE_DIGITS)
        for name, value in expected.items():
            row = rows.get(f"{name}-ref") or rows[f"{name}-src"]
            agreement = row.agreements[MetaColumn(lp, Measure(spec, "kept"))]
            assert agreement.value == pytest.approx(value, abs=THREE_DIGITS), name


@pytest.mark.parametrize("lp", [lp for lp, pair in PUBLISHED.items() if pair["outliers"]])
def test_systems_without_outliers(lp):
    human = people_of(lp, "wmt-z", "system", PUBLISHED[lp]["outliers"])
    for name, value in PUBLISHED[lp]["pearson_without_outliers"].items():
        scores = people_of(lp, "wmt-raw", "system") if name == "HUMAN_RAW" else metric_of(lp, name, "system")
        assert agree(scores, human).value == pytest.approx(value, abs=THREE_DIGITS), name


@pytest.mark.parametrize("lp", PUBLISHED)
def test_outliers(lp):
    """Eight times the organisers left out others than median and MAD find in these human scores; why is not known.

    Neither raw scores, references among the systems, repetition nor a lower cut-off gives all of theirs. In cs-en they
    left out a system at 1.18 and kept one at 1.36.
    """
    found = find_outliers(system_means(people_of(lp, "wmt-z", "system"))).systems
    published = set(PUBLISHED[lp]["outliers"])
    assert (set(found) == published) == (lp in BY_THE_RULE or not published)


@pytest.mark.parametrize("lp", PUBLISHED)
def test_relative_ranking(lp):
    """daRR: pairs at least 25 raw points apart, tau of every metric with segment scores, with and without outliers."""
    pair = PUBLISHED[lp]
    parts = ((), pair["outliers"]) if pair["outliers"] else ((),)
    for left_out, pairs, kind in zip(parts, pair["preferences"], ("darr", "darr_without_outliers"), strict=False):
        human = people_of(lp, "wmt-raw", "segment", left_out)
        assert len(preferences_by_threshold(human, 25)) == pairs
        for name, tau in pair[kind].items():
            found = agree(metric_of(lp, name, "segment"), human, "kendall-like", grouping="item", average="micro")
            assert found.weight == pairs
            if kind == "darr":  # four significant digits, as printed
                assert float(f"{found.value:.4}") == tau
            assert found.value == pytest.approx(tau, abs=THREE_DIGITS)


@pytest.mark.parametrize("lp", PUBLISHED)
def test_rounded_scores_need_a_tolerance(lp):
    """Human scores are stored with eight digits: without the tolerance, three language pairs lose a few pairs."""
    human = people_of(lp, "wmt-raw", "segment")
    spec = "kendall-like:tolerance=0"
    found = agree(metric_of(lp, "chrF", "segment"), human, spec, grouping="item", average="micro")
    assert PUBLISHED[lp]["preferences"][0] - found.weight == NO_TOLERANCE.get(lp, 0)
    assert (float(f"{found.value:.4}") == PUBLISHED[lp]["darr"]["chrF"]) == (lp not in NO_TOLERANCE)
