"""Test sets: segments with system outputs, references, sources and annotations."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from assay import _core
from assay.errors import (
    AlignmentError,
    DecodeError,
    EmptyInputError,
    InputError,
    NameClashError,
    UnknownNameError,
    UnsafeNameError,
    nearest,
)
from assay.lazily import numpy as np
from assay.types.arrays import FrozenDict, Mask, present
from assay.types.chosen_by import ChosenBy
from assay.types.column import BLOCK, Column, as_column
from assay.types.language_codes import is_language_pair, not_a_language_pair, two_letter_code
from assay.types.note import Note, plural, warnings_among, with_warnings
from assay.types.record import OMITTED, Record, in_tree

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "ONE_TEXT_PER_SEGMENT",
    "TestSet",
    "TestSetRecord",
    "check_names",
    "digest_of_column",
    "lengths_text",
    "odd_length",
]

ONE_TEXT_PER_SEGMENT = "all columns need one text per segment, in the same order; nothing was scored"

_MAX_NAME_BYTES = 200
_SOURCE = "source"  # the name of the sources as an annotated column
_LOAD = 'assay.load(outputs={"base": […]}, references={"refA": […]}) accepts files, too'
_RESERVED_LAYERS = ("output", "outputs", "reference", "references", "source", "sources")


@dataclass(frozen=True, slots=True, repr=False)
class TestSet(Record):
    """Segments with the outputs of one or more systems, references, sources and annotations.

    A column holds N texts, None where a text is absent; any sequence of texts may be given. References and outputs are
    named and keep their order.

    `annotations` holds named layers, such as part-of-speech tags or word alignments: layer name → column name → N
    texts. A column name is "source", the name of a reference or the name of a system.
    """

    __test__ = False  # pytest must not collect it

    outputs: Mapping[str, Column]
    references: Mapping[str, Column] = field(default_factory=dict)
    sources: Column | None = None
    documents: Column | None = None
    domains: Column | None = None
    lp: str | None = None
    notes: tuple[Note, ...] = ()
    name: str | None = None
    annotations: Mapping[str, Mapping[str, Column]] = field(default_factory=dict)
    annotators: Mapping[str, str] = field(default_factory=dict)
    """The programs and models that made the annotations, by layer; part of signatures. One that is not known is
    `unnamed`, for which signatures have a digest of the annotations."""
    annotation_files: Mapping[str, str] = field(default_factory=dict)
    """By column, the path that its annotation files begin with: `elm.de` of `elm.de.conllu`. For messages; the files
    may not exist."""
    chosen_by: Mapping[str, ChosenBy] = field(default_factory=dict)
    """By system, the metric by which its texts were chosen among candidates, if a file beside the output says so."""
    items: tuple[str, ...] = ()
    """Names of the segments, if the data names them: scores and ratings are then matched by name."""

    def __post_init__(self) -> None:
        for field_name in ("outputs", "references"):
            object.__setattr__(self, field_name, _frozen(getattr(self, field_name)))
        for field_name in ("sources", "documents", "domains"):
            if (column := getattr(self, field_name)) is not None:
                object.__setattr__(self, field_name, _column(column))
        object.__setattr__(self, "items", tuple(self.items))
        layers = {name: _frozen(columns) for name, columns in self.annotations.items()}
        object.__setattr__(self, "annotations", FrozenDict(layers))
        object.__setattr__(self, "annotators", FrozenDict(self.annotators))
        object.__setattr__(self, "annotation_files", FrozenDict(self.annotation_files))
        object.__setattr__(self, "chosen_by", FrozenDict(self.chosen_by))
        if not self.outputs:
            raise EmptyInputError(
                "no system output was given", hint='give at least one, e.g. outputs={"base": "base.de"}'
            )
        check_names("system", self.outputs)
        check_names("reference", self.references)
        self._check_annotations()
        _check_lengths(dict(self.columns()))
        self._check_items()
        for name, column in self.columns():
            _check_text(name, column)
        if self.lp is not None and not is_language_pair(str(self.lp)):
            raise not_a_language_pair(str(self.lp))

    def _check_annotations(self) -> None:
        if not self.annotations:
            return
        check_names("annotation layer", self.annotations)
        if _SOURCE in self.references or _SOURCE in self.outputs:
            raise NameClashError(
                f"in annotations '{_SOURCE}' means the sources, but a system or a reference has this name",
                hint="give it another name",
            )
        known = (*([] if self.sources is None else [_SOURCE]), *self.references, *self.outputs)
        for layer, columns in self.annotations.items():
            if layer in _RESERVED_LAYERS:
                raise NameClashError(f"an annotation layer cannot be called '{layer}'", hint="give it another name")
            for name in columns:
                if name not in known:
                    raise InputError(
                        f"annotation layer '{layer}': the test set has no column '{name}'", hint=nearest(name, known)
                    )

    def _check_items(self) -> None:
        if len(self.items) not in (0, len(self)):
            raise AlignmentError(f"{plural(len(self), 'segment')}, but names for {len(self.items):,}")
        if len(set(self.items)) < len(self.items):
            raise NameClashError("two segments have the same name")

    def columns(self) -> Iterator[tuple[str, Column]]:
        """All columns, each with a name for messages and digests."""
        yield from ((f"output '{name}'", column) for name, column in self.outputs.items())
        yield from ((f"reference '{name}'", column) for name, column in self.references.items())
        for name in ("sources", "documents", "domains"):
            column = getattr(self, name)
            if column is not None:
                yield name, column
        for layer, columns in self.annotations.items():
            yield from ((f"annotation '{layer}' of '{name}'", column) for name, column in columns.items())

    def __len__(self) -> int:
        return len(next(iter(self.outputs.values())))

    def __repr__(self) -> str:
        names = f"systems {', '.join(self.outputs)}; references {', '.join(self.references) or 'none'}"
        layers = f"; annotations {', '.join(self.annotations)}" if self.annotations else ""
        title = f"{self.name} " if self.name else ""
        text = f"TestSet({title}{self.lp or 'unknown languages'}, {plural(len(self), 'segment')}; {names}{layers})"
        return with_warnings(text, self.warnings)

    @property
    def warnings(self) -> tuple[Note, ...]:
        """The notes that make the texts doubtful."""
        return warnings_among(self.notes)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in the order given."""
        return tuple(self.outputs)

    def output(self, system: str) -> Column:
        """The output of a system."""
        if system not in self.outputs:
            raise UnknownNameError(f"no system is called '{system}'", hint=nearest(system, self.outputs))
        return self.outputs[system]

    @property
    def language_pair(self) -> str | None:
        """The language pair in two-letter codes without scripts and regions; None if not known.

        `en-zh` of `en-zh_TW`, `en-de` of `eng-deu`, `en-cs` of `en-cz`.
        """
        if self.lp is None:
            return None
        return "-".join(map(two_letter_code, re.sub("_[^-]*", "", self.lp).lower().split("-")))

    @property
    def target(self) -> str | None:
        """The code of the target language without script or region; None if the language pair is not known."""
        return None if self.language_pair is None else self.language_pair.partition("-")[2]

    def tree(self) -> dict[str, Any]:
        """What identifies the texts, which are themselves no part of a tree."""
        return self.record.tree()

    @property
    def record(self) -> TestSetRecord:
        """This test set without its texts."""
        return TestSetRecord(
            segments=len(self),
            systems=self.systems,
            references=tuple(self.references),
            digests={name: digest_of_column(column) for name, column in self.columns()},
            lp=self.lp,
            documents=self.documents,
            domains=self.domains,
            name=self.name,
        )

    @property
    def reference_systems(self) -> tuple[str, ...]:
        """Systems with the name of a reference: human translations among the outputs."""
        return tuple(name for name in self.outputs if name in self.references)

    def with_systems(self, systems: Iterable[str]) -> TestSet:
        """The test set with the outputs of these systems only, in this order."""
        return self._with_columns(outputs={name: self.outputs[name] for name in systems}, references=self.references)

    def with_references(self, references: Iterable[str]) -> TestSet:
        """The test set with these references only, in this order."""
        return self._with_columns(outputs=self.outputs, references={name: self.references[name] for name in references})

    def _with_columns(self, *, outputs: Mapping[str, Column], references: Mapping[str, Column]) -> TestSet:
        """The test set with these columns and their annotations."""
        kept = {_SOURCE, *outputs, *references}
        annotations = {
            layer: {name: column for name, column in columns.items() if name in kept}
            for layer, columns in self.annotations.items()
        }
        return replace(self, outputs=outputs, references=references, annotations=annotations)

    def take(self, segments: npt.ArrayLike) -> TestSet:
        """The segments with these numbers (from 0), in this order; repeated segments lose their names."""
        index = np.asarray(segments, dtype=np.int64)
        has_names = self.items and len(np.unique(index)) == len(index)
        items = tuple(self.items[i] for i in index) if has_names else ()
        return self._with_each_column(lambda column: column.take(index), items)

    def part(self, first: int, last: int) -> TestSet:
        """The segments from `first` (from 0) to before `last`; texts of a file or of Arrow are not copied."""
        return self._with_each_column(lambda column: column[first:last], self.items[first:last])

    def _with_each_column(self, change: Callable[[Column], Column], items: tuple[str, ...]) -> TestSet:
        """The test set with `change` applied to every column, and other names of segments."""

        def changed(column: Column | None) -> Column | None:
            return None if column is None else change(column)

        def all_changed(columns: Mapping[str, Column]) -> dict[str, Column]:
            return {name: change(column) for name, column in columns.items()}

        return replace(
            self,
            outputs=all_changed(self.outputs),
            references=all_changed(self.references),
            sources=changed(self.sources),
            documents=changed(self.documents),
            domains=changed(self.domains),
            items=items,
            annotations={layer: all_changed(columns) for layer, columns in self.annotations.items()},
            annotation_files={},  # their lines are other segments
        )

    def texts(self, change: Callable[[Column], Column] | None = None) -> tuple[tuple[Column, ...], tuple[Column, ...]]:
        """References and outputs as columns for a kernel, with `change` applied to each column."""
        references, outputs = self.references.values(), self.outputs.values()
        return (
            tuple(references if change is None else map(change, references)),
            tuple(outputs if change is None else map(change, outputs)),
        )

    def layer_texts(self, layer: str) -> tuple[tuple[Column, ...], tuple[Column, ...]]:
        """An annotation layer of the references and outputs as columns for a kernel; texts without it are absent."""
        columns = self.annotations.get(layer, {})
        absent = as_column([None] * len(self))
        return (
            tuple(columns.get(name, absent) for name in self.references),
            tuple(columns.get(name, absent) for name in self.outputs),
        )

    def is_complete(self, needs: frozenset[str]) -> bool:
        """Whether all cells have an output and everything in `needs`, decided fast; annotated cells may also have."""
        columns = [*self.outputs.values(), *(filter(None, [self.sources]) if "source" in needs else [])]
        if not needs <= {"reference", "source"} or not all(column.is_complete for column in columns):
            return False
        return "reference" not in needs or any(column.is_complete for column in self.references.values())

    def scorable(self, needs: frozenset[str]) -> Mask:
        """(system, segment): which cells have an output and everything in `needs`.

        `needs` may name "reference", "source" and annotation layers. A cell has a layer if all annotated sides have a
        value for it: the source, the output, and at least one of the references.
        """
        cells = np.stack([present(column) for column in self.outputs.values()])
        if "reference" in needs:
            columns = [present(column) for column in self.references.values()]
            cells &= np.any(columns, axis=0) if columns else False
        if "source" in needs:
            cells &= False if self.sources is None else present(self.sources)
        for layer in needs - {"reference", "source"}:
            cells &= self._annotated(layer)
        return cells

    def _annotated(self, layer: str) -> Mask:
        """(system, segment): which cells have a value in all columns of a layer that concern them."""
        columns = {name: present(column) for name, column in self.annotations.get(layer, {}).items()}
        cells = np.full((len(self.outputs), len(self)), bool(columns))
        references = [columns[name] for name in self.references if name in columns]
        if references:
            cells &= np.any(references, axis=0)
        if _SOURCE in columns:
            cells &= columns[_SOURCE]
        if any(name in columns for name in self.outputs if name not in self.references):
            missing = np.zeros(len(self), dtype=np.bool_)
            cells &= np.stack([columns.get(name, missing) for name in self.outputs])
        return cells

    @property
    def reference_count(self) -> str:
        """How many references each segment has, `var` if the number varies, as in signatures."""
        if not self.references:
            return "0"
        if all(column.is_complete for column in self.references.values()):
            return str(len(self.references))
        counts = np.sum([present(column) for column in self.references.values()], axis=0, dtype=np.uint32)
        return str(np.max(counts)) if np.min(counts) == np.max(counts) else "var"


