"""`assay.agree`: scores of a metric and of people in, how far they agree out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from assay import aggregate
from assay.agreement import Batch, Statistic, Values
from assay.agreement import statistic as statistic_registry
from assay.agreement.chance import chance_level
from assay.errors import ConfigError, InputError, PluginError, nearest
from assay.people.outliers import CUTOFF, find_outliers
from assay.registry import option_text
from assay.resample import Bootstrap
from assay.results import Agreement, Estimate
from assay.study.gold import gold_of
from assay.study.pairing import GROUPINGS, Paired, each
from assay.study.preferences import PairedRankings
from assay.study.scoring import default_threads
from assay.types import FloatArray, IntArray, Rankings, ScoreTable, select

__all__ = ["AVERAGES", "OUTLIER", "OUTLIERS", "Question", "agree", "values_of_parts"]

AVERAGES = ("macro", "micro")
OUTLIERS = ("keep", "drop", "both")
OUTLIER = "an outlier in the human scores"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of every metric: the statistic, and how its values become one number with an interval."""

    statistic: Statistic
    grouping: str = "none"
    average: str = "macro"
    draws: Bootstrap = field(default=Bootstrap(0))
    confidence: float = 0.95

    def __post_init__(self) -> None:
        for kind, known in (("grouping", GROUPINGS), ("average", AVERAGES)):
            if getattr(self, kind) not in known:
                raise ConfigError(f"unknown {kind} '{getattr(self, kind)}'", hint=nearest(getattr(self, kind), known))
        if not 0 < self.confidence < 1:
            raise ConfigError(f"confidence must be between 0 and 1, not {self.confidence:g}")

    @classmethod
    def of(
        cls, statistic: Statistic, paired: Paired, grouping: str | None, average: str | None, *others: Any
    ) -> Question:
        """With the defaults that what is compared calls for."""
        is_ranked = isinstance(paired, PairedRankings)
        usual = ("ranking", "micro") if is_ranked else ("none", "macro")
        return cls(statistic, grouping or usual[0], average or usual[1], *others)

    @property
    def is_weighted(self) -> bool:
        """Whether groups are averaged by the weight that the statistic gives them."""
        return self.average == "micro"

    def ask(self, paired: Paired, *, outliers: str = "kept", metric: str | None = None) -> Agreement:
        """Of one metric, which may be shown under another name; `outliers` says what became of them."""
        self._check(paired)
        batch = self.batch(paired)
        values = self._values(batch)
        estimate = _estimate(self, paired, batch, values)
        settings = {
            "statistic": statistic_registry.spec(self.statistic),
            "level": "system" if self.statistic.reads_segments else paired.level,
            "grouping": self.grouping,
            "average": self.average,
            "outliers": outliers,
        }
        if self.draws.resamples:
            settings |= {"draws": str(self.draws.resamples), "seed": str(self.draws.seed)}
            settings["confidence"] = option_text(self.confidence)
        return Agreement(
            metric=metric or paired.metric,
            human=paired.human,
            settings=settings,
            estimate=estimate,
            systems=paired.systems,
            left_out=paired.left_out,
            segments=paired.segments,
            groups=len(batch.given),
            groups_undefined=int(np.isnan(values.values).sum()),
            weight=float(values.weights[~np.isnan(values.values)].sum()),
            hits=None if values.hits is None else int(values.hits.sum()),
            pairs=None if values.pairs is None else int(values.pairs.sum()),
            source=paired.source,
            notes=paired.notes,
            details=dict(values.details),
        )

    def by_chance(self, paired: Paired, draws: int, *, seed: int = 12345, outliers: str = "kept") -> Agreement:
        """The mean of metrics that know nothing: its scores shuffled, `draws` times; the standard error is theirs."""
        plain = replace(self, draws=Bootstrap(0))
        found = plain.ask(paired, outliers=outliers)
        if math.isnan(found.value):
            return found
        batch = self.batch(paired)
        chance = chance_level(self.statistic, batch, draws, seed, is_weighted=self.is_weighted, outputs=paired.outputs)
        estimate = Estimate(chance.mean, found.n, standard_error=chance.deviation, reason=chance.reason)
        drawn = {"draws": str(draws), "seed": str(seed)}
        return replace(found, settings={**found.settings, **drawn}, estimate=estimate, hits=None, details=drawn)

    def batch(self, paired: Paired) -> Batch:
        """The vectors that the statistic compares."""
        return paired.batch("item" if self.statistic.reads_segments else self.grouping)

    def _values(self, batch: Batch) -> Values:
        values = self.statistic.compute(batch)
        expected = 1 if self.statistic.is_pooled else len(batch.given)
        if len(values.values) != expected:
            count = f"{len(values.values)} values for {expected} groups"
            raise PluginError(f"the statistic '{self.statistic.name}' gave {count}")
        return values

    def _check(self, paired: Paired) -> None:
        statistic, level = self.statistic, paired.level
        if statistic.reads_segments:
            if level != "segment" or self.grouping == "ranking":
                raise InputError(f"{statistic.name} needs the scores of segments, of the metric and of people")
            level = "system"
        if level not in statistic.levels:
            raise ConfigError(f"{statistic.name} is not defined at the {level} level")
        if level == "system" and self.grouping != "none":
            raise ConfigError(
                f"grouping by {self.grouping} needs scores by segment",
                hint="compare at the segment level (--level seg)",
            )
        if level == "segment" and (self.grouping == "ranking") != isinstance(paired, PairedRankings):
            raise ConfigError("rankings are grouped by ranking, and nothing else is")


