"""The options that name the texts to score, and the test set they make."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from assay.console import say
from assay.errors import ConfigError, EmptyInputError, InputError, NameClashError, UnknownNameError, nearest, printable

if TYPE_CHECKING:
    from assay.study.scoring import Progress
    from assay.types import Campaign, Column, ScoreTable, TestSet

__all__ = [
    "FILE",
    "check_belonging",
    "check_campaign",
    "complete_metric",
    "find_campaign",
    "find_campaigns",
    "input_options",
    "metric_option",
    "read_brought",
    "read_inputs",
    "read_scores",
    "split_name",
]

_F = TypeVar("_F", bound=Callable[..., Any])
_LEVELS = ("system", "segment")


class _FileName(click.ParamType):  # type: ignore[type-arg]
    """A file that the shell completes. Whether it can be read is for the reader to tell."""

    name = "file"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


FILE = _FileName()

_OPTIONS = (
    click.argument("outputs", nargs=-1, metavar="[OUTPUT]...", type=FILE),
    click.option(
        "--ref",
        "references",
        multiple=True,
        type=FILE,
        metavar="[NAME=]FILE",
        help="A reference; repeat for several. With --data: its name.",
    ),
    click.option(
        "--sys",
        "systems",
        multiple=True,
        type=FILE,
        metavar="NAME=FILE",
        help="A system's output; repeat for several.",
    ),
    click.option("--src", "sources", type=FILE, metavar="FILE", help="The sources."),
    click.option("--documents", type=FILE, metavar="FILE", help="The document of each segment, one a line."),
    click.option("--domains", type=FILE, metavar="FILE", help="The domain of each segment, one a line."),
    click.option("--lp", metavar="SRC-TGT", help="Language pair, e.g. en-zh; chooses BLEU's tokeniser for zh, ja, ko."),
    click.option("--data", type=FILE, metavar="PLACE", help="Take all texts from a test set: a folder, file or name."),
    click.option("--systems", "wanted", multiple=True, metavar="GLOB", help="With --data: only systems like this."),
    click.option("--exclude", multiple=True, metavar="GLOB", help="With --data: no systems like this."),
    click.option("--keep-references", is_flag=True, help="With --data: score unused references as systems."),
)


def complete_metric(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Names of metrics that begin like this, for the shell."""
    from assay.metrics import metric

    return [name for name in metric.names() if name.startswith(incomplete)]


def metric_option(text: str) -> Callable[[_F], _F]:
    """The option `-m`, with a help text."""
    return click.option(
        "-m", "--metric", "metrics", multiple=True, metavar="SPEC", shell_complete=complete_metric, help=text
    )


def input_options(command: _F) -> _F:
    """Adds the options; the command takes them as `**inputs` and hands them to `read_inputs`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_inputs(
    *,
    data: str | None,
    wanted: tuple[str, ...],
    exclude: tuple[str, ...],
    keep_references: bool,
    references: tuple[str, ...],
    lp: str | None,
    **files: Any,
) -> TestSet:
    """The test set that the options name."""
    if data is None:
        if wanted or exclude or keep_references:
            raise click.UsageError("--systems, --exclude and --keep-references go with --data")
        return _read_files(references=references, lp=lp, **files)
    if any(files.values()):
        raise click.UsageError("with --data, all texts come from there: give no other files")
    from assay.study.selecting import choose

    return choose(
        find_campaign(data, lp),
        references=references,
        systems=wanted or ("*",),
        exclude=exclude,
        keep_references=keep_references,
    )


def find_campaign(data: str, lp: str | None) -> Campaign:
    """The campaign that `--data` and `--lp` name: a place, or the name of a test set in the user's data folder."""
    from assay.data.folder import data_folder
    from assay.study.campaigns import load_campaign, testset_folder

    place = Path(data) if _is_file(data) else testset_folder(data_folder(), data)
    if place is None:
        return load_campaign(None, data, lp or "")  # which says what there is
    return _campaign_at(place, place.resolve(), lp)


