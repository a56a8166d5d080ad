"""Individual human judgements: ratings of single outputs, and rankings of several."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from assay.errors import InputError
from assay.lazily import numpy as np
from assay.types.arrays import FloatArray, IntArray, without_mask
from assay.types.note import plural
from assay.types.scoretable import PROTOCOLS, off_scale
from assay.types.testset import check_names

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "CHARACTERS",
    "MAX_RANK",
    "UNRANKED",
    "UTF16",
    "ErrorSpan",
    "Judgements",
    "Rankings",
    "Ratings",
    "predicted_ratings",
]

UNRANKED = 0
MAX_RANK = 127
CHARACTERS, UTF16 = "characters", "utf-16"
"""What the places of errors count: characters, or the units of a browser."""


@dataclass(frozen=True, slots=True)
class ErrorSpan:
    """A marked error: characters `start` to `end` (exclusive) of the output or source; None without a position."""

    category: str
    severity: str
    start: int | None = None
    end: int | None = None
    in_source: bool = False
    score: float | None = None
    """The penalty the rater gave, if the protocol asks for it."""
    text: str | None = field(default=None, compare=False)
    """The marked text, if the file has it: it must stand at the place in the output."""

    def __post_init__(self) -> None:
        if (self.start is None) != (self.end is None):
            raise InputError(f"an error needs both start and end, or neither: {self.start} to {self.end}")
        if self.start is not None and self.end is not None and not 0 <= self.start <= self.end:
            raise InputError(f"invalid characters of an error: {self.start} to {self.end}")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Ratings:
    """Rows of rater, system, segment (from 0) and score, with the marked errors if the protocol has them.

    `rater` and `system` are indices of `raters` and `systems`. `kind` identifies quality-control items: TGT is an
    ordinary output; BAD, REF, CHK and others are not. The score is NaN if the protocol has errors only. The rater may
    be a metric that predicts errors.
    """

    name: str
    protocol: str
    raters: tuple[str, ...]
    systems: tuple[str, ...]
    rater: IntArray
    system: IntArray
    segment: IntArray
    score: FloatArray
    kind: tuple[str, ...] = ()
    """One per row; empty if all are TGT."""
    errors: tuple[tuple[ErrorSpan, ...] | None, ...] = ()
    """One per row: () is an output in which the rater found no error, None one in which errors were not marked. Empty
    if no row has marked errors."""
    document: tuple[str, ...] = ()
    """One per row, or empty. The score of a whole document has segment -1."""
    origin: str = ""
    digest: str = ""
    higher_is_better: bool = True
    items: tuple[str, ...] = ()
    """Names of the judged items, if they are not lines of the test set; `segment` is an index of them."""
    domain: tuple[str, ...] = ()
    """One per row, or empty."""
    time: FloatArray | None = None
    """One per row: when the rater finished, in seconds; NaN or None if not recorded."""
    wave: tuple[str, ...] = ()
    """One per row, or empty: the part of the campaign, in which a rater may rate an output that was rated before."""
    is_human: bool = True
    """False: a metric or a judge that is a program predicted the errors."""
    offsets: str = CHARACTERS
    """What the places of errors count. `utf-16`: the units of a browser, because the texts are not known."""

    def __post_init__(self) -> None:
        for name in ("raters", "systems", "kind", "errors", "document", "items", "domain", "wave"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if all(errors is None for errors in self.errors):
            object.__setattr__(self, "errors", ())
        for name in ("rater", "system", "segment", "score"):
            object.__setattr__(self, name, _frozen(getattr(self, name), np.float64 if name == "score" else np.int64))
        if self.time is not None:
            object.__setattr__(self, "time", _frozen(self.time, np.float64))
        check_names("system", self.systems)
        self._check_lengths()
        _check_index(self.name, "rater", self.rater, len(self.raters))
        _check_index(self.name, "system", self.system, len(self.systems))
        if self.items:
            _check_index(self.name, "item", self.segment[self.segment != -1], len(self.items))
        flaws = {
            f"an unknown protocol '{self.protocol}'": self.protocol not in PROTOCOLS,
            f"unknown offsets '{self.offsets}'": self.offsets not in (CHARACTERS, UTF16),
            "an infinite score": np.isinf(self.score).any(),
            "a negative segment": (self.segment < -1).any(),
            f"a score beyond the scale of {self.protocol}": off_scale(self.score, self.protocol).any(),
        }
        for flaw, is_present in flaws.items():
            if is_present:
                raise InputError(f"the ratings '{self.name}' have {flaw}")

    def _check_lengths(self) -> None:
        rows = self.score.size
        for name in ("rater", "system", "segment", "score"):
            if (shape := getattr(self, name).shape) != (rows,):
                raise InputError(f"the ratings '{self.name}' have {rows} scores, but {name} has shape {shape}")
        if self.time is not None and self.time.shape != (rows,):
            raise InputError(f"the ratings '{self.name}' have {rows} scores, but time has shape {self.time.shape}")
        for name in ("kind", "errors", "document", "domain", "wave"):
            if (count := len(getattr(self, name))) not in (0, rows):
                raise InputError(f"the ratings '{self.name}' have {rows} scores, but {name} has length {count}")

    def __len__(self) -> int:
        return len(self.score)

    def __repr__(self) -> str:
        return (
            f"Ratings({self.name}, {self.protocol}: {plural(len(self), 'rating')} of {plural(self.outputs, 'output')} "
            f"of {plural(len(self.systems), 'system')} by {plural(len(self.raters), 'rater')})"
        )

    @property
    def outputs(self) -> int:
        """How many outputs of single segments were rated."""
        rated = self.segment >= 0
        return len(np.unique(self.segment[rated] * len(self.systems) + self.system[rated]))

    @property
    def is_marked(self) -> npt.NDArray[np.bool_]:
        """Whether errors were marked in the output of each row; also where the rater found none."""
        if not self.errors:
            return np.zeros(len(self), dtype=np.bool_)
        return np.fromiter((errors is not None for errors in self.errors), np.bool_, len(self))

    @property
    def marks(self) -> tuple[tuple[ErrorSpan, ...], ...]:
        """The errors of each row, in all of which errors must have been marked (`is_marked`)."""
        marks = tuple(errors for errors in self.errors if errors is not None)
        if len(marks) < len(self):
            message = (
                f"{len(self) - len(marks):,} of {plural(len(self), 'rating')} of '{self.name}' have no marked errors"
            )
            raise InputError(message, path=self.origin or None)
        return marks

    def where(self, rows: npt.NDArray[np.bool_]) -> Ratings:
        """The rows of a mask; names stay as they are."""
        index = np.flatnonzero(rows).tolist()

        def pick(column: Sequence[str]) -> tuple[str, ...]:
            return tuple(column[i] for i in index) if column else ()

        return replace(
            self,
            **{name: getattr(self, name)[index] for name in ("rater", "system", "segment", "score")},
            kind=pick(self.kind),
            document=pick(self.document),
            domain=pick(self.domain),
            wave=pick(self.wave),
            time=None if self.time is None else self.time[index],
            errors=tuple(self.errors[i] for i in index) if self.errors else (),
        )

    def take(self, systems: Sequence[str]) -> Ratings:
        """The ratings of these systems, in this order."""
        position = {name: number for number, name in enumerate(systems)}
        moved = np.array([position.get(name, -1) for name in self.systems], dtype=np.int64)
        kept = self.where(moved[self.system] >= 0)
        return replace(kept, systems=tuple(systems), system=moved[kept.system])


def predicted_ratings(
    name: str, protocol: str, systems: Sequence[str], found: Mapping[tuple[int, int], Sequence[ErrorSpan]]
) -> Ratings:
    """What a metric marked, by system and segment (from 0); () is an output without an error."""
    cells = sorted(found)
    return Ratings(
        name,
        protocol,
        raters=(name,),
        systems=tuple(systems),
        rater=np.zeros(len(cells), dtype=np.int64),
        system=np.array([system for system, _ in cells], dtype=np.int64),
        segment=np.array([segment for _, segment in cells], dtype=np.int64),
        score=np.full(len(cells), math.nan),
        errors=tuple(tuple(found[cell]) for cell in cells),
        is_human=False,
    )


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Rankings:
    """Rows of judge, segment (from 0) and ranks (row, system): 1 is best, equal ranks are ties.

    A system that was not ranked has rank UNRANKED. A strict preference is a row with ranks 1 and 2. A row without ranks
    is a skipped ranking. `output` (row, system) numbers the outputs of a row from 1: systems with the same number had
    the same output and were judged together; None if every system had its own.
    """

    name: str
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    judge: IntArray
    segment: IntArray
    ranks: npt.NDArray[np.int8]
    origin: str = ""
    digest: str = ""
    output: npt.NDArray[np.int8] | None = None

    def __post_init__(self) -> None:
        for name in ("systems", "judges"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        check_names("system", self.systems)
        object.__setattr__(self, "ranks", without_mask(self.ranks, fill=UNRANKED))
        ranks = np.asarray(self.ranks)
        if ranks.size and (ranks.min() < UNRANKED or ranks.max() > MAX_RANK):
            raise InputError(f"the rankings '{self.name}' have a rank outside {UNRANKED} to {MAX_RANK}")
        for name, kind in (("judge", np.int64), ("segment", np.int64), ("ranks", np.int8)):
            object.__setattr__(self, name, _frozen(getattr(self, name), kind))
        rows = len(self.judge)
        if self.segment.shape != (rows,) or self.ranks.shape != (rows, len(self.systems)):
            raise InputError(f"the rankings '{self.name}' have columns of different lengths")
        if self.output is not None:
            object.__setattr__(self, "output", _frozen(self.output, np.int8))
            if np.shape(self.output) != self.ranks.shape or (np.asarray(self.output)[self.ranks > 0] < 1).any():
                raise InputError(f"the rankings '{self.name}' rank a system without an output")
        _check_index(self.name, "judge", self.judge, len(self.judges))
        if (self.segment < 0).any():
            raise InputError(f"the rankings '{self.name}' have a negative segment")

    def __len__(self) -> int:
        return len(self.judge)

    def __repr__(self) -> str:
        return (
            f"Rankings({self.name}: {plural(len(self), 'ranking')} of {plural(len(self.systems), 'system')} "
            f"by {plural(len(self.judges), 'judge')})"
        )

    def where(self, rows: npt.NDArray[np.bool_]) -> Rankings:
        """The rows of a mask; names stay as they are."""
        output = None if self.output is None else self.output[rows]
        columns = {name: getattr(self, name)[rows] for name in ("judge", "segment", "ranks")}
        return replace(self, output=output, **columns)

    def take(self, systems: Sequence[str]) -> Rankings:
        """The rankings of these systems, in this order; a system that was never ranked is UNRANKED everywhere."""

        def columns(array: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
            empty = np.zeros(len(self), dtype=np.int8)
            named = dict(zip(self.systems, array.T, strict=True))
            return np.array([named.get(name, empty) for name in systems], dtype=np.int8).reshape(len(systems), -1).T

        output = None if self.output is None else columns(self.output)
        return replace(self, systems=tuple(systems), ranks=columns(self.ranks), output=output)


Judgements: TypeAlias = Ratings | Rankings


def _frozen(values: npt.ArrayLike, kind: type[np.generic]) -> npt.NDArray[np.generic]:
    given = without_mask(values)
    if not np.issubdtype(kind, np.floating) and np.ma.is_masked(values):
        raise InputError("a masked array has gaps where an index is needed", hint="leave out the masked rows")
    array = np.array(given, dtype=kind)
    array.flags.writeable = False
    return array


def _check_index(name: str, kind: str, index: IntArray, known: int) -> None:
    if index.ndim != 1 or (index < 0).any() or (index >= known).any():
        raise InputError(f"the judgements '{name}': {kind} index out of range ({known} known)")
