from __future__ import annotations

from pathlib import Path

import pytest

import assay
from assay.errors import InputError
from assay.types import ErrorSpan, NoteKind
from tests.data.formats.marked_errors import ABOUT, QE, by_cell, only


def test_wmt23_predictions_and_labels_of_people(tmp_path: Path) -> None:
    campaign, predicted = only(tmp_path / "predictions.txt", ABOUT + QE)
    assert (campaign.lp, predicted.name, campaign.segments) == ("he-en", "ens", 2)
    spans = (ErrorSpan("", "major", 2, 8), ErrorSpan("", "minor", 14, 17))
    assert by_cell(predicted) == {("output", 0): (), ("output", 1): spans}
    assert campaign.testset is not None
    assert campaign.testset.outputs["output"][1] == "A sample with two spans."
    assert "3 models" in next(note.text for note in campaign.notes if note.kind is NoteKind.PROVENANCE)
    labels = tmp_path / "labels.tsv"
    labels.write_text("lp\tmethod\tsegment\ttarget\tstarts\tends\ttypes\n" + QE, encoding="utf-8")
    (judged,) = assay.read(labels)
    assert not judged.predictions
    assert judged.judgements[0].is_human
    assert judged.judgements[0].errors == predicted.errors


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ("2 14\t8\tmajor minor", "2 starts, 1 ends and 2 types"),
        ("8\t2\tmajor", "ends before it starts: characters 8 to 2"),
        ("2\t8\tmajr", "unknown severity 'majr'"),
        ("2\tx\tmajor", "must be a character index, not 'x'"),
        ("2\t8\tno-error", "positions of errors, but the type is 'no-error'"),
    ],
)
def test_faulty_cells_are_errors_with_their_line(tmp_path: Path, cells: str, message: str) -> None:
    path = tmp_path / "predictions.txt"
    path.write_text(f"{ABOUT}he-en\tens\t0\tA sample\t{cells}\n", encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        assay.read(path)
    assert caught.value.line == 4


@pytest.mark.warns("1 error by ens outside the text")
def test_a_span_beyond_the_text_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "predictions.txt"
    path.write_text(f"{ABOUT}he-en\tens\t0\tA sample\t2\t9\tmajor\n", encoding="utf-8")
    (campaign,) = assay.read(path)
    (note,) = [note for note in campaign.notes if note.severity == "warning"]
    assert note.text == "1 error by ens outside the text, the first in line 4: characters 2 to 9 of 8"
