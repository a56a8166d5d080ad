"""Pairs of systems of WMT14 to WMT25: how far apart metrics put them, and what people say of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import TypeAlias

import numpy as np
from scipy.optimize import isotonic_regression

import assay
from assay.aggregate.unit_intervals import effective_number, expanded_confidence
from assay.calibration.effective_sample import independent_pairs
from assay.calibration.metric_scores import DOCUMENTED
from assay.calibration.options import PairOptions
from assay.calibration.system_kinds import pair_kinds
from assay.calibration.system_pairs import SystemPairs, collect_pairs
from assay.human.domains import documents_of
from assay.measurement.segment_groups import are_known_documents
from assay.measurement.units import by_document
from assay.results import Estimate
from assay.significance.proportions import exact_bounds
from assay.significance.randomisation import Randomisation
from assay.types import Campaign, FloatArray, IntArray, Ratings, Scorable, ScoreTable
from assay.types.runtime import Runtime
from scripts import archives
from scripts.bundle_calibration import CAMPAIGNS as JUDGED_BY_SEGMENT
from scripts.bundle_calibration import MIN_SEGMENTS, STORED

CAMPAIGNS = (
    "wmt14",
    "wmt17",
    "wmt19",
    "wmt20",
    "wmt21.news",
    "wmt21.flores",
    "wmt21.tedtalks",
    "wmt22",
    "wmt24",
    "wmt25",
)
LEXICAL = ("bleu", "chrf")
ALPHA = 0.05
MIN_CLUSTERS = 5
FEW = 5
"""Successes, or failures, of which resamples say too little."""
_RESAMPLES, _FITS, _SEED = 1000, 400, 12345
_CONFIDENCE = 0.95
_TAIL = (1 - _CONFIDENCE) / 2
_REFERENCE_BASED = "wmt-appraise-refbased-z"  # a second judgement of the same pairs
_HUMAN = ("esa", "wmt-appraise-z", "wmt-z", "trueskill", "mqm", "mqm-prelim")
"""The scores of systems by people that count, the first that a language pair has."""


@dataclass(frozen=True)
class Pair:
    """Two systems of a language pair under one metric, which scores the first better."""

    campaign: str
    lp: str
    protocol: str
    metric: str
    aggregation: str
    better: str
    worse: str
    difference: float
    """Of the metric, without its sign."""
    agrees: bool
    """Whether people give the better-scored one the higher score."""
    preferred: int | None = None
    """1: people significantly prefer the better-scored one; -1: the other one; 0: neither; None: there is no test."""
    preferred_by_document: int | None = None
    """The same if whole documents are swapped; None, too, if the documents of the judged segments are not known."""

    @property
    def year(self) -> int:
        """The year of the campaign."""
        return 2000 + int(self.campaign[3:5])

    @property
    def kinds(self) -> str | None:
        """Whether they are language models."""
        return pair_kinds(self.better, self.worse, self.campaign)

    @property
    def cluster(self) -> tuple[str, str]:
        """What is drawn together: pairs of a language pair have systems and judges in common."""
        return self.campaign, self.lp


@cache
def campaigns(name: str) -> tuple[Campaign, ...]:
    """The language pairs of a campaign."""
    return tuple(assay.load_campaigns(archives.unpacked(name)))


def tested_pairs() -> tuple[Pair, ...]:
    """All pairs that were judged as in the campaigns as a whole: by DA and SQM until 2022, and by ESA since."""
    return tuple(pair for pair in judged_pairs() if pair.protocol != "MQM")


@cache
def judged_pairs() -> tuple[Pair, ...]:
    """All pairs whose preference is tested (one-sided paired t-test), under corpus scores and stored ones."""
    options = PairOptions.of(
        LEXICAL,
        STORED,
        None,
        test="paired-t",
        alpha=ALPHA,
        min_segments=MIN_SEGMENTS,
        agg=("corpus",),
        gold=None,
        own_test=None,
        exclude=(),
        keep_references=False,
        seed=12345,
    )
    loaded = [campaign for name in JUDGED_BY_SEGMENT for campaign in campaigns(name)]
    found, _ = collect_pairs(loaded, options, Runtime())
    return tuple(
        pair
        for each in found
        if each.gold != _REFERENCE_BASED
        for by_documents in [_p_values_by_document(each)]
        for key in each.differences
        for pair in _tested(each, key, by_documents)
    )


def documents_by_segment(campaign: Campaign, name: str) -> tuple[str, ...]:
    """The document of each segment as the ratings or the texts have it; nothing if one of a judged segment is unknown.

    `name` is that of the scores of segments.
    """
    table = segment_scores(campaign, name)
    ratings = (each for each in campaign.judgements if isinstance(each, Ratings) and each.name == name)
    names = documents_of(next(ratings, table), campaign.testset, table.values.shape[1])
    judged = np.flatnonzero(~np.isnan(table.values).all(axis=0)).tolist()
    return names if names and are_known_documents([names[i] for i in judged]) else ()


def segment_scores(campaign: Campaign, name: str) -> ScoreTable:
    """The human scores of segments of this name."""
    return next(each for each in campaign.human if (each.name, each.level) == (name, "segment"))


def _p_values_by_document(judged: SystemPairs) -> list[tuple[float, float]] | None:
    """For each pair of systems, the p-values of both directions if documents are swapped as a whole, where known.

    The test is approximate randomisation with its defaults, as `assay rank --unit document` and calibrations have it.
    """
    campaign = next(each for each in campaigns(judged.campaign) if each.lp == judged.lp)
    documents = documents_by_segment(campaign, judged.gold)
    if not documents:
        return None
    table, test = segment_scores(campaign, judged.gold), Randomisation()
    rows = dict(zip(table.systems, table.oriented, strict=True))
    found = []
    for names in judged.systems:
        values = np.stack([rows[name] for name in names])
        common = np.flatnonzero(~np.isnan(values).any(axis=0))
        labels = [documents[k] for k in common.tolist()]
        scored = (Scorable.of_segments(values[k, common], (names[k],)) for k in range(2))
        better, worse = test.both_p_values(*(by_document(each, labels) for each in scored))
        found.append((better.p, worse.p))
    return found


def _tested(
    judged: SystemPairs, key: tuple[str, str], by_documents: Sequence[tuple[float, float]] | None
) -> Iterator[Pair]:
    for place, (first, second) in enumerate(judged.systems):
        difference = float(judged.differences[key][place])
        if not difference or math.isnan(difference):
            continue
        sign = 1 if difference > 0 else -1
        better, worse = (first, second)[::sign]
        yield Pair(
            judged.campaign,
            judged.lp,
            judged.protocol,
            *key,
            better,
            worse,
            abs(difference),
            bool(judged.human[place] * sign > 0),
            _preferred(judged.p_values[place][::sign]),
            None if by_documents is None else _preferred(by_documents[place][::sign]),
        )


def _preferred(p_values: Sequence[float]) -> int:
    better, worse = p_values
    return int(better < ALPHA) - int(worse < ALPHA)


@cache
def scored_pairs(name: str, aggregations: tuple[str, ...] = ("corpus",)) -> tuple[Pair, ...]:
    """All pairs of a campaign by its scores of systems, under lexical metrics and the stored ones."""
    return tuple(pair for campaign in campaigns(name) for pair in _scored(campaign, aggregations))


def _scored(campaign: Campaign, aggregations: tuple[str, ...]) -> Iterator[Pair]:
    human = human_scores(campaign)
    if human is None:
        return
    people = {name: float(row[0]) for name, row in zip(human.systems, human.oriented, strict=True)}
    for (metric, aggregation), scores in metric_scores(campaign, aggregations).items():
        known = [name for name in scores if name in people and not math.isnan(people[name])]
        for first, second in combinations(known, 2):
            difference, preference = scores[first] - scores[second], people[first] - people[second]
            if difference and preference:
                better, worse = (first, second) if difference > 0 else (second, first)
                agrees = difference * preference > 0
                protocol = human.protocol or ""
                yield Pair(
                    campaign.name, campaign.lp, protocol, metric, aggregation, better, worse, abs(difference), agrees
                )


def human_scores(campaign: Campaign) -> ScoreTable | None:
    """The official scores of systems."""
    tables = {table.name: table for table in campaign.human if table.level == "system"}
    return next((tables[name] for name in _HUMAN if name in tables), None)


def metric_scores(campaign: Campaign, aggregations: tuple[str, ...]) -> dict[tuple[str, str], dict[str, float]]:
    """The scores of systems, higher is better, without references; corpus scores of WMT20 are the stored ones."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    documented = DOCUMENTED.get(campaign.name, {}) if campaign.testset is None else {}
    for table in campaign.metrics:
        name, factor = documented.get(table.name, (table.name, 1.0))
        is_first = not table.references or tuple(table.references) == campaign.references[:1]
        if table.level == "system" and (name in LEXICAL or name in STORED) and is_first:
            values = zip(table.systems, factor * table.oriented, strict=True)
            key = (name, "corpus" if name in LEXICAL else "stored")
            found[key] = {system: float(row[0]) for system, row in values if system not in campaign.references}
    if campaign.testset is not None and campaign.testset.references:
        texts = campaign.select_texts(references=campaign.references[:1], keep_references=False)
        # A bootstrap score is the mean over 1,000 resamples of 1,000 segments, as in Cavalin et al. 2024.
        is_resampled = "bootstrap" in aggregations
        resamples, size = (1000, 1000) if is_resampled else (0, None)
        run = assay.score(texts, LEXICAL, agg=aggregations, resamples=resamples, size=size)
        for metric, scores in run.metrics.items():
            for aggregation in aggregations:
                estimates = scores.aggregations[aggregation].estimates
                found[metric, aggregation] = {name: each.value for name, each in estimates.items()}
    return found


