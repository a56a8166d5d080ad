"""The base of every result: columns and records, which give rows and a tree; notes and a signature."""

from __future__ import annotations

import functools
import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, TypeVar

from assay.errors import InputError, MissingExtraError, installing
from assay.results.columns import ResultColumn, Shown
from assay.types import Note, NoteKind, TestSet, TestSetRecord
from assay.types.note import warnings_among, with_warnings
from assay.types.record import OMITTED, Record, plain

__all__ = [
    "SCHEMA_VERSION",
    "Listed",
    "OfTexts",
    "Result",
    "Tabular",
    "arrow_table",
    "data_and_pairs",
    "digest_of_tree",
    "html_table",
    "settings_line",
    "with_undefined_note",
]

_R = TypeVar("_R", bound="Result")
_T = TypeVar("_T")

SCHEMA_VERSION = 3
"""Version of the trees that `to_dict` returns. It grows when a key is renamed or removed."""


def _imported(name: str, remedy: str = "") -> Any:
    """An optional package; raise with the line that installs it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingExtraError(f"{name} is not installed", hint=remedy or f"pip install {name}") from error


def arrow_table(columns: Mapping[str, type], rows: Iterable[dict[str, Any]]) -> Any:
    """A `pyarrow.Table` of rows, given the types of their values; None for a missing value."""
    pyarrow = _imported("pyarrow", installing("io"))
    types = {str: pyarrow.string(), float: pyarrow.float64(), int: pyarrow.int64(), bool: pyarrow.bool_()}
    schema = pyarrow.schema([(name, types[kind]) for name, kind in columns.items()])
    return pyarrow.Table.from_pylist(list(rows), schema=schema)


class Tabular(Record, ABC):
    """Records with declared columns, which give flat rows."""

    __slots__ = ()

    columns: ClassVar[tuple[ResultColumn, ...]]
    """The columns in order. Every form of the result takes names, titles and values from them."""

    @abstractmethod
    def records(self) -> Iterable[Any]:
        """What the columns read their values from: one record a row."""

    def rows(self) -> Iterator[dict[str, Any]]:
        """Flat rows with the names of the columns that files have, in order; None for a missing value."""
        return self._rows(self.records())

    def _rows(self, records: Iterable[Any]) -> Iterator[dict[str, Any]]:
        written = self.file_columns()
        return ({column.name: column.cell(record) for column in written} for record in records)

    @classmethod
    def file_columns(cls) -> tuple[ResultColumn, ...]:
        """The columns that the rows have."""
        return tuple(column for column in cls.columns if Shown.FILE in column.shown)

    def to_arrow(self) -> Any:
        """The rows as a `pyarrow.Table` with typed columns."""
        return arrow_table({column.name: column.type for column in self.file_columns()}, self.rows())

    def to_pandas(self) -> Any:
        """The rows as a `pandas.DataFrame`."""
        names = [column.name for column in self.file_columns()]
        return _imported("pandas").DataFrame(list(self.rows()), columns=names)

    def to_polars(self) -> Any:
        """The rows as a `polars.DataFrame` with typed columns."""
        schema = {column.name: column.type for column in self.file_columns()}
        return _imported("polars").DataFrame(list(self.rows()), schema=schema)

    def _repr_html_(self) -> str:
        """The rows as an HTML table for notebooks, without the columns that are empty everywhere."""
        rows = list(self.rows())
        names = [column.name for column in self.file_columns()]
        header = [name for name in names if any(row[name] is not None for row in rows)]
        return html_table(header or names, [[row[name] for name in header] for row in rows])


class Listed(Generic[_T]):
    """What is read like the list of its parts: one after another, and with a length."""

    __slots__ = ()

    holds: ClassVar[str]
    """The name of the field with the parts."""

    def __iter__(self) -> Iterator[_T]:
        return iter(getattr(self, self.holds))

    def __len__(self) -> int:
        return len(getattr(self, self.holds))


class OfTexts:
    """What was computed from the texts of a test set, and may have been saved without them."""

    __slots__ = ()

    inputs: TestSet | TestSetRecord

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in order."""
        return self.inputs.systems

    @property
    def testset(self) -> TestSet:
        """The texts. A result saved without them has none."""
        if isinstance(self.inputs, TestSet):
            return self.inputs
        hint = "save it with --save-texts, or in Python with texts=True"
        raise InputError("this result was saved without its texts", hint=hint)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Result(Tabular):
    """What a verb returns. A result holds numbers; reports format them."""

    notebook_form: ClassVar[Callable[[Result], str] | None] = None
    """How notebooks show a result. Reports are a layer above: the public functions set it. None: the rows."""

    made_by: ClassVar[str] = ""
    """The command that returns it, such as `compare`; empty for what only Python and other results have."""

    notes: tuple[Note, ...] = field(default=(), kw_only=True, metadata=OMITTED)
    """What a reader should know about the data or the numbers."""

    def __init_subclass__(cls) -> None:
        """Every result shows its warnings below its own representation."""
        own = cls.__dict__.get("__repr__")
        if own is not None and not hasattr(own, "shows_warnings"):  # a class with slots is made twice
            cls.__repr__ = _showing_warnings(own)  # type: ignore[method-assign]

    @property
    def warnings(self) -> tuple[Note, ...]:
        """The notes that make the data or the numbers doubtful."""
        return warnings_among(self.notes)

    @property
    def notes_on_nothing(self) -> tuple[Note, ...]:
        """The notes that `nothing_computed` says as well."""
        return tuple(note for note in self.notes if note.kind is NoteKind.NOTHING)

    @property
    def covers(self) -> tuple[str, tuple[str, ...]]:
        """The names of its test sets, joined by +, and the language pairs, as far as it knows them."""
        return "", ()

    @property
    def nothing_computed(self) -> str:
        """Why the result has not a single value; empty if it has one. A command then ends with an error."""
        return ""

    def _repr_html_(self) -> str:
        """For notebooks."""
        form = Result.notebook_form
        html = Tabular._repr_html_(self) if form is None else form(self)
        return html + _html_lines(with_warnings("", self.warnings))

    @property
    def signature(self) -> str:
        """The settings that reproduce the result, in a line; empty if there are none."""
        return settings_line(getattr(self, "settings", {}))

    def to_dict(self) -> dict[str, Any]:
        """The result as one tree of plain values, ready for JSON: its fields and rows, None for NaN."""
        return {
            "version": SCHEMA_VERSION,
            **self.tree(),
            "rows": list(self.rows()),
            "signature": self.signature,
            "notes": plain(self.notes),
        }


