from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError
from assay.measurement.units import ResamplingUnits, by_document, placeholder_notes
from assay.types import NoteKind, Scorable
from assay.types.runtime import Runtime


def test_documents_have_the_same_scores():
    random = np.random.default_rng(1)
    scorable = Scorable.of_segments(random.normal(size=(2, 7)), ("a", "b"))
    documents = by_document(scorable, ["x", "y", "x", "z", "y", "x", "z"])
    assert documents.table.shape == (2, 3, 2)
    np.testing.assert_allclose(documents.values(Runtime(threads=1)), scorable.values(Runtime(threads=1)))
    np.testing.assert_allclose(documents.table[0, 0], scorable.table[0, [0, 2, 5]].sum(axis=0))
    assert documents.segment_values is None


def test_every_segment_needs_a_document():
    scorable = Scorable.of_segments(np.ones((1, 2)), ("a",))
    with pytest.raises(InputError, match="some segments have no document"):
        by_document(scorable, ["x", None])


def test_placeholders_are_not_documents():
    assert placeholder_notes(("a.1", "unknown-pleasures", None)) == ()
    (note,) = placeholder_notes(("a.1", "unknown-17", "unknown-17", "b.2"))
    assert (note.kind, note.count) == (NoteKind.SUSPECT, 2)
    assert "unknown-17" in note.text
    with pytest.raises(InputError, match="not known: unknown-1, unknown-2"):
        placeholder_notes(("unknown-1", "unknown-2", "unknown-1"))


@pytest.mark.parametrize(
    ("documents", "number", "unit"),
    [
        (("a", "b", "a", "no-doc"), [0, 1, 0], "document"),  # of the rows, all are known
        (("a", "a", "a", "a"), [0, 0, 0], "document"),
        (("a", "no-doc", "a", "a"), [0, 1, 2], "segment"),
        (("a", None, "a", "a"), [0, 1, 2], "segment"),
        ((), [0, 1, 2], "segment"),
    ],
)
def test_units_are_documents_where_all_of_them_are_known(documents, number, unit):
    units = ResamplingUnits.of(np.array([2, 1, 0]), documents)
    assert (units.number.tolist(), units.unit) == (number, unit)


def test_sizes_of_units():
    units = ResamplingUnits.of(np.array([5, 3, 5]), ())
    assert units.sizes().tolist() == [2, 1]
    assert units.sizes(np.array([1.0, 10.0, 2.0])).tolist() == [3, 10]
