"""Human judgements as they were given, one by one: ratings of single outputs, and rankings of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from assay.errors import InputError
from assay.types.arrays import FloatArray, IntArray
from assay.types.scoretable import PROTOCOLS
from assay.types.testset import check_names

__all__ = ["UNRANKED", "ErrorSpan", "Judgements", "Rankings", "Ratings"]

UNRANKED = 0


@dataclass(frozen=True, slots=True)
class ErrorSpan:
    """A marked error: characters `start` to `end` (excluded) of the output or source; None: no place was given."""

    category: str
    severity: str
    start: int | None = None
    end: int | None = None
    in_source: bool = False


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Ratings:
    """Rows of rater, system, segment (from 0) and score; with the errors that were marked, if the protocol has any.

    `rater` and `system` index into `raters` and `systems`. `kind` sets quality-control items apart: TGT is an ordinary
    output; BAD, REF, CHK and the like are not. A score is NaN where the protocol gives errors only.
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
    """One a row, or none: all are TGT."""
    errors: tuple[tuple[ErrorSpan, ...], ...] = ()
    """One a row, or none: the protocol has no errors."""
    document: tuple[str, ...] = ()
    """One a row, or none. A document's own score, not a segment's, has segment -1."""
    origin: str = ""
    digest: str = ""
    higher_is_better: bool = True

    def __post_init__(self) -> None:
        check_names("system", self.systems)
        rows = len(self.score)
        for name in ("rater", "system", "segment", "score"):
            kind = np.float64 if name == "score" else np.int64
            column = np.array(getattr(self, name), dtype=kind)
            column.flags.writeable = False
            object.__setattr__(self, name, column)
            if column.shape != (rows,):
                raise InputError(f"the ratings '{self.name}' have {rows} scores, but {name} has shape {column.shape}")
        for name in ("kind", "errors", "document"):
            if len(getattr(self, name)) not in (0, rows):
                raise InputError(f"the ratings '{self.name}' have {rows} scores and {len(getattr(self, name))} {name}s")
        _check_index(self.name, "rater", self.rater, len(self.raters))
        _check_index(self.name, "system", self.system, len(self.systems))
        if self.protocol not in PROTOCOLS or np.isinf(self.score).any() or (self.segment < -1).any():
            raise InputError(f"the ratings '{self.name}' have an unknown protocol, an infinite score or no segment")

    def __len__(self) -> int:
        return len(self.score)

    def __repr__(self) -> str:
        return (
            f"Ratings({self.name}, {self.protocol}: {len(self)} ratings of {len(self.systems)} systems "
            f"by {len(self.raters)} raters)"
        )

    def where(self, rows: npt.NDArray[np.bool_]) -> Ratings:
        """Some of the rows; names stay as they are."""
        index = np.flatnonzero(rows).tolist()

        def pick(column: Sequence[str]) -> tuple[str, ...]:
            return tuple(column[i] for i in index) if column else ()

        return replace(
            self,
            **{name: getattr(self, name)[index] for name in ("rater", "system", "segment", "score")},
            kind=pick(self.kind),
            document=pick(self.document),
            errors=tuple(self.errors[i] for i in index) if self.errors else (),
        )


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Rankings:
    """Rows of judge, segment (from 0) and the ranks (row, system) given there: 1 is best, equal ranks are ties.

    A system that was not ranked has rank UNRANKED. A strict preference is a row with ranks 1 and 2.
    """

    name: str
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    judge: IntArray
    segment: IntArray
    ranks: npt.NDArray[np.int8]
    origin: str = ""
    digest: str = ""

    def __post_init__(self) -> None:
        check_names("system", self.systems)
        for name, kind in (("judge", np.int64), ("segment", np.int64), ("ranks", np.int8)):
            array = np.array(getattr(self, name), dtype=kind)
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        rows = len(self.judge)
        if self.segment.shape != (rows,) or self.ranks.shape != (rows, len(self.systems)):
            raise InputError(f"the rankings '{self.name}' have columns of different length")
        _check_index(self.name, "judge", self.judge, len(self.judges))
        if (self.segment < 0).any() or (self.ranks < UNRANKED).any():
            raise InputError(f"the rankings '{self.name}' have a negative segment or rank")

    def __len__(self) -> int:
        return len(self.judge)

    def __repr__(self) -> str:
        return f"Rankings({self.name}: {len(self)} of {len(self.systems)} systems by {len(self.judges)} judges)"


Judgements: TypeAlias = Ratings | Rankings


def _check_index(name: str, what: str, index: IntArray, known: int) -> None:
    if index.ndim != 1 or (index < 0).any() or (index >= known).any():
        raise InputError(f"the judgements '{name}' name a {what} that is not among the {known} there are")