Outcome: TypeAlias = Callable[[Pair], bool]


def agrees(pair: Pair) -> bool:
    """Whether people order the two systems in the same way, by however little."""
    return pair.agrees


def is_better(pair: Pair) -> bool:
    """Whether people significantly prefer the better-scored system."""
    return pair.preferred == 1


def is_worse(pair: Pair) -> bool:
    """Whether people significantly prefer the worse-scored system."""
    return pair.preferred == -1


def is_better_by_document(pair: Pair) -> bool:
    """Whether people significantly prefer the better-scored system in a test of whole documents."""
    return pair.preferred_by_document == 1


def is_worse_by_document(pair: Pair) -> bool:
    """Whether people significantly prefer the worse-scored system in a test of whole documents."""
    return pair.preferred_by_document == -1


def have_documents(pairs: Sequence[Pair]) -> bool:
    """Whether all of the pairs are tested by whole documents, too."""
    return bool(pairs) and all(pair.preferred_by_document is not None for pair in pairs)


def share(pairs: Sequence[Pair], outcome: Outcome) -> float:
    """The share of pairs with an outcome."""
    return sum(map(outcome, pairs)) / len(pairs) if pairs else math.nan


def share_with_interval(pairs: Sequence[Pair], outcome: Outcome) -> Estimate:
    """The share, with an interval over resampled language pairs if there are at least five.

    Where fewer than five pairs have the outcome, or do not have it, resamples hardly differ. The interval then covers
    the exact bounds, too.
    """
    found = mean_with_interval(pairs, outcome)
    hits = sum(map(outcome, pairs))
    if math.isnan(found.low) or min(hits, len(pairs) - hits) >= FEW:
        return found
    exact = share_with_bounds(pairs, outcome)
    return replace(found, low=min(found.low, exact.low), high=max(found.high, exact.high))