@dataclass(frozen=True, slots=True)
class TestSetRecord(Record):
    """A test set without its texts: names, labels, and a digest of every column."""

    __test__ = False
    derived: ClassVar[tuple[str, ...]] = ("fingerprint",)

    segments: int = field(metadata=OMITTED)
    systems: tuple[str, ...] = field(metadata=OMITTED)
    references: tuple[str, ...]
    digests: Mapping[str, str]
    lp: str | None = None
    documents: Column | None = field(default=None, metadata=OMITTED)
    domains: Column | None = field(default=None, metadata=OMITTED)
    name: str | None = field(default=None, metadata=in_tree(key="testset"))

    def __post_init__(self) -> None:
        object.__setattr__(self, "digests", FrozenDict(self.digests))
        for field_name in ("documents", "domains"):
            if (column := getattr(self, field_name)) is not None:
                object.__setattr__(self, field_name, as_column(column))

    def __len__(self) -> int:
        return self.segments

    @property
    def record(self) -> TestSetRecord:
        """This record: it has no texts."""
        return self

    @property
    def fingerprint(self) -> str:
        """One digest of all names and texts, in order."""
        return digest_of_column(as_column(text for item in self.digests.items() for text in item))


def _frozen(columns: Mapping[str, Column]) -> FrozenDict[str, Column]:
    if not isinstance(columns, Mapping):
        raise InputError(f"a mapping from names to columns is needed, not {type(columns).__name__}", hint=_LOAD)
    return FrozenDict({name: _column(column) for name, column in columns.items()})


