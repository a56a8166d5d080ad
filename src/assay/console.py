"""Output and exit codes of commands: results on standard output; notes, errors and progress on standard error."""

from __future__ import annotations

import io
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from assay.errors import AssayError, ConditionMet, InputError, OutOfMemoryError, printable, spelling_options
from assay.files import cache_folder
from assay.options.python_warnings import inside_call

if TYPE_CHECKING:
    from assay.types import Note
    from assay.types.runtime import Runtime

__all__ = [
    "NOTE_AMOUNTS",
    "as_flag",
    "is_styled_terminal",
    "print_message",
    "run_command",
    "show_notes",
    "terminal_columns",
    "terminal_lines",
    "terminal_runtime",
    "write_stdout",
]

NOTE_AMOUNTS = ("all", "few", "none")
_FEW_LINES = 6
_MANY_LINES = 12
_NOTE_ORDER = (
    "nothing",
    "suspect",
    "in-sample",
    "undefined",
    "missing",
    "skipped",
    "joined",
    "duplicate",
    "excluded",
    "changed",
    "kept",
    "unread",
    "advice",
    "provenance",
)

_COLOURS = {"error": "red", "unexpected error": "red", "warning": "yellow", "note": "cyan", "hint": "green"}
_PROGRESS_DELAY = 0.5  # seconds before progress is worth a word
_PACE_DELAY = 2.0  # seconds before its pace is known
_SLOW = 0.1  # steps per second that are better counted per minute
_LOG_INTERVAL = 60.0  # seconds between lines that stay
_CLEAR_LINE = "\r\x1b[K"


def run_command(command: Callable[[], int], *, debug: bool) -> int:
    """Run a command and return its exit code. Errors are printed; `debug` raises them instead."""
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):  # regardless of the locale
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
        with spelling_options(as_flag), inside_call():  # the command prints the warnings
            return command()
    except BrokenPipeError:  # the reader closed the pipe, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (Exception, KeyboardInterrupt) as error:
        if debug:
            raise
        return _report(error)


def as_flag(name: str, value: str | None) -> str:
    """An option as the current command declares it; `True` is a flag without a value."""
    context = click.get_current_context(silent=True)
    parameters = [] if context is None else context.command.params
    flags = [flag for p in parameters if p.name == name for flag in p.opts if flag.startswith("--")]
    flag = flags[0] if flags else f"--{name.replace('_', '-')}"
    return flag if value is None or value == "True" else f"{flag} {_quoted(value)}"


def _quoted(value: str) -> str:
    """A value as the shell takes it, if it needs to be quoted."""
    import shlex  # rarely needed

    return value if not set(" ()'") & set(value) else shlex.quote(value)


