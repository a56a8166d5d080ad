"""Options of commands: those of the public functions, made of their signatures, and those that only commands have.

An option that takes several values can be repeated or take a comma-separated list: `-m bleu -m chrf` or `-m bleu,chrf`.
Options for file names can only be repeated, because file names may contain commas.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from assay.cli.help import CommandOption
from assay.console import as_flag
from assay.errors import spelled, spelling_options
from assay.files import exists
from assay.options.option import DATA, METRICS, OUTPUT, split_list
from assay.options.parameters import Parameter, fields_of
from assay.options.shared import Force, LowerIsBetter, TestsetNames
from assay.options.verb import options_of_verb
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    from assay.study.load_scores import LoadedScores
    from assay.types import Campaign, TestSet

__all__ = [
    "FILE",
    "ScoreFiles",
    "command_option",
    "completion",
    "data_option",
    "explicit_options",
    "file_option",
    "force_option",
    "list_option",
    "no_text_option",
    "output_option",
    "runtime_options",
    "score_file_options",
    "split_name",
    "threads_option",
    "verb_options",
]

_F = TypeVar("_F", bound=Callable[..., Any])


def explicit_options(options: dict[str, Any]) -> dict[str, Any]:
    """The options that the user set. The called function has the defaults of the others."""
    context = click.get_current_context()
    return {
        name: value
        for name, value in options.items()
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT
    }


class _FileName(click.ParamType):  # type: ignore[type-arg]
    """A file name that the shell completes. Whether the file can be read is checked when it is read."""

    name = "file"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


class _Choice(click.ParamType):  # type: ignore[type-arg]
    """One of these values, which the shell completes. The public function checks it, and names the nearest one."""

    name = "choice"

    def __init__(self, choices: Collection[str]) -> None:
        self.choices = choices

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(choice) for choice in self.choices if choice.startswith(incomplete)]


FILE = _FileName()


def verb_options(*verbs: Callable[..., Any]) -> Callable[[_F], _F]:
    """The options of public functions, in the order of their signatures; the first one that has an option counts."""
    found = {name: parameter for verb in reversed(verbs) for name, parameter in options_of_verb(verb).items()}
    ordered = dict.fromkeys(name for verb in verbs for name in options_of_verb(verb))
    added = [_declared_option(found[name]) for name in ordered if found[name].is_command_option]
    return lambda command: functools.reduce(lambda done, add: add(done), reversed(added), command)


def data_option(name: str, annotation: Any, default: Any = None) -> Callable[[_F], _F]:
    """The option of a parameter that several public functions have."""
    return _declared_option(Parameter(name, annotation, default))


def _declared_option(parameter: Parameter) -> Callable[[_F], _F]:
    """The option of the command line for a parameter of a public function."""
    declared = parameter.option
    flags = declared.flags or (f"--{parameter.name.replace('_', '-')}",)
    settings: dict[str, Any] = {"callback": _convert(parameter), "group": declared.group, "names": None}
    if declared.names is not None:
        settings["shell_complete"] = completion(declared.names)
        settings["names"] = declared.names if declared.lists_names else None
    if parameter.members == (bool,):
        settings["is_flag"] = True
    else:
        settings |= {
            "multiple": parameter.takes_several,
            "type": _click_type(parameter),
            "metavar": _metavar(parameter),
        }
    if declared.flag_value is not None:
        settings |= {"is_flag": False, "flag_value": declared.flag_value}
    return command_option(*flags, parameter.name, help=_help(parameter), **_default(parameter), **settings)


def _help(parameter: Parameter) -> str:
    """The help text, with the default in words where click does not show it."""
    declared, default = parameter.option, parameter.default
    with spelling_options(as_flag):
        text = spelled(declared.help)
    if declared.lists_names:
        text += " {names}"
    if not declared.default and isinstance(default, tuple) and default:
        return f"{text}  [default: {', '.join(default)}]"
    return f"{text}  [default: {declared.default}]" if declared.default else text


def _default(parameter: Parameter) -> dict[str, Any]:
    default = parameter.default
    if parameter.option.default or isinstance(default, bool) or not isinstance(default, int | float | str):
        return {}
    return {"default": default, "show_default": default != ""}


def _metavar(parameter: Parameter) -> str | None:
    shown = parameter.option.metavar or ("|".join(parameter.choices) and f"[{'|'.join(parameter.choices)}]")
    return f"{shown},..." if parameter.takes_several and not parameter.option.takes_file else shown or None


def _convert(parameter: Parameter) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """The check and the conversion of the public function, before any file is read."""

    def convert(context: click.Context, _: click.Parameter, value: Any) -> Any:
        if parameter.takes_several and not parameter.option.takes_file:
            value = tuple(piece for text in value for piece in parameter.option.split(text))
        is_given = context.get_parameter_source(parameter.name) is not ParameterSource.DEFAULT
        return parameter.convert(value) if is_given and not context.resilient_parsing else value

    return convert


def _click_type(parameter: Parameter) -> click.ParamType | type | None:  # type: ignore[type-arg]
    if parameter.option.takes_file:
        return FILE
    if parameter.choices:
        return _Choice((*parameter.choices, *(parameter.option.short_forms or ())))
    return next((each for each in (int, float) if parameter.members == (each,)), None)


def completion(names: Callable[[], Iterable[str]]) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Completion of names by the shell, also after a comma."""

    def complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
        before, comma, start = incomplete.rpartition(",")
        return [f"{before}{comma}{name}" for name in names() if name.startswith(start)]

    return complete