@functools.lru_cache(maxsize=1)
def _campaign_at(place: Path, _resolved: Path, lp: str | None) -> Campaign:
    """Read once, though both the texts and stored scores may be asked for."""
    from assay.data.formats.mtme import language_pairs
    from assay.study.campaigns import load_campaign, read

    if place.is_dir():
        pairs = language_pairs(place)
        if lp is None and len(pairs) != 1:
            raise InputError(
                "say which language pair is meant with --lp", path=str(place), hint=f"there is: {', '.join(pairs)}"
            )
        return load_campaign(place.parent, place.name, lp or pairs[0])
    campaigns = read(place)
    found = [campaign for campaign in campaigns if lp in (None, campaign.lp)]
    if len(found) != 1:
        there = ", ".join(f"{campaign.name} {campaign.lp}".strip() for campaign in campaigns)
        raise InputError("say which test set is meant with --lp", path=str(place), hint=f"there is: {there}")
    return found[0]


def find_campaigns(data: str, lps: tuple[str, ...], *, progress: Progress | None = None) -> tuple[Campaign, ...]:
    """The campaigns of these language pairs, or all that the place or the named test set has."""
    from assay.study.campaigns import load_campaigns, read

    if lps:
        return tuple(find_campaign(data, lp) for lp in dict.fromkeys(lps))
    return read(data) if _is_file(data) else load_campaigns(None, data, progress=progress)


def read_scores(item: str, testset: TestSet, data: str | None) -> list[ScoreTable]:
    """The segment scores that `--scores` names: all that a file holds, or one metric of the campaign."""
    from assay.study.campaigns import read

    name, path = split_name(item)
    if data is not None and not _is_file(path):
        return _stored_scores(path, name, testset, find_campaign(data, testset.lp))
    found = []
    for campaign in read(path):
        check_campaign(campaign, testset.lp, testset.name, testset.outputs, path)
        found += [table for table in campaign.scores if table.level == "segment"]
    if not found:
        raise InputError("there are no segment scores", path=path)
    for table in found:
        check_belonging(table, testset.systems, path)
    return [replace(table, name=name) if name else table for table in found]


def read_brought(files: tuple[str, ...], campaigns: Sequence[Campaign]) -> dict[str, list[ScoreTable]]:
    """The scores of metrics by system or segment that `--scores` names, by language pair."""
    from assay.study.campaigns import read

    found: dict[str, list[ScoreTable]] = {}
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
                found.setdefault(lp, []).append(replace(table, name=name) if name else table)
    if files and not found:
        raise InputError("there are no scores of metrics by system or segment", path=files[0])
    return found


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
    return ("", item) if not equals or _is_file(item) else (name, path)


def check_belonging(table: ScoreTable, systems: Sequence[str], path: str) -> None:
    """Scores of none of these systems are refused; those of others, or missing ones, are told."""
    from assay.types import check_names

    check_names("metric", [table.name])
    ours, theirs = set(systems), set(table.systems)
    if not ours & theirs:
        hint = f"they are of {', '.join(sorted(theirs))}; rename the systems: --sys NAME=FILE"
        raise InputError("the scores are of none of these systems", path=path, hint=hint)
    for what, names in (("no scores of", ours - theirs), ("scores of systems that are not here:", theirs - ours)):
        if names:
            say("note", f"{path}: {what} {', '.join(sorted(names))}")


def _read_files(
    *,
    outputs: tuple[str, ...],
    references: tuple[str, ...],
    systems: tuple[str, ...],
    sources: str | None,
    documents: str | None,
    domains: str | None,
    lp: str | None,
) -> TestSet:
    from assay.study.loading import load

    named = _named("system", (*outputs, *systems))
    if not named:
        raise EmptyInputError("no system output was given", hint="name the files, e.g. --ref ref.de base.de new.de")
    named_references = _named("reference", references)
    if [*named.values(), *named_references.values(), sources, documents, domains].count("-") > 1:
        raise InputError("standard input can be read only once")
    return load(
        outputs=named,
        references=named_references or None,
        sources=sources,
        documents=documents,
        domains=domains,
        lp=lp,
    )


def _named(kind: str, given: tuple[str, ...]) -> dict[str, str]:
    """NAME=FILE, or FILE named after itself without its suffix."""
    found: dict[str, str] = {}
    for item in given:
        name, equals, path = item.partition("=")
        if not equals or _is_file(item):
            name, path = ("stdin" if item == "-" else Path(item.removesuffix(".gz")).stem), item
        if name in found:
            raise NameClashError(
                f"two {kind}s are called '{printable(name)}': {printable(found[name])} and {printable(path)}",
                hint="name them: NAME=FILE",
            )
        found[name] = path
    return found


def _is_file(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # too long for a name, or with a NUL
        return False
