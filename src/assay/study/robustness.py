"""What an agreement rests on: the best systems, windows of neighbours, random parts, all but one.

After Mathur et al. 2020, "Tangled up in BLEU": a correlation over all systems may come from one that is far from the
others, and may be gone among those that are good. Everything here is at the system level.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.errors import ConfigError, InputError, UnknownNameError, nearest
from assay.people.outliers import CUTOFF, find_outliers
from assay.registry import option_text
from assay.results import Casts, Curve, Curves, EvaluatedPair, SubsampledMetric, Subsamples
from assay.study.entries import Entry, entries_of
from assay.study.gold import Gold, Look, common_gold
from assay.study.pairing import Paired, pair
from assay.study.parts import Parts, RandomParts, Subsampling, Top, Windows, WithoutOne, over_all
from assay.study.scoring import Progress
from assay.study.standings import told_of
from assay.types import Campaign, ScoreTable, Selection

__all__ = ["evaluate_robustness", "leave_one_out", "rolling", "subsample", "top_n"]

_TOP = Top()


def top_n(
    scores: ScoreTable,
    human: ScoreTable,
    statistic: str | Statistic = "pearson",
    *,
    least: int = 4,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
) -> Curve:
    """The value over the N systems that people like best, for N from all of them down to `least`."""
    return Top(least).curve(_chosen(statistic), _paired(scores, human, systems, exclude))


def rolling(
    scores: ScoreTable,
    human: ScoreTable,
    statistic: str | Statistic = "pearson",
    *,
    size: int = 4,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
) -> Curve:
    """The value over `size` neighbours in the order of the human scores, from the worst to the best."""
    return Windows(size).curve(_chosen(statistic), _paired(scores, human, systems, exclude))


def leave_one_out(
    scores: ScoreTable,
    human: ScoreTable,
    statistic: str | Statistic = "pearson",
    *,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
) -> Curve:
    """The value without each system in turn; the difference from `whole` is the system's influence."""
    return WithoutOne().curve(_chosen(statistic), _paired(scores, human, systems, exclude))


def subsample(
    scores: ScoreTable,
    human: ScoreTable,
    statistic: str | Statistic = "pearson",
    *,
    size: int,
    outliers: Iterable[str] = (),
    draws: int = 1000,
    seed: int = 12345,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
) -> tuple[Subsamples, ...]:
    """The value over random parts of `size` systems: without the named outliers, with each of them, and with all.

    An outlier that takes part is in every draw, and the others are drawn from the systems that are no outliers. The
    same seed draws the same parts for every metric that has the same systems.
    """
    parts = RandomParts(size, tuple(dict.fromkeys(outliers)), draws, seed)
    return parts.casts(_chosen(statistic), _paired(scores, human, systems, exclude))


def evaluate_robustness(
    campaign: Campaign,
    parts: Parts | Subsampling = _TOP,
    *,
    statistic: str | Statistic = "pearson",
    gold: str | None = None,
    names: Sequence[str] = (),
    references: Sequence[str] = (),
    systems: Sequence[str] = ("*",),
    exclude: Sequence[str] = (),
    keep_references: bool = False,
    cutoff: float = CUTOFF,
    metrics: Sequence[str] = (),
    brought: Sequence[ScoreTable] = (),
    progress: Progress | None = None,
) -> Curves | Casts:
    """All metrics of a campaign over parts of its systems: `Curves`, or `Casts` of random parts.

    `names` are patterns of metrics, with or without the reference at their end; metrics that are computed (`metrics`)
    or `brought` take part always. A metric that scored too few systems is left out, with a note. The other parameters
    are those of `evaluate_metrics`.
    """
    chosen = _chosen(statistic)
    selection = campaign.select(systems=systems, exclude=exclude, keep_references=keep_references)
    field = _field(campaign, gold, cutoff, selection)
    wanted = parts.fitted(field.order, field.pair.outliers.systems) if isinstance(parts, Subsampling) else parts
    wanted.check(len(field.order))
    entries = entries_of(campaign, references=tuple(references), metrics=metrics, brought=brought, progress=progress)
    if not entries:
        raise InputError(f"{campaign.name} {campaign.lp} has no metric scores", hint="compute a metric: -m bleu")
    own = {*metrics, *(table.name for table in brought)}
    laid, notes = _laid(wanted, field, _named(entries, tuple(names), own))
    return _evaluated(wanted, chosen, field, laid, notes, progress)


@dataclass(frozen=True, slots=True)
class _Field:
    """The systems that take part, and what people say of them."""

    pair: EvaluatedPair
    gold: Gold
    order: tuple[str, ...]
    """Those that were judged, best first."""


def _chosen(statistic: str | Statistic) -> Statistic:
    found = statistic_registry.create(statistic)
    if "system" not in found.levels:
        raise ConfigError(f"{found.name} is not defined at the system level")
    if found.reads_segments:
        raise ConfigError(f"{found.name} reads scores of segments: it is not computed over parts of the systems")
    return found


