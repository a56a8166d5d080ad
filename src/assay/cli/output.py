"""The options for the format and destination of a result, and writing it accordingly."""

from __future__ import annotations

import functools
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from assay.cli.options import FILE, command_option, force_option, no_text_option, output_option, split_name
from assay.console import (
    NOTE_AMOUNTS,
    is_styled_terminal,
    print_message,
    show_notes,
    terminal_columns,
    terminal_lines,
    write_stdout,
)
from assay.errors import AssayError, ConfigError, EmptyInputError, InputError, option_name
from assay.files import check_replaceable, exists
from assay.options.option import OUTPUT

if TYPE_CHECKING:
    from assay.reports import Renderer
    from assay.reports.page import Report
    from assay.results import Result
    from assay.types import Campaign, Note

__all__ = ["Output", "input_paths", "output_options", "output_path", "select_renderer"]

_F = TypeVar("_F", bound=Callable[..., Any])

_FORMATS = ("table", "json", "jsonl", "tsv", "csv", "md", "latex", "html", "xlsx", "parquet")
_OPTION_NAMES = ("format", "output", "save", "notes", "force")


@dataclass(frozen=True, slots=True)
class Output:
    """How and where to write a result, as set by the output options."""

    renderer: Renderer
    path: Path | None
    save: Path | None
    notes: str | None
    signatures: str | None
    save_texts: bool = False
    folder: Path | None = None
    """The folder to write all files of a result to, of commands that have several."""

    @property
    def form(self) -> str:
        """The name of the output format."""
        return self.renderer.name

    def write(
        self,
        result: Result,
        *,
        notes: Iterable[Note] = (),
        rated: Iterable[Campaign] = (),
        hint: str = "",
        hint_if_long: str = "",
        **options: Any,
    ) -> None:
        """Print the notes, save the result with --save, and write it to standard output or to a file.

        `notes` come before those of the result; a page shows the errors that raters marked in `rated`; `hint` says on a
        terminal what to do next, and `hint_if_long` if it cannot show all lines; `options` go to `document`.
        """
        from assay.reports import document

        if extra_notes := tuple(notes):
            result = replace(result, notes=(*extra_notes, *result.notes))
        if error := result.nothing_computed:
            show_notes([note for note in result.notes if note not in result.notes_on_nothing], self.notes)
            raise EmptyInputError(error)
        show_notes(result.notes, self.notes)
        if self.save is not None:
            from assay.store import save_result

            save_result(result, self.save, texts=self.save_texts, command=_command_line())
        if self.signatures is not None:
            options["signatures"] = self.signatures
        command = _command_line()
        shown = document(
            result,
            report=lambda texts: _report(result, command, texts, rated),
            is_passed_on=self.path is not None or self.renderer.name != "table",
            **options,
        )
        content = self.renderer.render(shown)
        if self.path is not None:
            from assay.files import write_atomic

            write_atomic(self.path, content.encode() if isinstance(content, str) else content)
        elif isinstance(content, str):
            write_stdout(content)
            if self.notes != "none" and _is_terminal(None):
                _print_hint(hint_if_long if content.count("\n") > terminal_lines() else "", hint)


def _print_hint(*hints: str) -> None:
    """Print the first hint that says anything."""
    if hint := next(filter(None, hints), ""):
        print_message("hint", hint)


def _report(result: Result, command: str, texts: bool, rated: Iterable[Campaign]) -> Report:
    from assay.study.page_report import page_report  # imports charts

    return page_report((result,), (command,), texts=texts, campaigns=rated)


def _command_line() -> str:
    """The command as it was given; that of the process, if another program runs the commands."""
    given = click.get_current_context().find_root().obj
    return shlex.join(["assay", *(sys.argv[1:] if given is None else given)])


