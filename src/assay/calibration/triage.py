"""Which segments can be released unedited: a threshold that keeps a promised error rate, tested on all judgements.

Thresholds are tested in an order that only depends on the scores: from a few strict ones on, each down to ever lower
ones, until one of them is not shown to keep the promise (fixed-sequence tests with several starts; Angelopoulos et al.
2021, Learn then Test). What a sequence tests needs no further correction, and each start has its share of the
probability of an error, so that all of the confidence is left for the lowest threshold that is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assay.aggregate.unit_intervals import FEW_UNITS, effective_number, unit_sizes
from assay.calibration.document_bounds import highest_rate, is_at_most, lowest_bound, lowest_rate
from assay.calibration.error_free import RatedLanguagePair
from assay.calibration.isotonic import fit_isotonic
from assay.errors import InputError
from assay.lazily import numpy as np
from assay.results import Estimate, HeldOut, PairErrors, SystemErrors, TriagedSegment
from assay.results.triage import FEW_JUDGEMENTS
from assay.types import FloatArray, IntArray, Note, NoteKind, ScoreTable
from assay.types.note import listed, plural

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "Judgements",
    "Promise",
    "Threshold",
    "bounded_rate",
    "chosen_threshold",
    "decided",
    "held_out_pairs",
    "held_out_parts",
    "rates_by_pair",
    "rates_by_system",
    "scale_notes",
    "unequal_documents",
    "withheld",
]

_CANDIDATES = 100
_MIN_DOCUMENTS = 10
_PARTS = 5
_MAX_NAMED = 8
_STARTS = (0.05, 0.2, 0.5, 1.0)  # released shares at which tests start
_UNEQUAL = 200  # per cent of the mean size that the largest document has
_MIN_BETWEEN = 0.05  # of judged scores, between the lowest and the highest new one
_MIN_NEW = 3
_MOST_OUTSIDE = 0.5  # of new scores, before they are taken for those of another metric


@dataclass(frozen=True, slots=True)
class Promise:
    """At most this share of what is released has errors, with this confidence."""

    rate: float
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """Scores of judged outputs, whether the rating found an error, the documents and systems, of one or more pairs."""

    score: FloatArray
    has_error: npt.NDArray[np.bool_]
    document: IntArray
    system: npt.NDArray[np.str_]
    unit: str = "document"
    """`segment`: documents are not known, and segments stand for them."""
    output: IntArray | None = None
    """Of which output each judgement is; None: each is of another one."""
    segment: IntArray | None = None
    """The segment of each judgement, counted in its language pair; None: each is of another one."""

    @classmethod
    def of(cls, metric: str, pairs: Sequence[RatedLanguagePair]) -> Judgements:
        """The ratings of outputs that the metric scored. A document of several language pairs is a single one."""
        scores, errors, documents, systems, outputs, segments = [], [], [], [], [], []
        numbers: dict[tuple[str, ...], int] = {}
        first = 0
        for pair in pairs:
            if (score := pair.scores.get(metric)) is None:
                continue
            known = ~np.isnan(score)
            scores.append(score[known])
            errors.append(~pair.is_free[known])
            documents.append(_numbered(pair, numbers)[known])
            systems.append(np.array(pair.ratings.systems)[pair.ratings.system[known]])
            output = np.unique(np.array(pair.outputs.outputs).reshape(-1, 2), axis=0, return_inverse=True)[1].ravel()
            outputs.append(output[known] + first)
            segments.append(pair.ratings.segment[known])
            first += int(output.max(initial=-1)) + 1
        if not scores:
            return cls(
                np.zeros(0), np.zeros(0, dtype=np.bool_), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.str_)
            )
        units = {pair.outputs.units.unit for pair in pairs if metric in pair.scores}
        unit = units.pop() if len(units) == 1 else "segment"
        return cls(
            np.concatenate(scores),
            np.concatenate(errors),
            np.concatenate(documents),
            np.concatenate(systems),
            unit,
            np.concatenate(outputs),
            np.concatenate(segments),
        )

    def __len__(self) -> int:
        return len(self.score)

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return len(np.unique(self.document))

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest score."""
        return float(self.score.min()), float(self.score.max())

    def take(self, rows: npt.NDArray[np.bool_]) -> Judgements:
        """The rows of a mask."""
        return replace(
            self,
            score=self.score[rows],
            has_error=self.has_error[rows],
            document=self.document[rows],
            system=self.system[rows],
            output=None if self.output is None else self.output[rows],
            segment=None if self.segment is None else self.segment[rows],
        )

    @property
    def by_document(self) -> tuple[FloatArray, FloatArray]:
        """The number of errors and of judgements of each document."""
        place = np.unique(self.document, return_inverse=True)[1]
        return np.bincount(place, self.has_error).astype(np.float64), unit_sizes(place)

    def above(self, threshold: float) -> Judgements:
        """Those with at least this score."""
        return self.take(self.score >= threshold)

    @property
    def longest(self) -> int:
        """How many judged segments the longest document has."""
        segment = np.arange(len(self)) if self.segment is None else self.segment
        cells = np.unique(np.stack([self.document, segment]), axis=1)
        return int(np.unique(cells[0], return_counts=True)[1].max(initial=0))

    @property
    def found_by_any(self) -> Estimate:
        """Of the outputs with several judgements, the share in which at least one found an error."""
        if self.output is None:
            return Estimate(math.nan, 0)
        place, counts = np.unique(self.output, return_inverse=True, return_counts=True)[1:]
        several = counts > 1
        errors = np.bincount(place, self.has_error)
        return Estimate(float((errors[several] > 0).mean()) if several.any() else math.nan, int(several.sum()))


