"""How many segments and raters it took to tell the systems of WMT24 and WMT25 apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.stats import norm, rankdata
from scipy.stats import t as student

import assay
from assay.labels.numbers import UNDEFINED, joined, number, percent, share_text
from assay.significance.clusters import clusters_by_range, clusters_by_test, ranges_by_neighbours
from assay.significance.randomisation import Randomisation
from assay.types import Campaign, FloatArray, IntArray, Scorable
from assay.types.note import plural
from scripts.studies.judged_pairs import (
    ALPHA,
    campaigns,
    documents_by_segment,
    mean_of_language_pairs,
    segment_scores,
)
from scripts.studies.page import Figure, Page, is_sure, points, table

NAMES = ("wmt24", "wmt25")
SIZES = (25, 50, 100, 150, 200, 300, 450)
DRAWS, SEED = 100, 12345
LEVEL = 0.8
"""The share of the preferences of the whole campaign that a sample must show."""
SMALL = 50
"""Segments of a small sample."""
WAVES = ("esa-human1", "esa-human2")
SINGLY, WHOLE = "segments", "documents"
"""What is drawn: segments one by one, or whole documents, of which the last is cut at the size of the sample."""

Better = npt.NDArray[np.bool_]
"""(system, system): whether the first is significantly better than the second."""


@dataclass(frozen=True)
class Judged:
    """The segments of a language pair that people judged for all systems."""

    name: str
    campaign: Campaign
    systems: tuple[str, ...]
    values: FloatArray
    """(system, segment): the mean of the ratings."""
    ratings: FloatArray
    """The same by rating: WMT25 has two of each paragraph, one block after the other."""
    document: IntArray
    """The number of the document of each segment."""

    @property
    def lp(self) -> str:
        """The language pair."""
        return self.campaign.lp

    @property
    def documents(self) -> int:
        """How many there are."""
        return len(set(self.document.tolist()))

    def take(self, segments: IntArray) -> tuple[FloatArray, FloatArray, IntArray]:
        """Values, ratings and documents of some segments."""
        count = self.values.shape[1]
        blocks = [segments + k * count for k in range(self.ratings.shape[1] // count)]
        return self.values[:, segments], self.ratings[:, np.concatenate(blocks)], self.document[segments]


@dataclass(frozen=True)
class Sampled:
    """What samples show, as means over draws."""

    name: str
    lp: str
    size: int
    drawn: str
    """`segments` or `documents`."""
    kept: float
    """The share of significant preferences of the whole campaign that are significant in the sample."""
    reversed: float
    """The share of pairs in which the sample significantly prefers the system that all segments rank lower."""
    missed: float
    """The share of pairs with a significant preference of the whole campaign that the sample does not show."""
    same_best: float
    """How often the best system is the same."""
    kept_by_document: float
    """`kept`, `reversed` and `missed` where all tests, those of the whole campaign, too, swap whole documents."""
    reversed_by_document: float
    missed_by_document: float
    boundaries: float
    """The share of the boundaries between published clusters that the sample shows."""


def study() -> Page:
    """The page."""
    whole = [judged for name in NAMES for judged in _judged(name)]
    samples = [each for judged in whole for each in _sampled(judged)]
    return Page(
        "How many segments and raters it took to tell the systems of WMT24 and WMT25 apart",
        (
            "Segments that people judged for all systems of a language pair (ESA), without references; those of WMT25 "
            "are paragraphs with two ratings, whose mean counts. Preferences are tested in two ways (one-sided, "
            f"p < {ALPHA:g}): *by segments*, a paired t-test that takes segments as independent, and *by documents*, "
            "approximate randomisation that swaps whole documents, because the segments of a document depend on each "
            f"other. {DRAWS} samples without replacement: of single segments, and of whole documents in random order, "
            "as campaigns choose them, the last one cut at the size of the sample. Samples come from the segments that "
            "they are compared with, so new segments would agree less often.",
            "## All segments",
            table(
                (
                    *("campaign", "language pair", "systems", "common segments", "documents"),
                    *("significant by segments", "by documents", "published clusters", "boundaries shown"),
                ),
                [_whole_row(each) for each in whole],
                texts=2,
            ),
            "*Published clusters* are those of the rank ranges of the organisers (`assay rank --preset wmt24` and "
            "`wmt25`), which have the references, too. A sample shows the boundary between two of them if its own "
            "clusters, by the tests and rules of the organisers (signed-rank, two-sided, "
            f"p < {ALPHA:g}, each rating counts; here without domains and references), have one with the same systems "
            "above. *Boundaries shown*: by all common segments, which are fewer than the organisers had.",
            "## Samples of single segments and of whole documents",
            "*Kept*: of the significant preferences of all segments, those that a sample shows; *reversed*: pairs with "
            "a significant preference for the system that all segments put behind; *same best*: the best system is "
            "that of all segments. Means over language pairs that have more segments than the sample.",
            table(
                (
                    *("campaign", "segments", "language pairs", "single segments: kept", "reversed", "same best"),
                    *("whole documents: kept", "reversed", "same best"),
                    *("documents, tested by documents: kept", "reversed"),
                ),
                list(_size_rows(samples)),
                texts=1,
            ),
            _figure(samples),
            f"The smallest of these samples of whole documents that keeps {percent(LEVEL)} of the preferences, by "
            "language pair:",
            table(
                ("campaign", "language pair", "by segments", "by documents"),
                list(_enough_rows(samples, whole)),
                texts=2,
            ),
            "## When the published clusters were reached",
            "Boundaries between published clusters that samples of whole documents show (mean over draws), by number "
            "of segments; for WMT25 with both ratings, and at last one rating of all common paragraphs (the mean of "
            "both waves).",
            table(
                (
                    *("campaign", "language pair", "boundaries"),
                    *(map(str, SIZES)),
                    *("all", "all, one rating"),
                ),
                list(_boundary_rows(samples, whole)),
                texts=2,
            ),
            "## One rating or two",
            "The pairs of systems of WMT25 with a significant preference, by the ratings of one wave (the mean of both "
            "waves) and by the mean of two ratings, on the same paragraphs. Two ratings of *half the paragraphs* (or "
            "of *half the documents*, cut at half the paragraphs) cost as much as *one rating*.",
            *(
                part
                for unit in UNITS
                for part in (
                    f"Tested by {unit}:",
                    table(
                        ("language pair", "two ratings", "one rating", "half the paragraphs", "half the documents"),
                        list(_rater_rows(unit)),
                    ),
                )
            ),
        ),
        _said(samples, {unit: _raters(unit) for unit in UNITS}),
    )


@cache
def _judged(name: str) -> tuple[Judged, ...]:
    found = (each for each in campaigns(name) if any(table.name == "esa" for table in each.human))
    return tuple(_cells(each, WAVES if name == "wmt25" else ()) for each in found)


def _cells(campaign: Campaign, waves: Sequence[str] = ()) -> Judged:
    """The scores of segments that are judged for all systems, in each of the waves if there are any."""
    tables = [segment_scores(campaign, name) for name in ("esa", *waves)]
    rows = [dict(zip(each.systems, each.oriented, strict=True)) for each in tables]
    systems = [name for name, row in rows[0].items() if name not in campaign.references and not np.isnan(row).all()]
    values, *ratings = (np.array([row[name] for name in systems]) for row in rows)
    common = np.flatnonzero(~np.isnan(np.concatenate([values, *ratings])).any(axis=0))
    names = documents_by_segment(campaign, "esa")
    if not names:
        raise ValueError(f"the documents of {campaign.label} are not known")
    numbers: dict[str, int] = {}
    document = np.array([numbers.setdefault(names[k], len(numbers)) for k in common.tolist()])
    single = np.concatenate([each[:, common] for each in ratings or [values]], axis=1)
    return Judged(campaign.name, campaign, tuple(systems), values[:, common], single, document)


def _by_segments(values: FloatArray, document: IntArray) -> Better:
    """One-sided paired t-tests: the product's, of all pairs at once."""
    del document
    count = values.shape[1]
    means = values.mean(axis=1)
    covariance = np.cov(values)
    variance = np.diag(covariance)[:, np.newaxis] + np.diag(covariance) - 2 * covariance
    with np.errstate(invalid="ignore", divide="ignore"):
        statistic = (means[:, np.newaxis] - means) / np.sqrt(np.maximum(variance, 0) / count)
    better: Better = np.nan_to_num(statistic, nan=0.0) > student.ppf(1 - ALPHA, count - 1)
    return better


