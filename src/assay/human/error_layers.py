"""Errors that metrics marked in the outputs of a campaign, as annotation layers that other metrics read."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from assay.human.marks import usable_marks
from assay.human.predicted_errors import repeated_outputs
from assay.types import Campaign, Column, Note, NoteKind, Ratings, TestSet, as_column
from assay.types.marked_errors import errors_layer, errors_text

__all__ = ["with_error_layers"]


def with_error_layers(campaign: Campaign) -> Campaign:
    """The campaign with what each metric marked as a layer of its own, unless the texts have the layer already.

    The only one is the layer `errors`, too. An output that a metric did not read, marked twice or marked beyond the
    text has no value; notes count them.
    """
    texts = campaign.testset
    if texts is None or not campaign.predictions:
        return campaign
    layers: dict[str, dict[str, Column]] = {}
    annotators: dict[str, str] = {}
    notes: list[Note] = []
    for predicted in campaign.predictions:
        columns, more = _columns(predicted, texts)
        notes += more
        names = ("", predicted.name) if len(campaign.predictions) == 1 else (predicted.name,)
        for layer in map(errors_layer, names):
            if columns and layer not in texts.annotations:
                layers[layer], annotators[layer] = columns, predicted.name
    if not layers and not notes:
        return campaign
    annotated = replace(
        texts,
        annotations={**texts.annotations, **layers},
        annotators={**texts.annotators, **annotators},
        notes=tuple(dict.fromkeys((*texts.notes, *notes))),
    )
    return replace(campaign, testset=annotated)


def _columns(predicted: Ratings, texts: TestSet) -> tuple[dict[str, Column], list[Note]]:
    """The layer by system, and notes on what is left out."""
    if predicted.items:
        text = "its segments have names that the texts do not have: no metric can read these errors"
        return {}, [Note(NoteKind.EXCLUDED, text, predicted.origin or predicted.name, len(predicted), "warning")]
    if not predicted.errors:
        return {}, []
    marks, notes = usable_marks(predicted, texts)
    counts = Counter(zip(predicted.system.tolist(), predicted.segment.tolist(), strict=True))
    values: dict[str, list[str | None]] = {}
    for system, segment, errors in zip(marks.system.tolist(), marks.segment.tolist(), marks.marks, strict=True):
        name = marks.systems[system]
        if name in texts.outputs and 0 <= segment < len(texts) and counts[system, segment] == 1:
            values.setdefault(name, [None] * len(texts))[segment] = errors_text(errors)
    return {name: as_column(column) for name, column in values.items()}, [*notes, *repeated_outputs(predicted)]
