"""What a parameter of a public function means, declared once in its annotation: `Annotated[float, Option("…")]`.

The help text serves the docstring and the command line. Another option in it is written with
`assay.errors.option_name`, so that each of them spells it in its own way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

__all__ = [
    "CALIBRATION",
    "DATA",
    "HUMAN",
    "METRICS",
    "OUTPUT",
    "RESAMPLING",
    "STATISTICS",
    "SYSTEMS",
    "TESTS",
    "Data",
    "Option",
    "choice_of",
    "split_list",
    "split_specs",
]

DATA, SYSTEMS, METRICS, STATISTICS = "Data", "Systems", "Metrics", "Statistics"
HUMAN, CALIBRATION, TESTS, RESAMPLING, OUTPUT = "Human scores", "Calibration", "Tests", "Resampling", "Output"
"""Groups of options on help pages."""


def choice_of(names: Iterable[str]) -> str:
    """What one can choose from, in a sentence: `a, b or c`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def split_list(text: str) -> tuple[str, ...]:
    """The values of a comma-separated list without empty ones; one empty value if there is no other."""
    return tuple(piece.strip() for piece in text.split(",") if piece.strip()) or ("",)


def split_specs(text: str) -> tuple[str, ...]:
    """The specs of a comma-separated list. `name=value` belongs to the spec before it: `bleu:tok=intl,smooth=none`."""
    specs: list[str] = []
    for piece in split_list(text):
        name, equals, _ = piece.partition("=")
        if equals and ":" not in name and specs:
            specs[-1] += f",{piece}"
        else:
            specs.append(piece)
    return tuple(specs)


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """What a parameter means and which values it takes. Its name, type and default stand in the signature."""

    help: str
    _: KW_ONLY
    group: str = ""
    """The heading of the option on the help page of a command."""
    default: str = ""
    """The default in words, where the signature cannot say it: None may stand for the usual value."""
    choices: Collection[str] = ()
    """All values that it takes; those of a `Literal` type need not be repeated."""
    noun: str = ""
    """What a value is called in a message about an unknown one; empty: the name of the parameter."""
    short_forms: Mapping[str, str] | None = None
    """Other spellings of values."""
    check: Callable[[str, Any], object] | None = None
    """Called with the name and the value, each one of several; raises if it is wrong."""
    split: Callable[[str], tuple[str, ...]] = split_list
    """How a string becomes several values."""
    is_checked: bool = True
    """False: the function itself reads and checks what was given."""
    flags: tuple[str, ...] = ()
    """On the command line; empty: `--` and the name."""
    metavar: str = ""
    """What stands for the value on the help page."""
    flag_value: str | None = None
    """The value of the flag without one."""
    takes_file: bool = False
    """Whether the value may be a file, whose name the shell completes."""
    names: Callable[[], Iterable[str]] | None = None
    """Names that it takes, perhaps with options: the shell completes them."""
    lists_names: bool = False
    """Whether the help page lists the names. They are looked up when it is printed."""
    is_command_option: bool = True
    """False: the command line makes the value of its files or of other options."""
    takes_fields: bool = False
    """The value is of a dataclass, whose fields are keyword arguments of the function as well."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Data(Option):
    """Data that a function works on. The command line loads it from files."""

    example: str
    """How to make it: `testset = assay.load(…)`."""
    is_command_option: bool = False
