"""Scores that are brought along with `--scores`: which files they are in, and whether they belong to the test set."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from assay.cli.inputs import find_campaign, is_file
from assay.console import say
from assay.errors import ConfigError, InputError, UnknownNameError, nearest

if TYPE_CHECKING:
    from assay.types import Campaign, Column, ScoreTable, TestSet

__all__ = [
    "check_belonging",
    "check_campaign",
    "lower_option",
    "read_brought",
    "read_scores",
    "split_name",
    "turned",
]

_LEVELS = ("system", "segment")

lower_option = click.option(
    "--lower", multiple=True, metavar="NAME", help="Of --scores: those of this name are better when lower."
)


def read_scores(item: str, testset: TestSet, data: str | None) -> list[ScoreTable]:
    """The segment scores that `--scores` names: all that a file holds, or one metric of the campaign."""
    from assay.study.campaigns import read

    name, path = split_name(item)
    campaign = None if data is None else find_campaign(data, testset.lp)
    if campaign is not None and not is_file(path):
        return _stored_scores(path, name, testset, campaign)
    left_out = () if campaign is None else set(campaign.systems) - set(testset.systems)
    found = []
    for part in read(path):
        check_campaign(part, testset.lp, testset.name, testset.outputs, path)
        found += [table for table in part.scores if table.level == "segment"]
    if not found:
        raise InputError("there are no segment scores", path=path)
    for table in found:
        check_belonging(table, testset.systems, path, left_out=left_out)
    return [replace(table, name=name) if name else table for table in found]


def read_brought(
    files: tuple[str, ...], campaigns: Sequence[Campaign], lower: tuple[str, ...] = ()
) -> dict[str, list[ScoreTable]]:
    """The scores of metrics by system or segment that `--scores` names, by language pair."""
    from assay.study.campaigns import read

    found: list[tuple[str, ScoreTable]] = []
    pairs = {campaign.lp: campaign for campaign in campaigns}
    for item in files:
        name, path = split_name(item)
        for part in read(path):
            if not part.lp and len(pairs) > 1:
                raise ConfigError(f"{path} does not say its language pair", hint="say which pair with --lp")
            lp = part.lp or next(iter(pairs))
            if lp not in pairs:
                say("note", f"{path}: the scores for {lp} are not used")
                continue
            campaign = pairs[lp]
            outputs = {} if campaign.testset is None else campaign.testset.outputs
            check_campaign(part, lp, campaign.name, outputs, path)
            tables = [table for table in part.scores if not table.is_human and table.level in _LEVELS]
            for table in tables:
                check_belonging(table, campaign.systems, path)
                found.append((lp, replace(table, name=name) if name else table))
    if files and not found:
        raise InputError("there are no scores of metrics by system or segment", path=files[0])
    by_pair: dict[str, list[ScoreTable]] = {}
    for (lp, _), table in zip(found, turned((table for _, table in found), lower), strict=True):
        by_pair.setdefault(lp, []).append(table)
    return by_pair


def turned(tables: Iterable[ScoreTable], lower: tuple[str, ...]) -> list[ScoreTable]:
    """The same scores, those of these names better when lower. A name that none has is a slip."""
    found = list(tables)
    for name in lower:
        if not any(table.name == name for table in found):
            hint = nearest(name, {table.name for table in found}) if found else "it goes with --scores"
            raise UnknownNameError(f"--lower {name}: no scores of this name were brought", hint=hint)
    return [replace(table, higher_is_better=False) if table.name in lower else table for table in found]


def _stored_scores(wanted: str, name: str, testset: TestSet, campaign: Campaign) -> list[ScoreTable]:
    """A campaign's own segment scores of a metric, by its name or its name with references (`COMET-22-refA`)."""
    labelled = {
        "-".join([t.name, ".".join(t.references) or "src"]): t for t in campaign.metrics if t.level == "segment"
    }
    alike = {label: t for label, t in labelled.items() if wanted in (t.name, label)}
    if not alike:
        known = nearest(wanted, labelled)
        raise UnknownNameError(f"'{wanted}' is neither a file nor a metric with segment scores there", hint=known)
    fitting = {label: t for label, t in alike.items() if set(t.references) <= set(testset.references)}
    if not fitting:
        raise UnknownNameError(
            f"'{wanted}' was not computed with these references", hint=f"there is: {', '.join(alike)}"
        )
    several = len(fitting) > 1
    return [
        replace(table, name=f"{name or table.name}{label.removeprefix(table.name) if several else ''}", items=())
        for label, table in fitting.items()
    ]


def check_campaign(
    campaign: Campaign, lp: str | None, name: str | None, outputs: Mapping[str, Column], path: str
) -> None:
    """Scores that say of themselves to be of other texts are refused."""
    for what, theirs, ours in (("language pair", campaign.lp, lp), ("test set", campaign.name, name)):
        if theirs and ours and theirs != ours:
            raise InputError(f"the scores are of the {what} {theirs}, not of {ours}", path=path)
        if theirs and not ours:
            say("note", f"{path}: the scores are said to be of the {what} {theirs}")
    for system, column in ({} if campaign.testset is None else campaign.testset.outputs).items():
        own = outputs.get(system, column)
        line = next((i for i, (a, b) in enumerate(zip(column, own, strict=False), 1) if a != b), None)
        if line is not None:
            raise InputError(f"the scores are of another output of '{system}': segment {line} differs", path=path)


def split_name(item: str) -> tuple[str, str]:
    """NAME=FILE, or FILE with an empty name."""
    name, equals, path = item.partition("=")
    return ("", item) if not equals or is_file(item) else (name, path)


def check_belonging(table: ScoreTable, systems: Sequence[str], path: str, *, left_out: Collection[str] = ()) -> None:
    """Scores of none of these systems are refused; those of strangers, missing ones and gaps are told."""
    from assay.types import check_names

    check_names("metric", [table.name])
    ours, theirs = set(systems), set(table.systems)
    if not ours & theirs:
        hint = f"they are of {', '.join(sorted(theirs))}; rename the systems: --sys NAME=FILE"
        raise InputError("the scores are of none of these systems", path=path, hint=hint)
    strangers = theirs - ours - set(left_out)
    for what, names in (("no scores of", ours - theirs), ("scores of systems that are not here:", strangers)):
        if names:
            say("note", f"{path}: {what} {', '.join(sorted(names))}")
    if table.gaps:
        say("note", f"{path}: {table.name} has no score in {table.gaps:,} of {table.values.size:,} cells")
