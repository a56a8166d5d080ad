"""What people gave the systems of a comparison, by the scores that came with the test set."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from assay.human.marks import fitting_marks
from assay.human.mqm import find_weights, mqm_ratings
from assay.human.scoring import segment_scores, without_controls
from assay.lazily import numpy as np
from assay.types import FloatArray, Note, NoteKind, Ratings, ScoreTable, TestSet
from assay.types.note import plural

__all__ = ["human_scores", "rated_scores", "scores_by_errors"]


def rated_scores(human: Iterable[ScoreTable | Ratings], testset: TestSet) -> list[ScoreTable]:
    """The tables, and the mean scores that raters gave the segments of the test set if no table has their name."""
    given = list(human)
    tables = [each for each in given if isinstance(each, ScoreTable)]
    named = {table.name for table in tables}
    for ratings in given:
        if isinstance(ratings, Ratings) and ratings.name not in named and not ratings.items:
            ordinary = without_controls(ratings)[0]
            scored = ordinary.where(~np.isnan(ordinary.score) & (ordinary.segment < len(testset)))
            if len(scored):
                tables.append(segment_scores(scored, segments=len(testset)))
    return tables


def scores_by_errors(ratings: Ratings, testset: TestSet) -> ScoreTable:
    """The mean of the weighted errors that raters marked in the segments of the test set; the name has the weights."""
    fitting = fitting_marks(without_controls(ratings)[0], testset)[0]
    weights = find_weights(None, fitting)
    table = segment_scores(mqm_ratings(fitting, weights), segments=len(testset))
    return replace(table, name=f"{ratings.name}-{weights.name}")


def human_scores(
    tables: Iterable[ScoreTable], systems: Sequence[str]
) -> tuple[dict[str, dict[str, float]], tuple[Note, ...]]:
    """Scores by name and system, higher is better, and notes. Scores of whole systems go before those of segments.

    People may have judged other segments of each system: a mean is over those in which all of them have a score.
    Scores of single raters, of which others are the means, are no further witnesses: they count only if nothing else is
    given.
    """
    given = list(tables)
    of_all = [each for each in given if each.rater is None] or given
    found: dict[str, dict[str, float]] = {}
    notes = []
    for table in sorted(of_all, key=lambda each: each.level != "system"):
        rows = [row for row, name in enumerate(table.systems) if name in systems]
        values = table.values[rows]
        names = [table.systems[row] for row in rows]
        if table.level == "segment" and table.name not in found:
            names, values, note = _means(table.name, names, values)
            notes += note
        elif table.level != "system":
            continue
        sign = 1 if table.higher_is_better else -1
        scores = {name: sign * float(value) for name, (value,) in zip(names, values, strict=True)}
        if known := {name: value for name, value in scores.items() if not math.isnan(value)}:
            found[table.name] = known
    return found, tuple(notes)


def _means(name: str, systems: list[str], values: FloatArray) -> tuple[list[str], FloatArray, list[Note]]:
    """The means of the systems that people judged, as one column."""
    judged = ~np.isnan(values)
    rows = np.flatnonzero(judged.any(axis=1))
    shared = judged[rows].all(axis=0)
    count = int(shared.sum())
    if len(rows) and not count:
        text = f"human scores '{name}' are not shown: no segment has one of every system that was judged"
        return [], values[:0], [Note(NoteKind.EXCLUDED, text)]
    means = values[rows][:, shared].mean(axis=1, keepdims=True) if count else values[:0]
    text = f"human scores '{name}' are means of {plural(count, 'segment')}"
    if count < values.shape[1]:
        text += ", those with a score of every system that was judged"
    notes = [Note(NoteKind.PROVENANCE, text, count=count)] if count else []
    return [systems[row] for row in rows], means, notes
