"""All 404 metric files of WMT19 (18 language pairs) against a computation from the files that shares no line with ours.

Mathur et al. 2020, "Tangled up in BLEU": outliers, Pearson with and without them, the best N, windows, subsamples.
"""

from __future__ import annotations

import functools
import statistics

import numpy as np
import pytest

from assay import load_campaign
from assay.metaeval.subsets import rolling, subsample, top_n
from assay.results import Measure, MetaColumn
from assay.study.meta import meta
from tests import archives

pytestmark = pytest.mark.skipif(
    archives.folder() is None, reason="ASSAY_DATA does not name the folder of the WMT archives"
)

OUTLIERS = {  # how many, by language pair; the paper names those of en-de
    **dict.fromkeys(("de-cs", "de-en", "en-fi", "en-ru", "gu-en", "lt-en", "ru-en"), 1),
    **dict.fromkeys(("en-de", "en-kk", "kk-en", "zh-en"), 2),
    **dict.fromkeys(("de-fr", "en-cs", "en-gu", "en-lt", "en-zh", "fi-en"), 0),
    "fr-de": 3,
}
SIZES = (4, 8)


def scores_of(path):
    """System: score, from a file of the archive."""
    rows = (line.split("\t") for line in archives.lines(path))
    return {system: float(value) for system, value in rows if value != "None"}


@functools.cache
def people_of(lp):
    return scores_of(archives.unpacked("wmt19") / "human-scores" / f"{lp}.wmt-z.sys.score")


@functools.cache
def metrics_of(lp):
    folder = archives.unpacked("wmt19") / "metric-scores" / lp
    return {path.name.removesuffix(".sys.score"): scores_of(path) for path in sorted(folder.glob("*.sys.score"))}


def outliers_of(lp):
    human = people_of(lp)
    median = statistics.median(human.values())
    scale = 1.4826 * statistics.median(abs(h - median) for h in human.values())
    return {name for name, h in human.items() if abs(h - median) / scale > 2.5}


def pearson(metric, human, names):
    """NaN where one side is constant."""
    x, y = ([side[name] for name in names] for side in (metric, human))
    return statistics.correlation(x, y) if len(set(x)) > 1 and len(set(y)) > 1 else float("nan")


def best_first(metric, human):
    """The systems that both scored, the best for people first, equals by name."""
    return sorted(metric.keys() & human.keys(), key=lambda name: (-human[name], name))


@functools.cache
def campaign_of(lp):
    return load_campaign(archives.unpacked("wmt19"), lp=lp)


@pytest.mark.parametrize("lp", OUTLIERS)
def test_pearson_with_and_without_outliers(lp):
    """Every metric, as `assay meta --outliers both` computes it."""
    human, gone = people_of(lp), outliers_of(lp)
    table = meta([campaign_of(lp)], outliers="both")
    assert set(table.language_pairs[0].outliers.systems) == gone
    assert len(gone) == OUTLIERS[lp]
    assert {row.metric for row in table} == set(metrics_of(lp))
    for name, metric in metrics_of(lp).items():
        for kind, left_out in (("kept", set()), ("dropped", gone)):
            names = (metric.keys() & human.keys()) - left_out
            found = table[name].agreements[MetaColumn(lp, Measure("pearson", kind))]
            assert found.value == pytest.approx(pearson(metric, human, sorted(names)), abs=1e-12, nan_ok=True)
            assert found.n == len(names)


def tables_of(lp):
    """Of each metric its scores from the file, the table of the campaign, and people's."""
    human = campaign_of(lp).find("wmt-z", "system")
    by_name = {f"{t.name}-{'.'.join(t.references) or 'src'}": t for t in campaign_of(lp).metrics if t.level == "system"}
    assert by_name.keys() == metrics_of(lp).keys()
    return {name: (metrics_of(lp)[name], table, human) for name, table in by_name.items()}


@pytest.mark.parametrize("lp", OUTLIERS)
def test_the_best_systems(lp):
    """N from all systems down to 4."""
    for metric, table, human in tables_of(lp).values():
        order = best_first(metric, people_of(lp))
        curve = top_n(table, human)
        assert [point.systems for point in curve] == [tuple(order[:n]) for n in range(len(order), 3, -1)]
        expected = [pearson(metric, people_of(lp), point.systems) for point in curve]
        np.testing.assert_allclose([point.value for point in curve], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lp", OUTLIERS)
def test_windows(lp, size):
    """From the worst to the best."""
    for metric, table, human in tables_of(lp).values():
        order = best_first(metric, people_of(lp))
        curve = rolling(table, human, subset_size=size)
        starts = range(len(order) - size, -1, -1)
        assert [point.systems for point in curve] == [tuple(order[start : start + size]) for start in starts]
        expected = [pearson(metric, people_of(lp), point.systems) for point in curve]
        np.testing.assert_allclose([point.value for point in curve], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["BLEU-ref", "sacreBLEU-BLEU-ref", "chrF-ref", "YiSi-1-ref"])
def test_ten_of_the_22_systems_of_en_de(name):
    """Without outliers, with each and with both: means as from resamples of another generator, equal in every run."""
    metric, human = metrics_of("en-de")[name], people_of("en-de")
    outliers = sorted(outliers_of("en-de"))
    assert [each.split(".")[0] for each in outliers] == ["en_de_task", "online-X"]
    usual = sorted(human.keys() - set(outliers))
    _, *tables = tables_of("en-de")[name]
    drawn = subsample(*tables, subset_size=10, outliers=outliers)
    again = subsample(*tables, subset_size=10, outliers=outliers)
    random = np.random.default_rng(99)
    for sample, same in zip(drawn, again, strict=True):
        assert sample.values.tolist() == same.values.tolist()
        size = 10 - len(sample.included)
        others = [
            pearson(metric, human, [*sample.included, *random.choice(usual, size, replace=False)]) for _ in range(1000)
        ]
        error = np.hypot(np.std(others), np.std(sample.values)) / np.sqrt(1000)
        assert abs(sample.mean - np.mean(others)) < 4 * error
        assert set(sample.drawn_from) == set(usual)
    without, *one, both = (sample.mean for sample in drawn)
    assert without < min(one)
    assert max(one) == pytest.approx(both, abs=0.05)


@pytest.mark.parametrize(("window", "claimed", "found"), [("ranks 2-5", 1.0, 0.521), ("ranks 1-4", -1.0, -0.823)])
def test_de_en_is_less_extreme_than_the_paper_says(window, claimed, found):
    """Perfect correlation for ranks 2-5 and -1 for the best four is not what sacreBLEU's published scores give."""
    _, *tables = tables_of("de-en")["sacreBLEU-BLEU-ref"]
    value = next(point.value for point in rolling(*tables, subset_size=4) if point.label == window)
    assert value == pytest.approx(found, abs=5e-4)
    assert abs(value - claimed) > 0.1