def agree(
    scores: ScoreTable,
    human: ScoreTable | Rankings,
    statistic: str | Statistic = "pearson",
    *,
    level: str | None = None,
    grouping: str | None = None,
    average: str | None = None,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
    outliers: str = "both",
    cutoff: float = CUTOFF,
    draws: int = 0,
    seed: int = 12345,
    confidence: float = 0.95,
) -> Agreement:
    """How far a metric agrees with people, by a statistic, over the cells that both scored.

    `level` is segment where both are by segment and the statistic is defined there, else system. `grouping` of segment
    scores: none (default: all in one vector), item (a vector over systems for each segment) or system; groups are
    averaged with equal weight (macro, default) or by the weight that the statistic gives them (micro). Rankings are
    grouped by ranking and averaged by weight, so that every pair counts once; at the system level they are expected
    wins. Undefined groups are counted, not averaged. `systems` and `exclude` are patterns as in a shell. `outliers`
    (keep, drop, both: then the value is that of all systems, and `without_outliers` has the other) are systems whose
    human score is more than `cutoff` scaled median deviations from the median. With `draws`, a percentile interval over
    resampled systems (system level; of rankings, judgements) or segments, each with all its scores or rankings.
    """
    if outliers not in OUTLIERS:
        raise ConfigError(f"outliers cannot be '{outliers}'", hint=nearest(outliers, OUTLIERS))
    for what, given, kinds in (("scores", scores, ScoreTable), ("human", human, ScoreTable | Rankings)):
        if not isinstance(given, kinds):
            hint = 'assay.ScoreTable("mine", "segment", ("a", "b"), values), values of shape (system, segment)'
            raise InputError(f"{what} must be a ScoreTable, not {type(given).__name__}", hint=hint)
    chosen = statistic_registry.create(statistic)
    by_segment = scores.level == "segment" and (isinstance(human, Rankings) or human.level == "segment")
    level = level or ("segment" if by_segment and "segment" in chosen.levels else "system")
    selection = select(sorted({*scores.systems, *human.systems}), systems=systems, exclude=exclude)
    gold = gold_of(human.take(selection.systems), draws=draws if level == "system" else 0, seed=seed)
    paired = gold.lay({scores.level: scores.take(selection.systems)}, level, by_segment=chosen.reads_segments)
    paired = replace(paired, left_out={**selection.left_out, **paired.left_out})
    question = Question.of(chosen, paired, grouping, average, Bootstrap(draws, None, seed), confidence)
    if outliers == "keep":
        return question.ask(paired)
    found = find_outliers(gold.scores, cutoff=cutoff)
    without = question.ask(paired.without(found.systems, OUTLIER), outliers="dropped")
    if outliers == "drop":
        return without
    return replace(question.ask(paired), without_outliers=without)


def values_of_parts(statistic: Statistic, paired: Paired, parts: npt.NDArray[np.bool_]) -> Values:
    """The value over each part of the systems: `parts` (part, system) says who belongs to it."""
    cells = each(paired.cells, lambda values: np.tile(values[:, 0], (len(parts), 1)))
    return _by_rows(statistic, replace(cells, given=cells.given & parts))


def _by_rows(statistic: Statistic, batch: Batch) -> Values:
    """One value a row, each as if it were alone: all at once, if the statistic fits nothing to all of them together."""
    if not statistic.is_joint:
        return statistic.compute(batch)
    found = [statistic.compute(row) for row in _alone(batch)]
    values, weights = (np.array([getattr(alone, name)[0] for alone in found]) for name in ("values", "weights"))
    return Values(values, weights, found[0].reason if found else "")


def _alone(batch: Batch) -> Iterator[Batch]:
    """Each row as a batch of its own."""
    for k in range(len(batch.given)):
        row = slice(k, k + 1)
        copies = None if batch.copies is None else batch.copies[row]
        yield Batch(batch.metric[row], batch.human[row], batch.given[row], batch.pairs, copies)


def _estimate(question: Question, paired: Paired, batch: Batch, values: Values) -> Estimate:
    value = values.mean(is_weighted=question.is_weighted)
    defined = ~np.isnan(values.values)
    counted = batch.given if question.statistic.is_pooled else batch.given[defined]
    n = len(paired.systems) if question.statistic.reads_segments else int(counted.sum())
    if math.isnan(value):
        return Estimate(value, n, reason=_why_undefined(batch, values))
    if not question.draws.resamples:
        return Estimate(value, n)
    if question.statistic.interval.startswith("none"):
        return Estimate(value, n, reason=f"no interval: {question.statistic.interval.partition(':')[2].strip()}")
    drawn = _drawn(question, paired, values)
    found = drawn[~np.isnan(drawn)]
    reason = f"undefined in {len(drawn) - len(found)} of {len(drawn)} resamples" if len(found) < len(drawn) else None
    if len(found) < 2:
        return Estimate(value, n, reason=reason)
    low, high = aggregate.interval(found, question.confidence)
    return Estimate(value, n, float(low), float(high), float(found.std(ddof=1)), reason)