def share_with_bounds(pairs: Sequence[Pair], outcome: Outcome) -> Estimate:
    """The share, with exact 95 % bounds as if only `n` pairs without a system in common had been seen."""
    numbers: dict[tuple[tuple[str, str], str], int] = {}
    systems = [
        [numbers.setdefault((pair.cluster, name), len(numbers)) for name in (pair.better, pair.worse)] for pair in pairs
    ]
    independent = independent_pairs(np.array(systems))
    value = share(pairs, outcome)
    low, high = exact_bounds(np.array([value]), np.array([independent]), _TAIL)
    return Estimate(value, independent, float(low[0]), float(high[0]))


def mean_with_interval(pairs: Sequence[Pair], value: Callable[[Pair], float]) -> Estimate:
    """The mean over pairs, with an expanded interval over resampled language pairs if there are at least five."""
    if not pairs:
        return Estimate(math.nan, 0)
    clusters = list(dict.fromkeys(pair.cluster for pair in pairs))
    found = float(np.mean([value(pair) for pair in pairs]))
    if len(clusters) < MIN_CLUSTERS:
        return Estimate(found, len(pairs))
    return Estimate(found, len(pairs), *_bounds(_drawn_means(pairs, value, clusters), _sizes(pairs)))


def difference_with_interval(
    pairs: Sequence[Pair], others: Sequence[Pair], outcome: Outcome, own_outcome: Outcome | None = None
) -> Estimate:
    """The difference of two shares, with an interval over resampled language pairs if both have at least five.

    A language pair is drawn for both at once. `own_outcome` is that of `pairs`, if it is another one.
    """
    own_outcome = own_outcome or outcome
    value = share(pairs, own_outcome) - share(others, outcome)
    own, other = ({pair.cluster for pair in each} for each in (pairs, others))
    if min(len(own), len(other)) < MIN_CLUSTERS:
        return Estimate(value, len(pairs))
    clusters = list(dict.fromkeys(pair.cluster for pair in (*pairs, *others)))
    drawn = _drawn_means(pairs, own_outcome, clusters) - _drawn_means(others, outcome, clusters)
    sizes = min(_sizes(pairs), _sizes(others), key=effective_number)
    return Estimate(value, len(pairs), *_bounds(drawn, sizes))