def _showing_warnings(own: Callable[[_R], str]) -> Callable[[_R], str]:
    @functools.wraps(own)
    def shown(self: _R) -> str:
        return with_warnings(own(self), self.warnings)

    shown.shows_warnings = True  # type: ignore[attr-defined]
    return shown


def data_and_pairs(settings: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """The test sets and language pairs in the settings of a calibration: `wmt22/en-de+zh-en`."""
    data, _, pairs = settings.get("data", "").partition("/")
    return data, tuple(filter(None, pairs.split("+")))


def with_undefined_note(result: _R) -> _R:
    """The result, with a warning if it has not a single value."""
    if not result.nothing_computed:
        return result
    note = Note(NoteKind.NOTHING, result.nothing_computed, severity="warning")
    return replace(result, notes=(*result.notes, note))


SENTENCES = "verdict"
"""The key under which JSON has sentences that follow from the numbers."""


def digest_of_tree(tree: Mapping[str, Any], key: str = "digest") -> str:
    """The digest of a tree of plain values, without the digest itself and without sentences."""
    import hashlib  # slow to import, and rarely needed
    import json

    content = {name: value for name, value in tree.items() if name not in (key, SENTENCES)}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def settings_line(settings: Mapping[str, str]) -> str:
    """Settings as a signature: `statistic:pearson|level:system`."""
    return "|".join(f"{key}:{value}" for key, value in settings.items())


def html_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """An HTML table with every cell escaped."""
    import html  # slow to import, and only needed in notebooks

    def cell(value: object) -> str:
        if isinstance(value, float):
            value = f"{value:.{3 if abs(value) <= 1 else 2}f}"
        return html.escape("–" if value in (None, "nan") else str(value))

    head = "".join(f"<th>{cell(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html_lines(text: str) -> str:
    """Lines of plain text in HTML."""
    import html  # slow to import, and only needed in notebooks

    return f'<pre style="white-space: pre-wrap">{html.escape(text.strip())}</pre>' if text else ""