def _by_documents(values: FloatArray, document: IntArray) -> Better:
    """Approximate randomisation of whole documents: the sums of their segments are swapped."""
    _, place = np.unique(document, return_inverse=True)
    sums: FloatArray = np.stack([np.bincount(place, row).astype(np.float64) for row in values])
    p_values = Randomisation().compare_all(Scorable.of_segments(sums, tuple(map(str, range(len(sums)))))).p
    better: Better = np.nan_to_num(p_values, nan=1.0) < ALPHA
    return better


UNITS: Mapping[str, Callable[[FloatArray, IntArray], Better]] = {"segments": _by_segments, "documents": _by_documents}
"""How preferences are tested."""


def _by_ranks(ratings: FloatArray) -> Better:
    """Signed-rank tests as the organisers make them: two-sided, on single ratings, without correction for continuity.

    Zeros are dropped: they have the lowest ranks, which the ranks of all others are reduced by.
    """
    first, second = np.triu_indices(len(ratings), k=1)
    differences = ratings[first] - ratings[second]
    zeros = (differences == 0).sum(axis=1, keepdims=True)
    ranks = np.where(differences == 0, 0.0, rankdata(np.abs(differences), axis=1) - zeros)
    with np.errstate(invalid="ignore", divide="ignore"):
        statistic = (np.sign(differences) * ranks).sum(axis=1) / np.sqrt((ranks**2).sum(axis=1))
    better = np.zeros((len(ratings), len(ratings)), dtype=np.bool_)
    critical = norm.isf(ALPHA / 2)
    better[first, second], better[second, first] = statistic > critical, statistic < -critical
    return better


