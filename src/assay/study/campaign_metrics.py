"""The metrics of a campaign that `assay.meta` and `assay.robustness` compare with human scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.errors import InputError
from assay.metaeval.metric_tables import computed_tables, find_reference, metric_tables, run_notes
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.runtime import Runtime
from assay.study.score import score
from assay.types import Campaign, Note, ScoreTable

__all__ = ["campaign_metrics"]


def campaign_metrics(
    campaign: Campaign,
    *,
    level: str,
    references: Sequence[str],
    metrics: Sequence[str],
    external: Iterable[ScoreTable],
    runtime: Runtime,
    stored: Sequence[str] = ("*",),
) -> tuple[list[ScoresByLevel], tuple[Note, ...]]:
    """The stored metrics of a campaign, `metrics` computed from its texts, and `external` ones; with notes."""
    reference = find_reference(campaign, tuple(references))
    if not metrics:
        return metric_tables(campaign, reference=reference, stored=stored, external=external), ()
    if campaign.testset is None:
        raise InputError(f"{campaign.name} {campaign.lp} has no texts to compute {', '.join(metrics)} from")
    used = reference or next(iter(campaign.testset.references), None)
    testset = campaign.select_texts(references=() if used is None else (used,), keep_references=True)
    run = score(testset, dict.fromkeys(metrics), resamples=0, runtime=runtime)
    notes = tuple(note for note in run_notes(run, level) if note not in testset.notes)
    computed = computed_tables(run, used)
    return metric_tables(campaign, reference=reference, stored=stored, computed=computed, external=external), notes
