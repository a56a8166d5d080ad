"""The public functions: arguments are checked and converted by their declared types, docstrings list the parameters,
and warnings in a result reach the user.

Notes with the severity `warning` are warnings of Python, too, at the line that called the function.
"""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, get_args, get_origin

from assay.errors import ConfigError, spelled
from assay.options.option import Option
from assay.options.parameters import Parameter, parameters_of
from assay.options.python_warnings import inside_call, warn

__all__ = ["description_of_verb", "options_of_verb", "verb", "verb_with"]

_P = ParamSpec("_P")
_R = TypeVar("_R")

_NOTES = "\n\nNotes\n-----\n"  # the section of a docstring that comes after the parameters
_WIDTH = 96  # of help texts in docstrings


def verb(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorator of a public function: its annotations and their options check, convert and document the arguments.

    Warnings that an argument has already, such as those of a test set, were given when it was made.
    """
    return _verb(function, parameters_of(function))


def verb_with(options: type) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """The same for a function whose `**options` are the fields of a dataclass."""
    return lambda function: _verb(function, parameters_of(function, options))


def options_of_verb(function: Callable[..., Any]) -> Mapping[str, Parameter]:
    """The parameters of a public function, by name."""
    found: Mapping[str, Parameter] = function.__dict__["parameters"]
    return found


def description_of_verb(function: Callable[..., Any]) -> str:
    """What a public function does, for Python and the command line alike: its docstring as far as the parameters."""
    found: str = function.__dict__["description"]
    return found


def _verb(function: Callable[_P, _R], parameters: Mapping[str, Parameter]) -> Callable[_P, _R]:
    signature = inspect.Signature(
        [inspect.Parameter(p.name, p.kind, default=p.default, annotation=p.plain_type) for p in parameters.values()],
        return_annotation=function.__annotations__.get("return", inspect.Signature.empty),
    )

    @functools.wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{function.__name__}() {error}") from None
        for name, value in bound.arguments.items():
            if value is not parameters[name].default:
                bound.arguments[name] = parameters[name].convert(value, function.__name__)
        for name, value in _gathered(bound.arguments, parameters).items():
            bound.arguments[name] = value
        with inside_call() as is_outermost:
            result = function(*bound.args, **bound.kwargs)
        if is_outermost:
            _warn_of(result, bound.arguments.values())
        return result

    description, heading, notes = inspect.cleandoc(function.__doc__ or "").partition(_NOTES)
    call.__dict__.update(parameters=parameters, description=description, __signature__=signature)
    sections = (description, _documentation(parameters.values()), heading.strip("\n") + "\n" + notes)
    call.__doc__ = "\n\n".join(section for section in sections if section.strip())
    return call


def _gathered(arguments: dict[str, Any], parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    """The objects, by parameter, that are made of arguments that are their fields; these arguments are taken out."""
    given: dict[str, dict[str, Any]] = {}
    for name in [name for name in arguments if parameters[name].part_of]:
        if (value := arguments.pop(name)) is not parameters[name].default:
            given.setdefault(parameters[name].part_of, {})[name] = value
    for whole, fields in given.items():
        if arguments.get(whole) is not None:
            names, cls = ", ".join(fields), parameters[whole].members[0].__name__
            written = ", ".join(f"{name}=…" for name in fields)
            raise ConfigError(
                f"{names} cannot be given together with {whole}", hint=f"{whole}=assay.{cls}({written}, …)"
            )
    return {whole: parameters[whole].members[0](**fields) for whole, fields in given.items()}


def _warn_of(result: Any, arguments: Iterable[Any]) -> None:
    """Give the warnings of a result that are not those of an argument."""
    known = [note for value in arguments for note in _warnings(value)]
    for note in _warnings(result):
        if not any(_is_same(note, other) for other in known):
            warn(str(note))


def _warnings(value: Any) -> Sequence[Any]:
    """The warnings of a test set, a campaign or a result, or of several campaigns or results."""
    if isinstance(value, tuple) and value and hasattr(value[0], "warnings"):
        return tuple(dict.fromkeys(note for each in value for note in _warnings(each)))
    found: Sequence[Any] = getattr(value, "warnings", ())
    return found


def _is_same(note: Any, known: Any) -> bool:
    """Whether a note of a result comes from its data, so that Python has warned already. It may name more places."""
    is_there = not known.where or f", {known.where}, " in f", {note.where}, "  # "s1" is not "s10"
    return (note.kind, note.text, note.line) == (known.kind, known.text, known.line) and is_there


def _documentation(parameters: Iterable[Parameter]) -> str:
    """The section on the parameters of a docstring, in NumPy's style."""
    entries = [_entry(parameter) for parameter in parameters]
    return "\n".join(["Parameters", "----------", *entries]) if entries else ""


def _entry(parameter: Parameter) -> str:
    option, words = parameter.option, [" or ".join(_type_words(parameter))]
    stars = "*" if parameter.kind is inspect.Parameter.VAR_POSITIONAL else ""
    if option.default or parameter.default is None:
        words.append("optional")
    elif parameter.default is not inspect.Parameter.empty:
        words.append(f"default {_default_words(parameter.default)}")
    is_listed = not option.choices or option.metavar or any(_is_literal(member) for member in parameter.members)
    choices = "" if is_listed else f" One of {', '.join(option.choices)}."
    default = f" Default: {option.default}." if option.default else ""
    text = textwrap.fill(spelled(f"{option.help}{choices}{default}"), _WIDTH)
    return f"{stars}{parameter.name} : {', '.join(words)}\n{textwrap.indent(text, '    ')}"


def _default_words(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "none"
    return str(value) or "empty"


def _type_words(parameter: Parameter) -> Iterable[str]:
    """The types of a parameter as a reader of the documentation would say them: `list of str`.

    Of a `Literal`, the values that this parameter takes, which may be fewer than those of the type.
    """
    literal = "{" + ", ".join(parameter.choices) + "}"
    return dict.fromkeys(
        literal if _is_literal(member) else _member_words(member, parameter.choices) for member in parameter.members
    )


def _is_literal(member: Any) -> bool:
    return get_origin(member) is Literal


def _member_words(member: Any, choices: Collection[str]) -> str:
    origin, items = get_origin(member), get_args(member)
    if origin in (Iterable, Sequence):
        return f"list of {' or '.join(_type_words(Parameter('', Annotated[items[0], Option('', choices=choices)])))}"
    if origin is Callable:
        return "function"
    return "mapping" if origin is Mapping else getattr(member, "__name__", str(member))
