"""`assay.triage`: which segments can go out unedited at a promised error rate."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Unpack

from assay.aggregate.resample import CONFIDENCE, SEED, Seed
from assay.calibration.error_free import ErrorFreeRule, Judged
from assay.calibration.isotonic import fit_isotonic
from assay.calibration.triage import (
    Judgements,
    Promise,
    chosen_threshold,
    held_out_documents,
    held_out_pairs,
    rates_by_system,
)
from assay.data.formats import detect_scores, unrecognised_format
from assay.errors import ConfigError, InputError, nearest, option_name
from assay.human.selection import SystemOptions
from assay.lazily import numpy as np
from assay.metaeval.metric_tables import ComparedMetrics
from assay.options.checks import check_share
from assay.options.option import CALIBRATION, Option
from assay.options.shared import CAMPAIGNS, EXTERNAL, RUNTIME, Exclude, Gold, KeepReferences, ReferenceNames, Systems
from assay.options.verb import verb
from assay.registry import option_text
from assay.results import JudgedPopulation, Triage, TriagedSegment
from assay.study.meta_error_free import JudgedPairs, LeastScore, Severity, judged_pairs
from assay.types import Campaign, FloatArray, ScoreTable
from assay.types.note import listed
from assay.types.runtime import Runtime, RuntimeFields
from assay.version import __version__

__all__ = ["read_new_scores", "triage"]

_MOST_OUTSIDE = 0.5  # of new scores, before they are taken for those of another metric
_MAX_NAMES = 10
_FORMS = "write one score per line, or a table with the columns system, segment and score:NAME"


@verb
def triage(
    campaigns: Annotated[Iterable[Campaign], CAMPAIGNS],
    new: Annotated[
        ScoreTable | Sequence[float] | None,
        Option(
            "Scores of the new segments, by the same metric: a table by segment, or numbers in order.",
            is_command_option=False,
            is_checked=False,
        ),
    ] = None,
    *,
    error_rate: Annotated[
        float,
        Option("The share of what goes out that may have errors.", group=CALIBRATION, check=check_share),
    ] = 0.1,
    confidence: Annotated[
        float, Option("How sure it must be that no more have errors.", group=CALIBRATION, check=check_share)
    ] = CONFIDENCE,
    metrics: ComparedMetrics = (),
    gold: Gold = None,
    least_score: LeastScore = 85.0,
    severity: Severity = "minor",
    systems: Systems = ("*",),
    exclude: Exclude = (),
    keep_references: KeepReferences = False,
    references: ReferenceNames = (),
    external: Annotated[Mapping[str, Sequence[ScoreTable]] | None, EXTERNAL] = None,
    seed: Seed = SEED,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Triage:
    """Say which segments can go out unedited.

    A segment goes out if its score reaches a threshold, and at most the promised share of such segments has errors.
    Thresholds are tested in an order that only the scores decide, until one is not shown to keep the promise. If none
    is, nothing goes out. Each language pair (or, of a single one, each fifth of its documents) is also held out in
    turn, to count how often the promise is broken, and each system has its own error rate.

    Notes
    -----
    New scores beyond those that people judged are never released, and scores of another scale are refused.
    """
    promise = Promise(error_rate, confidence, seed)
    judged = judged_pairs(
        campaigns,
        ErrorFreeRule(least_score, severity),
        gold=gold,
        systems=SystemOptions.of(systems, exclude, keep_references),
        metrics=metrics,
        references=references,
        external=external,
        runtime=runtime or Runtime(),
        otherwise=() if metrics else ("*",),
    )
    name = _metric(judged.pairs)
    known = Judgements.of(name, judged.pairs)
    found = chosen_threshold(known, promise)
    pairs = [pair for pair in judged.pairs if name in pair.scores]
    single = len(pairs) == 1
    return Triage(
        settings={
            **judged.settings,
            **{"metric": name, "error_rate": option_text(error_rate), "confidence": option_text(confidence)},
            **{"seed": str(seed), "version": __version__},
        },
        metric=name,
        promised=error_rate,
        confidence=confidence,
        threshold=found.threshold,
        reason=found.reason,
        error_rate=found.error_rate,
        best=found.best,
        released_share=found.released_share,
        base_rate=float(known.has_error.mean()),
        severity=severity,
        least_score=least_score if least_score > 0 and _has_scores(pairs) else math.nan,
        population=_population(judged, pairs, known),
        held_out=held_out_documents(name, pairs[0], promise) if single else held_out_pairs(name, pairs, promise),
        held_out_unit="documents" if single else "pair",
        systems=() if math.isnan(found.threshold) else rates_by_system(known.above(found.threshold), confidence),
        segments=() if new is None else tuple(_decided(_table(new, name), found.threshold, known)),
        notes=judged.notes,
    )


def _metric(pairs: Sequence[Judged]) -> str:
    """The metric that decides, which must be the only one that is left."""
    scored = (name for pair in pairs for name, scores in pair.scores.items() if not np.isnan(scores).all())
    names = list(dict.fromkeys(scored))
    if not names:
        raise InputError("no metric has scores of the segments that people judged")
    if len(names) > 1:
        hint = f"choose one with {option_name('metrics')}: {listed(names, _MAX_NAMES)}"
        raise ConfigError("several metrics have scores", hint=hint)
    return names[0]


def _has_scores(pairs: Sequence[Judged]) -> bool:
    """Whether raters gave scores; those of MQM only mark errors."""
    return any((~np.isnan(pair.ratings.score)).any() for pair in pairs)


def _population(judged: JudgedPairs, pairs: Sequence[Judged], known: Judgements) -> JudgedPopulation:
    has_documents = all(pair.unit_name == "documents" for pair in pairs)
    lowest, highest = known.range
    return JudgedPopulation(
        judgements=len(known),
        protocol=pairs[0].ratings.protocol,
        human=judged.human,
        campaigns=tuple(dict.fromkeys(filter(None, (pair.campaign for pair in pairs)))),
        pairs=tuple(pair.label for pair in pairs),
        systems=len({name for pair in pairs for name in pair.ratings.systems}),
        documents=known.documents if has_documents else None,
        segments=None if has_documents else known.documents,
        lowest_score=lowest,
        highest_score=highest,
    )


def _table(new: ScoreTable | Sequence[float], metric: str) -> ScoreTable:
    if isinstance(new, ScoreTable):
        if new.level != "segment":
            raise InputError("new scores must be of segments", path=new.origin or None)
        return new
    return ScoreTable(metric, "segment", ("new",), np.array([list(new)], dtype=np.float64))


def _decided(table: ScoreTable, threshold: float, known: Judgements) -> Iterator[TriagedSegment]:
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


def _decision(score: float, threshold: float, low: float, high: float) -> str:
    if math.isnan(score):
        return "no score"
    if not low <= score <= high:
        return "outside"
    return "release" if score >= threshold else "edit"


def read_new_scores(path: str | Path, metrics: Sequence[str] = ()) -> ScoreTable:
    """The scores by segment in a file, of the metric that is named if it has several."""
    place = Path(path)
    reader = detect_scores(place)
    if reader is None:
        raise unrecognised_format(place, _FORMS)
    tables = [table for campaign in reader.read(place) for table in campaign.metrics if table.level == "segment"]
    named = [table for table in tables if table.name in metrics]
    found = named if len(tables) > 1 else tables
    if len(found) != 1:
        names = [table.name for table in tables]
        message = "this file has no scores of segments" if not names else "this file has scores of several metrics"
        raise InputError(message, path=str(path), hint=nearest(next(iter(metrics), ""), names) if names else _FORMS)
    return found[0]
