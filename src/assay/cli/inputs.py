"""The options that name the texts to score, and the test set they make."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from assay.errors import EmptyInputError, InputError, NameClashError, printable

if TYPE_CHECKING:
    from assay.types import TestSet

__all__ = ["input_options", "read_inputs"]

_F = TypeVar("_F", bound=Callable[..., Any])


class _FileName(click.ParamType):  # type: ignore[type-arg]
    """A file that the shell completes. Whether it can be read is for the reader to tell."""

    name = "file"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


_FILE = _FileName()

_OPTIONS = (
    click.argument("outputs", nargs=-1, metavar="[OUTPUT]...", type=_FILE),
    click.option(
        "--ref", "references", multiple=True, type=_FILE, metavar="[NAME=]FILE", help="A reference; repeat for several."
    ),
    click.option(
        "--sys",
        "systems",
        multiple=True,
        type=_FILE,
        metavar="NAME=FILE",
        help="A system's output; repeat for several.",
    ),
    click.option("--src", "sources", type=_FILE, metavar="FILE", help="The sources."),
    click.option("--documents", type=_FILE, metavar="FILE", help="The document of each segment, one a line."),
    click.option("--domains", type=_FILE, metavar="FILE", help="The domain of each segment, one a line."),
    click.option("--lp", metavar="SRC-TGT", help="Language pair, e.g. en-zh; chooses BLEU's tokeniser for zh, ja, ko."),
)


def input_options(command: _F) -> _F:
    """Adds the options; the command takes them as `**inputs` and hands them to `read_inputs`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_inputs(
    outputs: tuple[str, ...],
    references: tuple[str, ...],
    systems: tuple[str, ...],
    sources: str | None,
    documents: str | None,
    domains: str | None,
    lp: str | None,
) -> TestSet:
    """The test set that the options name."""
    from assay.study import load

    named = _named("system", (*outputs, *systems))
    if not named:
        raise EmptyInputError("no system output was given", hint="e.g. assay score --ref ref.de base.de new.de")
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
