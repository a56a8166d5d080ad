"""Score tables of one metric in several files: one table if they have the scores of different systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from assay.data.text_files import digest_of_bytes
from assay.lazily import numpy as np
from assay.types import ScoreTable

__all__ = ["joined_tables"]


def joined_tables(tables: Iterable[ScoreTable]) -> Iterator[list[ScoreTable]]:
    """Tables of the same scores, as one if they are of different systems.

    Tables that remain apart have scores of the same system, another direction or other segments.
    """
    groups: dict[tuple[object, ...], list[ScoreTable]] = {}
    for table in tables:
        key = table.name, table.level, table.references, table.protocol, table.rater
        groups.setdefault(key, []).append(table)
    for group in groups.values():
        joined = _joined(group)
        yield group if joined is None else [joined]


def _joined(tables: Sequence[ScoreTable]) -> ScoreTable | None:
    if len(tables) == 1:
        return tables[0]
    systems = [name for table in tables for name in table.systems]
    items = tuple(dict.fromkeys(name for table in tables for name in table.items))
    if len(set(systems)) < len(systems) or len({(t.higher_is_better, bool(t.items)) for t in tables}) > 1:
        return None
    aligned = [table.take_segments(items) if items else table for table in tables]
    if len({table.values.shape[1] for table in aligned}) > 1:
        return None
    return replace(
        aligned[0],
        systems=tuple(systems),
        values=np.concatenate([table.values for table in aligned]),
        origin=", ".join(sorted(table.origin for table in tables)),  # in whatever order they were given
        digest=digest_of_bytes("".join(sorted(table.digest for table in tables)).encode()),
        domains=_domains(aligned),
        lines={},
    )


def _domains(tables: Iterable[ScoreTable]) -> tuple[str, ...]:
    """The domain of each segment, from the first table that knows it."""
    known = [table.domains for table in tables if table.domains]
    return tuple(next(filter(None, domains), "") for domains in zip(*known, strict=True))
