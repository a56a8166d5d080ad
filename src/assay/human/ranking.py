"""Rank systems by human judgement: scores, p-values, clusters and rank ranges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from assay import aggregate
from assay.aggregate.resample import Bootstrap
from assay.aggregate.unit_intervals import effective_number, expanded_confidence, few_units, unit_sizes
from assay.errors import ConfigError, InputError, option_name
from assay.human import notes
from assay.human.comparisons import comparisons_of, drawn_by, preferences_by_threshold
from assay.human.domains import compare_systems, domain_means, missing_domains, scorable_of
from assay.human.methods import Scored
from assay.human.methods import method as method_registry
from assay.human.options import MEAN, RankingOptions
from assay.human.preparation import Prepared
from assay.human.scoring import segment_ratings, segment_scores
from assay.human.selection import Judged
from assay.lazily import numpy as np
from assay.measurement.units import by_document, placeholder_notes
from assay.registry import option_text
from assay.results import RankedSystem, Ranking
from assay.results.outcome import are_bounds, is_significant
from assay.significance import Test
from assay.significance import test as test_registry
from assay.significance.clusters import (
    clusters_by_range,
    clusters_by_test,
    fuzzy_ranks,
    ranges_by_neighbours,
    ranges_by_wins,
)
from assay.significance.corrections import corrected
from assay.significance.rank_distribution import rank_ranges, rank_shares
from assay.types import (
    UNRANKED,
    FloatArray,
    IntArray,
    Note,
    NoteKind,
    Rankings,
    Ratings,
    Scorable,
    ScoreTable,
)
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["rank_systems"]

_DA_THRESHOLD = 25.0
_DA = ("DA", "DA+SQM")  # protocols whose scores are 0 to 100
_UNPAIRED = "rank-sum"


def rank_systems(
    prepared: Prepared, options: RankingOptions, runtime: Runtime | None = None, documents: Sequence[str] = ()
) -> Ranking:
    """Rank systems from best to worst, by judgements that were prepared with the same options.

    `documents` are those of the segments, for tests with documents as units.
    """
    runtime = runtime or Runtime()
    judgements = prepared.judgements
    if isinstance(judgements, Rankings):
        if options.method == MEAN:
            hint = f"use {', '.join(method_registry.names())}"
            raise ConfigError("the method mean does not apply to rankings", hint=hint)
        return _rank_by_comparisons(judgements, {}, prepared, options, runtime)
    table = _checked(segment_scores(judgements) if isinstance(judgements, Ratings) else judgements)
    if options.uses_mean(judgements):
        return _rank_by_mean(table, prepared, options, runtime, documents)
    threshold = _threshold(table, options.threshold)
    preferences = preferences_by_threshold(table, threshold)
    return _rank_by_comparisons(preferences, {"threshold": option_text(threshold)}, prepared, options, runtime)


def _checked(table: ScoreTable) -> ScoreTable:
    """The table, if it can be ranked."""
    if table.level != "segment":
        raise InputError(f"'{table.name}' has {table.level} scores, but ranking needs segment scores")
    if np.isnan(table.values).all():
        raise InputError(f"'{table.name}' has no scores", path=table.origin or None)
    table.refuse_penalties()
    return table


def _check_domains(table: ScoreTable, options: RankingOptions) -> None:
    """Refuse scores without domains for a preset that averages them."""
    if options.averages_domains and options.over_domains is None and not any(table.domains):
        raise InputError(
            f"'{table.name}' has no domains, but the preset {options.preset} averages the means of domains",
            path=table.origin or None,
            hint="to average all segments instead, set over_domains to pooled (--over-domains pooled)",
        )


def _threshold(table: ScoreTable, threshold: float | None) -> float:
    """The smallest difference that counts. DA has one by convention; the scale of other scores is not known."""
    if threshold is not None:
        return threshold
    if table.protocol in _DA:
        return _DA_THRESHOLD
    raise ConfigError(
        f"'{table.name}' ({table.protocol or 'metric'}) needs a threshold, the smallest difference that counts",
        hint=f"set it with {option_name('threshold')}; the usual one, {_DA_THRESHOLD:g}, is for DA from 0 to 100",
    )


def _rank_by_mean(
    table: ScoreTable, prepared: Prepared, options: RankingOptions, runtime: Runtime, documents: Sequence[str]
) -> Ranking:
    averages_domains, alternative = options.averages_domains, options.tested_alternative
    _check_domains(table, options)
    units = _judged_documents(table, documents) if options.by_document else None
    unit_notes = () if units is None else placeholder_notes(units.names)
    ratings, rating_notes = _counted_ratings(table, prepared.judgements, options)
    scorable = scorable_of(table, averages_domains=averages_domains, ratings=ratings)
    means = scorable.values(runtime)
    drawn = scorable if units is None else units.rows_of(scorable)
    sizes = None if units is None else units.sizes
    confidence = (
        options.confidence if sizes is None else expanded_confidence(options.confidence, effective_number(sizes))
    )
    (replicates,) = aggregate.resampled_scores([drawn], Bootstrap(options.resamples, None, options.seed), runtime)
    is_judged = ~np.isnan(means)
    order = _best_first(means, is_judged)
    ranked = table.take([table.systems[i] for i in order])
    ratings = None if ratings is None else ratings[:, order]
    scored = Scored(means[order], replicates[order])
    segments = scorable.mask.sum(axis=1)[order]
    counts = segments if ratings is None else (~np.isnan(ratings)).sum(axis=(0, 2))
    test, test_notes = _test_of(ranked, options)
    if units is not None:
        tested = test.compare_all(units.rows_of(Scorable.of_segments(ranked.oriented, ranked.systems)))
    else:
        tested = compare_systems(test, ranked, alternative, averages_domains=averages_domains, ratings=ratings)
    p_values = _corrected(tested.p, options.correction)
    shares = rank_shares(scored.replicates)
    is_better = is_significant(p_values, options.alpha)
    is_reversed = _reversed(test, ranked, tested.p, options, ratings)
    rank_ranges_of = _rank_ranges_of(options, is_reversed)

    def clusters_of(is_better: npt.NDArray[np.bool_]) -> IntArray:
        """By our own rule, no boundary where the test has the lower-ranked system above the other one."""
        rule = options.chosen_preset.clusters
        if rule == "ranges":
            return clusters_by_range(*rank_ranges_of(is_better))
        return clusters_by_test(is_better if rule == "differences" else is_better & ~is_reversed)

    opposed = [] if tested.opposed is None else np.argwhere(np.triu(tested.opposed)).tolist()
    opposed_pairs = [(ranked.systems[i], ranked.systems[j]) for i, j in opposed]
    outputs, sign = int(segments.sum()), 1.0 if table.higher_is_better else -1.0
    settings = {
        "method": MEAN,
        "protocol": prepared.settings.get("protocol", table.protocol or "metric"),
        **({} if table.higher_is_better else {"higher_is_better": option_text(False)}),
        "test": test_registry.spec(test),
        "over_domains": "mean" if averages_domains else "pooled",
        **({"unit": "document"} if options.by_document else {}),
        **({} if options.alternative is None else {"alternative": options.alternative}),
    }
    return Ranking(
        table.name,
        {**prepared.settings, **settings, **options.settings},
        _ranked_systems(
            ranked.systems,
            scored,
            shares,
            counts,
            clusters_of,
            p_values,
            options,
            sign,
            confidence,
            notes.missing_segments(ranked),
            None if options.chosen_preset.rank_ranges == "resamples" else rank_ranges_of(is_better),
        ),
        p_values,
        shares,
        **_judgement_counts(prepared.judgements, outputs),
        outputs=outputs,
        documents=None if sizes is None else len(sizes),
        higher_is_better=table.higher_is_better,
        alternative=alternative,
        by_domain=domain_means(ranked, ratings) if options.by_domain else None,
        opposed=tuple(opposed_pairs),
        bounds=_bounds(tested.p, test.smallest_p),
        notes=(
            *prepared.notes,
            *rating_notes,
            *unit_notes,
            *_exclusion_notes("not judged", table.systems, ~is_judged),
            *(missing_domains(ranked) if averages_domains else ()),
            *notes.different_segments(ranked),
            *notes.few_judgements(counts, "scores"),
            *(() if sizes is None else few_units(sizes, "document", options.confidence)),
            *test_notes,
            *notes.dependent_ratings(ratings, test),
            *notes.untested_pairs(tested),
            *notes.too_few_resamples(test.smallest_p, _pair_count(tested.p), options.correction, options.alpha),
            *(notes.certain_pairs(tested.p, ranked.systems) if tested.opposed is not None else ()),
            *notes.reversed_pairs(ranked.systems, is_better.T & is_reversed),
            *notes.opposed_domains(opposed_pairs, [bool(is_better[i, j]) for i, j in opposed]),
        ),
    )


class _Documents(NamedTuple):
    """The judged segments, and the document of each."""

    segments: npt.NDArray[np.intp]
    names: tuple[str | None, ...]

    def rows_of(self, scorable: Scorable) -> Scorable:
        """With a row for each document instead of each segment."""
        return by_document(scorable.take(self.segments), self.names)

    @property
    def sizes(self) -> FloatArray:
        """How many judged segments the documents have."""
        return unit_sizes(np.unique([name or "" for name in self.names], return_inverse=True)[1])


def _judged_documents(table: ScoreTable, documents: Sequence[str]) -> _Documents:
    if not documents:
        raise InputError(
            f"the documents of '{table.name}' are not known",
            path=table.origin or None,
            hint="documents are read with the judgements, or from the texts of the test set",
        )
    judged = np.flatnonzero(~np.isnan(table.values).all(axis=0))
    return _Documents(judged, tuple(documents[i] or None for i in judged.tolist()))


def _counted_ratings(
    table: ScoreTable, judgements: Judged, options: RankingOptions
) -> tuple[FloatArray | None, tuple[Note, ...]]:
    """The single ratings (rating, system, segment) if the preset counts them; None if every output has one at most."""
    if not options.chosen_preset.counts_ratings:
        return None, ()
    if isinstance(judgements, Ratings):
        ratings = segment_ratings(judgements, table)
        return (ratings if len(ratings) > 1 else None), ()
    text = (
        f"the preset {options.preset} averages single ratings, and there are only scores by segment: if some are means "
        "of several ratings, the scores of systems differ from those that were published"
    )
    return None, (Note(NoteKind.ADVICE, text),)


def _rank_ranges_of(
    options: RankingOptions, is_reversed: npt.NDArray[np.bool_]
) -> Callable[[npt.NDArray[np.bool_]], tuple[IntArray, IntArray]]:
    """Rank ranges from the pairs that differ significantly, by the rule of the preset."""

    def rank_ranges_of(is_better: npt.NDArray[np.bool_]) -> tuple[IntArray, IntArray]:
        if options.chosen_preset.rank_ranges == "neighbours":
            return ranges_by_neighbours(is_better & ~is_reversed)
        return ranges_by_wins(np.triu(is_better) if options.tested_alternative == "two-sided" else is_better)

    return rank_ranges_of


def _reversed(
    test: Test, ranked: ScoreTable, p_values: FloatArray, options: RankingOptions, ratings: FloatArray | None
) -> npt.NDArray[np.bool_]:
    """(system, system): the pairs where the test favours the lower-ranked system, the column.

    Means and tests may have opposite signs: a test may be of ranks, or of the common segments only. Two-sided p-values
    have no sign; those of one side do.
    """
    if options.tested_alternative == "two-sided":
        p_values = compare_systems(test, ranked, "better", averages_domains=options.averages_domains, ratings=ratings).p
    return np.triu(p_values > p_values.T)


def _test_of(table: ScoreTable, options: RankingOptions) -> tuple[Test, tuple[Note, ...]]:
    """The test. By default, systems that have no segment in common are not paired: the note says so."""
    test = options.test_of(table.protocol)
    is_judged = (~np.isnan(table.values)).astype(np.float64)
    if options.has_own_test or options.by_document or not test.is_paired or ((is_judged @ is_judged.T) > 0).all():
        return test, ()
    text = f"some systems have no segment in common: tested with {_UNPAIRED}, not {test.name}"
    return test_registry.create(_UNPAIRED), (Note(NoteKind.ADVICE, text),)


def _judgement_counts(judgements: Judged, outputs: int) -> dict[str, Any]:
    if not isinstance(judgements, Ratings):
        return {"judgement_kind": "scores", "judgement_count": outputs}
    count = int((~np.isnan(judgements.score) & (judgements.segment >= 0)).sum())
    return {"judgement_kind": "ratings", "judgement_count": count}


def _rank_by_comparisons(
    rankings: Rankings, settings: Mapping[str, str], prepared: Prepared, options: RankingOptions, runtime: Runtime
) -> Ranking:
    """Rank by the pairs of outputs in rankings; `settings` are those that made them."""
    comparisons, method = comparisons_of(rankings), options.ranking_method
    has_single_pairs = _are_pairs_of_segments(rankings)
    if has_single_pairs:  # the pairs of one ranking depend on each other
        comparisons = drawn_by(comparisons, "segment", rankings.segment)
    found = method.score(comparisons, resamples=options.resamples, seed=options.seed, runtime=runtime)
    counts = np.bincount(comparisons.first, minlength=len(rankings.systems))
    counts += np.bincount(comparisons.second, minlength=len(rankings.systems))
    is_ranked = (counts > 0) & ~np.isnan(found.scores)  # a system that only ever tied may have no score
    if not is_ranked.any():
        raise InputError(f"the rankings '{rankings.name}' contain only ties", path=rankings.origin or None)
    order = _best_first(found.scores, is_ranked)
    systems, scored = tuple(rankings.systems[i] for i in order), Scored(found.scores[order], found.replicates[order])
    shares = rank_shares(scored.replicates)
    uncorrected = _p_values_of_resamples(scored.replicates)
    p_values = _corrected(uncorrected, options.correction)

    def clusters_of(is_better: npt.NDArray[np.bool_]) -> IntArray:
        if not options.resamples:
            return clusters_by_test(is_better)  # undefined, as the tests are
        return clusters_by_range(*rank_ranges(scored.replicates, options.confidence))

    return Ranking(
        rankings.name,
        {
            **prepared.settings,
            "method": method_registry.spec(method),
            **settings,
            **({"unit": "segment"} if has_single_pairs else {}),
            **options.settings,
        },
        _ranked_systems(systems, scored, shares, counts[order], clusters_of, p_values, options),
        p_values,
        shares,
        judgement_kind="comparisons",
        judgement_count=len(comparisons),
        outputs=_ranked_outputs(rankings),
        bounds=_bounds(uncorrected, 1 / (1 + options.resamples)),
        notes=(
            *prepared.notes,
            *(notes.drawn_segments(comparisons.rankings) if has_single_pairs and options.resamples else ()),
            *_exclusion_notes("never compared", rankings.systems, counts == 0),
            *_exclusion_notes("only ever tied", rankings.systems, (counts > 0) & ~is_ranked),
            *notes.few_judgements(counts[order], "comparisons"),
            *notes.reversed_pairs(systems, np.triu(is_significant(p_values, options.alpha).T)),
            *_resample_notes(p_values, options),
        ),
    )


def _are_pairs_of_segments(rankings: Rankings) -> bool:
    """Whether all rankings have two outputs and segments have several, as in files of pairs taken out of rankings."""
    is_pair = (rankings.ranks != UNRANKED).sum(axis=1) <= 2
    return bool(is_pair.all()) and len(np.unique(rankings.segment)) < len(rankings)


def _p_values_of_resamples(replicates: FloatArray) -> FloatArray:
    """The share of resamples in which the row is not better than the column; an undefined score is not better.

    Without resamples, nothing is tested.
    """
    resamples = replicates.shape[1]
    not_better = ~(replicates[:, np.newaxis] > replicates)
    p_values: FloatArray = (1.0 + not_better.sum(axis=2)) / (1 + resamples)
    if not resamples:
        return np.full_like(p_values, np.nan)
    np.fill_diagonal(p_values, np.nan)
    return p_values


def _resample_notes(p_values: FloatArray, options: RankingOptions) -> Iterator[Note]:
    if options.resamples:
        yield from notes.too_few_resamples(
            1 / (1 + options.resamples), _pair_count(p_values), options.correction, options.alpha
        )
    else:
        yield Note(NoteKind.UNDEFINED, "clusters and p-values of rankings are undefined without resamples")


def _bounds(p_values: FloatArray, smallest: float) -> npt.NDArray[np.bool_] | None:
    """Where a test that draws gave the smallest p-value that it can give."""
    bounds = are_bounds(p_values, smallest)
    return bounds if bounds.any() else None


def _pair_count(p_values: FloatArray) -> int:
    """The number of pairs of systems that were tested."""
    return int((~np.isnan(p_values[np.triu_indices(len(p_values), k=1)])).sum())


def _ranked_outputs(rankings: Rankings) -> int:
    """The number of outputs that were ranked with another one."""
    is_compared = (rankings.ranks != UNRANKED) & ((rankings.ranks != UNRANKED).sum(axis=1, keepdims=True) > 1)
    return sum(len(np.unique(rankings.segment[column])) for column in is_compared.T)


def _best_first(scores: FloatArray, is_ranked: npt.NDArray[np.bool_]) -> IntArray:
    """The positions of the ranked systems by descending score; systems with equal scores keep their order."""
    order = np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")
    ranked: IntArray = order[is_ranked[order]]
    return ranked


def _corrected(p_values: FloatArray, correction: str) -> FloatArray:
    """Corrected for the number of pairs, separately for the two directions of "better"."""
    adjusted = p_values.copy()
    upper = np.triu_indices(len(adjusted), k=1)
    adjusted[upper] = corrected(adjusted[upper], correction)
    adjusted.T[upper] = corrected(adjusted.T[upper], correction)
    return adjusted


def _exclusion_notes(reason: str, systems: tuple[str, ...], mask: npt.NDArray[np.bool_]) -> tuple[Note, ...]:
    names = [name for name, is_left_out in zip(systems, mask, strict=True) if is_left_out]
    return (Note(NoteKind.EXCLUDED, f"{reason}: {', '.join(names)}", count=len(names)),) if names else ()


def _ranked_systems(
    names: tuple[str, ...],
    scored: Scored,
    shares: FloatArray,
    counts: IntArray,
    clusters_of: Callable[[npt.NDArray[np.bool_]], IntArray],
    p_values: FloatArray,
    options: RankingOptions,
    sign: float = 1.0,
    confidence: float | None = None,
    missing: IntArray | None = None,
    ranges: tuple[IntArray, IntArray] | None = None,
) -> tuple[RankedSystem, ...]:
    """The systems in order. Scores are oriented so that higher is better; they are reported times `sign`.

    `confidence` is the level of percentile intervals that stand for those of the options.
    `shares` are those of the ranks, and `ranges` are those of the ranks if they do not come from the resamples.

    Clusters and fuzzy ranks are undefined where they depend on pairs that could not be tested.
    """
    confidence = options.confidence if confidence is None else confidence
    low, high = ranges or rank_ranges(scored.replicates, confidence)
    has_ranges = ranges is not None or options.resamples > 0
    is_better = is_significant(p_values, options.alpha)
    is_untested = np.isnan(p_values) & ~np.eye(len(names), dtype=np.bool_)
    least, most = clusters_of(is_better), clusters_of(is_better | is_untested)
    has_cluster = (least == most) & ((len(names) == 1) | (is_untested.sum(axis=1) < len(names) - 1))
    fuzzy = np.where(is_untested.any(axis=1), np.nan, fuzzy_ranks(is_better))
    return tuple(
        RankedSystem(
            system=name,
            score=aggregate.unless_single(
                aggregate.estimate_from_replicates(
                    float(scored.scores[i] * sign), scored.replicates[i] * sign, int(counts[i]), confidence
                ),
                "judgement",
            ),
            rank=i + 1,
            rank_low=int(low[i]) if has_ranges else None,
            rank_high=int(high[i]) if has_ranges else None,
            cluster=int(least[i]) if has_cluster[i] else None,
            fuzzy_rank=float(fuzzy[i]),
            p_best=float(shares[i, 0]),
            missing=None if missing is None else int(missing[i]),
        )
        for i, name in enumerate(names)
    )
