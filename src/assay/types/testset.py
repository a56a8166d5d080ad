"""Texts: segments with the outputs of systems and whatever they are judged by."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.errors import (
    AlignmentError,
    ConfigError,
    DecodeError,
    EmptyInputError,
    NameClashError,
    UnsafeNameError,
)
from assay.types.arrays import Column, FrozenDict, present

__all__ = ["TestSet", "TestSetRecord", "check_names"]

_MAX_NAME_BYTES = 200
_LANGUAGE = r"([A-Za-z]{2,3})(?:_[A-Za-z0-9]+)*"  # en, zh_CN, zho_Hans


@dataclass(frozen=True, slots=True, repr=False)
class TestSet:
    """Segments with the outputs of one or more systems and whatever they are judged by.

    Columns are tuples of N texts, None where a text is absent. References and outputs are named; the order of
    names is the order given.
    """

    __test__ = False  # not a test case, whatever pytest thinks of the name

    outputs: Mapping[str, Column]
    references: Mapping[str, Column] = field(default_factory=dict)
    sources: Column | None = None
    documents: Column | None = None
    domains: Column | None = None
    lp: str | None = None
    notes: tuple[str, ...] = ()
    name: str | None = None

    def __post_init__(self) -> None:
        for field_name in ("outputs", "references"):
            columns = {name: tuple(column) for name, column in getattr(self, field_name).items()}
            object.__setattr__(self, field_name, FrozenDict(columns))
        for field_name in ("sources", "documents", "domains"):
            if (column := getattr(self, field_name)) is not None:
                object.__setattr__(self, field_name, tuple(column))
        if not self.outputs:
            raise EmptyInputError("no system output was given", hint="give at least one, e.g. --sys base=base.de")
        check_names("system", self.outputs)
        check_names("reference", self.references)
        _check_lengths(dict(self.columns()))
        for name, column in self.columns():
            _check_text(name, column)
        if self.lp is not None and re.fullmatch(f"{_LANGUAGE}-{_LANGUAGE}", self.lp) is None:
            raise ConfigError(f"'{self.lp}' is not a language pair", hint="write source-target, e.g. en-de or en-zh_TW")

    def columns(self) -> Iterator[tuple[str, Column]]:
        """All columns with a name to call them by in a message."""
        yield from ((f"output '{name}'", column) for name, column in self.outputs.items())
        yield from ((f"reference '{name}'", column) for name, column in self.references.items())
        for name in ("sources", "documents", "domains"):
            column = getattr(self, name)
            if column is not None:
                yield name, column

    def __len__(self) -> int:
        return len(next(iter(self.outputs.values())))

    def __repr__(self) -> str:
        names = f"systems {', '.join(self.outputs)}; references {', '.join(self.references) or 'none'}"
        what = f"{self.name} " if self.name else ""
        return f"TestSet({what}{self.lp or 'unknown languages'}, {len(self)} segments; {names})"

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in the order given."""
        return tuple(self.outputs)

    @property
    def target(self) -> str | None:
        """The code of the target language without script or region, if the language pair is known."""
        return None if self.lp is None else self.lp.partition("-")[2].partition("_")[0].lower()

    @property
    def record(self) -> TestSetRecord:
        """All that can be told of this test set without its texts."""
        return TestSetRecord(
            segments=len(self),
            systems=self.systems,
            references=tuple(self.references),
            digests={name: _digest(column) for name, column in self.columns()},
            lp=self.lp,
            documents=self.documents,
            domains=self.domains,
            name=self.name,
        )

    @property
    def reference_systems(self) -> tuple[str, ...]:
        """Systems that are references by name: human translations among the outputs."""
        return tuple(name for name in self.outputs if name in self.references)

    def with_systems(self, systems: Iterable[str]) -> TestSet:
        """The test set with the outputs of these systems only, in this order."""
        return replace(self, outputs={name: self.outputs[name] for name in systems})

    def take(self, segments: npt.ArrayLike) -> TestSet:
        """The test set of the segments with these numbers (from 0), in this order."""
        index = np.asarray(segments, dtype=np.int64)

        def pick(column: Column | None) -> Column | None:
            return None if column is None else tuple(column[i] for i in index)

        return replace(
            self,
            outputs={name: tuple(column[i] for i in index) for name, column in self.outputs.items()},
            references={name: tuple(column[i] for i in index) for name, column in self.references.items()},
            sources=pick(self.sources),
            documents=pick(self.documents),
            domains=pick(self.domains),
        )

    def texts(self, change: Callable[[str], str] | None = None) -> tuple[tuple[Column, ...], tuple[Column, ...]]:
        """References and outputs as columns for a kernel, each text changed if wanted."""

        def changed(columns: Mapping[str, Column]) -> tuple[Column, ...]:
            if change is None:
                return tuple(columns.values())
            if change is str.lower:  # the core does the same, a column at a time
                return tuple(map(_core.lower, columns.values()))
            return tuple(tuple(None if t is None else change(t) for t in column) for column in columns.values())

        return changed(self.references), changed(self.outputs)

    def scorable(self, needs: frozenset[str]) -> npt.NDArray[np.bool_]:
        """(system, segment): which cells have an output and everything in `needs`."""
        cells = np.stack([present(column) for column in self.outputs.values()])
        if "reference" in needs:
            columns = [present(column) for column in self.references.values()]
            cells &= np.any(columns, axis=0) if columns else False
        if "source" in needs:
            cells &= False if self.sources is None else present(self.sources)
        return cells

    @property
    def reference_count(self) -> str:
        """How many references a segment has, `var` if that differs, as signatures write it."""
        if not self.references:
            return "0"
        counts = np.sum([present(column) for column in self.references.values()], axis=0)
        return str(np.max(counts)) if np.min(counts) == np.max(counts) else "var"


