"""`assay.calibrate`: from a metric difference to the probability that people find it significant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Unpack

from assay.aggregate.resample import CONFIDENCE, SEED, Confidence, Seed, resamples_option
from assay.calibration.curves import check_curve, fit_curve
from assay.calibration.external import with_external
from assay.calibration.judged_pairs import kept_pairs
from assay.calibration.options import (
    HUMAN_TESTS,
    MIN_SEGMENTS,
    Aggregations,
    HumanTest,
    HumanUnit,
    JudgedSizes,
    MinSegments,
    OwnTest,
    PairMetrics,
    PairOptions,
    ProtocolGold,
    Stored,
)
from assay.calibration.outcomes import ORIENTATIONS, OWN_OUTCOMES, observe, tie_notes
from assay.calibration.populations import fitted_population, group_of, is_covered, populations
from assay.calibration.system_pairs import SystemPairs, collect_pairs, data_setting, own_test_settings, score_keys
from assay.calibration.validation import RESAMPLES, Drawing
from assay.errors import ConfigError, InputError, UnknownNameError, option_name, spelled
from assay.options.option import CALIBRATION, Data, Option
from assay.options.shared import CAMPAIGNS, EXTERNAL, RUNTIME, Alpha, Exclude, KeepReferences
from assay.options.verb import verb
from assay.registry import option_text
from assay.results import ALL, Calibration, CalibrationCurve, Population
from assay.results.calibration import AGREES, SIGNIFICANT
from assay.significance import ALPHA
from assay.types import Campaign, Note, NoteKind, ScoreTable
from assay.types.runtime import Runtime, RuntimeFields
from assay.version import __version__
from assay.words.calibration import population_words

__all__ = ["calibrate"]


@verb
def calibrate(
    campaigns: Annotated[Iterable[Campaign], CAMPAIGNS],
    metrics: PairMetrics = None,
    *,
    agg: Aggregations = ("corpus", "segment"),
    stored: Stored = (),
    external: Annotated[Mapping[str, Sequence[ScoreTable]] | None, EXTERNAL] = None,
    gold: ProtocolGold = None,
    orientation: Annotated[
        str,
        Option(
            "by-metric: do people prefer the system that the metric prefers; absolute: do they prefer either; "
            "by-human: the difference in the direction that people prefer.",
            group=CALIBRATION,
            choices=ORIENTATIONS,
            metavar="NAME",
        ),
    ] = "by-metric",
    test: HumanTest = None,
    unit: HumanUnit = "segment",
    alpha: Alpha = ALPHA,
    min_segments: MinSegments = MIN_SEGMENTS,
    judged: JudgedSizes = (),
    at: Annotated[
        Sequence[float],
        Option("Also show the probability at these differences, such as 2,5,10.", group=CALIBRATION, metavar="X"),
    ] = (),
    by_domain: Annotated[bool, Option("Also fit a curve for each domain.", group=CALIBRATION)] = False,
    own_test: OwnTest = None,
    check: Annotated[
        Iterable[Campaign],
        Data(
            "Test sets that the curves are not fitted to. Answers say what people preferred there, in pairs with about "
            "the same probability.",
            noun="a campaign or a list of campaigns",
            example='campaigns = assay.load_campaigns("wmt24")',
            group=CALIBRATION,
        ),
    ] = (),
    exclude: Exclude = (),
    keep_references: KeepReferences = False,
    resamples: Annotated[
        int,
        resamples_option("Number of resamples of the language pairs, for the intervals; 0 for exact intervals alone."),
    ] = RESAMPLES,
    seed: Seed = SEED,
    confidence: Confidence = CONFIDENCE,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Calibration:
    """Turn metric differences into the probability that people notice.

    Fits a non-decreasing curve for each metric, aggregation, protocol and group of target languages (Lo et al. 2023):
    the share of pairs of systems in which people significantly prefer the system that the metric prefers, and the
    differences from which on they do so in 50, 80 and 95 % of the pairs. With `own_test`, also fits the probability
    that the metric's own test is significant (Marie 2022).
    """
    runtime = runtime or Runtime()
    options = PairOptions.of(
        metrics,
        stored,
        external,
        test=test or HUMAN_TESTS[unit],
        unit=unit,
        alpha=alpha,
        min_segments=min_segments,
        agg=tuple(dict.fromkeys(agg)),
        gold=gold,
        own_test=own_test,
        exclude=tuple(exclude),
        keep_references=keep_references,
        seed=seed,
        by_domain=by_domain,
        judged=tuple(dict.fromkeys(judged)),
    )
    pairs, notes = collect_pairs(with_external(campaigns, external), options, runtime)
    outcomes = (SIGNIFICANT, AGREES, *(OWN_OUTCOMES if own_test else ()))
    curves: list[CalibrationCurve] = []
    pooled = {each.protocol: members for each, members in populations(pairs) if each == Population(each.protocol)}
    tasks = [(key, population, members) for population, members in populations(pairs) for key in score_keys(pairs)]
    for key, population, members in runtime.track(tasks, lambda task: f"fitting {task[0][0]}, {task[1].label}"):
        for outcome in outcomes if population.domain == ALL else (SIGNIFICANT,):
            observed = observe(members, key, outcome, orientation, alpha, kinds=population.kinds)
            if len(observed):
                counted = fitted_population(population, observed)
                curves.append(
                    fit_curve(
                        key,
                        outcome,
                        counted,
                        observed,
                        pooled=None
                        if population.group == population.kinds == ALL
                        else observe(pooled[population.protocol], key, outcome, orientation, alpha),
                        at=tuple(dict.fromkeys(at)),
                        drawing=Drawing(resamples, seed, confidence),
                    )
                )
    checked_on: list[SystemPairs] = []
    if others := _other_campaigns(check, pairs):
        try:
            checked_on, more = collect_pairs(
                others, replace(options, by_domain=False, own_test=None, judged=()), runtime
            )
        except (InputError, UnknownNameError) as error:
            error.message = spelled(f"{option_name('check')}: {error.message}")
            raise
        notes += [replace(each, where=f"check, {each.where}" if each.where else "check") for each in more]
        curves = [_checked(curve, checked_on, orientation, alpha) for curve in curves]
    settings = {
        "data": data_setting(pairs),
        "orientation": orientation,
        **options.settings,
        "unit": unit,
        **own_test_settings(pairs, own_test),
        **({"check": data_setting(checked_on)} if checked_on else {}),
        "resamples": str(resamples),
        "confidence": option_text(confidence),
        "version": __version__,
    }
    all_notes = (*notes, *tie_notes(pairs), *_beaten(curves))
    return Calibration(settings, tuple(curves), kept_pairs(pairs, alpha), notes=all_notes)


def _other_campaigns(campaigns: Iterable[Campaign], fitted: Iterable[SystemPairs]) -> list[Campaign]:
    """Campaigns to check curves on, which must not be fitted to them."""
    used = {(each.campaign, each.lp) for each in fitted}
    others = list(campaigns)
    for each in others:
        if (each.name, each.lp) in used:
            hint = f"leave it out of the data or of {option_name('check')}"
            raise ConfigError(f"curves that are fitted to {each.name} {each.lp} cannot be checked on it", hint=hint)
    return others


def _checked(curve: CalibrationCurve, pairs: Iterable[SystemPairs], orientation: str, alpha: float) -> CalibrationCurve:
    """A curve of all domains with what people said of other campaigns, by the same protocol if it was used there."""
    population = curve.population
    if population.domain != ALL or curve.outcome not in (SIGNIFICANT, AGREES):
        return curve
    in_group = [each for each in pairs if population.group in (ALL, group_of(each.lp))]
    covered = [each for each in in_group if is_covered(each.lp, population)]
    members = [each for each in covered if each.protocol == population.protocol] or covered
    key = (curve.metric, curve.aggregation)
    observed = observe(members, key, curve.outcome, orientation, alpha, kinds=population.kinds)
    protocols = "/".join(dict.fromkeys(each.protocol for each in members))
    return check_curve(curve, observed, population_words(Population(protocols, campaigns=tuple(observed.lps))))


def _beaten(curves: Iterable[CalibrationCurve]) -> list[Note]:
    """A note on curves that predict held-out pairs no better than a simpler fit, or than the curve of all languages."""
    beaten = [
        f"{curve.metric} {curve.aggregation} ({curve.population.label}: {curve.validation.best})"
        for curve in curves
        if curve.outcome == SIGNIFICANT and curve.validation is not None and curve.validation.best != "isotonic"
    ]
    if not beaten:
        return []
    shown = "; ".join(beaten[:5]) + ("; …" if len(beaten) > 5 else "")
    text = f"by the Brier score, another fit predicts held-out pairs better than the isotonic curve: {shown}"
    return [Note(NoteKind.ADVICE, text, count=len(beaten))]