@cache
def _published(name: str, lp: str) -> dict[str, int]:
    """The published cluster of each system."""
    campaign = next(each.campaign for each in _judged(name) if each.lp == lp)
    return {each.system: each.cluster or 1 for each in assay.rank(campaign, preset=name).systems}


@cache
def _boundaries(name: str, lp: str) -> frozenset[frozenset[str]]:
    """The boundaries between the published clusters, each as the set of the systems above it, without references."""
    published = _published(name, lp)
    systems = next(each.systems for each in _judged(name) if each.lp == lp)
    numbers = sorted({published[system] for system in systems})
    return frozenset(frozenset(system for system in systems if published[system] < k) for k in numbers[1:])


def _boundaries_shown(judged: Judged, ratings: FloatArray) -> float:
    """The share of the boundaries between published clusters that the clusters of some ratings have; NaN without any.

    The clusters of WMT24 are those whose systems all differ from each other's, those of WMT25 follow from the next
    systems that differ.
    """
    order = np.argsort(-ratings.mean(axis=1), kind="stable")
    better = _by_ranks(ratings)[np.ix_(order, order)]
    if judged.name == "wmt24":
        clusters = clusters_by_test(better | better.T)
    else:
        clusters = clusters_by_range(*ranges_by_neighbours(np.triu(better)))
    starts = np.flatnonzero(np.diff(clusters)) + 1
    found = {frozenset(judged.systems[k] for k in order[:start].tolist()) for start in starts.tolist()}
    published = _boundaries(judged.name, judged.lp)
    return len(published & found) / len(published) if published else math.nan


def _draw(judged: Judged, size: int, drawn: str, random: np.random.Generator) -> IntArray:
    """The segments of a sample."""
    if drawn == SINGLY:
        return random.choice(judged.values.shape[1], size, replace=False)
    order = random.permutation(judged.document.max() + 1)[judged.document]
    return np.argsort(order, kind="stable")[:size]


@dataclass(frozen=True)
class _Whole:
    """What all segments show."""

    better: Better
    by_document: Better
    means: FloatArray

    @property
    def behind(self) -> Better:
        """Whether the first has the lower mean."""
        behind: Better = self.means[:, np.newaxis] < self.means
        return behind


@cache
def _whole(name: str, lp: str) -> _Whole:
    judged = next(each for each in _judged(name) if each.lp == lp)
    return _whole_of(judged)


def _whole_of(judged: Judged) -> _Whole:
    better, by_document = (test(judged.values, judged.document) for test in (_by_segments, _by_documents))
    return _Whole(better, by_document, judged.values.mean(axis=1))