@dataclass(frozen=True, slots=True)
class TestSetRecord:
    """A test set without its texts: names, labels, and a digest of every column."""

    __test__ = False

    segments: int
    systems: tuple[str, ...]
    references: tuple[str, ...]
    digests: Mapping[str, str]
    lp: str | None = None
    documents: Column | None = None
    domains: Column | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "digests", FrozenDict(self.digests))

    @property
    def fingerprint(self) -> str:
        """One digest for all names and texts, in order."""
        return _digest(tuple(text for item in self.digests.items() for text in item))


def _digest(column: Column) -> str:
    import hashlib  # slow to import, and rarely needed

    digest = hashlib.blake2b(digest_size=16)
    for text in column:
        raw = None if text is None else text.encode()
        digest.update(b"-" if raw is None else f"{len(raw)}:".encode() + raw)
    return digest.hexdigest()


def check_names(kind: str, names: Iterable[str]) -> None:
    """Names that can be shown and stored safely, and told apart."""
    seen: dict[str, str] = {}
    for name in names:
        if not isinstance(name, str) or not name.strip():
            raise UnsafeNameError(f"a {kind} has no name")
        flaw = _flaw_of_name(name)
        if flaw is not None:
            raise UnsafeNameError(
                f"{name!r} cannot be the name of a {kind}: {flaw}", hint="give it another name: NAME=FILE"
            )
        key = unicodedata.normalize("NFC", name)
        if key in seen:
            raise NameClashError(f"two {kind}s are called '{name}' (written with different code points)")
        seen[key] = name


def _flaw_of_name(name: str) -> str | None:
    bad = next((c for c in name if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") or c in "/\\"), None)
    if bad is not None:
        return f"it contains {bad!r}"
    if len(name.encode()) > _MAX_NAME_BYTES:
        return f"it is too long, with more than {_MAX_NAME_BYTES} bytes"
    return "it means a folder" if name in (".", "..") else None


def _check_lengths(columns: Mapping[str, Column]) -> None:
    (first, reference), *others = columns.items()
    if not reference:
        raise EmptyInputError(f"{first} has no segments")
    for name, column in others:
        if len(column) != len(reference):
            raise AlignmentError(
                f"{name} has {len(column):,} segments, {first} has {len(reference):,}",
                hint="all columns need one text per segment, in the same order; nothing was scored",
            )


def _check_text(name: str, column: Column) -> None:
    flaw = _core.first_flaw(column)
    if flaw is not None:
        index, kind = flaw
        what = "a lone surrogate" if kind == "surrogate" else type(column[index]).__name__
        raise DecodeError(f"{name}, segment {index + 1}: {what} is not text")
