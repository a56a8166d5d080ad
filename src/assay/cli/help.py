"""Commands: help pages that list options by group, no option twice, and groups that print their help by default."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import click

from assay.cli.front_page import COMMANDS
from assay.console import terminal_columns, write_stdout
from assay.options.verb import description_of_verb

__all__ = ["Command", "CommandOption", "Context", "Group"]

_OTHER = "Other options"
_FEW_COMMANDS = 2


class CommandOption(click.Option):
    """An option that is listed in a group of the help page."""

    def __init__(
        self,
        *declarations: Any,
        group: str = _OTHER,
        names: Callable[[], Iterable[str]] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(*declarations, **settings)
        self.group = group
        self.names = names

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The flags and the help text, with the names that are looked up now."""
        record = super().get_help_record(ctx)
        if record is None or self.names is None:
            return record
        return record[0], record[1].replace("{names}", f"Available: {', '.join(self.names())}.")


class Context(click.Context):
    """A context that finds the width of the terminal without shutil, whose import is a tenth of the time of --help."""

    def make_formatter(self) -> click.HelpFormatter:
        """As in click: two columns less than the terminal, at least 50 and at most `max_content_width`."""
        if self.terminal_width is None and click.formatting.FORCED_WIDTH is None:
            self.terminal_width = max(min(terminal_columns(), self.max_content_width or 80) - 2, 50)
        return super().make_formatter()


class _PrintsHelp(click.Command):
    """Prints help like any other output, with the same errors."""

    context_class = Context

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The option that prints the help page."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = lambda ctx, _parameter, is_given: _print_help(ctx) if is_given else None
        return option


def _print_help(ctx: click.Context) -> None:
    if not ctx.resilient_parsing:
        write_stdout(ctx.get_help() + "\n")
        ctx.exit()


class Command(_PrintsHelp):
    """A command whose help page lists its options by group, in the order in which groups first appear.

    The page begins with the description of the public function that the command calls, `verb`; the docstring of the
    command adds what only the command line has. An option that takes one value can be given only once: click would
    silently use the last value. `instead`: what to write for options of other commands that this one has not.
    """

    def __init__(
        self,
        *arguments: Any,
        verb: Callable[..., Any] | None = None,
        instead: Mapping[str, str] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(*arguments, **settings)
        self._instead = instead or {}
        if verb is not None:
            flags = {option.name: max(option.opts, key=len) for option in self.params}
            description = re.sub(r"`(\w+)`", lambda match: flags.get(match[1], match[0]), description_of_verb(verb))
            self.help = f"{description}\n\n{inspect.cleandoc(self.help or '')}"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse options that do not exist, and those that were repeated although they take one value."""
        if not ctx.resilient_parsing:
            try:
                *_, parameters = self.make_parser(ctx).parse_args(args=list(args))
            except click.NoSuchOption as error:
                raise click.UsageError(self._unknown(error.option_name, ctx), ctx) from None
            for parameter in parameters:
                is_single = isinstance(parameter, click.Option) and not (parameter.multiple or parameter.is_flag)
                if is_single and parameters.count(parameter) > 1:
                    name = next((name for name in parameter.opts if name.startswith("--")), parameter.opts[0])
                    raise click.UsageError(f"{name} was given twice", ctx)
        return super().parse_args(ctx, args)

    def _unknown(self, option: str, ctx: click.Context) -> str:
        """That an option does not exist, and what was probably meant."""
        from assay.errors import most_similar

        name = option.lstrip("-")
        known = [flag for parameter in self.params for flag in parameter.opts if flag.startswith("--")]
        if option in self._instead:
            meant = self._instead[option]
        elif name in COMMANDS:
            meant = f"assay {name} is a command"
        elif 0 < len(others := _commands_with(option, ctx)) <= _FEW_COMMANDS:
            meant = f"it is one of {' and '.join(f'assay {other}' for other in others)}"
        elif close := most_similar(option, known):
            meant = f"did you mean '{close}'?"
        elif close := most_similar(name, COMMANDS):
            meant = f"did you mean the command assay {close}?"
        else:
            return f"unknown option '{option}'"
        return f"unknown option '{option}'; {meant}"

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one section for each group."""
        groups: dict[str, list[tuple[str, str]]] = {}
        options = [parameter for parameter in self.get_params(ctx) if isinstance(parameter, click.Option)]
        for parameter in sorted(options, key=lambda option: getattr(option, "group", _OTHER) == _OTHER):
            record = parameter.get_help_record(ctx)
            if record is not None:
                groups.setdefault(getattr(parameter, "group", _OTHER), []).append(record)
        for title, records in groups.items():
            with formatter.section(title):
                formatter.write_dl(records)


def _commands_with(option: str, ctx: click.Context) -> list[str]:
    """The commands that have an option."""
    root = ctx.find_root().command
    found = ((name, root.get_command(ctx, name)) for name in COMMANDS) if isinstance(root, click.Group) else ()
    return [name for name, command in found if command and any(option in each.opts for each in command.params)]


class Group(_PrintsHelp, click.Group):
    """A group of commands that prints its help when called without a command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Print the help if there are no arguments."""
        if not args:
            _print_help(ctx)
        return super().parse_args(ctx, args)