def _numbered(pair: RatedLanguagePair, numbers: dict[tuple[str, ...], int]) -> IntArray:
    """The document of each rating by its number, which is the same in all language pairs of a campaign."""
    names = pair.document_names or map(str, pair.outputs.units.number.tolist())
    of = (pair.campaign,) if pair.document_names else (pair.campaign, pair.label)
    return np.array([numbers.setdefault((*of, name), len(numbers)) for name in names], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Threshold:
    """The threshold (NaN: none, for a reason), and what the judgements from it on show."""

    threshold: float
    reason: str
    error_rate: Estimate
    released_share: float
    best: Estimate


def bounded_rate(judged: Judgements, tail: float) -> Estimate:
    """The error rate with a lower and an upper bound, each of which is wrong with this probability."""
    n = len(judged)
    if not n:
        return Estimate(math.nan, 0, reason="no judged segment has such a score")
    errors, sizes = judged.by_document
    low, high = lowest_rate(errors, sizes, tail), highest_rate(errors, sizes, tail)
    return Estimate(float(judged.has_error.mean()), n, low, high)


def _at_most(judged: Judgements, tail: float) -> Estimate:
    """The error rate with an upper bound only."""
    high = highest_rate(*judged.by_document, tail)
    return Estimate(float(judged.has_error.mean()), len(judged), high=high)


def chosen_threshold(judged: Judgements, promise: Promise) -> Threshold:
    """The lowest threshold that is shown to keep a promise, or why there is none."""
    nothing = Estimate(math.nan, 0)
    units = plural(judged.documents, f"judged {judged.unit}")
    if judged.documents < _MIN_DOCUMENTS:
        reason = f"there are {units}, fewer than {_MIN_DOCUMENTS}"
        return Threshold(math.nan, reason, nothing, math.nan, nothing)
    candidates, starts = _candidates(judged)
    tail = (1 - promise.confidence) / max(len(starts), 1)
    shown: set[float] = set()
    for start in starts:
        for threshold in candidates[start:]:
            if threshold not in shown and not is_at_most(promise.rate, *judged.above(threshold).by_document, tail):
                break
            shown.add(threshold)
    if shown:
        rate = _at_most(judged.above(min(shown)), tail)
        return Threshold(min(shown), "", rate, rate.n / len(judged), rate)
    best = min((_at_most(judged.above(candidates[start]), tail) for start in starts), key=lambda rate: rate.high)
    if best.value > promise.rate:
        reason = "people found more errors than promised even in the best-scored segments"
    elif (lowest := _lowest(judged, [candidates[start] for start in starts], tail)) > promise.rate:
        sizes = judged.by_document[1]
        share = 100 * sizes.max() / sizes.sum()
        of = f", of which the largest has {share:.0f} % of the judgements," if len(sizes) * share > _UNEQUAL else ""
        reason = f"{units}{of} can at best show that no more than {100 * lowest:.1f} % have errors"
    else:
        reason = f"the best-scored segments are of too few {judged.unit}s to show it"
    return Threshold(math.nan, reason, nothing, math.nan, best)


def _lowest(judged: Judgements, starts: Sequence[float], tail: float) -> float:
    """The lowest bound that the documents could show, had they no error at all."""
    return min(lowest_bound(judged.above(start).by_document[1], tail) for start in starts)


def unequal_documents(judged: Judgements) -> Iterator[Note]:
    """A note if few documents decide, or documents of so different sizes that they count as few."""
    sizes = judged.by_document[1]
    count, effective = len(sizes), effective_number(sizes)
    if not count or effective >= FEW_UNITS:
        return
    text = f"the promise rests on {plural(count, judged.unit)}"
    if count * 100 * sizes.max() / sizes.sum() > _UNEQUAL:
        share = f"{100 * sizes.max() / sizes.sum():.0f} %"
        text += f" of very different sizes, which count as {effective:.1f} of equal size (the largest has {share})"
    yield Note(NoteKind.ADVICE, f"{text}: the fewer they are, the less can be promised", count=count)


def _candidates(judged: Judgements) -> tuple[list[float], list[int]]:
    """The thresholds to test, the strictest first, and the places where tests start: by the scores only."""
    quantiles = np.quantile(judged.score, np.linspace(0, 1, _CANDIDATES), method="higher")
    found, shares = [], []
    for threshold in np.unique(quantiles)[::-1].tolist():
        above = judged.above(threshold)
        if above.documents >= _MIN_DOCUMENTS and len(above) >= FEW_JUDGEMENTS:
            found.append(threshold)
            shares.append(len(above) / len(judged))
    places = (next((place for place, share in enumerate(shares) if share >= start), None) for start in _STARTS)
    return found, sorted({place for place in places if place is not None})


def rates_by_system(judged: Judgements, confidence: float) -> tuple[SystemErrors, ...]:
    """The error rate of each system, the highest first; a system with few judgements comes last."""
    tail = (1 - confidence) / 2
    found = [
        SystemErrors(name, bounded_rate(judged.take(judged.system == name), tail))
        for name in np.unique(judged.system).tolist()
    ]
    return tuple(
        sorted(found, key=lambda each: (each.error_rate.n < FEW_JUDGEMENTS, -each.error_rate.value, each.system))
    )


def rates_by_pair(
    metric: str, pairs: Sequence[RatedLanguagePair], threshold: float, promise: Promise
) -> tuple[PairErrors, ...]:
    """What the threshold of all language pairs together does in each of them, and the threshold of each by itself."""
    found = []
    for pair in pairs:
        own = Judgements.of(metric, [pair])
        above = own.above(math.inf if math.isnan(threshold) else threshold)
        alone = chosen_threshold(own, promise)
        rate = bounded_rate(above, (1 - promise.confidence) / 2)
        found.append(PairErrors(pair.label, len(own), rate, alone.threshold, alone.reason))
    return tuple(found)


def withheld(found: Threshold, broken: Mapping[str, float]) -> Threshold:
    """No threshold, because of the error rates of language pairs, although all of them together keep the promise."""
    kept = f"all language pairs together keep the promise from a score of {found.threshold:.4g} on"
    pairs = listed((f"{pair} ({100 * rate:.1f} %)" for pair, rate in broken.items()), _MAX_NAMED)
    reason = f"people found more errors than promised in {pairs}, although {kept}"
    return Threshold(math.nan, reason, Estimate(math.nan, 0), math.nan, found.error_rate)


def held_out_pairs(metric: str, pairs: Sequence[RatedLanguagePair], promise: Promise) -> tuple[HeldOut, ...]:
    """For each language pair, what the threshold of the others does there."""
    found = []
    for pair in pairs:
        own = Judgements.of(metric, [pair])
        if len(own):
            others = Judgements.of(metric, [other for other in pairs if other is not pair])
            found.append(_held_out(pair.label, others, own, promise))
    return tuple(found)


def held_out_parts(metric: str, pair: RatedLanguagePair, promise: Promise, seed: int) -> tuple[HeldOut, ...]:
    """For each of some random parts of the documents of a language pair, what the threshold of the others does there.

    `seed` draws the parts.
    """
    own = Judgements.of(metric, [pair])
    documents = np.random.default_rng(seed).permutation(np.unique(own.document))
    found = []
    for number, part in enumerate(np.array_split(documents, _PARTS), 1):
        is_out = np.isin(own.document, part)
        found.append(_held_out(f"{pair.label}, part {number}", own.take(~is_out), own.take(is_out), promise))
    return tuple(found)


def _held_out(part: str, others: Judgements, own: Judgements, promise: Promise) -> HeldOut:
    threshold = chosen_threshold(others, promise).threshold
    released = own.above(math.inf if math.isnan(threshold) else threshold)
    rate = bounded_rate(released, (1 - promise.confidence) / 2)
    return HeldOut(part, len(own), threshold, len(released), rate)


def decided(table: ScoreTable, threshold: float, known: Judgements) -> Iterator[TriagedSegment]:
    """Each new segment with the decision on it; raise if the scores are plainly of another scale."""
    values: FloatArray = table.oriented
    low, high = known.range
    probability = fit_isotonic(known.score, (~known.has_error).astype(np.float64))(values.ravel()).reshape(values.shape)
    given = values[~np.isnan(values)]
    outside = float(((given < low) | (given > high)).mean()) if len(given) else 0.0
    if outside > _MOST_OUTSIDE:
        raise InputError(
            f"{100 * outside:.0f} % of the new scores are outside {low:.4g} to {high:.4g}, where people judged: they "
            "are probably of another metric, version or sign",
            path=table.origin or None,
        )
    for row, system in enumerate(table.systems):
        for column, score in enumerate(values[row].tolist()):
            item = table.items[column] if table.items else ""
            decision = _decision(score, threshold, low, high)
            is_known = decision in ("release", "edit")
            chance = float(probability[row, column]) if is_known else math.nan
            yield TriagedSegment(system, column + 1, item, score, chance, decision)


def scale_notes(table: ScoreTable, known: Judgements) -> tuple[Note, ...]:
    """A note on new scores that all lie where hardly any judged ones do: they may be on another scale.

    Of three scores from the same distribution, less than 5 % of it lies between the lowest and the highest in 1 case of
    138; of more, in fewer.
    """
    given = table.oriented[~np.isnan(table.oriented)]
    if len(given) < _MIN_NEW:
        return ()
    low, high = float(given.min()), float(given.max())
    share = float(((known.score >= low) & (known.score <= high)).mean())
    if share >= _MIN_BETWEEN:
        return ()
    first, last = sorted((low, high) if table.higher_is_better else (-low, -high))
    text = (
        f"all new scores are between {first:.4g} and {last:.4g}, where only {100 * share:.0f} % of the judged ones "
        "are: are they of the same metric, on the same scale?"
    )
    return (Note(NoteKind.SUSPECT, text, table.origin, len(given), "warning"),)


def _decision(score: float, threshold: float, low: float, high: float) -> str:
    if math.isnan(score):
        return "no score"
    if not low <= score <= high:
        return "outside"
    return "release" if score >= threshold else "edit"