def _sampled(judged: Judged) -> Iterator[Sampled]:
    random = np.random.default_rng(SEED)
    whole = _whole_of(judged)
    pairs = len(judged.values) * (len(judged.values) - 1) / 2
    for size in SIZES:
        for drawn in (SINGLY, WHOLE) if size < judged.values.shape[1] else ():
            found = []
            for _ in range(DRAWS):
                values, ratings, document = judged.take(_draw(judged, size, drawn, random))
                row = list(_compared(_by_segments(values, document), whole.better, whole.behind, pairs))
                row.append(float(values.mean(axis=1).argmax() == whole.means.argmax()))
                if drawn == WHOLE:
                    seen = _by_documents(values, document)
                    row += [*_compared(seen, whole.by_document, whole.behind, pairs)]
                    row.append(_boundaries_shown(judged, ratings))
                else:
                    row += [math.nan] * 4
                found.append(row)
            yield Sampled(judged.name, judged.lp, size, drawn, *np.mean(found, axis=0).tolist())


def _compared(seen: Better, better: Better, behind: Better, pairs: float) -> tuple[float, float, float]:
    """Kept, reversed and missed."""
    return (
        float((seen & better).sum() / max(better.sum(), 1)),
        float((seen & behind).sum() / pairs),
        float((better & ~seen).sum() / pairs),
    )


def _share_of_pairs(better: Better) -> float:
    count = len(better)
    return float(better.sum()) / (count * (count - 1) / 2)


def _whole_row(judged: Judged) -> tuple[str, ...]:
    systems, segments = judged.values.shape
    whole = _whole(judged.name, judged.lp)
    pairs = systems * (systems - 1) // 2
    clusters = max(_published(judged.name, judged.lp).values())
    return (
        *(judged.name, judged.lp, str(systems), str(segments), str(judged.documents)),
        f"{share_text(_share_of_pairs(whole.better))} of {pairs}",
        share_text(_share_of_pairs(whole.by_document)),
        str(clusters),
        _of_boundaries(judged, judged.ratings),
    )


def _of_boundaries(judged: Judged, ratings: FloatArray) -> str:
    count = len(_boundaries(judged.name, judged.lp))
    return f"{round(count * _boundaries_shown(judged, ratings))} of {count}" if count else "0 of 0"


def _of(samples: Sequence[Sampled], name: str, size: int, drawn: str = WHOLE) -> list[Sampled]:
    return [each for each in samples if (each.name, each.size, each.drawn) == (name, size, drawn)]


def _mean(samples: Sequence[Sampled], field: str) -> float:
    return float(np.mean([getattr(each, field) for each in samples]))


def _size_rows(samples: Sequence[Sampled]) -> Iterator[tuple[str, ...]]:
    for name in NAMES:
        for size in SIZES:
            singly, documents = (_of(samples, name, size, drawn) for drawn in (SINGLY, WHOLE))
            if singly:
                cells = [
                    *(share_text(_mean(singly, "kept")), _small(_mean(singly, "reversed"))),
                    share_text(_mean(singly, "same_best")),
                    *(share_text(_mean(documents, "kept")), _small(_mean(documents, "reversed"))),
                    share_text(_mean(documents, "same_best")),
                    *(share_text(_mean(documents, "kept_by_document")),),
                    _small(_mean(documents, "reversed_by_document")),
                ]
                yield name, str(size), str(len(singly)), *cells


def _small(share: float) -> str:
    """A share that may be below 1 %."""
    return f"{number(100 * share, 1)} %"


def _enough_rows(samples: Sequence[Sampled], whole: Sequence[Judged]) -> Iterator[tuple[str, ...]]:
    for judged in whole:
        own = [each for each in samples if (each.name, each.lp, each.drawn) == (judged.name, judged.lp, WHOLE)]
        sizes = (
            min((each.size for each in own if getattr(each, field) >= LEVEL), default=None)
            for field in ("kept", "kept_by_document")
        )
        segments = judged.values.shape[1]
        shown = ("none of them" if size is None else f"{size} of {segments}" for size in sizes)
        yield judged.name, judged.lp, *shown


def _boundary_rows(samples: Sequence[Sampled], whole: Sequence[Judged]) -> Iterator[tuple[str, ...]]:
    for judged in whole:
        by_size = {
            each.size: each
            for each in samples
            if (each.name, each.lp) == (judged.name, judged.lp) and each.drawn == WHOLE
        }
        cells = (share_text(by_size[size].boundaries) if size in by_size else UNDEFINED for size in SIZES)
        count = len(_boundaries(judged.name, judged.lp))
        one = _one_rating(judged)
        shown = (_boundaries_shown(judged, judged.ratings), _mean_of(one, judged) if one else math.nan)
        yield judged.name, judged.lp, str(count), *cells, *map(share_text, shown)


