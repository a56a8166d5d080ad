"""Find human judgements by name, in a campaign or several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from assay.errors import ConfigError, InputError, NameClashError, UnknownNameError, option_name
from assay.human.scoring import has_controls_only
from assay.lazily import numpy as np
from assay.types import Campaign, Judgements, Note, NoteKind, Rankings, Ratings, ScoreTable, Selection, select
from assay.types.note import listed, plural
from assay.types.rater_names import base_name, language_model_in, rater_of

__all__ = [
    "FoundJudgements",
    "Judged",
    "Preference",
    "SelectedJudgements",
    "SystemOptions",
    "find_judgements",
    "find_name",
    "find_ranked_judgements",
    "has_rankings",
    "label_campaigns",
    "select_judgements",
]

Judged: TypeAlias = ScoreTable | Ratings | Rankings
"""Human scores by segment, ratings or rankings."""

Preference = Literal["judgements", "scores"]
"""What to use if a campaign has both under the same name: individual judgements (ratings or rankings), or the scores
that somebody computed from them."""


_REFERENCE = re.compile(r"(^|\.)(ref(erence)?|human)([-_.]?[a-z0-9])?(\.\d+)?$", re.IGNORECASE)  # refA, Human-B.0
_SCORE_FILES = (".score", ".score.gz")
_RANKED = ("segment",)  # levels of scores that systems can be ranked by


@dataclass(frozen=True, slots=True)
class FoundJudgements:
    """What a campaign has under a name: stored scores (by segment, system, …) or individual judgements."""

    name: str
    scores: tuple[ScoreTable, ...] = ()
    judgements: Judgements | None = None
    """Individual judgements; None if `scores` are used."""
    notes: tuple[Note, ...] = ()

    @property
    def used(self) -> Judged:
        """The individual judgements, or the first of the stored scores."""
        return self.scores[0] if self.judgements is None else self.judgements


def find_name(
    campaigns: Iterable[Campaign], gold: str | None, *, prefer: Preference, levels: Iterable[str] | None = None
) -> str:
    """The name of the human judgements to use; `gold` may be None if there is only one kind.

    If scores are preferred, individual judgements of other names only count where there are no scores. Scores that are,
    by their name, those of a language model only count if `gold` names them; so do those of a single rater where there
    are those of all, and ratings of quality-control items. `levels` are the levels of the scores that can be used
    (default: all).
    """
    all_campaigns = list(campaigns)
    scores = _names(table for campaign in all_campaigns for table in _tables(campaign, levels))
    judgements = _names(judged for campaign in all_campaigns for judged in campaign.judgements)
    known = tuple(dict.fromkeys((*judgements, *scores)))
    kinds = "human scores" if levels is None else "segment-level human judgements"
    if not known:
        hint = "; ".join(_what_is_there(all_campaigns))
        raise InputError(f"{_label(all_campaigns)} no {kinds}", hint=hint or None)
    if gold is not None and gold not in known:
        hint = "; ".join((_choose(known), *_not_read(all_campaigns)))
        raise UnknownNameError(f"there are no {kinds} called '{gold}'", hint=hint)
    human_scores = _of_all_raters(name for name in scores if not language_model_in(name))
    ordinary = _names(judged for campaign in all_campaigns for judged in campaign.judgements if not _is_control(judged))
    human = _of_all_raters((*(ordinary or judgements), *human_scores))
    if gold is None and not human:
        hint = f"to compare with these scores all the same: {option_name('gold', scores[0])}"
        message = f"{_label(all_campaigns)} no {kinds}, only scores of language models: {', '.join(scores)}"
        raise InputError(message, hint=hint)
    candidates = human_scores if prefer == "scores" and human_scores else human
    if gold is None and len(candidates) > 1:
        raise ConfigError(f"{_label(all_campaigns)} several kinds of human judgements", hint=_choose(candidates))
    return gold or candidates[0]


def _what_is_there(campaigns: Iterable[Campaign]) -> Iterator[str]:
    """What campaigns have instead of the human scores that are needed, and what of their files was not read."""
    all_campaigns = list(campaigns)
    if human := [table for campaign in all_campaigns for table in campaign.human]:
        levels = " and ".join(sorted({table.level for table in human}))
        yield f"there are only human scores by {levels}: {listed(_names(human))}"
    elif metrics := _names(table for campaign in all_campaigns for table in campaign.metrics):
        advice = "give the human scores of these systems, too"
        if any(table.origin.endswith(_SCORE_FILES) for c in all_campaigns for table in c.metrics):
            advice += "; if these are human scores, say so: --input-format score:protocol=MQM"
        yield f"there are only metric scores: {listed(metrics)}; {advice}"
    elif any(campaign.testset is not None for campaign in all_campaigns):
        yield "there are only texts; give the human scores of these systems, too"
    yield from _not_read(all_campaigns)


def _not_read(campaigns: Iterable[Campaign]) -> Iterator[str]:
    """What of the files was not read, and why: it may be what is missing."""
    notes = (note for campaign in campaigns for note in campaign.notes)
    unread = dict.fromkeys(str(note) for note in notes if note.kind in (NoteKind.UNREAD, NoteKind.SKIPPED))
    yield from (listed(unread),) if unread else ()


def _of_all_raters(names: Iterable[str]) -> tuple[str, ...]:
    """The names without those of single raters (`esa-human1`) where there are scores of all of them (`esa`)."""
    known = tuple(dict.fromkeys(names))
    return tuple(name for name in known if rater_of(name) is None or base_name(name) not in known)


def _is_control(judged: Judgements) -> bool:
    return isinstance(judged, Ratings) and has_controls_only(judged)


def find_judgements(
    campaign: Campaign, name: str, *, prefer: Preference, levels: Iterable[str] | None = None
) -> FoundJudgements | None:
    """What a campaign has under this name, or None. If it has both scores and judgements, a note says which is used."""
    scores = tuple(table for table in _tables(campaign, levels) if table.name == name)
    named = [judgements for judgements in campaign.judgements if judgements.name == name]
    if len(named) > 1:
        message = f"{campaign.label} has {len(named)} kinds of judgements called '{name}'"
        raise NameClashError(message, path=named[1].origin or None)
    if not scores and not named:
        return None
    judgements = named[0] if named and (prefer == "judgements" or not scores) else None
    notes = (_both_note(name, prefer), *_lost_scores(named[0], scores, prefer)) if scores and named else ()
    if judgements is None and (model := language_model_in(name)):
        text = f"'{name}' are not human scores but, by their name, those of a language model ({model})"
        notes = (*notes, Note(NoteKind.PROVENANCE, text, where=name, severity="warning"))
    return FoundJudgements(name, () if judgements is not None else scores, judgements, notes)


def has_rankings(campaigns: Iterable[Campaign], name: str | None) -> bool:
    """Whether judges ranked outputs under this name: then there are rankings, and no scores that somebody computed."""
    all_campaigns = list(campaigns)
    if any(table.name == name for campaign in all_campaigns for table in campaign.human):
        return False
    judgements = (judged for campaign in all_campaigns for judged in campaign.judgements)
    return any(isinstance(judged, Rankings) and judged.name == name for judged in judgements)


def find_ranked_judgements(campaigns: Mapping[str, Campaign], gold: str | None) -> dict[str, FoundJudgements]:
    """By label, what the campaigns that have it are ranked by: individual judgements, else scores by segment."""
    name = find_name(campaigns.values(), gold, prefer="judgements", levels=_RANKED)
    found = {
        label: find_judgements(campaign, name, prefer="judgements", levels=_RANKED)
        for label, campaign in campaigns.items()
    }
    return {label: judgements for label, judgements in found.items() if judgements is not None}


@dataclass(frozen=True, slots=True)
class SelectedJudgements:
    """Judgements of all systems, because the quality of a rater depends on all of them, and the systems to use."""

    judgements: Judged
    selection: Selection
    campaign: Campaign | None
    """Where the judgements come from, if they were not given by themselves."""
    notes: tuple[Note, ...]
    """On the choice of the judgements and of the systems."""


@dataclass(frozen=True, slots=True)
class SystemOptions:
    """Which systems to use: those whose names match `systems` and not `exclude`, without references unless kept."""

    systems: tuple[str, ...] = ("*",)
    exclude: tuple[str, ...] = ()
    keep_references: bool = False

    @classmethod
    def of(
        cls, systems: Iterable[str] = ("*",), exclude: Iterable[str] = (), keep_references: bool = False
    ) -> SystemOptions:
        """The options as the public functions take them."""
        return cls(tuple(systems), tuple(exclude), keep_references)

    def select(self, names: Iterable[str], campaign: Campaign | None, known: Iterable[str] = ()) -> Selection:
        """Those of the names that match. Each pattern must match one of them, or a name `known` elsewhere."""
        references = () if campaign is None or self.keep_references else campaign.references
        return select(names, systems=self.systems, exclude=self.exclude, references=references, known=known)


def select_judgements(
    source: Judged | FoundJudgements,
    campaign: Campaign | None = None,
    systems: SystemOptions | None = None,
    *,
    known: Iterable[str] = (),
) -> SelectedJudgements:
    """Judgements, given by themselves or found in a campaign, with the systems that match."""
    judgements, notes = (source.used, source.notes) if isinstance(source, FoundJudgements) else (source, ())
    systems = systems or SystemOptions()
    selection = systems.select(judgements.systems, campaign, known)
    unchosen = [name for name in selection.systems if name not in systems.systems and not systems.keep_references]
    beyond = () if campaign is None or isinstance(judgements, ScoreTable) else campaign.beyond_texts(judgements)
    more_notes = (*selection.notes, *_without_outputs(selection, campaign), *_probable_references(unchosen), *beyond)
    return SelectedJudgements(judgements, selection, campaign, (*notes, *more_notes))


def _probable_references(names: Iterable[str]) -> tuple[Note, ...]:
    """A note on names of references, which would otherwise rank among the systems without a word."""
    found = [name for name in names if _REFERENCE.search(name)]
    them, what = ("it", "a reference") if len(found) == 1 else ("them", "references")
    text = f"ranked with the systems: {', '.join(found)}, probably {what}; exclude {them} to rank systems only"
    return (Note(NoteKind.SUSPECT, text, count=len(found)),) if found else ()


def _without_outputs(selection: Selection, campaign: Campaign | None) -> tuple[Note, ...]:
    """A note on judged names without outputs: they may be references or translators under another name."""
    if campaign is None or campaign.testset is None:
        return ()
    names = [name for name in selection.systems if name not in (*campaign.testset.outputs, *campaign.references)]
    text = f"judged, but without outputs: {', '.join(names)}; leave them out if they are not systems"
    return (Note(NoteKind.SUSPECT, text, count=len(names)),) if names else ()


def label_campaigns(campaigns: Iterable[Campaign]) -> dict[str, Campaign]:
    """By language pair; if there are several test sets, by test set and language pair."""
    all_campaigns = list(campaigns)
    has_several_names = len({campaign.name for campaign in all_campaigns}) > 1
    labelled: dict[str, Campaign] = {}
    for campaign in all_campaigns:
        label = f"{campaign.name} {campaign.lp}".strip() if has_several_names else campaign.lp
        if label in labelled:
            raise NameClashError(f"there are two test sets called '{label}'")
        labelled[label] = campaign
    return labelled


def _tables(campaign: Campaign, levels: Iterable[str] | None) -> list[ScoreTable]:
    return [table for table in campaign.human if levels is None or table.level in levels]


def _names(tables: Iterable[Judged]) -> tuple[str, ...]:
    return tuple(sorted({table.name for table in tables}))


def _label(campaigns: list[Campaign]) -> str:
    return f"{campaigns[0].label} has" if len(campaigns) == 1 else "there are"


def _choose(names: Iterable[str]) -> str:
    return f"choose one with {option_name('gold')}: {', '.join(names)}"


def _lost_scores(judgements: Judgements, scores: Iterable[ScoreTable], preferred: Preference) -> Iterator[Note]:
    """A note on stored scores of outputs without individual judgements: probably a file that lost its raters."""
    by_segment = next((table for table in scores if table.level == "segment"), None)
    if preferred != "judgements" or by_segment is None or not isinstance(judgements, Ratings) or judgements.items:
        return
    judged = set(zip(judgements.system.tolist(), judgements.segment.tolist(), strict=True))
    number = {name: i for i, name in enumerate(judgements.systems)}
    scored = np.argwhere(~np.isnan(by_segment.values)).tolist()
    lost = sum((number.get(by_segment.systems[row], -1), segment) not in judged for row, segment in scored)
    if lost:
        text = (
            f"{lost:,} of {plural(len(scored), 'stored score')} are of outputs without individual judgements: not used"
        )
        yield Note(NoteKind.SUSPECT, text, by_segment.origin or by_segment.name, lost)


def _both_note(name: str, preferred: Preference) -> Note:
    used, unused = "stored scores", "individual judgements"
    if preferred == "judgements":
        used, unused = unused, used
    return Note(NoteKind.PROVENANCE, f"the {used} '{name}' are used, not the {unused} of the same name", where=name)
