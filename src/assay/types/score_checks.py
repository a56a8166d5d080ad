"""What looks wrong in metric scores: references without a text, and the same scores under two names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from assay.lazily import numpy as np
from assay.types.arrays import FloatArray
from assay.types.metric_names import ALL, UNKNOWN, metric_label
from assay.types.note import Note, NoteKind, listed
from assay.types.scoretable import ScoreTable

__all__ = ["identical_metrics", "unknown_references"]


def unknown_references(
    tables: Iterable[ScoreTable], references: Collection[str], outputs: Collection[str] = ()
) -> Iterator[Note]:
    """Metrics whose references have no text: misspelt, or not in this test set. `outputs` may be references, too.

    Without any reference there is nothing to compare with.
    """
    files: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for table in tables:
        unknown = tuple(name for name in table.references if name not in (*references, *outputs, ALL, UNKNOWN))
        if unknown and references:
            files.setdefault(unknown, {}).setdefault(table.name, []).append(table.origin)
    for unknown, metrics in files.items():
        origins = [origin for each in metrics.values() for origin in each if origin]
        verb, pronoun = ("names", "it is") if len(metrics) == 1 else ("name", "they are")
        text = (
            f"{listed(metrics)} {verb} the reference {' and '.join(unknown)}, which the test set does not have "
            f"(known: {', '.join(references)}): {pronoun} left out where another reference is chosen"
        )
        yield Note(NoteKind.SUSPECT, text, listed(origins, 1), len(metrics), "warning")


def identical_metrics(tables: Iterable[ScoreTable]) -> Iterator[Note]:
    """Metrics with exactly the same scores under different names: probably the same file twice.

    Scores that are all equal, such as those of a single system, may be the same by chance.
    """
    same: dict[tuple[object, ...], dict[str, ScoreTable]] = {}
    for table in tables:
        if not table.is_human and _differ(table.values):
            order = sorted(range(len(table.systems)), key=table.systems.__getitem__)
            values = table.values[order] + 0.0  # no -0
            key = (table.level, tuple(table.systems[i] for i in order), table.items, values.tobytes())
            same.setdefault(key, {})[metric_label(table.name, table.references)] = table
    levels: dict[tuple[str, ...], list[str]] = {}
    for (level, *_), named in same.items():
        if len(named) > 1:
            levels.setdefault(tuple(named), []).append(str(level))
    for names, of_levels in levels.items():
        text = f"exactly the same {' and '.join(of_levels)} scores under different names: {', '.join(names)}"
        yield Note(NoteKind.DUPLICATE, text, count=len(names))


def _differ(values: FloatArray) -> bool:
    known = values[~np.isnan(values)]
    return bool(known.size and known.min() < known.max())