def _column(column: Iterable[str | None]) -> Column:
    if isinstance(column, str | bytes) or not isinstance(column, Iterable):
        raise InputError(f"a column is a list of texts, not {type(column).__name__}", hint=_LOAD)
    return as_column(column)


def digest_of_column(column: Column) -> str:
    """A digest of the texts of a column."""
    import hashlib  # slow to import, and rarely needed

    digest = hashlib.blake2b(digest_size=16)
    for first in range(0, len(column), BLOCK):
        digest.update(_core.packed(column[first : first + BLOCK]))
    return digest.hexdigest()


def check_names(kind: str, names: Iterable[str]) -> None:
    """Raise for names that cannot be shown or stored safely, and for two that look the same."""
    seen: dict[str, str] = {}
    for name in names:
        if not isinstance(name, str):
            raise UnsafeNameError(f"the name of a {kind} must be a string, not {name!r}")
        if not name.strip():
            raise UnsafeNameError(f"a {kind} has no name", hint="give it a name")
        problem = _name_problem(name)
        if problem is not None:
            raise UnsafeNameError(f"{name!r} cannot be the name of a {kind}: {problem}", hint="give it another name")
        key = unicodedata.normalize("NFC", " ".join(name.split()))
        if key in seen:
            how = _difference(name, seen[key])
            raise NameClashError(f"two {kind}s are called '{name}'{how}", hint="give one of them another name")
        seen[key] = name


