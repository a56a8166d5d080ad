"""The options that name the texts to score, and the test set they make."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from assay.errors import EmptyInputError, InputError, NameClashError, nearest, printable

if TYPE_CHECKING:
    from assay.study.scoring import Progress
    from assay.types import Campaign, TestSet

__all__ = [
    "FILE",
    "complete_metric",
    "find_campaign",
    "find_campaigns",
    "input_options",
    "is_file",
    "metric_option",
    "read_inputs",
]

_F = TypeVar("_F", bound=Callable[..., Any])


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

    place = Path(data) if is_file(data) else testset_folder(data_folder(), data)
    if place is None:
        return load_campaign(None, data, lp or "")  # which says what there is
    return _campaign_at(place, place.resolve(), lp)


@functools.lru_cache(maxsize=1)
def _campaign_at(place: Path, _resolved: Path, lp: str | None) -> Campaign:
    """Read once, though both the texts and stored scores may be asked for."""
    from assay.data.formats.mtme import language_pairs, testset_folders
    from assay.study.campaigns import load_campaign, read

    folders = testset_folders(place)
    if len(folders) > 1:
        raise InputError("holds several test sets", path=str(place), hint=f"name one: {', '.join(map(str, folders))}")
    if folders:
        pairs = language_pairs(folders[0])
        if lp is None and len(pairs) != 1:
            raise InputError(
                "say which language pair is meant with --lp", path=str(folders[0]), hint=nearest("", pairs)
            )
        return load_campaign(folders[0].parent, folders[0].name, lp or pairs[0])
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
    return read(data) if is_file(data) else load_campaigns(None, data, progress=progress)


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
        if not equals or is_file(item):
            name, path = ("stdin" if item == "-" else Path(item.removesuffix(".gz")).stem), item
        if name in found:
            raise NameClashError(
                f"two {kind}s are called '{printable(name)}': {printable(found[name])} and {printable(path)}",
                hint="name them: NAME=FILE",
            )
        found[name] = path
    return found


def is_file(name: str) -> bool:
    """Whether there is such a file or folder."""
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # too long for a name, or with a NUL
        return False