def _report(error: BaseException) -> int:
    """Print an error and return its exit code."""
    if isinstance(error, click.ClickException):
        print_message("error", " ".join(error.format_message().split()))  # click lists choices on lines of their own
        context = getattr(error, "ctx", None)
        if context is not None:
            print_message("hint", f"{context.command_path} --help")
        return error.exit_code
    if isinstance(error, click.Abort | KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return 130
    if isinstance(error, MemoryError) and not isinstance(error, AssayError):
        error = OutOfMemoryError("this command", error)
    if isinstance(error, AssayError):
        print_message("note" if isinstance(error, ConditionMet) else "error", error.message)
        if error.hint is not None:
            print_message("hint", error.hint)
        return error.exit_code
    print_message("unexpected error", f"{type(error).__name__}: {error}")
    print_message("hint", "run the command again with --debug to see the traceback")
    return 1


def write_stdout(text: str) -> None:
    """Write to standard output. Raise an `InputError` if it is closed or full; a closed pipe is not an error."""
    if sys.stdout is None:
        raise InputError("standard output: closed", hint="write to a file with -o FILE")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        with suppress(OSError, ValueError):  # the rest of the buffer must not fail again at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise InputError(f"standard output: {(error.strerror or str(error)).lower()}") from error


def is_styled_terminal() -> bool:
    """Whether standard output is a terminal that may show colours, or FORCE_COLOR asks for them."""
    colour = _color()
    is_terminal = sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return is_terminal if colour is None else colour


def print_message(kind: str, text: str) -> None:
    """Print one line on standard error, with its kind in colour on a terminal unless NO_COLOR is set (https://no-color.org).

    If nobody reads standard error any more, the command goes on: what it writes elsewhere is still wanted.
    """
    label = click.style(f"{kind}:", fg=_COLOURS[kind], bold=True)
    with suppress(BrokenPipeError):
        click.echo(f"{label} {' '.join(map(printable, text.splitlines()))}", err=True, color=_color())


def show_notes(notes: Sequence[Note], amount: str | None = None) -> None:
    """Print notes on standard error: all, few or none. Default: few on a terminal, else twelve lines.

    Few are six lines. Where there are more notes than lines, those that are alike share one, and the others that do
    not fit are counted. Of warnings, one of each kind is printed, up to twelve lines.
    """
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    if amount == "all":
        for note in notes:
            print_message(note.severity, str(note))
    elif amount != "none":
        limit = _FEW_LINES if amount == "few" or is_terminal else _MANY_LINES
        _show_few(notes, limit, terminal_columns() if is_terminal else 0)


def terminal_lines() -> int:
    """The height of the terminal, found as its width is."""
    return _terminal_size("LINES", 1, 24)


def terminal_columns() -> int:
    """The width of the terminal as `shutil.get_terminal_size` finds it; importing shutil would take longer."""
    return _terminal_size("COLUMNS", 0, 80)


def _terminal_size(variable: str, dimension: int, default: int) -> int:
    try:
        size = int(os.environ.get(variable, ""))
    except ValueError:
        size = 0
    with suppress(AttributeError, ValueError, OSError):  # no standard output, or it is no terminal
        size = size if size > 0 else os.get_terminal_size(sys.__stdout__.fileno())[dimension]  # type: ignore[union-attr]
    return size if size > 0 else default


def _show_few(notes: Sequence[Note], limit: int, width: int) -> None:
    """Print a warning of each kind and the most important notes that fit, and the number of the others."""
    from assay.types.note import alike_as_one

    def lines(note: Note) -> int:
        return 1 if not width else -(-len(f"{note.severity}: {note}") // width)

    if sum(map(lines, notes)) <= limit:
        shown = dict.fromkeys(notes, 0)
    else:
        warnings = [note for note in notes if note.severity == "warning"]
        notes = (*warnings, *alike_as_one(note for note in notes if note.severity == "note"))
        kinds = _one_of_each_kind(warnings)
        shown = dict(list(kinds.items())[: _MANY_LINES - 1])
        room = limit - 1 - sum(map(lines, shown))
        for note in sorted((each for each in notes if each.severity == "note"), key=_importance):
            if lines(note) <= room:
                shown[note] = 0
                room -= lines(note)
    for note in dict.fromkeys(notes):
        if note in shown:
            print_message(note.severity, f"{note}{f' (and {shown[note]:,} like it)' if shown[note] else ''}")
    hidden = [note.severity for note in dict.fromkeys(notes) if note not in shown]
    alike = sum(shown.values())
    more = {"warning": f"more warning{{}}{' like these' * (hidden.count('warning') == alike)}", "note": "more note{}"}
    counts = {severity: hidden.count(severity) for severity in more}
    parts = [f"{count:,} {more[kind].format('s' * (count > 1))}" for kind, count in counts.items() if count]
    if parts:
        print_message("note", f"{' and '.join(parts)}: --notes all")


def _one_of_each_kind(warnings: Iterable[Note]) -> dict[Note, int]:
    """The first of the warnings that differ only in numbers and after the first clause, and how many others."""
    kinds: dict[tuple[str, str], list[Note]] = {}
    for note in dict.fromkeys(warnings):
        clause = re.split(r"[(:]|, first", re.sub(r"[0-9][0-9.,]*( to [0-9]+)?", "", note.text))[0]
        words = clause.replace(" is ", " are ").replace(" line ", " lines ")
        kinds.setdefault((note.kind, words.strip()), []).append(note)
    return {alike[0]: len(alike) - 1 for alike in kinds.values()}


def _importance(note: Note) -> int:
    return _NOTE_ORDER.index(note.kind)


@contextmanager
def terminal_runtime(threads: int | None = None, device: str = "auto", **limits: Any) -> Iterator[Runtime]:
    """A runtime that shows progress on standard error: on one line of a terminal, or as a line a minute elsewhere.

    `limits` are those of requests to language models.
    """
    from assay.types.runtime import Runtime, available_cores
    from assay.types.spending import Spending

    cores = available_cores() if threads is None else threads
    plain = Runtime(threads=cores, device=device, cache=cache_folder(), **limits)
    if sys.stderr is None:
        yield plain
        return
    progress = _ProgressLine(is_terminal=sys.stderr.isatty() and os.environ.get("TERM") != "dumb")
    spending = Spending(announce=progress.note)
    try:
        yield replace(plain, progress=progress.show, on_warning=progress.warn, spending=spending)
    finally:
        progress.clear()
        if spending.requests:
            kept = f"; {spending.from_cache:,} more replies were in the cache" if spending.from_cache else ""
            used = spending.describe(plain.prices)
            requests = f"{spending.requests:,} request{'s' * (spending.requests > 1)}"
            print_message("note", f"{requests} to language models: {used}{kept}")


class _ProgressLine:
    """How far a task has come, how fast it is and when it will end."""

    def __init__(self, *, is_terminal: bool) -> None:
        self._is_terminal = is_terminal
        start = time.monotonic()
        self._next = start + (_PROGRESS_DELAY if is_terminal else _LOG_INTERVAL)
        self._task, self._task_start, self._first_done, self._last_done = "", start, 0, 0
        self._is_on_screen = False
        self._warnings: set[str] = set()

    def show(self, task: str, done: int, total: int) -> None:
        """Show it, unless it is too early or the last line is too recent."""
        now = time.monotonic()
        task, semicolon, detail = task.partition(";")
        if task != self._task or done < self._last_done:
            self._task, self._task_start, self._first_done = task, now, done
        self._last_done = done
        if done >= total or now < self._next:
            return
        self._next = now + (0 if self._is_terminal else _LOG_INTERVAL)
        self._is_on_screen = self._is_terminal
        progress = "" if total == 1 else f": {done:,} of {total:,} done{self._pace(now, done, total)}"
        line = f"{task}{progress}{semicolon}{detail}"
        shown = line[: terminal_columns() - 1]  # only the last row of a longer one could be cleared
        sys.stderr.write(f"{_CLEAR_LINE}{shown}" if self._is_terminal else f"{line}\n")
        sys.stderr.flush()

    def _pace(self, now: float, done: int, total: int) -> str:
        finished, elapsed = done - self._first_done, now - self._task_start
        if not finished or elapsed < _PACE_DELAY:
            return ""
        rate, unit = finished / elapsed, "second"
        if rate < _SLOW:
            rate, unit = rate * 60, "minute"
        minutes, seconds = divmod(round((total - done) * elapsed / finished), 60)
        hours, minutes = divmod(minutes, 60)
        left = f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
        return f" ({rate:,.{0 if rate >= 10 else 1}f} per {unit}, {left} left)"

    def warn(self, text: str) -> None:
        """Print a warning on a line of its own, once."""
        if text not in self._warnings:
            self._warnings.add(text)
            self.clear()
            print_message("warning", text)

    def note(self, text: str) -> None:
        """Print a note on a line of its own."""
        self.clear()
        print_message("note", text)

    def clear(self) -> None:
        """Leave nothing on the screen."""
        if self._is_on_screen:
            sys.stderr.write(_CLEAR_LINE)
            sys.stderr.flush()


def _color() -> bool | None:
    """Never (False), always (True), or on a terminal only (None)."""
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR") else None