def output_options(
    *, is_run: bool = False, has_short_signatures: bool = False, has_texts: bool = False, takes_folder: bool = False
) -> Callable[[_F], _F]:
    """Add the options. The command gets them as one argument, `output`.

    `is_run`: the result is a run, which has signatures and can be given to `assay diff`. `has_short_signatures`: it is
    no run, but a terminal shows its signatures short. `has_texts`: the result has texts, which can be saved, and which
    an HTML page shows. `takes_folder`: -o may name a folder, for several files.
    """
    options = [
        command_option(
            "--format",
            group=OUTPUT,
            type=click.Choice(_FORMATS),
            help="Output format.  [default: from the suffix of the output file, else table]",
        ),
        output_option(
            "Write to a file instead of standard output (-)"
            + ("; to a folder: the table, every result and the figures." if takes_folder else "."),
            metavar="FILE|FOLDER" if takes_folder else "FILE",
        ),
        command_option(
            "--save",
            group=OUTPUT,
            type=click.Path(path_type=Path),
            metavar="DIR",
            help=f"Also save the result in a folder, for `assay report`{', `assay diff`' if is_run else ''} and "
            "`assay.open_result`.",
        ),
        force_option,
        command_option(
            "--notes",
            group=OUTPUT,
            type=click.Choice(NOTE_AMOUNTS),
            help="How many notes to print on standard error.  [default: few on a terminal, else 12 lines]",
        ),
    ]
    if has_texts:
        options.append(
            command_option("--save-texts", group=OUTPUT, is_flag=True, help="With --save, also save the texts.")
        )
        options.append(no_text_option)
    if is_run or has_short_signatures:
        forms = ("short", "full", "sacrebleu") if is_run else ("short", "full")
        options.append(
            command_option(
                "--signatures",
                group=OUTPUT,
                type=click.Choice(forms),
                help="Signatures in tables; short shows only options that differ from the defaults.  "
                "[default: short on a terminal, else full]",
            )
        )

    def add(command: _F) -> _F:
        @functools.wraps(command)
        def call(**values: Any) -> Any:
            output = _create_output(*(values.pop(name) for name in _OPTION_NAMES), takes_folder=takes_folder)
            if has_texts:
                output = _with_text_options(output, values.pop("save_texts"), values.pop("no_text"))
            if is_run or has_short_signatures:
                output = replace(output, signatures=values.pop("signatures") or _default_signatures(output.path))
            return command(output=output, **values)

        wrapped: Any = call
        for add_option in reversed(options):
            wrapped = add_option(wrapped)
        return wrapped  # type: ignore[no-any-return]

    return add


def _with_text_options(output: Output, save_texts: bool, no_text: bool) -> Output:
    if save_texts and output.save is None:
        raise click.UsageError("--save-texts needs --save DIR", click.get_current_context())
    if not no_text:
        return replace(output, save_texts=save_texts)
    from assay.reports.html import Html

    if not isinstance(output.renderer, Html):
        raise click.UsageError("--no-text has no effect without -o FILE.html", click.get_current_context())
    return replace(output, save_texts=save_texts, renderer=replace(output.renderer, texts=False))


def _create_output(
    format_name: str | None,
    target: str | None,
    save: Path | None,
    notes: str | None,
    force: bool,
    *,
    takes_folder: bool = False,
) -> Output:
    """Check the options, so that errors appear before any work is done."""
    folder = Path(target) if takes_folder and target and _is_folder(target, format_name) else None
    path = None if folder is not None else output_path(target)
    renderer = select_renderer(format_name, path)
    inputs = () if path is None and save is None and folder is None else tuple(input_paths())
    if folder is not None:
        _check_folder(folder, inputs, force=force)
    if path is not None:
        check_replaceable(path, inputs=inputs, force=force, is_result=renderer.recognises)
    if save is not None:
        from assay.store import check_folder

        check_replaceable(save, inputs=inputs, force=True)
        check_folder(save)
    return Output(renderer, path, save, notes, None, folder=folder)


def _check_folder(folder: Path, inputs: Iterable[Path], *, force: bool) -> None:
    """Raise if files of a folder would be replaced, or if it is an input: one that exists must be empty."""
    check_replaceable(folder / "any", inputs=inputs)
    if not force and folder.is_dir() and any(folder.iterdir()):
        hint = f"choose another name, or replace files there with {option_name('force', True)}"
        raise InputError("contains files", path=str(folder), hint=hint)