def _one_rating(judged: Judged) -> list[FloatArray]:
    """The ratings of each wave; nothing if there is a single one."""
    blocks = judged.ratings.shape[1] // judged.values.shape[1]
    return list(np.split(judged.ratings, blocks, axis=1)) if blocks > 1 else []


def _mean_of(waves: Sequence[FloatArray], judged: Judged) -> float:
    return float(np.mean([_boundaries_shown(judged, each) for each in waves]))


@dataclass(frozen=True)
class Raters:
    """The share of pairs with a significant preference in a language pair."""

    two: float
    one: float
    half_paragraphs: float
    """Two ratings of half of the paragraphs."""
    half_documents: float
    """Two ratings of half of the paragraphs, in whole documents."""


@cache
def _raters(unit: str) -> dict[str, Raters]:
    """By language pair of WMT25."""
    found, test = {}, UNITS[unit]
    for judged in _judged("wmt25"):
        random = np.random.default_rng(SEED)
        half = judged.values.shape[1] // 2
        halves = [
            [
                _share_of_pairs(test(values, document))
                for _ in range(DRAWS)
                for values, _, document in [judged.take(_draw(judged, half, drawn, random))]
            ]
            for drawn in (SINGLY, WHOLE)
        ]
        waves = [_share_of_pairs(test(wave, judged.document)) for wave in _one_rating(judged)]
        shares = (float(np.mean(each)) for each in (waves, *halves))
        found[judged.lp] = Raters(_share_of_pairs(test(judged.values, judged.document)), *shares)
    return found


def _columns(raters: Mapping[str, Raters]) -> list[tuple[float, ...]]:
    """Each share over language pairs."""
    rows = [(each.two, each.one, each.half_paragraphs, each.half_documents) for each in raters.values()]
    return list(zip(*rows, strict=True))


def _rater_rows(unit: str) -> Iterator[tuple[str, ...]]:
    raters = _raters(unit)
    for lp, each in raters.items():
        yield lp, *map(share_text, (each.two, each.one, each.half_paragraphs, each.half_documents))
    yield "mean", *(share_text(mean_of_language_pairs(shares)) for shares in _columns(raters))


def _figure(samples: Sequence[Sampled]) -> Figure:
    rows = []
    for name in NAMES:
        for size in SIZES:
            for drawn, field, role, words in (
                (SINGLY, "kept", "second", "singly"),
                (WHOLE, "kept_by_document", "first", "in documents"),
            ):
                if found := [getattr(each, field) for each in _of(samples, name, size, drawn)]:
                    label = f"{name.upper()}, {size} {words} ({len(found)})"
                    row = {"name": label, "value": float(np.mean(found)), "low": min(found), "high": max(found)}
                    rows.append({**row, "role": role})
    return Figure(
        "kept",
        "Significant preferences of the whole campaign that a sample shows",
        "Orange: segments drawn singly, tested by segments; blue: whole documents, tested by documents. Mean over "
        "language pairs (their number), and from the lowest to the highest",
        "share of preferences",
        rows,
    )


def _said(samples: Sequence[Sampled], raters: Mapping[str, Mapping[str, Raters]]) -> tuple[str, str, str]:
    return _said_of_sizes(samples), _said_of_small_samples(samples), _said_of_raters(raters)


def _said_of_sizes(samples: Sequence[Sampled]) -> str:
    """The size that the other language pairs of a campaign call for, tried on each language pair in turn."""
    parts, clusters = [], []
    for field, unit in (("kept", "segments"), ("kept_by_document", "documents")):
        found = []
        for name, kind in (("wmt24", "segments"), ("wmt25", "paragraphs with two ratings")):
            size = _needed(samples, name, field)
            if size is None:
                found.append(f"no sample of {name.upper()}")
                continue
            kept = mean_of_language_pairs([getattr(each, field) for each in _of(samples, name, size)])
            tried = list(_tried(samples, name, field))
            found.append(
                f"{size} {kind} of {name.upper()} ({share_text(kept)}; chosen on the other language pairs, "
                f"{share_text(min(tried))} to {share_text(max(tried))} in the one left out)"
            )
            if unit == "documents":
                clusters.append(f"{share_text(_mean(_of(samples, name, size), 'boundaries'))} in {name.upper()}")
        parts.append(f"{joined(found)} if tested by {unit}")
    shown = f"; these last show {joined(clusters)} of the boundaries between published clusters" if clusters else ""
    return (
        f"To show {percent(LEVEL)} of the preferences of the whole campaign on average, judge whole documents of "
        f"{'; '.join(parts)}{shown}."
    )


