"""`assay.rank`: rank systems by human judgement, with clusters and rank ranges."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import TypeVar, Unpack, overload

from assay.arguments import public_function
from assay.errors import ConfigError, InputError
from assay.human.domains import with_domains
from assay.human.notes import dependent_segments, few_documents
from assay.human.options import RankingChoices, RankingOptions
from assay.human.preparation import prepare
from assay.human.ranking import rank_systems
from assay.human.reliability import reliability_of
from assay.human.selection import (
    Judged,
    SelectedJudgements,
    find_ranked_judgements,
    label_campaigns,
    select_judgements,
)
from assay.metaeval.settings import selection_settings
from assay.registry import option_text
from assay.results import PairRankings, Ranking
from assay.types import Campaign, Note, NoteKind, Rankings, Ratings, ScoreTable
from assay.types.runtime import Runtime

__all__ = ["rank"]

_F = TypeVar("_F", bound=Callable[..., object])


class _Options(RankingChoices, total=False):
    gold: str | None
    systems: Iterable[str]
    exclude: Iterable[str]
    keep_references: bool
    reliability: bool
    runtime: Runtime | None


def _lists_ranking_options(function: _F) -> _F:
    """Decorator: show the ranking options one by one in the signature, in place of `**options`."""
    *own, _ = (signature := inspect.signature(function)).parameters.values()
    ranking = [
        inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=field.type)
        for field in fields(RankingOptions)
    ]
    function.__signature__ = signature.replace(parameters=[*own, *ranking])  # type: ignore[attr-defined]
    return function


@overload
def rank(judgements: Judged | Campaign, **options: Unpack[_Options]) -> Ranking: ...


@overload
def rank(judgements: Iterable[Campaign], **options: Unpack[_Options]) -> PairRankings: ...


@public_function
@_lists_ranking_options
def rank(
    judgements: Judged | Campaign | Iterable[Campaign],
    *,
    gold: str | None = None,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
    keep_references: bool = False,
    reliability: bool = False,
    runtime: Runtime | None = None,
    **options: Unpack[RankingChoices],
) -> Ranking | PairRankings:
    """Rank systems by human judgement.

    Pass human scores by segment, ratings, rankings, or a campaign; several campaigns give one ranking per language
    pair. `gold` names the judgements if there are several kinds. `systems` and `exclude` are shell patterns; references
    of a campaign are left out unless `keep_references`. With `reliability`, the ranking also says how well the raters
    agree (see `assay.reliability`). An option that has no effect on the judgements is refused.

    **Scores and ratings** are averaged (`method` mean) and compared with a `test`: rank-sum, as WMT does for DA, or
    randomisation for MQM and ESA. Clusters follow from the pairs that differ at the level `alpha`, after a `correction`
    for the number of pairs (holm, bonferroni, …). `alternative` better tests whether one system is better, two-sided
    whether they differ. `over_domains` pooled averages all segments; mean averages the domain means, and tests such
    that every domain counts alike. `by_domain` also gives the mean of each domain.

    **Rankings** are scored by the `method` expected-wins (default), wins or trueskill; clusters follow from the rank
    ranges in resamples of the judgements. These methods also take scores: two outputs whose scores differ by at least
    `threshold` (default: 25, only for DA from 0 to 100) count as a preference.

    **Ratings**: `quality` drops raters who do not score damaged items below ordinary ones (p at least `quality`).
    `standardise` (sample or population) turns the scores of each rater into z-scores. `weights` of MQM errors are
    google2020, wmt22, wmt23, wmt24, stored, a TOML file or a mapping (default: stored if every error has a penalty,
    else google2020).

    `resamples` and `seed` are those of the intervals, of rank ranges, and of a test that draws, unless its spec sets
    them (`randomisation:resamples=10000`). `preset` ranks as a campaign did, wmt24 or wmt25: by all ratings, so
    that an output with two of them counts twice, and with rank ranges from the tests.
    """
    chosen, runtime = RankingOptions(**options), runtime or Runtime()
    systems, exclude = tuple(systems), tuple(exclude)
    select = partial(select_judgements, systems=systems, exclude=exclude, keep_references=keep_references)
    settings = selection_settings(systems=systems, exclude=exclude, keep_references=keep_references)
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
    prepared = prepare(judgements, options, names)
    ranking = rank_systems(prepared, options, runtime)
    others = () if campaign is None else campaign.human
    testset = None if campaign is None else campaign.testset
    judged, uses_mean = prepared.judgements, options.uses_mean(prepared.judgements)
    agreement = partial(reliability_of, prepared.judgements, others, seed=options.seed, confidence=options.confidence)
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
            *(dependent_segments(judged, testset) if uses_mean and not isinstance(judged, Rankings) else ()),
            *ranking.notes,
        ),
        reliability=agreement() if reliability else None,
    )


def _notes(rankings: Mapping[str, Ranking], left_out: Mapping[str, list[str]]) -> Iterator[Note]:
    """The language pairs that were not ranked, by reason, and the notes of the others with their language pair."""
    for reason, labels in left_out.items():
        if labels:
            yield Note(NoteKind.EXCLUDED, f"not ranked: {', '.join(labels)} ({reason})", count=len(labels))
    for label, ranking in rankings.items():
        for note in ranking.notes:
            yield replace(note, where=": ".join(filter(None, (label, note.where))))