def _sizes(pairs: Sequence[Pair]) -> FloatArray:
    """How many pairs each language pair has."""
    return np.bincount(_places(pairs)).astype(np.float64)


def _bounds(drawn: FloatArray, sizes: FloatArray) -> tuple[float, float]:
    """An expanded percentile interval: the wider, the fewer the language pairs and the more unequal they are.

    A resample without a pair has no value, and does not count.
    """
    tail = (1 - expanded_confidence(_CONFIDENCE, effective_number(sizes))) / 2
    low, high = np.nanquantile(drawn, [tail, 1 - tail])
    return float(low), float(high)


def _drawn_means(
    pairs: Sequence[Pair], value: Callable[[Pair], float], clusters: Sequence[tuple[str, str]]
) -> FloatArray:
    """The mean over pairs in each resample of the language pairs."""
    numbers = {cluster: number for number, cluster in enumerate(clusters)}
    places = [numbers[pair.cluster] for pair in pairs]
    drawn = _draws(len(clusters))
    with np.errstate(invalid="ignore"):
        means: FloatArray = (drawn @ np.bincount(places, [float(value(pair)) for pair in pairs], len(clusters))) / (
            drawn @ np.bincount(places, minlength=len(clusters))
        )
    return means


def mean_of_language_pairs(values: Sequence[float]) -> Estimate:
    """The mean of one value for each language pair, with an interval over resampled ones if there are at least five."""
    found = float(np.mean(values))
    if len(values) < MIN_CLUSTERS:
        return Estimate(found, len(values))
    drawn = np.random.default_rng(_SEED).choice(values, size=(_RESAMPLES, len(values))).mean(axis=1)
    return Estimate(found, len(values), *_bounds(drawn, np.ones(len(values))))


def threshold_with_interval(pairs: Sequence[Pair], level: float, outcome: Outcome) -> Estimate:
    """The smallest difference from which on an outcome has a share, by isotonic regression; NaN if none has it.

    A bound beyond all differences is infinite.
    """
    ordered = sorted(pairs, key=lambda pair: pair.difference)
    x = np.array([pair.difference for pair in ordered])
    y = np.array([float(outcome(pair)) for pair in ordered])

    def reached(weights: FloatArray) -> float:
        drawn = weights > 0
        fitted = isotonic_regression(y[drawn], weights=weights[drawn]).x
        place = int(np.searchsorted(fitted, level - 1e-9))
        return float(x[drawn][place]) if place < len(fitted) else math.inf

    value = reached(np.ones(len(ordered))) if ordered else math.inf
    places = _places(ordered)
    bounds = (math.nan, math.nan)
    if (count := len(set(places))) >= MIN_CLUSTERS:
        drawn = [reached(row[places].astype(np.float64)) for row in _draws(count)[:_FITS]]
        tail = (1 - expanded_confidence(_CONFIDENCE, effective_number(_sizes(ordered)))) / 2
        low, high = np.quantile(drawn, [tail, 1 - tail], method="nearest")
        bounds = (float(low), float(high))
    return Estimate(math.nan if math.isinf(value) else value, len(ordered), *bounds)


def _places(pairs: Sequence[Pair]) -> list[int]:
    """The number of the language pair of each pair."""
    numbers: dict[tuple[str, str], int] = {}
    return [numbers.setdefault(pair.cluster, len(numbers)) for pair in pairs]


def _draws(count: int) -> IntArray:
    """How often each language pair is drawn, in each resample."""
    random = np.random.default_rng(_SEED)
    return random.multinomial(count, np.full(count, 1 / count), size=_RESAMPLES)


def by_year(pairs: Iterable[Pair]) -> Mapping[int, list[Pair]]:
    """Pairs by the year of their campaign."""
    found: dict[int, list[Pair]] = {}
    for pair in sorted(pairs, key=lambda each: each.year):
        found.setdefault(pair.year, []).append(pair)
    return found