def command_option(*names: str, group: str, **settings: Any) -> Callable[[_F], _F]:
    """An option in a group of the help page. The last of its names also names the parameter."""
    if names[-1].startswith("-"):
        names = (*names, names[-1].lstrip("-").replace("-", "_"))
    return click.option(*names, cls=CommandOption, group=group, **settings)


def file_option(*names: str, group: str = DATA, metavar: str = "FILE", **settings: Any) -> Callable[[_F], _F]:
    """An option whose value is a file name."""
    return command_option(*names, group=group, type=FILE, metavar=metavar, **settings)


def output_option(help_text: str, *, metavar: str = "FILE", **settings: Any) -> Callable[[_F], _F]:
    """The option that names the file or folder to write."""
    return command_option(
        "-o", "--output", group=OUTPUT, type=click.Path(), metavar=metavar, help=help_text, **settings
    )


def list_option(*names: str, group: str, metavar: str, **settings: Any) -> Callable[[_F], _F]:
    """An option that takes several values: repeated, or as a comma-separated list."""

    def split(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(piece for value in values for piece in split_list(value))

    return command_option(*names, group=group, multiple=True, callback=split, metavar=f"{metavar},...", **settings)


def split_name(text: str) -> tuple[str, str]:
    """NAME=FILE as a name and a file; a file alone has an empty name."""
    name, equals, path = text.partition("=")
    return ("", text) if not equals or exists(text) else (name, path)


force_option = data_option("force", Force, False)
no_text_option = command_option(
    "--no-text", group=OUTPUT, is_flag=True, help="Leave source, references and outputs out of an HTML page."
)
_RUNTIME_OPTIONS = {
    name: _declared_option(fields_of(Runtime)[name])
    for name in ("threads", "device", "parallel", "rate", "prices", "budget")
}
threads_option = _RUNTIME_OPTIONS["threads"]


def runtime_options(command: _F) -> _F:
    """The options of commands that compute metrics, as one argument `runtime_settings`, for `terminal_runtime`."""

    @functools.wraps(command)
    def call(**values: Any) -> Any:
        settings = {name: values.pop(name) for name in _RUNTIME_OPTIONS}
        return command(runtime_settings=settings, **values)

    return functools.reduce(lambda done, add: add(done), reversed(_RUNTIME_OPTIONS.values()), call)  # type: ignore[return-value]


class ScoreFiles(NamedTuple):
    """What the options say about files of scores that were computed elsewhere."""

    files: tuple[str, ...] = ()
    lower_is_better: tuple[str, ...] = ()
    testset_name: tuple[str, ...] = ()

    def load(
        self, target: TestSet | Campaign | Iterable[Campaign], *, campaign: Campaign | None = None
    ) -> LoadedScores:
        """The scores, which must belong to these texts or test sets."""
        from assay.study.load_scores import load_scores  # and all formats of score files

        return load_scores(
            map(split_name, self.files),
            target,
            campaign=campaign,
            lower_is_better=self.lower_is_better,
            testset_name=self.testset_name,
        )


def score_file_options(help_text: str) -> Callable[[_F], _F]:
    """The options on files of scores computed elsewhere, and the direction of these and of own metrics.

    The command gets them as one argument, `scores`.
    """

    def add(command: _F) -> _F:
        @functools.wraps(command)
        def call(
            metrics: tuple[str, ...],
            scores: tuple[str, ...],
            lower_is_better: tuple[str, ...],
            testset_name: tuple[str, ...],
            **values: Any,
        ) -> Any:
            if metrics and lower_is_better:
                from assay.metrics import with_lower_is_better

                metrics, lower_is_better = with_lower_is_better(metrics, lower_is_better)
            return command(metrics=metrics, scores=ScoreFiles(scores, lower_is_better, testset_name), **values)

        files = file_option("--scores", group=METRICS, multiple=True, metavar="[NAME[/SYSTEM]=]FILE", help=help_text)
        lower = data_option("lower_is_better", LowerIsBetter, ())
        testset = data_option("testset_name", TestsetNames, ())
        return files(lower(testset(call)))  # type: ignore[return-value]

    return add