def _is_folder(target: str, format_name: str | None) -> bool:
    """Whether a target is a folder, or the name of one: without the suffix of an output format."""
    if target == "-" or Path(target).is_file():
        return False
    if target.endswith("/") or Path(target).is_dir() or not Path(target).suffix:
        return True
    return format_name is None and Path(target).suffix.lower() not in _formats_by_suffix()


def _formats_by_suffix() -> dict[str, str]:
    from assay.reports import renderer

    return {suffix: name for name in _FORMATS for suffix in renderer.type_of(name)[0].suffixes}


def input_paths() -> Iterator[Path]:
    """The files and folders that the command reads.

    FILE, NAME=FILE and names of test sets in its arguments and options, annotations beside files, files with metrics
    and statistics, and the resources of metrics.
    """
    from assay.data.annotation_files import annotation_paths
    from assay.registry.plugin_files import file_of
    from assay.study.load_campaign import input_path

    context = click.get_current_context()
    for parameter in context.command.params:
        if parameter.name in (*_OPTION_NAMES, "spans"):  # what is written
            continue
        value = context.params.get(parameter.name or "")
        for item in map(str, value if isinstance(value, tuple) else filter(None, [value])):
            if parameter.type is FILE or isinstance(parameter.type, click.Path):
                yield from filter(None, map(input_path, (item, split_name(item)[1])))
                yield from map(Path, annotation_paths(split_name(item)[1]))
            elif (file := file_of(item)) is not None:
                yield file
            if parameter.name == "metrics":
                yield from _resource_paths(item)


def _resource_paths(spec: str) -> list[Path]:
    """The models, vectors, dictionaries and other files of a metric; what is wrong with it is reported later."""
    from assay.files.resources import collecting_paths
    from assay.measurement import naming_metric
    from assay.metrics import metric

    with collecting_paths() as paths, suppress(AssayError):
        created = metric.create(spec)
        with naming_metric(spec, created):
            created.check_resources()
    return paths


def output_path(target: str | None) -> Path | None:
    """The file to write to; None for standard output."""
    if target is None or target == "-":
        return None
    if not target:
        raise ConfigError("the name of the output file is empty", hint="use - for standard output")
    path = Path(target)
    if exists(path) and path.is_dir():
        raise InputError("is a folder", path=target, hint="name a file: -o FOLDER/FILE")
    if target.endswith("/"):
        raise InputError("is the name of a folder, not of a file", path=target)
    return path


def _default_signatures(path: Path | None) -> str:
    return "short" if _is_terminal(path) else "full"


def _has_format() -> bool:
    """Whether the command that runs has the option --format."""
    context = click.get_current_context(silent=True)
    return context is not None and any("--format" in parameter.opts for parameter in context.command.params)


def select_renderer(format_name: str | None, path: Path | None) -> Renderer:
    """The renderer for a format name, or else for the suffix of the output file."""
    from assay.reports import renderer

    name = format_name
    if name is None and path is not None and not _is_device(path):
        by_suffix = _formats_by_suffix()
        if path.suffix.lower() not in by_suffix:
            raise ConfigError(
                f"no output format has the suffix '{path.suffix}'",
                hint=f"use {', '.join(by_suffix)}{' or set --format' if _has_format() else ''}",
            )
        name = by_suffix[path.suffix.lower()]
    if path is not None and not path.parent.is_dir():
        raise InputError("cannot be written: no such folder", path=str(path))
    kind, _ = renderer.type_of(name or "table")
    if kind.is_binary and path is None:
        raise ConfigError(f"{name} is a binary format and needs an output file", hint=f"e.g. -o scores.{name}")
    if kind.name != "table":
        return kind()
    return kind(width=_width(path), styled=path is None and is_styled_terminal())  # type: ignore[call-arg]


def _is_device(path: Path) -> bool:
    """Whether the path is a device or pipe, which has no suffix to go by."""
    return exists(path) and not path.is_file()


def _is_terminal(path: Path | None) -> bool:
    return path is None and sys.stdout is not None and sys.stdout.isatty()


def _width(path: Path | None) -> int:
    """The width of the terminal; 0 (no limit) for a file or pipe."""
    return terminal_columns() if _is_terminal(path) else 0