def _why_undefined(batch: Batch, values: Values) -> str:
    if not batch.given.any():
        return "nothing was scored by both the metric and people"
    if (batch.sizes < 2).all():
        return "there is nothing to compare: no group has two scores"
    if batch.pairs is not None and not batch.pairs.any():
        return "no pair of systems is among those that count"
    return values.reason


def _drawn(question: Question, paired: Paired, values: Values) -> FloatArray:
    """The value in each resample of the systems, or of the segments."""
    threads = default_threads()
    if paired.drawn is not None:
        return _over_judgements(question.statistic, paired, paired.drawn)
    if paired.level == "system":
        blocks = question.draws.blocks(len(paired.systems), threads=threads)
        return np.concatenate([_over_systems(question.statistic, paired, _places(block)) for block in blocks])
    used = paired.drawable
    blocks = question.draws.blocks(len(used), threads=threads)
    are_groups = question.grouping in ("item", "ranking")  # what is drawn
    if are_groups and not question.statistic.is_joint:  # then their values can be drawn
        defined = ~np.isnan(values.values)
        weights = values.weights if question.is_weighted else np.ones(len(defined))
        weights = np.where(defined, weights, 0.0)
        sums = (np.where(defined, values.values, 0.0) * weights, weights)
        table = np.stack([np.bincount(paired.units, part, minlength=len(used)) for part in sums], axis=-1)[np.newaxis]
        (found,) = aggregate.resampled_scores([aggregate.Scorable(table, _ratio)], blocks, threads=threads)
        drawn: FloatArray = found[0]
        return drawn
    resamples = (used[places] for block in blocks for places in _places(block))
    return np.array([_over_segments(question, paired, places) for places in resamples])


def _ratio(sums: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore"):
        ratio: FloatArray = sums[..., 0] / sums[..., 1]
    return ratio


def _places(weights: npt.NDArray[np.uint32]) -> IntArray:
    """(resample, item): which were drawn, in order, from how often each was."""
    rows, items = weights.shape
    places: IntArray = np.repeat(np.tile(np.arange(items), rows), weights.ravel()).reshape(rows, -1)
    return places


def _over_systems(statistic: Statistic, paired: Paired, places: IntArray) -> FloatArray:
    """With copies of systems; where the statistic asks for it, without pairs of a system and its copy."""
    drawn = each(paired.cells, lambda part: part[:, 0][places])
    if paired.pairs is None:
        return _by_rows(statistic, _unpaired(statistic, drawn, places)).values
    pairs = (paired.pairs[np.ix_(row, row)] for row in places)  # a system and itself are no pair that counts
    found = [statistic.compute(replace(row, pairs=those)) for row, those in zip(_alone(drawn), pairs, strict=True)]
    return np.array([alone.values[0] for alone in found])


def _over_segments(question: Question, paired: Paired, places: IntArray) -> float:
    """With copies of segments: groups that are drawn, or scores of a system that may be compared with their copies."""
    drawn = paired.draw(places).batch(question.grouping)
    if question.grouping in ("none", "system"):
        drawn = _unpaired(question.statistic, drawn, places[np.newaxis])
    return question.statistic.compute(drawn).mean(is_weighted=question.is_weighted)


def _unpaired(statistic: Statistic, drawn: Batch, places: IntArray) -> Batch:
    """Told how many pairs are copies, if the statistic asks for it: how many of an item were drawn before it, summed.

    `places` (group or all, drawn) are in order. All in one vector is one system after the other.
    """
    if "copies unpaired" not in statistic.interval:
        return drawn
    order = np.broadcast_to(np.arange(places.shape[1]), places.shape)
    is_new = np.ones(places.shape, dtype=np.bool_)
    is_new[:, 1:] = places[:, 1:] != places[:, :-1]
    before = order - np.maximum.accumulate(np.where(is_new, order, 0), axis=1)
    given = drawn.given.reshape(len(drawn.given), -1, places.shape[1])
    return replace(drawn, copies=(given * before[:, np.newaxis]).sum(axis=(1, 2)))


def _over_judgements(statistic: Statistic, paired: Paired, drawn: FloatArray) -> FloatArray:
    """The human scores follow from judgements drawn anew (Macháček & Bojar 2013); the metric's are as they are."""
    given = paired.cells.given[:, 0] & ~np.isnan(drawn)
    metric = np.broadcast_to(paired.cells.metric[:, 0], drawn.shape)
    return _by_rows(statistic, Batch(metric, np.where(given, drawn, 0.0), given, paired.pairs)).values