def _paired(scores: ScoreTable, human: ScoreTable, systems: Iterable[str], exclude: Iterable[str]) -> Paired:
    return pair(scores, human, level="system", systems=systems, exclude=exclude)


def _field(campaign: Campaign, gold: str | None, cutoff: float, selection: Selection) -> _Field:
    name = common_gold([campaign], gold)
    found = Look(name).at(campaign, selection.systems)
    if found is None:
        raise InputError(f"{campaign.name} {campaign.lp} has no human scores '{name}' by system or segment")
    judged = found.scores
    order = sorted((name for name in judged if not math.isnan(judged[name])), key=lambda name: (-judged[name], name))
    outliers = find_outliers(judged, cutoff=cutoff)
    return _Field(
        EvaluatedPair(campaign.lp, name, selection.systems, selection.left_out, outliers), found, tuple(order)
    )


def _named(entries: Sequence[Entry], patterns: tuple[str, ...], own: set[str]) -> list[Entry]:
    """Those whose label or name without reference matches one of the patterns, and one's own."""
    known = {entry.label: {entry.label, *(table.name for table in entry.tables.values())} for entry in entries}
    short = {table.name for entry in entries for table in entry.tables.values()}
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for names in known.values() for name in names):
            raise UnknownNameError(f"no metric matches '{pattern}'", hint=nearest(pattern, short))

    def is_wanted(names: set[str]) -> bool:
        return not patterns or bool(names & own) or any(fnmatchcase(n, pattern) for n in names for pattern in patterns)

    return [entry for entry in entries if is_wanted(known[entry.label])]


def _laid(parts: Parts, field: _Field, entries: Sequence[Entry]) -> tuple[list[Paired], tuple[str, ...]]:
    """The metrics that have enough systems, and notes on all that was left out."""
    left_out = Selection((), field.pair.left_out).notes
    computed = (note for entry in entries for note in entry.notes)
    remarks: dict[str, list[str]] = {note: [] for note in (*left_out, *field.gold.notes, *computed)}
    found = []
    for entry in entries:
        tables = {level: table.take(field.pair.systems) for level, table in entry.tables.items()}
        paired = dataclasses.replace(field.gold.lay(tables, "system"), metric=entry.label)
        lack = _lack(parts, paired)
        if lack is None:
            found.append(paired)
        for remark in (
            *entry.remarks("system"),
            *paired.remarks(),
            *([] if lack is None else [f"left out of the table: {lack}"]),
        ):
            remarks.setdefault(remark, []).append(entry.label)
    everyone = [entry.label for entry in entries]
    notes = tuple(told_of(remark, [] if labels == everyone else labels) for remark, labels in remarks.items())
    if not found:
        raise InputError("no metric has scores of enough systems", hint="; ".join(notes) or None)
    return found, notes


def _lack(parts: Parts, paired: Paired) -> str | None:
    """Why a metric cannot take part: too few of the systems have its scores."""
    gone = [n for n in (parts.outliers or () if isinstance(parts, RandomParts) else ()) if n not in paired.systems]
    if gone:
        return f"no score of {', '.join(gone)}"
    few = len(paired.systems) < parts.fewest
    return f"scores of fewer than {parts.fewest} systems" if few else None


def _evaluated(
    parts: Parts,
    statistic: Statistic,
    field: _Field,
    laid: Sequence[Paired],
    notes: tuple[str, ...],
    progress: Progress | None,
) -> Curves | Casts:
    """The table, best metrics first."""
    curves: list[Curve] = []
    sampled: list[SubsampledMetric] = []
    for done, paired in enumerate(laid):
        if progress is not None:
            progress(f"comparing {paired.metric}", done, len(laid))
        if isinstance(parts, RandomParts):
            casts = parts.casts(statistic, paired)
            sampled.append(SubsampledMetric(paired.metric, over_all(statistic, paired), casts))
        else:
            curves.append(parts.curve(statistic, paired))
    settings = {"kind": parts.kind, "statistic": statistic_registry.spec(statistic), "human": field.pair.human}
    settings |= {each.name: _text(getattr(parts, each.name)) for each in dataclasses.fields(parts)}
    settings["cutoff"] = option_text(field.pair.outliers.cutoff)
    told = (parts.kind, settings, field.pair, field.order, notes)
    if isinstance(parts, RandomParts):
        return Casts(*told, tuple(sorted(sampled, key=_place)))
    return Curves(*told, tuple(sorted(curves, key=_place)))


def _place(found: Curve | SubsampledMetric) -> tuple[float, str]:
    """Small is good; the undefined comes last."""
    value = found.whole.value
    return (math.inf if math.isnan(value) else -value, found.metric)


def _text(value: object) -> str:
    return "+".join(value) or "none" if isinstance(value, tuple) else option_text(value)
