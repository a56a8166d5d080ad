"""`assay.triage`: which segments can be released unedited at a promised error rate."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Unpack

from assay.aggregate.resample import CONFIDENCE, SEED, Seed
from assay.calibration.error_free import ErrorFreeRule, MinScore, RatedLanguagePair, SmallestSeverity
from assay.calibration.rated_pairs import RatingChoice, rated_language_pairs
from assay.calibration.triage import (
    Judgements,
    Promise,
    chosen_threshold,
    decided,
    held_out_pairs,
    held_out_parts,
    rates_by_pair,
    rates_by_system,
    scale_notes,
    unequal_documents,
    withheld,
)
from assay.data.formats import detect_scores, unrecognised_format
from assay.data.tables.numbers import parse_score
from assay.data.tables.roles import is_number
from assay.data.text_files import read_lines, shown_path
from assay.errors import ConfigError, InputError, nearest, option_name
from assay.human.selection import SystemOptions
from assay.lazily import numpy as np
from assay.metaeval.metric_tables import ComparedMetrics
from assay.options.checks import check_share
from assay.options.option import CALIBRATION, Option
from assay.options.shared import CAMPAIGNS, EXTERNAL, RUNTIME, Exclude, Gold, KeepReferences, ReferenceNames, Systems
from assay.options.verb import verb
from assay.registry import option_text
from assay.results import HeldOut, JudgedPopulation, PairErrors, Triage
from assay.results.triage import FEW_JUDGEMENTS
from assay.types import Campaign, ScoreTable
from assay.types.note import listed
from assay.types.runtime import Runtime, RuntimeFields
from assay.types.severity import Severity
from assay.version import __version__

__all__ = ["read_new_scores", "triage"]

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
        Option(
            "Largest share of released segments in which a rater may find errors.",
            group=CALIBRATION,
            check=check_share,
        ),
    ] = 0.1,
    confidence: Annotated[
        float, Option("Confidence of the promise that no more have errors.", group=CALIBRATION, check=check_share)
    ] = CONFIDENCE,
    metrics: ComparedMetrics = (),
    gold: Gold = None,
    min_score: MinScore = 85.0,
    severity: SmallestSeverity = str(Severity.MINOR),
    systems: Systems = ("*",),
    exclude: Exclude = (),
    keep_references: KeepReferences = False,
    references: ReferenceNames = (),
    external: Annotated[Mapping[str, Sequence[ScoreTable]] | None, EXTERNAL] = None,
    seed: Seed = SEED,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Triage:
    """Say which segments can be released unedited.

    A segment is released if its score reaches a threshold from which on a rater finds errors in at most the promised
    share of segments. If no threshold is shown to keep the promise, nothing is released. Nothing is promised of
    documents longer than the longest that was judged. Each language pair (or, of a single one, each of five parts of
    its documents) is also left out in turn, to see whether the promise is kept there, and each system has its own error
    rate. If people found more errors than promised in one of several language pairs, nothing is released.

    Notes
    -----
    New scores beyond those that people judged are never released, and scores of another scale are refused.
    """
    promise = Promise(error_rate, confidence)
    choice = RatingChoice(
        ErrorFreeRule(min_score, severity),
        gold,
        SystemOptions.of(systems, exclude, keep_references),
        tuple(metrics),
        tuple(references),
        external or {},
        otherwise=() if metrics or external else ("*",),
    )
    judged = rated_language_pairs(campaigns, choice, runtime or Runtime())
    name = _metric(judged.pairs)
    known = Judgements.of(name, judged.pairs)
    pairs = [pair for pair in judged.pairs if name in pair.scores and not np.isnan(pair.scores[name]).all()]
    single = len(pairs) == 1
    found = chosen_threshold(known, promise)
    by_pair = () if single else rates_by_pair(name, pairs, found.threshold, promise)
    held_out = held_out_parts(name, pairs[0], promise, seed) if single else held_out_pairs(name, pairs, promise)
    common = found.threshold
    if not math.isnan(common) and (broken := _broken(by_pair, held_out, error_rate)):
        found = withheld(found, broken)
    released = known.take(np.zeros(len(known), bool) if math.isnan(found.threshold) else known.score >= found.threshold)
    table = None if new is None else _table(new, name)
    return Triage(
        settings={
            **judged.settings,
            **({} if metrics else {"metric": name}),
            **{"error_rate": option_text(error_rate), "confidence": option_text(confidence)},
            **{"seed": str(seed), "version": __version__},
        },
        metric=name,
        promised=error_rate,
        confidence=confidence,
        threshold=found.threshold,
        reason=found.reason,
        error_rate=found.error_rate,
        found_by_any=released.found_by_any,
        best=found.best,
        released_share=found.released_share,
        base_rate=float(known.has_error.mean()),
        severity=severity,
        min_score=min_score if min_score > 0 and _has_scores(pairs) else math.nan,
        population=_population(judged.human, pairs, known),
        held_out=held_out,
        holds_out_pairs=not single,
        withheld=common if math.isnan(found.threshold) else math.nan,
        pairs=by_pair,
        systems=rates_by_system(released, confidence),
        segments=() if table is None else tuple(decided(table, found.threshold, known)),
        notes=(
            *judged.notes,
            *unequal_documents(released if len(released) else known),
            *(() if table is None else scale_notes(table, known)),
        ),
    )


def _broken(pairs: Sequence[PairErrors], held_out: Sequence[HeldOut], promised: float) -> dict[str, float]:
    """The language pairs with a higher rate than promised, from the common threshold on, and these rates.

    Also those in which the promise is shown to be broken from the threshold of the others on.
    """
    others = {each.part: each.error_rate for each in held_out}
    broken: dict[str, float] = {}
    for each in pairs:
        own = each.error_rate
        if own.n >= FEW_JUDGEMENTS and own.value > promised:
            broken[each.pair] = own.value
        elif each.pair in others and others[each.pair].low > promised:
            broken[each.pair] = others[each.pair].value
    return broken


def _metric(pairs: Sequence[RatedLanguagePair]) -> str:
    """The metric that decides, which must be the only one that is left."""
    scored = (name for pair in pairs for name, scores in pair.scores.items() if not np.isnan(scores).all())
    names = list(dict.fromkeys(scored))
    if not names:
        raise InputError("no metric has scores of the segments that people judged")
    if len(names) > 1:
        hint = f"choose one with {option_name('metrics')}: {listed(names, _MAX_NAMES)}"
        raise ConfigError("several metrics have scores", hint=hint)
    return names[0]


def _has_scores(pairs: Sequence[RatedLanguagePair]) -> bool:
    """Whether raters gave scores; those of MQM only mark errors."""
    return any((~np.isnan(pair.ratings.score)).any() for pair in pairs)


def _population(human: str, pairs: Sequence[RatedLanguagePair], known: Judgements) -> JudgedPopulation:
    lowest, highest = known.range
    return JudgedPopulation(
        judgements=len(known),
        protocol=pairs[0].ratings.protocol,
        human=human,
        campaigns=tuple(dict.fromkeys(filter(None, (pair.campaign for pair in pairs)))),
        pairs=tuple(pair.label for pair in pairs),
        systems=len(np.unique(known.system)),
        units=known.documents,
        unit=known.unit,
        lowest_score=lowest,
        highest_score=highest,
        longest=known.longest if known.unit == "document" else 1,
    )


def _table(new: ScoreTable | Sequence[float], metric: str) -> ScoreTable:
    if isinstance(new, ScoreTable):
        if new.level != "segment":
            raise InputError("new scores must be of segments", path=new.origin or None)
        return new
    return ScoreTable(metric, "segment", ("new",), np.array([list(new)], dtype=np.float64))


def read_new_scores(path: str | Path, metrics: Sequence[str] = ()) -> ScoreTable:
    """The scores by segment in a file, of the metric that is named if it has several."""
    place = Path(path)
    reader = detect_scores(place)
    if reader is None:
        _refuse_other_lines(place)
        raise unrecognised_format(place, _FORMS)
    tables = [table for campaign in reader.read(place) for table in campaign.metrics if table.level == "segment"]
    named = [table for table in tables if table.name in metrics]
    found = named if len(tables) > 1 else tables
    if len(found) != 1:
        names = [table.name for table in tables]
        message = "this file has no scores of segments" if not names else "this file has scores of several metrics"
        raise InputError(message, path=str(path), hint=nearest(next(iter(metrics), ""), names) if names else _FORMS)
    return found[0]


def _refuse_other_lines(path: Path) -> None:
    """Raise for the first line that is no score, if most lines are."""
    lines = read_lines(path)[0]
    others = [number for number, line in enumerate(lines) if not is_number(line)]
    if others and 2 * len(others) < len(lines):
        parse_score(lines[others[0]], path=shown_path(path), line=others[0] + 1)
