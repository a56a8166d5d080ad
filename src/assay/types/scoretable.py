"""Tables of scores from files: human scores, or scores of a metric computed by another program."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.lazily import numpy as np
from assay.types.arrays import FloatArray, without_mask
from assay.types.note import plural
from assay.types.testset import check_names

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["LEVELS", "PROTOCOLS", "SCALES", "ScoreTable", "off_scale"]

LARGEST = 1e150
"""The largest score: sums and squares must not overflow."""
LEVELS = ("system", "domain", "document", "segment")
PROTOCOLS = ("DA", "DA-z", "DA+SQM", "DA+SQM-z", "MQM", "ESA", "ESA-z", "pSQM", "RR", "other")
SCALES: Mapping[str, tuple[float, float]] = {"DA": (0, 100), "DA+SQM": (0, 100), "ESA": (0, 100)}
"""The lowest and the highest score that raters can give, by protocol."""
_PENALTY = re.compile(r"mqm|penalt", re.IGNORECASE)
_PENALTY_HINT = (
    "if lower is better, call the column human:NAME:better=lower (in Python: higher_is_better=False); if not, choose "
    "another name and protocol"
)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ScoreTable:
    """Values (system, item), NaN where missing. Items are segments, documents, domains, or one: the whole test set.

    A metric has the `references` it used (empty if it is reference-free), human scores have a `protocol`. `origin` and
    `digest` identify the file.
    """

    name: str
    level: str
    systems: tuple[str, ...]
    values: FloatArray
    origin: str = ""
    digest: str = ""
    references: tuple[str, ...] = ()
    protocol: str | None = None
    """One of PROTOCOLS; None for a metric."""
    rater: str | None = None
    higher_is_better: bool = True
    items: tuple[str, ...] = ()
    """Names of documents or domains; of segments only if they are not numbered from 1."""
    domains: tuple[str, ...] = ()
    """The domain of each segment or document, or empty."""
    documents: tuple[str, ...] = ()
    """The document of each segment, or empty."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """The first line of each system in `origin`, as far as the reader knows it."""

    def __post_init__(self) -> None:
        for name in ("systems", "references", "items", "domains", "documents"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "lines", dict(self.lines))
        label = f"the scores '{self.name}'"
        try:
            values = np.array(without_mask(self.values), dtype=np.float64)
        except (TypeError, ValueError):
            hint = "give one list of numbers for each system, all of the same length"
            raise InputError(f"{label} are not a table of numbers", path=self.origin or None, hint=hint) from None
        check_names("system", self.systems)
        check_names("metric", [self.name])
        for kind, known in (("level", LEVELS), ("protocol", (None, *PROTOCOLS))):
            if getattr(self, kind) not in known:
                available = f"available: {', '.join(filter(None, known))}"
                raise InputError(f"{label}: unknown {kind} '{getattr(self, kind)}'", hint=available)
        self._check_shape(label, values.shape)
        if (np.abs(values[~np.isnan(values)]) > LARGEST).any():
            raise InputError(f"{label} have a value beyond ±{LARGEST:g}")
        self._check_scale(label, values)
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    def _check_shape(self, label: str, shape: tuple[int, ...]) -> None:
        if len(shape) == 2 and 0 in shape and shape[0] == len(self.systems):
            raise InputError(f"{label} are empty", path=self.origin or None)
        if len(shape) != 2 or shape[0] != len(self.systems):
            raise InputError(f"{label} have shape {shape} for {plural(len(self.systems), 'system')}")
        if self.level == "system" and shape[1] != 1:
            hint = "is there one line for each system? Scores of segments belong into NAME.seg.score"
            raise InputError(f"{label} have {shape[1]} values per system, expected 1", hint=hint)
        needs_names = self.level in ("document", "domain")
        if (needs_names and not self.items) or len(self.items) not in (0, shape[1]):
            raise InputError(f"{label} have {shape[1]} {self.level}s, but names for {len(self.items)}")
        if len(set(self.items)) < len(self.items):
            raise InputError(f"{label} have two {self.level}s with the same name")
        for name, given in (("domains", self.domains), ("documents", self.documents)):
            if len(given) not in (0, shape[1]):
                raise InputError(f"{label} have {shape[1]} {self.level}s, but {name} for {len(given)}")

    def _check_scale(self, label: str, values: FloatArray) -> None:
        for row, item in np.argwhere(off_scale(values, self.protocol)).tolist():
            low, high = SCALES[self.protocol or ""]
            cell = self.systems[row] if self.level == "system" else f"{self.systems[row]}, {self.level} {item + 1:,}"
            raise InputError(
                f"{label} ({self.protocol}) must be between {low:g} and {high:g}, not {values[row, item]:g} ({cell})",
                hint="for other scores, use another protocol: DA-z or ESA-z if they are standardised, else other",
            )

    def __repr__(self) -> str:
        shape = f"{plural(len(self.systems), 'system')} × {self.values.shape[1]} {self.level}s"
        return f"ScoreTable({self.name}, {self.protocol or 'metric'}: {shape}, {self.gaps} gaps)"

    @property
    def is_human(self) -> bool:
        """Whether these are human scores."""
        return self.protocol is not None

    def refuse_penalties(self, hint: str = _PENALTY_HINT) -> None:
        """Refuse positive scores of MQM, where 0 is best, unless lower is better: the worst system would be best."""
        is_mqm = self.protocol == "MQM" or (self.protocol == "other" and _PENALTY.search(self.name) is not None)
        if is_mqm and self.higher_is_better and (self.values > 0).any():
            raise InputError(
                f"the {self.level} scores '{self.name}' are positive, but MQM scores are at most 0 (no errors)",
                path=self.origin or None,
                hint=hint,
            )

    @property
    def oriented(self) -> FloatArray:
        """The values, negated if lower is better."""
        return self.values if self.higher_is_better else -self.values

    @property
    def gaps(self) -> int:
        """The number of cells without a score."""
        return int(np.isnan(self.values).sum())

    def take(self, systems: Sequence[str]) -> ScoreTable:
        """The rows of these systems, in this order; a system without scores is a row of NaN."""
        position = {name: i for i, name in enumerate(self.systems)}
        values = np.full((len(systems), self.values.shape[1]), np.nan)
        for row, name in enumerate(systems):
            if name in position:
                values[row] = self.values[position[name]]
        return replace(self, systems=tuple(systems), values=values)

    def take_segments(self, names: Sequence[str]) -> ScoreTable:
        """The columns of these named segments, in this order; a segment without scores is a column of NaN."""
        names = tuple(names)
        if names == self.items:
            return self
        position = {name: i for i, name in enumerate(self.items)}
        columns = np.array([position.get(name, -1) for name in names], dtype=np.intp)
        values = np.where(columns >= 0, self.values[:, columns], np.nan)

        def taken(labels: tuple[str, ...]) -> tuple[str, ...]:
            return tuple("" if i < 0 else labels[i] for i in columns) if labels else ()

        domains, documents = taken(self.domains), taken(self.documents)
        return replace(self, values=values, items=names, domains=domains, documents=documents)


def off_scale(values: FloatArray, protocol: str | None) -> npt.NDArray[np.bool_]:
    """Which values raters cannot give in this protocol."""
    low, high = SCALES.get(protocol or "", (-np.inf, np.inf))
    outside: npt.NDArray[np.bool_] = (values < low) | (values > high)
    return outside