def _difference(name: str, other: str) -> str:
    """How two names differ that look the same."""
    if name == other:
        return ""
    is_space = unicodedata.normalize("NFC", name) != unicodedata.normalize("NFC", other)
    return f" (the other is '{other}', with other spaces)" if is_space else " (written with different code points)"


def _name_problem(name: str) -> str | None:
    bad = next((c for c in name if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") or c in "/\\"), None)
    if bad is not None:
        return f"it contains {bad!r}"
    if len(name.encode()) > _MAX_NAME_BYTES:
        return f"it is too long, with more than {_MAX_NAME_BYTES} bytes"
    return "it refers to a folder" if name in (".", "..") else None


def _check_lengths(columns: Mapping[str, Column]) -> None:
    first, column = next(iter(columns.items()))
    if not column:
        raise EmptyInputError(f"{first} has no segments")
    baseline, odd = odd_length(columns)
    for name in odd:
        raise AlignmentError(lengths_text(columns, name, baseline), hint=ONE_TEXT_PER_SEGMENT)


def odd_length(columns: Mapping[str, Column]) -> tuple[str, list[str]]:
    """The first column of the usual length, and the columns that differ from it.

    The usual length is the most frequent one; of two columns or of lengths as frequent, the greatest.
    """
    counts = Counter(len(column) for column in columns.values())
    usual = max(counts, key=lambda length: (counts[length], length))
    baseline = next(name for name, column in columns.items() if len(column) == usual)
    return baseline, [name for name, column in columns.items() if len(column) != usual]


def lengths_text(columns: Mapping[str, Column], name: str, baseline: str) -> str:
    """That one column is longer or shorter than another."""
    return f"{name} has {plural(len(columns[name]), 'segment')}, {baseline} has {len(columns[baseline]):,}"


def _check_text(name: str, column: Column) -> None:
    if column.flaw is not None:
        index, kind = column.flaw
        content = "a lone surrogate" if kind == "surrogate" else type(column[index]).__name__
        raise DecodeError(f"{name}, segment {index + 1}: {content} is not text")
