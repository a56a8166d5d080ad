"""How a command ends, and what people see of it on standard error: notes, errors and, on a terminal only, progress."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import click

from assay.errors import AssayError, ConditionMet, InputError, printable

if TYPE_CHECKING:
    from assay.study.scoring import Progress

__all__ = ["guarded", "say", "show", "shown_progress"]

_COLOURS = {"error": "red", "unexpected error": "red", "warning": "yellow", "note": "cyan", "hint": "green"}
_PATIENCE = 0.5  # seconds before progress is shown: short work needs none
_CLEAR_LINE = "\r\x1b[K"


def guarded(command: Callable[[], int], *, debug: bool) -> int:
    """Run a command and say how it ended: its exit code, whatever happens. `debug` lets errors through."""
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):  # whatever the locale says
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
        return command()
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (Exception, KeyboardInterrupt) as error:
        if debug:
            raise
        return _report(error)


def _report(error: BaseException) -> int:
    """Say what went wrong on standard error; the exit code."""
    if isinstance(error, click.ClickException):
        say("error", error.format_message())
        context = getattr(error, "ctx", None)
        if context is not None:
            say("hint", f"{context.command_path} --help")
        return error.exit_code
    if isinstance(error, click.Abort | KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return 130
    if isinstance(error, AssayError):
        say("note" if isinstance(error, ConditionMet) else "error", error.message)
        if error.hint is not None:
            say("hint", error.hint)
        return error.exit_code
    say("unexpected error", f"{type(error).__name__}: {error}")
    say("hint", "run again with --debug")
    return 1


def show(text: str) -> None:
    """Results, on standard output. One that is closed or full is told as such; a closed pipe passes through."""
    if sys.stdout is None:
        raise InputError("standard output: closed", hint="give -o FILE or let it go to /dev/null")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        with suppress(OSError, ValueError):  # what is left must not fail again at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise InputError(f"standard output: {(error.strerror or str(error)).lower()}") from error


def say(kind: str, text: str) -> None:
    """A line on standard error, its kind in colour on a terminal unless NO_COLOR is set (https://no-color.org)."""
    label = click.style(f"{kind}:", fg=_COLOURS[kind], bold=True)
    click.echo(f"{label} {' '.join(map(printable, text.splitlines()))}", err=True, color=_color())


@contextmanager
def shown_progress() -> Iterator[Progress | None]:
    """A line that tells how far long work is, gone when it is done; None where nobody would see it."""
    if sys.stderr is None or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    start = time.monotonic()
    is_shown = False

    def show(what: str, done: int, total: int) -> None:
        nonlocal is_shown
        if time.monotonic() - start >= _PATIENCE and done < total:
            is_shown = True
            sys.stderr.write(f"{_CLEAR_LINE}{what}: {done} of {total} done")
            sys.stderr.flush()

    try:
        yield show
    finally:
        if is_shown:
            sys.stderr.write(_CLEAR_LINE)
            sys.stderr.flush()


def _color() -> bool | None:
    """False: never; True: always; None: on a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR") else None