def _needed(samples: Sequence[Sampled], name: str, field: str, without: str = "") -> int | None:
    """The smallest size whose samples of whole documents keep enough on average, in all language pairs but one.

    Only sizes that every language pair has count.
    """
    lps = {each.lp for each in samples if each.name == name}
    for size in SIZES:
        found = _of(samples, name, size)
        others = [getattr(each, field) for each in found if each.lp != without]
        if len(found) == len(lps) and others and float(np.mean(others)) >= LEVEL:
            return size
    return None


def _tried(samples: Sequence[Sampled], name: str, field: str) -> Iterator[float]:
    """What the size that the other language pairs call for keeps in each."""
    for lp in dict.fromkeys(each.lp for each in samples if each.name == name):
        size = _needed(samples, name, field, lp)
        if size is not None:
            yield next(getattr(each, field) for each in _of(samples, name, size) if each.lp == lp)


def _said_of_small_samples(samples: Sequence[Sampled]) -> str:
    """Of whole documents, by both tests; the claim holds for both campaigns, or is not made."""
    gaps = []
    for name in NAMES:
        for suffix in ("", "_by_document"):
            small = _of(samples, name, SMALL)
            missed, wrong = ([getattr(each, f"{field}{suffix}") for each in small] for field in ("missed", "reversed"))
            gaps.append(mean_of_language_pairs([one - other for one, other in zip(missed, wrong, strict=True)]))
    if all(is_sure(gap) and gap.value > 0 for gap in gaps):
        said = "A small sample misses more than it gets wrong, but it gets some wrong"
    elif all(is_sure(gap) and gap.value < 0 for gap in gaps):
        said = "A small sample gets more wrong than it misses"
    else:
        said = "It is not shown whether a small sample misses more than it gets wrong"
    parts = []
    for name in NAMES:
        small, singly = _of(samples, name, SMALL), _of(samples, name, SMALL, SINGLY)
        parts.append(
            f"{SMALL} segments of {name.upper()} miss the preference of {share_text(_mean(small, 'missed'))} of the "
            f"pairs (by documents {share_text(_mean(small, 'missed_by_document'))}) and reverse that of "
            f"{_small(_mean(small, 'reversed'))} (by documents {_small(_mean(small, 'reversed_by_document'))}; "
            f"{_small(_mean(singly, 'reversed'))} if segments could be drawn singly), and the best system is another "
            f"one in {share_text(1 - _mean(small, 'same_best'))} of the samples"
        )
    return f"{said}: in whole documents, {'; '.join(parts)}."


def _said_of_raters(raters: Mapping[str, Mapping[str, Raters]]) -> str:
    """Two ratings of half against one of all, by both tests and for both halves."""
    halves = {"half_paragraphs": "half the paragraphs", "half_documents": "half the documents"}
    gains = {
        (unit, field): [getattr(each, field) - each.one for each in by_lp.values()]
        for unit, by_lp in raters.items()
        for field in halves
    }
    means = {key: mean_of_language_pairs(values) for key, values in gains.items()}
    said = {key: f"{halves[key[1]]}, tested by {key[0]}" for key in means}
    claims = [
        f"two ratings of {joined([said[key] for key in keys])}, are surely {word} than one of all"
        for word, sign in (("better", 1), ("worse", -1))
        if (keys := [key for key, mean in means.items() if is_sure(mean) and mean.value * sign > 0])
    ]
    claim = joined(claims) or "it is not shown whether to judge more segments once or fewer twice"
    rest = ", and for the others it is not shown" if claims and sum(map(is_sure, means.values())) < len(means) else ""
    parts = [
        f"{points(mean)} ({said[key]}; better in {sum(value > 0 for value in gains[key])} of "
        f"{plural(len(gains[key]), 'language pair')})"
        for key, mean in means.items()
    ]
    return (
        f"If you pay by rating, {claim}{rest}: two ratings of half against one of all tell apart more of the pairs of "
        f"systems by {joined(parts)} percentage points. This is WMT25 alone; no other campaign here has two ratings."
    )
