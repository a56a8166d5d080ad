"""`assay.prefer`: which of two outputs of a segment people probably prefer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Literal, Unpack

from assay.aggregate.resample import CONFIDENCE, SEED, Confidence, Seed, resamples_option
from assay.aggregate.unit_intervals import UnitResamples
from assay.calibration.fitted_texts import bundled_texts, fitted_texts, judged_by_label
from assay.calibration.populations import data_text
from assay.calibration.segment_files import JudgedFit, bundled_segments
from assay.calibration.segment_preference import (
    OutputPairs,
    answers,
    evaluations,
    fit_segments,
    population,
    shown_threshold,
)
from assay.contracts import BY_ITSELF, Metric
from assay.errors import ConfigError, InputError, option_name
from assay.lazily import numpy as np
from assay.measurement import Measured, MetricLike, measure, metrics_option
from assay.metrics import metric as metric_registry
from assay.options.option import CALIBRATION, SYSTEMS, Data, Option
from assay.options.shared import RUNTIME, TESTSET, GoldNames
from assay.options.verb import verb
from assay.registry import name_list, option_text
from assay.results import FittedSegments, Preferences
from assay.trained.judged_texts import fitted_segments
from assay.training.output_pairs import PairsChoice, output_pairs
from assay.types import Campaign, FloatArray, Note, NoteKind, ScoreTable, TestSet
from assay.types.note import listed, plural
from assay.types.runtime import Runtime, RuntimeFields
from assay.version import __version__

__all__ = ["DEFAULT_METRICS", "prefer"]

DEFAULT_METRICS = ("chrf++",)


def _check_at_least(name: str, value: object) -> None:
    if not isinstance(value, float | int) or isinstance(value, bool) or not 0.5 <= value < 1:
        raise ConfigError(f"{option_name(name)} must be at least 0.5 and less than 1, not {value!r}")


@verb
def prefer(
    testset: Annotated[TestSet, TESTSET],
    campaigns: Annotated[
        Iterable[Campaign],
        Data(
            "Campaigns with human judgements of segments, which the probabilities are fitted to; without any, a fit to "
            "WMT judgements that comes with Assay.",
            noun="a campaign or a list of campaigns",
            example='campaigns = assay.load_campaigns("wmt24")',
            group=CALIBRATION,
        ),
    ] = (),
    *,
    metrics: Annotated[
        MetricLike | Iterable[MetricLike],
        metrics_option(
            "Metrics whose scores decide, with their options; with test sets that store scores also names of these.",
            takes_names=True,
        ),
    ] = DEFAULT_METRICS,
    at_least: Annotated[
        float,
        Option(
            "Answer only where the probability is at least this, and answers were shown to be right so often on "
            "judgements that were held out.",
            group=CALIBRATION,
            metavar="P",
            check=_check_at_least,
        ),
    ] = 0.6,
    gold: GoldNames = (),
    exclude_judged: Annotated[
        Iterable[str], Option("Leave out judged systems whose names match.", group=SYSTEMS, metavar="GLOB")
    ] = (),
    resamples: Annotated[
        int, resamples_option("Number of resamples of the documents, for the intervals; 0: no intervals.")
    ] = 1000,
    seed: Seed = SEED,
    confidence: Confidence = CONFIDENCE,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Preferences:
    """Say which of two outputs of each segment people probably prefer.

    The probability rises with the difference of the scores, and is fitted to human judgements of segments. Where people
    saw no difference, each output counts as preferred half. Campaigns, language pairs or parts of the documents are
    left out in turn to see how often answers are right; there are none unless that is shown to be often enough.
    """
    runtime = runtime or Runtime()
    if len(testset.systems) != 2:
        message = f"two outputs are compared, and there {_are(len(testset.systems))}"
        choose = f"choose two of them with {option_name('systems', 'A,B')}"
        raise InputError(message, hint=choose if len(testset.systems) > 2 else "give the outputs of two systems")
    chosen = [metrics] if isinstance(metrics, str | Metric | ScoreTable) else list(metrics)
    _refuse_wins(chosen)
    judged = list(campaigns)
    measurements = measure(testset, chosen, runtime)
    measured = list(measurements.metrics.values())
    names = tuple(each.spec for each in measured)
    stored = frozenset(each.name for each in chosen if isinstance(each, ScoreTable))
    if judged:
        choice = PairsChoice(names, stored, tuple(gold), tuple(exclude_judged), seed=seed)
        pairs, notes = output_pairs(judged, choice, runtime)
        drawn = UnitResamples(resamples, seed, confidence, runtime)
        found = JudgedFit(fit_segments(pairs), population(pairs), tuple(evaluations(pairs, names, drawn)))
        in_sample = _in_sample(testset, judged, pairs)
    else:
        found, notes = _bundled(names), []
        in_sample = fitted_segments(testset, judged_by_label(found.population.pairs), bundled_texts())
    source: Literal["own", "wmt"] = "own" if judged else "wmt"
    threshold, reason = shown_threshold(found.evaluations[0], at_least)
    first, second = _scores(measured, measurements.testset)
    signs = [1 if each.metric.higher_is_better else -1 for each in measured]
    settings = {
        "data": data_text(_data(pairs)) if judged else source,
        "metrics": name_list(names),
        "at_least": option_text(at_least),
        "gold": name_list(tuple(gold)),
        "exclude_judged": name_list(tuple(exclude_judged)),
        "resamples": str(resamples) if judged else "",
        "seed": str(seed) if judged else "",
        "confidence": option_text(confidence) if judged else "",
        "version": __version__,
    }
    return Preferences(
        settings={name: value for name, value in settings.items() if value},
        metrics=names,
        lp=testset.lp,
        first=testset.systems[0],
        second=testset.systems[1],
        at_least=float(at_least),
        threshold=threshold,
        reason=reason,
        segments=tuple(answers(found.fit, names, first, second, signs, threshold, testset.items)),
        source=source,
        fit=found.fit,
        population=found.population,
        evaluations=found.evaluations,
        in_sample=in_sample,
        notes=(*measurements.notes, *notes, *_signatures(measured)),
    )


def _in_sample(
    testset: TestSet, campaigns: Iterable[Campaign], pairs: Iterable[OutputPairs]
) -> tuple[FittedSegments, ...]:
    """The judged test sets that have segments of this one among those that were used."""
    by_name = {(each.name, each.lp): each for each in campaigns}
    known = {
        each.label: fitted_texts(by_name[each.campaign, each.lp], np.unique(each.segment).tolist()) for each in pairs
    }
    return fitted_segments(testset, [(each.campaign, each.lp) for each in pairs], known)


def _data(pairs: Iterable[OutputPairs]) -> dict[str, list[str]]:
    """The language pairs of each campaign."""
    found: dict[str, list[str]] = {}
    for each in pairs:
        found.setdefault(each.campaign, []).append(each.lp)
    return found


def _are(systems: int) -> str:
    return f"{'is' if systems == 1 else 'are'} {plural(systems, 'system')}"


def _refuse_wins(metrics: Iterable[MetricLike]) -> None:
    """Raise for a metric whose scores of an output depend on which others there are."""
    for each in metrics:
        made = metric_registry.create(each) if isinstance(each, str) else each
        if isinstance(made, Metric) and made.depends_on_systems:
            raise ConfigError(f"the scores of '{each}' depend on the other systems", hint=BY_ITSELF)


def _bundled(names: Sequence[str]) -> JudgedFit:
    """The fit that comes with Assay for the metric; raise if there is none."""
    known = bundled_segments()
    if len(names) == 1 and names[0] in known:
        return known[names[0]]
    what = f"for '{names[0]}'" if len(names) == 1 else "for several metrics together"
    raise ConfigError(
        f"no fit {what} comes with Assay",
        hint=f"give test sets with human judgements of segments: {option_name('learn_from', 'wmt24')}; without them, "
        f"choose one of {listed(known, len(known))}",
    )


def _scores(measured: Sequence[Measured], testset: TestSet) -> tuple[FloatArray, FloatArray]:
    """(metric, segment): the scores of the first and of the second output."""
    if len(testset.systems) < 2:
        raise InputError("one of the outputs is a reference, which cannot be scored against itself")
    tables = np.stack([each.segment_scores for each in measured])
    return tables[:, 0], tables[:, 1]


def _signatures(measured: Iterable[Measured]) -> Iterator[Note]:
    for each in measured:
        yield Note(NoteKind.PROVENANCE, f"computed as {each.signature('none')}", where=each.spec)
