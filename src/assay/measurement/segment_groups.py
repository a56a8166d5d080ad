"""Groups of segments: by document, domain, length or any labels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from assay.errors import ConfigError, NameClashError, nearest, option_name
from assay.lazily import numpy as np
from assay.types import Column, FloatArray, TestSet, as_column
from assay.types.note import plural

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "GROUPINGS",
    "NOTABLE_RATIO",
    "Group",
    "are_known_documents",
    "error_ratios",
    "groups_by_label",
    "groups_of",
    "is_known_document",
    "is_placeholder",
    "known_documents",
]

GROUPINGS = ("document", "domain", "length")
NOTABLE_RATIO = 1.1
"""From here on, standard errors of dependent segments are worth a note."""
_LENGTH_BUCKETS = 4
_PLACEHOLDER = re.compile(r"(?:unknown|none|no[-_ ]?doc(?:ument)?)(?:[-_. ]?\d+)?", re.IGNORECASE)


def is_placeholder(document: str) -> bool:
    """Whether a name stands for a document that is not known, such as `unknown`, `unknown-17` and `no-doc`."""
    return _PLACEHOLDER.fullmatch(document) is not None


def is_known_document(document: str | None) -> bool:
    """Whether this is the name of a document, not a placeholder."""
    return bool(document) and not is_placeholder(document or "")


def known_documents(documents: Iterable[str | None]) -> tuple[str, ...]:
    """The documents of segments, as they are; none at all if one of them is not known."""
    names = tuple(documents)
    return tuple(name or "" for name in names) if all(map(is_known_document, names)) else ()


def are_known_documents(documents: Sequence[str | None]) -> bool:
    """Whether every segment has a known document, there are at least two, and some of them have several segments.

    Only then do documents, as units of resampling, differ from segments and have anything to compare.
    """
    return 1 < len(set(known_documents(documents))) < len(documents)


def error_ratios(values: FloatArray, documents: Sequence[str | None]) -> FloatArray:
    """By row of values (row, segment): the standard error of the mean with documents as units over that with segments.

    The errors e of the segments of a document d add up: sqrt(sum_d (sum_{i in d} e_i)^2 / sum_i e_i^2). NaN in the
    values is missing; the ratio of a constant row is NaN.
    """
    numbers = {name: number for number, name in enumerate(dict.fromkeys(documents))}
    index = np.array([numbers[name] for name in documents], dtype=np.intp)
    ratios = np.full(len(values), np.nan)
    for row, scores in enumerate(values):
        is_defined = ~np.isnan(scores)
        errors = scores[is_defined] - scores[is_defined].mean() if is_defined.any() else np.zeros(0)
        of_documents = np.bincount(index[is_defined], weights=errors, minlength=len(numbers))
        if (total := float((errors**2).sum())) > 0:
            ratios[row] = np.sqrt(float((of_documents**2).sum()) / total)
    return ratios


class Group(NamedTuple):
    """Segments with the same label, such as those of the domain news."""

    grouping: str
    label: str
    segments: npt.NDArray[np.intp]
    """Their indices."""

    @property
    def name(self) -> str:
        """Such as `domain:news`."""
        return f"{self.grouping}:{self.label}"


def groups_of(testset: TestSet, groupings: Iterable[str], labels: Mapping[str, Column] | None = None) -> list[Group]:
    """The groups of segments of each grouping, in order of first appearance.

    A grouping is one of the test set's (`GROUPINGS`), or the name of a column of `labels`.
    """
    columns = labels or {}
    if clash := next((name for name in GROUPINGS if name in columns), None):
        raise NameClashError(f"a column of labels cannot be called '{clash}'", hint="rename it")
    groups: list[Group] = []
    for grouping in groupings:
        found = groups_by_label(grouping, _labels(testset, grouping, columns))
        groups += sorted(found, key=_lower_bound) if grouping == "length" else found
    return groups


def groups_by_label(grouping: str, labels: Column) -> list[Group]:
    """The segments of each label, in order of first appearance."""
    segments: dict[str, list[int]] = {}
    for i, label in enumerate(labels):
        segments.setdefault("(none)" if label is None else label, []).append(i)
    return [Group(grouping, label, np.array(places)) for label, places in segments.items()]


def _labels(testset: TestSet, grouping: str, columns: Mapping[str, Column]) -> Column:
    if grouping in columns:
        return columns[grouping]
    if grouping == "length":
        return as_column(_length_labels(testset))
    if grouping not in GROUPINGS:
        raise ConfigError(f"unknown grouping '{grouping}'", hint=nearest(grouping, (*GROUPINGS, *columns)))
    labels: Column | None = getattr(testset, f"{grouping}s")
    if labels is None:
        hint = f"give {option_name(f'{grouping}s')}"
        if columns:
            hint += f", or name a column of the labels: {', '.join(columns)}"
        raise ConfigError(f"cannot score by {grouping}: the test set has no {grouping}s", hint=hint)
    return labels


def _lower_bound(group: Group) -> int:
    """Of the length bucket in a label like `20–39 characters`."""
    return int(re.split("[– ]", group.label)[0].replace(",", ""))


def _length_labels(testset: TestSet) -> tuple[str, ...]:
    """The length bucket of each segment as `lowest–highest characters`. The buckets are quartiles.

    The length of a segment is that of its first text that is present: references come before the source and the
    outputs, so that a segment is in the same bucket for all systems.
    """
    columns = [*testset.references.values(), *([testset.sources] if testset.sources else []), *testset.outputs.values()]
    lengths = [len(next((c[i] for c in columns if c[i] is not None), None) or "") for i in range(len(testset))]
    ordered = sorted(lengths)
    starts = sorted({ordered[len(ordered) * quarter // _LENGTH_BUCKETS] for quarter in range(_LENGTH_BUCKETS)})
    ends = [*(start - 1 for start in starts[1:]), ordered[-1]]
    buckets = list(zip(starts, ends, strict=True))
    return tuple(next(_bucket(low, high) for low, high in buckets if low <= length <= high) for length in lengths)


def _bucket(low: int, high: int) -> str:
    return plural(low, "character") if low == high else f"{low}–{high} characters"
