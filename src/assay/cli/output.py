"""The options that say where results go and in which form, and the writing of them."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from assay.console import show
from assay.errors import ConfigError, InputError

if TYPE_CHECKING:
    from assay.reports import Renderer
    from assay.reports.document import Document

__all__ = ["output_options", "select_renderer", "write_document"]

_F = TypeVar("_F", bound=Callable[..., Any])

_FORMATS = ("table", "json", "jsonl", "tsv", "csv", "md", "latex", "xlsx", "parquet")
_BINARY = ("xlsx", "parquet")

_OPTIONS = (
    click.option(
        "--format", "output_form", type=click.Choice(_FORMATS), help="Default: by the suffix of -o, else table."
    ),
    click.option(
        "-o", "--output", "target", type=click.Path(path_type=Path), metavar="FILE", help="Write there instead."
    ),
)


def output_options(command: _F) -> _F:
    """Adds `--format` and `-o`; the command takes them as `output_form` and `target`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def select_renderer(output_form: str | None, target: Path | None) -> Renderer:
    """The form that was asked for. Called before the work, so that a slip is told at once."""
    from assay.reports import renderer

    chosen = output_form
    if chosen is None and target is not None:
        by_suffix = {suffix: name for name in _FORMATS for suffix in renderer.type_of(name)[0].suffixes}
        if target.suffix.lower() not in by_suffix:
            raise ConfigError(
                f"no format has the suffix '{target.suffix}'", hint=f"use {', '.join(by_suffix)} or give --format"
            )
        chosen = by_suffix[target.suffix.lower()]
    if target is not None and not target.parent.is_dir():
        raise InputError("cannot be written: there is no such folder", path=str(target))
    if chosen in _BINARY and target is None:
        raise ConfigError(f"{chosen} is not text and needs a file", hint=f"e.g. -o scores.{chosen}")
    return renderer.create(f"table:width={_screen_width(target)}" if chosen in (None, "table") else chosen)


def _screen_width(target: Path | None) -> int:
    """How wide a table may be: as the terminal, if it goes to one; a file or pipe gets it whole."""
    is_shown = target is None and sys.stdout is not None and sys.stdout.isatty()
    return shutil.get_terminal_size().columns if is_shown else 0


def write_document(document: Document, chosen: Renderer, target: Path | None) -> None:
    """To standard output, or to a file that is whole or not there."""
    content = chosen.render(document)
    if target is not None:
        from assay.files import write_whole

        write_whole(target, content.encode() if isinstance(content, str) else content)
    elif isinstance(content, str):
        show(content)
