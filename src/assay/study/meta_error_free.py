"""`assay.meta_error_free`: how well metrics tell segments without errors from others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Unpack

from assay.aggregate.resample import CONFIDENCE, SEED, Confidence, Seed
from assay.calibration.error_free import ErrorFreeRule, Judged, Resampled, another_rater, evaluate, judged, means
from assay.errors import InputError, option_name
from assay.human.selection import SystemOptions, find_judgements, find_name, label_campaigns
from assay.metaeval.intervals import IntervalMethod, IntervalResamples
from assay.metaeval.metric_tables import ComparedMetrics, MetricOptions, with_common_names
from assay.metaeval.pair_scores import pair_metrics
from assay.metaeval.settings import data_settings, selection_settings
from assay.options.checks import check_count, no_effect
from assay.options.option import HUMAN, Option
from assay.options.shared import CAMPAIGNS, EXTERNAL, RUNTIME, Exclude, Gold, KeepReferences, ReferenceNames, Systems
from assay.options.verb import verb
from assay.registry import option_text
from assay.results import ErrorFreeEvaluation, ErrorFreeMetric
from assay.types import Campaign, Note, NoteKind, Ratings, ScoreTable
from assay.types.note import notes_of_pairs
from assay.types.runtime import Runtime, RuntimeFields
from assay.version import __version__

__all__ = ["JudgedPairs", "LeastScore", "Severity", "judged_pairs", "meta_error_free"]

LeastScore = Annotated[
    float,
    Option(
        "The lowest score of a rating that finds no error, on the scale of the protocol; 0: only marked errors count.",
        group=HUMAN,
        metavar="SCORE",
        check=check_count,
    ),
]
Severity = Annotated[
    str,
    Option(
        "The least severity of an error that counts: minor (all errors) or major.",
        group=HUMAN,
        choices=("minor", "major"),
    ),
]


@verb
def meta_error_free(
    campaigns: Annotated[Iterable[Campaign], CAMPAIGNS],
    *,
    gold: Gold = None,
    least_score: LeastScore = 85.0,
    severity: Severity = "minor",
    systems: Systems = ("*",),
    exclude: Exclude = (),
    keep_references: KeepReferences = False,
    metrics: ComparedMetrics = (),
    references: ReferenceNames = (),
    external: Annotated[Mapping[str, Sequence[ScoreTable]] | None, EXTERNAL] = None,
    resamples: IntervalResamples = None,
    seed: Seed = SEED,
    confidence: Confidence = CONFIDENCE,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> ErrorFreeEvaluation:
    """Compare metrics as detectors of segments without errors (task 3 of WMT26).

    A rating of an output finds no error if it marks none and its score is at least 85. Areas under the ROC and the
    precision-recall curve need no threshold. For F, the threshold is the one with the highest F on the other language
    pairs, and the calibrated probabilities behind the Brier score are fitted on these, too.
    """
    runtime = runtime or Runtime()
    drawn = IntervalMethod.default_resamples if resamples is None else resamples
    if not drawn and confidence != CONFIDENCE:
        raise no_effect("confidence", "there are no intervals")
    resampled = Resampled(drawn, seed, confidence, runtime)
    pairs = judged_pairs(
        campaigns,
        ErrorFreeRule(least_score, severity),
        gold=gold,
        systems=SystemOptions.of(systems, exclude, keep_references),
        metrics=metrics,
        references=references,
        external=external,
        runtime=runtime,
    )
    rows = _rows(pairs.pairs, resampled)
    if not rows:
        raise InputError("no metric has scores of the segments that people judged")
    return ErrorFreeEvaluation(
        settings={
            **pairs.settings,
            **({"ci": "documents", "resamples": str(drawn), "seed": str(seed)} if drawn else {}),
            **({"confidence": option_text(confidence)} if drawn else {}),
            "version": __version__,
        },
        human=pairs.human,
        metrics=tuple(rows),
        notes=pairs.notes,
    )


@dataclass(frozen=True, slots=True)
class JudgedPairs:
    """What people judged on each language pair, and what it depends on."""

    human: str
    pairs: tuple[Judged, ...]
    settings: Mapping[str, str]
    notes: tuple[Note, ...]


def judged_pairs(
    campaigns: Iterable[Campaign],
    rule: ErrorFreeRule,
    *,
    gold: str | None,
    systems: SystemOptions,
    metrics: Sequence[str],
    references: Sequence[str],
    external: Mapping[str, Sequence[ScoreTable]] | None,
    runtime: Runtime,
    otherwise: tuple[str, ...] = ("*",),
) -> JudgedPairs:
    """The ratings of all language pairs with the scores of the metrics, under names that meet across pairs.

    `otherwise` are patterns for the stored metrics if none of the metrics is a stored one.
    """
    by_label = label_campaigns(campaigns)
    name = find_name(by_label.values(), gold, prefer="judgements", levels=())
    chosen = MetricOptions.from_names(metrics, references, None, by_label.values(), otherwise, external)
    chosen.check(by_label.values(), level="segment")
    notes: dict[str, list[Note]] = {}
    found: dict[str, tuple[Ratings, tuple[str, ...]]] = {}
    loaded = {}
    for label, campaign in by_label.items():
        judgements = find_judgements(campaign, name, prefer="judgements", levels=())
        ratings = None if judgements is None else judgements.judgements
        if not isinstance(ratings, Ratings) or not ratings.errors:
            notes[label] = [Note(NoteKind.EXCLUDED, f"left out: '{name}' has no ratings with marked errors")]
            continue
        selection = systems.select(ratings.systems, campaign)
        metric = pair_metrics(campaign, systems, chosen, name, level="segment", runtime=runtime)
        found[label], loaded[label] = (ratings, selection.systems), metric.metrics
        notes[label] = [*selection.notes]
    named, naming = with_common_names(loaded, by_label)
    pairs = []
    for label, (ratings, chosen_systems) in found.items():
        each = judged(label, by_label[label], ratings, chosen_systems, named[label], rule)
        notes[label] += [*([naming[label]] if label in naming else ()), *each.notes]
        if not each.is_free.any():
            notes[label].append(
                Note(
                    NoteKind.UNDEFINED,
                    "no rating is error-free, so that nothing can be detected: means leave the pair out",
                )
            )
        pairs.append(each)
    if not pairs:
        raise InputError(
            f"'{name}' has no ratings with marked errors: only ratings of MQM and ESA have them",
            hint=_gold_with_errors(by_label.values()),
        )
    settings = {
        **data_settings(by_label.values()),
        **{"gold": name, "least_score": option_text(rule.least_score), "severity": rule.severity},
        **selection_settings(systems, chosen),
    }
    return JudgedPairs(name, tuple(pairs), settings, notes_of_pairs(notes.items()))


def _gold_with_errors(campaigns: Iterable[Campaign]) -> str:
    """What to choose instead of judgements without marked errors."""
    ratings = [each for campaign in campaigns for each in campaign.ratings if each.errors]
    if not ratings:
        return "this data has none; wmt24 and wmt25, for example, have them"
    return f"choose them: {option_name('gold', ratings[0].name)}"


def _rows(pairs: Sequence[Judged], drawn: Resampled) -> list[ErrorFreeMetric]:
    """For each metric the mean over language pairs, if there are several, then each of them; the best area first."""
    names = dict.fromkeys(name for each in pairs for name in each.scores)
    rows: list[list[ErrorFreeMetric]] = []
    for name in names:
        found = [evaluate(name, each, [other for other in pairs if other is not each], drawn) for each in pairs]
        rows.append([each for each in found if each is not None])
    people = [each for pair in pairs if (each := another_rater(pair, drawn)) is not None]
    summed = [[*([means(each)] if len(each) > 1 else []), *each] for each in (*rows, people) if each]
    ordered = sorted(summed, key=lambda each: (each[0].is_baseline, -len(each), -_area(each[0]), each[0].metric))
    return [each for of_metric in ordered for each in of_metric]


def _area(row: ErrorFreeMetric) -> float:
    return row.roc_area.value if row.roc_area.value == row.roc_area.value else -1.0
