"""`assay.rank`: rank systems by human judgement, with clusters and rank ranges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Unpack, overload

from assay.errors import ConfigError, InputError
from assay.human.domains import documents_of, with_domains
from assay.human.notes import dependent_segments, few_documents
from assay.human.options import RankingChoices, RankingOptions
from assay.human.preparation import prepare
from assay.human.ranking import rank_systems
from assay.human.reliability import reliability_of
from assay.human.scoring import segment_scores
from assay.human.selection import (
    Judged,
    SelectedJudgements,
    SystemOptions,
    find_ranked_judgements,
    label_campaigns,
    select_judgements,
)
from assay.metaeval.settings import selection_settings
from assay.options.option import HUMAN, Option
from assay.options.shared import JUDGEMENTS, RUNTIME, Exclude, Gold, KeepReferences, Systems
from assay.options.verb import verb_with
from assay.registry import option_text
from assay.results import PairRankings, Ranking
from assay.types import Campaign, Note, NoteKind, Rankings, Ratings, ScoreTable, TestSet
from assay.types.note import notes_of_pairs
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["rank"]


class _Options(RankingChoices, RuntimeFields, total=False):
    gold: str | None
    systems: Iterable[str]
    exclude: Iterable[str]
    keep_references: bool
    reliability: bool
    runtime: Runtime | None


@overload
def rank(judgements: Judged | Campaign, **options: Unpack[_Options]) -> Ranking: ...


@overload
def rank(judgements: Iterable[Campaign], **options: Unpack[_Options]) -> PairRankings: ...


@verb_with(RankingOptions)
def rank(
    judgements: Annotated[Judged | Campaign | Iterable[Campaign], JUDGEMENTS],
    *,
    gold: Gold = None,
    systems: Systems = ("*",),
    exclude: Exclude = (),
    keep_references: KeepReferences = False,
    reliability: Annotated[bool, Option("Also show how well the raters agree.", group=HUMAN)] = False,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **options: Any,
) -> Ranking | PairRankings:
    """Rank systems by human judgements.

    Systems that do not differ significantly share a cluster. Scores and ratings are averaged, and the means are
    compared by a test. Rankings are scored by expected wins, wins or TrueSkill, and clusters follow from the rank
    ranges in resamples of the judgements. An option that has no effect on the judgements is refused. Several language
    pairs are ranked one by one.
    """
    chosen, runtime = RankingOptions(**options), runtime or Runtime()
    selected_by = SystemOptions.of(systems, exclude, keep_references)
    select = partial(select_judgements, systems=selected_by)
    settings = selection_settings(selected_by)
    rank_one = partial(_rank, options=chosen, settings=settings, reliability=reliability, runtime=runtime)
    if isinstance(judgements, ScoreTable | Ratings | Rankings):
        if gold is not None:
            raise ConfigError("gold selects among the judgements of a campaign", hint="leave it out for a single table")
        return rank_one(select(judgements))
    campaigns = label_campaigns([judgements] if isinstance(judgements, Campaign) else judgements)
    found = find_ranked_judgements(campaigns, gold)
    known = {name for judged in found.values() for name in judged.used.systems}
    selected = {label: select(judged, campaigns[label], known=known) for label, judged in found.items()}
    selected = {label: each for label, each in selected.items() if each.selection.systems} or selected
    rankings = {label: rank_one(selected[label]) for label in runtime.track(list(selected), str)}
    if isinstance(judgements, Campaign):
        return rankings[judgements.lp]
    left_out = {
        "no such judgements": [label for label in campaigns if label not in found],
        "no system is selected": [label for label in found if label not in selected],
    }
    return PairRankings(rankings, notes=tuple(_notes(rankings, left_out)))


def _rank(
    selected: SelectedJudgements,
    *,
    options: RankingOptions,
    settings: Mapping[str, str],
    reliability: bool,
    runtime: Runtime,
) -> Ranking:
    judgements, names, campaign = selected.judgements, selected.selection.systems, selected.campaign
    if not names:
        raise InputError("no system is left", hint=f"available: {', '.join(selected.selection.left_out)}")
    if campaign is not None and options.needs_domains:
        judgements = with_domains(judgements, campaign.testset)
    testset = None if campaign is None else campaign.testset
    prepared = prepare(judgements, options, names, testset)
    others = () if campaign is None else campaign.human
    judged, uses_mean = prepared.judgements, options.uses_mean(prepared.judgements)
    documents = _documents(judged, testset) if options.by_document else ()
    ranking = rank_systems(prepared, options, runtime, documents)
    agreement = partial(
        reliability_of,
        prepared.judgements,
        others,
        seed=options.seed,
        confidence=options.confidence,
        runtime=runtime,
    )
    return replace(
        ranking,
        lp="" if campaign is None else campaign.lp,
        origin=judgements.origin,
        digest=judgements.digest,
        settings={
            **({} if campaign is None else {"gold": option_text(judgements.name)}),
            **settings,
            **ranking.settings,
        },
        notes=(
            *(() if campaign is None else campaign.reading_notes),
            *selected.notes,
            *few_documents(judged, testset),
            *(_dependence(judged, testset) if uses_mean and not options.by_document else ()),
            *ranking.notes,
        ),
        reliability=agreement() if reliability else None,
    )


def _documents(judged: Judged, testset: TestSet | None) -> tuple[str, ...]:
    """The document of each segment; empty if they are not known."""
    if isinstance(judged, Rankings):
        return ()
    table = segment_scores(judged) if isinstance(judged, Ratings) else judged
    return documents_of(judged, testset, table.values.shape[1])


def _dependence(judged: Judged, testset: TestSet | None) -> Iterator[Note]:
    return iter(()) if isinstance(judged, Rankings) else dependent_segments(judged, testset)


def _notes(rankings: Mapping[str, Ranking], left_out: Mapping[str, list[str]]) -> Iterator[Note]:
    """The language pairs that were not ranked, by reason, and the notes of the others with their language pair."""
    for reason, labels in left_out.items():
        if labels:
            yield Note(NoteKind.EXCLUDED, f"not ranked: {', '.join(labels)} ({reason})", count=len(labels))
    yield from notes_of_pairs((label, ranking.notes) for label, ranking in rankings.items())
