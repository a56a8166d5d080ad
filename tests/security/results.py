"""Results that carry a text in each field that can hold a user's."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from assay.results import Example, Examples, GroupDifference, GroupDifferences, MetGate, WordDiff
from assay.results.contrasts import DiffSpan
from assay.types import Note, NoteKind
from tests.reports.page.comparisons import compared, comparison
from tests.store.examples import example

__all__ = ["FIELDS", "carrier"]


def _ranked(*texts):
    ranking = example("rank ratings")
    systems = tuple(replace(ranking.systems[0], system=text) for text in texts)
    ranked = (*systems, *ranking.systems[1:])
    return replace(ranking, systems=ranked, p_values=np.full((len(ranked), len(ranked)), np.nan))


def _named(*texts):
    evaluation = example("meta segments")
    metrics = tuple(replace(evaluation.metrics[0], metric=text) for text in texts)
    return replace(evaluation, metrics=(*metrics, *evaluation.metrics[1:]))


def _grouped(grouping, *texts):
    groups = tuple(GroupDifference(grouping, text, "corpus", 31.0, 30.0, 1.0, 50, is_small=False) for text in texts)
    return comparison(compared("bleu", 1.2), contrasts=(GroupDifferences("bleu", "new", "base", groups, 10),))


def _shown(sources=("s",), references=("r",), outputs=("o",)):
    shown = tuple(_example(*texts) for texts in itertools.product(sources, references, outputs))
    return comparison(compared("bleu", 1.2), contrasts=(Examples("bleu", "new", "base", shown, (), 1),))


def _example(source, reference, output):
    diff = WordDiff((DiffSpan(output, is_same=False),), (DiffSpan(output, is_same=False),))
    return Example(1, None, None, source, {"refA": reference}, output, output, 1.0, 0.0, 1.0, diff)


def _noted(texts=("n",), places=("w",)):
    notes = tuple(Note(NoteKind.SUSPECT, text, where) for text in texts for where in places)
    return replace(comparison(compared("bleu", 1.2)), notes=notes)


FIELDS = {
    "system": lambda texts: _ranked(*texts),
    "metric": lambda texts: _named(*texts),
    "domain": lambda texts: _grouped("domain", *texts),
    "document": lambda texts: _grouped("document", *texts),
    "source": lambda texts: _shown(sources=texts),
    "reference": lambda texts: _shown(references=texts),
    "output": lambda texts: _shown(outputs=texts),
    "path": lambda texts: _noted(places=texts),
    "message": lambda texts: _noted(texts),
    "title": lambda texts: replace(
        comparison(compared("bleu", 1.2)), failures=tuple(MetGate(text, None, {}) for text in texts)
    ),
    "plug-in": lambda texts: comparison(*(compared(text, 1.2) for text in texts)),
}
"""By field: the result that has texts there."""


def carrier(field, texts):
    """A result with one text, or several, in a field."""
    return FIELDS[field]((texts,) if isinstance(texts, str) else texts)
