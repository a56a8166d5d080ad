"""`assay.leaderboard`: systems ranked by metrics, on one language pair or several."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Unpack

from assay.aggregate.resample import CONFIDENCE, SEED, Confidence, Seed
from assay.calibration.files import NO_CALIBRATION
from assay.comparison.differences import TestResamples
from assay.errors import ConfigError, InputError, option_name
from assay.measurement import MetricLike, Metrics, check_texts
from assay.measurement.units import Unit
from assay.options.option import Data
from assay.options.shared import RUNTIME, Alpha
from assay.options.verb import verb
from assay.registry import name_list
from assay.results import ComparedMetric, Estimate, Leaderboard, OverallStanding, Standing, SystemComparison
from assay.results.result import with_undefined_note
from assay.significance import ALPHA
from assay.significance.corrections import Correction
from assay.study.compare import AGGREGATION, compare
from assay.study.score import DEFAULT_METRICS
from assay.types import Note, NoteKind, TestSet
from assay.types.note import listed, notes_of_pairs, plural
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["leaderboard"]

_TESTSETS = Data(
    "The texts of a language pair, or of several.",
    noun="a test set or a list of test sets",
    example='testset = assay.load(outputs={"base": […], "new": […]}, references={"refA": […]})',
)


@verb
def leaderboard(
    testsets: Annotated[TestSet | Sequence[TestSet], _TESTSETS],
    metrics: Metrics = DEFAULT_METRICS,
    *,
    agg: Annotated[str | Iterable[str], AGGREGATION] = ("corpus",),
    correction: Correction = "holm",
    alpha: Alpha = ALPHA,
    unit: Unit = "segment",
    resamples: TestResamples = None,
    seed: Seed = SEED,
    confidence: Confidence = CONFIDENCE,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Leaderboard:
    """Rank systems by metrics, with intervals and clusters.

    The first metric orders the systems. The scores, intervals and clusters are those of a comparison of all pairs of
    systems by a randomisation test. Over several language pairs, a system has a mean if it is scored on all of them.
    """
    runtime = runtime or Runtime()
    by_lp, left_out = _scorable(_by_language_pair([testsets] if isinstance(testsets, TestSet) else testsets), metrics)
    comparisons = {
        lp: compare(
            testset,
            metrics,
            agg=agg,
            all_pairs=True,
            correction=correction,
            alpha=alpha,
            unit=unit,
            calibration=NO_CALIBRATION,
            resamples=resamples,
            seed=seed,
            confidence=confidence,
            runtime=runtime,
        )
        for lp, testset in runtime.track(list(by_lp.items()), lambda item: f"ranking the systems of {item[0]}")
    }
    compared = [(lp, metric) for lp, comparison in comparisons.items() for metric in comparison.metrics]
    scores = {(metric.metric, metric.aggregation): metric.higher_is_better for _, metric in compared}
    by_score = {
        score: {lp: metric for lp, metric in compared if (metric.metric, metric.aggregation) == score}
        for score in scores
    }
    standings = [each for found in by_score.values() for lp, metric in found.items() for each in _standings(lp, metric)]
    overall = [each for found in by_score.values() for each in _overall(found, len(by_lp))] if len(by_lp) > 1 else ()
    return with_undefined_note(
        Leaderboard(
            _settings(comparisons),
            tuple(dict.fromkeys(metric for (metric, _), is_higher in scores.items() if not is_higher)),
            {
                metric: tuple(dict.fromkeys(each.signature for _, each in compared if each.metric == metric))
                for metric, _ in scores
            },
            tuple(standings),
            tuple(overall),
            notes=(*left_out, *_unlike_references(comparisons), *_notes(comparisons)),
        )
    )


def _by_language_pair(testsets: Sequence[TestSet]) -> dict[str, TestSet]:
    """The test sets by what a column of the leaderboard is called: the language pair, with the test set if need be."""
    lps = [testset.lp or "" for testset in testsets]
    if len(set(lps)) < len(lps):
        lps = [" ".join(filter(None, (testset.name, testset.lp))) for testset in testsets]
    if len(set(lps)) < len(lps):
        raise ConfigError("two test sets have the same name and language pair", hint=f"name them: {option_name('lp')}")
    return dict(zip(lps, testsets, strict=True))


def _scorable(
    testsets: Mapping[str, TestSet], metrics: MetricLike | Iterable[MetricLike]
) -> tuple[dict[str, TestSet], tuple[Note, ...]]:
    """The language pairs with systems to rank and what the metrics need, and notes on the others.

    An error if there is none.
    """
    requested = [metrics] if isinstance(metrics, MetricLike) else list(metrics)
    missing: dict[str, ConfigError | InputError] = {}
    for lp, testset in testsets.items():
        try:
            _check_systems(testset)
            check_texts(testset, requested)
        except (ConfigError, InputError) as error:
            missing[lp] = error
    if len(missing) == len(testsets):
        lp, first = next(iter(missing.items()))
        raise first if len(missing) == 1 else type(first)(f"{lp}: {first.message}", hint=first.hint)
    notes = (Note(NoteKind.EXCLUDED, f"left out: {error.message}", lp) for lp, error in missing.items())
    return {lp: testset for lp, testset in testsets.items() if lp not in missing}, tuple(notes)


def _check_systems(testset: TestSet) -> None:
    if len(testset.systems) < 2:
        found = f"there is only {testset.systems[0]}" if testset.systems else "there is none"
        raise ConfigError("a leaderboard needs at least two systems", hint=found)


def _settings(comparisons: Mapping[str, SystemComparison]) -> dict[str, str]:
    """Those of the comparisons, but for the names of their pairs and systems, and how often each drew again."""
    first = next(iter(comparisons.values())).settings
    own = ("pairs", "systems", "calibration", "test_resamples")
    lps = name_list(filter(None, comparisons))
    return {**({"lps": lps} if lps else {}), **{key: value for key, value in first.items() if key not in own}}


def _standings(lp: str, metric: ComparedMetric) -> Iterator[Standing]:
    """The systems best first, as clusters list them."""
    ranks = _ranks({system: score.value for system, score in metric.scores.items()}, metric.higher_is_better)
    for system, cluster in metric.clusters.items():
        yield Standing(
            lp,
            metric.metric,
            metric.aggregation,
            system,
            metric.scores[system],
            ranks[system],
            metric.rank_ranges[system],
            cluster,
        )


def _ranks(scores: Mapping[str, float], higher_is_better: bool) -> dict[str, int | None]:
    """One more than the number of better scores; None for an undefined one."""
    better = [value if higher_is_better else -value for value in scores.values()]
    return {
        system: None if math.isnan(value) else 1 + sum(other > value for other in better)
        for system, value in zip(scores, better, strict=True)
    }


def _overall(by_lp: Mapping[str, ComparedMetric], total: int) -> list[OverallStanding]:
    """The systems by their mean over all language pairs, then those without one by how often they win."""
    metric = next(iter(by_lp.values()))
    found = {lp: {each.system: each for each in _standings(lp, compared)} for lp, compared in by_lp.items()}
    systems = dict.fromkeys(system for standings in found.values() for system in standings)
    own = {system: [each[system] for each in found.values() if system in each] for system in systems}
    separated = {lp for lp, compared in by_lp.items() if max(compared.clusters.values(), default=1) > 1}
    means = {system: _mean(standings, total) for system, standings in own.items()}
    ranks = _ranks({system: mean.value for system, mean in means.items()}, metric.higher_is_better)
    overall = [
        OverallStanding(
            metric.metric,
            metric.aggregation,
            system,
            means[system],
            ranks[system],
            sum(each.rank == 1 for each in standings),
            sum(each.cluster == 1 for each in standings if each.lp in separated),
        )
        for system, standings in own.items()
    ]
    return sorted(overall, key=lambda each: (each.rank or math.inf, -each.wins, -each.top_clusters))


def _mean(standings: Sequence[Standing], total: int) -> Estimate:
    values = [each.score.value for each in standings if not math.isnan(each.score.value)]
    if len(values) < total:
        return Estimate(math.nan, len(values), reason=f"scored on {len(values)} of {plural(total, 'language pair')}")
    return Estimate(math.fsum(values) / total, total)


def _unlike_references(comparisons: Mapping[str, SystemComparison]) -> Iterator[Note]:
    """Scores against several references are higher: pairs that have more of them are not like the others."""
    lps: dict[int, dict[str, None]] = {}
    for lp, comparison in comparisons.items():
        for metric in comparison.metrics:
            count = metric.signature.partition("|refs:")[2].partition("|")[0]
            if count.isdecimal() and count != "0":
                lps.setdefault(int(count), {})[lp] = None
    if len(lps) > 1:
        counts = "; ".join(f"{plural(count, 'reference')} for {listed(lps[count])}" for count in sorted(lps))
        text = f"the mean mixes scores with different numbers of references, and more make scores higher: {counts}"
        hint = f"choose one of each pair: {option_name('references')}"
        yield Note(NoteKind.SUSPECT, text, severity="warning", hint=hint)


def _notes(comparisons: Mapping[str, SystemComparison]) -> tuple[Note, ...]:
    if len(comparisons) == 1:
        return next(iter(comparisons.values())).notes
    return notes_of_pairs((lp, comparison.notes) for lp, comparison in comparisons.items())
