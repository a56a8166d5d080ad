"""`assay.calibrate`: from a metric difference to the probability that people find it significant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from assay.arguments import checked_arguments
from assay.calibration.curves import fit_curve
from assay.calibration.external import external_patterns, with_external
from assay.calibration.options import DEFAULT_METRICS, MIN_SEGMENTS, PairOptions
from assay.calibration.outcomes import ORIENTATIONS, OWN_OUTCOMES, Observations, observe, tie_notes
from assay.calibration.populations import populations
from assay.calibration.system_pairs import collect_pairs, data_setting, own_test_settings, score_keys
from assay.checks import check_choice, check_integer, check_share
from assay.registry import option_text
from assay.resample import CONFIDENCE, MAX_RESAMPLES, SEED
from assay.results import ALL, Calibration, CalibrationCurve, FittedPopulation, Population
from assay.results.calibration import AGREES, SIGNIFICANT
from assay.runtime import Runtime
from assay.significance import ALPHA
from assay.types import Campaign, Note, NoteKind, ScoreTable
from assay.version import __version__

__all__ = ["calibrate"]


@checked_arguments
def calibrate(
    campaigns: Iterable[Campaign],
    metrics: Sequence[str] | None = None,
    *,
    agg: Sequence[str] = ("corpus", "segment"),
    stored: Sequence[str] = (),
    external: Mapping[str, Sequence[ScoreTable]] | None = None,
    gold: str | None = None,
    orientation: str = "by-metric",
    test: str = "paired-t",
    alpha: float = ALPHA,
    min_segments: int = MIN_SEGMENTS,
    at: Sequence[float] = (),
    by_domain: bool = False,
    own_test: str | None = None,
    exclude: Sequence[str] = (),
    keep_references: bool = False,
    resamples: int = 200,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    runtime: Runtime | None = None,
) -> Calibration:
    """Fit isotonic curves from the difference of two systems' scores to the probability that people agree.

    The pairs are those of a language pair with at least `min_segments` commonly judged segments. Human scores are
    tested one-sided with `test` at the level `alpha`; the curve is the share of pairs in which people significantly
    prefer the system that the metric prefers (`orientation` by-metric), or either system (absolute: the difference
    without its sign; by-human: the difference in the direction that people prefer). There is a curve for all pairs of a
    protocol, for each group of target languages and, with `by_domain`, for each domain, whose scores and tests use only
    its own segments. `at` are differences whose probabilities are wanted, besides the cut-offs.

    `metrics` are computed from the texts. `stored` are patterns of stored scores to calibrate: system scores, or else
    means of segment scores (aggregation stored-segment). `external` maps language pairs to score tables
    (`assay.load_scores`) that are treated in the same way. Without any of these, bleu and chrf are computed.

    `gold` names the human scores; by default standardised DA and SQM scores, MQM and ESA are used. `exclude` are
    patterns of systems. `own_test` (randomisation, bootstrap or mathur2020) adds the probability that this test of the
    metric's own difference is significant (Marie 2022). Intervals are from `resamples` resamples of the language pairs.
    """
    runtime = runtime or Runtime()
    options = PairOptions(
        test=test,
        alpha=alpha,
        min_segments=min_segments,
        metrics=DEFAULT_METRICS if metrics is None and not (stored or external) else tuple(metrics or ()),
        aggregations=tuple(dict.fromkeys(agg)),
        stored=(*stored, *external_patterns(external)),
        gold=gold,
        own_test=own_test,
        exclude=tuple(exclude),
        keep_references=keep_references,
        seed=seed,
        by_domain=by_domain,
    )
    _check(orientation, confidence, resamples)
    pairs, notes = collect_pairs(with_external(campaigns, external), options, runtime)
    outcomes = (SIGNIFICANT, AGREES, *(OWN_OUTCOMES if own_test else ()))
    curves: list[CalibrationCurve] = []
    tasks = [(key, population, members) for population, members in populations(pairs) for key in score_keys(pairs)]
    for key, population, members in runtime.track(tasks, lambda task: f"fitting {task[0][0]}, {task[1].label}"):
        for outcome in outcomes if population.domain == ALL else (SIGNIFICANT,):
            observed = observe(members, key, outcome, orientation, alpha)
            if len(observed):
                counted = _counted(population, observed)
                curves.append(
                    fit_curve(
                        key,
                        outcome,
                        counted,
                        observed,
                        at=tuple(dict.fromkeys(at)),
                        resamples=resamples,
                        seed=seed,
                        confidence=confidence,
                    )
                )
    settings = {
        "data": data_setting(pairs),
        "orientation": orientation,
        **options.settings,
        **own_test_settings(pairs, own_test),
        "resamples": str(resamples),
        "confidence": option_text(confidence),
        "version": __version__,
    }
    return Calibration(settings, tuple(curves), notes=(*notes, *tie_notes(pairs), *_beaten(curves)))


def _check(orientation: str, confidence: float, resamples: int) -> None:
    check_choice("orientation", orientation, ORIENTATIONS)
    check_share("confidence", confidence)
    check_integer("resamples", resamples, 0, MAX_RESAMPLES)


def _counted(population: Population, observed: Observations) -> FittedPopulation:
    """The population with the pairs of systems that this metric has scores of."""
    used = np.unique(observed.campaign)
    return FittedPopulation(
        population.protocol,
        population.group,
        population.domain,
        campaigns=tuple(observed.campaigns[i] for i in used),
        language_pairs=len(np.unique(observed.cluster)),
        pairs=len(observed),
        segments=float(np.median(observed.segments)),
        judgements=float(np.median(observed.judged)),
    )


def _beaten(curves: Iterable[CalibrationCurve]) -> list[Note]:
    """A note on curves that predict held-out pairs no better than a simpler fit."""
    beaten = [
        f"{curve.metric} {curve.aggregation} ({curve.population.label}: {curve.validation.best})"
        for curve in curves
        if curve.outcome == SIGNIFICANT and curve.validation is not None and curve.validation.best != "isotonic"
    ]
    if not beaten:
        return []
    shown = "; ".join(beaten[:5]) + ("; …" if len(beaten) > 5 else "")
    text = f"by the Brier score, a simpler fit predicts held-out pairs better than the isotonic curve: {shown}"
    return [Note(NoteKind.ADVICE, text, count=len(beaten))]
