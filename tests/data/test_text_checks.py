from __future__ import annotations

import unicodedata

import pytest

from assay.data.text_checks import TextChecks
from assay.sample import generate
from assay.types import NoteKind

SAMPLE = generate("de")
REFERENCE, SOURCES = SAMPLE.references["refA"], SAMPLE.sources
OUTPUTS = {name: SAMPLE.output(name) for name in ("alder", "elm", "willow")}


def notes(outputs=OUTPUTS, references=None, sources=SOURCES, lp="en-de", **options):
    columns = {"refA": REFERENCE} if references is None else references
    findings = TextChecks(outputs, columns, sources, lp, **options).findings()
    return [finding.note for finding in findings if finding.severity != "note"]


@pytest.mark.parametrize("lp", [None, "en-de", "eng-deu", "en-de_AT", "xx-yy"])
@pytest.mark.parametrize("is_thorough", [True, False])
@pytest.mark.parametrize("sources", [SOURCES, None])
def test_sound_texts_have_no_notes(lp, is_thorough, sources):
    assert notes(lp=lp, is_thorough=is_thorough, sources=sources) == []
    assert notes(references={}, lp=lp, is_thorough=is_thorough, sources=sources) == []


def test_a_source_as_reference():
    found = notes(references={"refA": SOURCES})
    assert [str(note) for note in found] == [
        "refA: looks like English, but the target language of en-de is de (is the reference the source file?)",
        f"refA: {len(SOURCES)} of {len(SOURCES)} lines are copies of the source (is the reference the source file?)",
    ]
    assert {note.kind for note in found} == {NoteKind.SUSPECT}
    (without_pair,) = notes(references={"refA": SOURCES}, sources=None, lp=None)
    assert str(without_pair) == "alder, elm, willow: look like German, but the reference refA does not"
    assert without_pair.count == 3


def test_a_reference_as_output():
    (note,) = notes({"human": REFERENCE})
    assert (note.kind, str(note)) == (NoteKind.SUSPECT, "human: identical to the reference refA")
    (note,) = notes({"human": (*REFERENCE[:100], *OUTPUTS["elm"][100:])})
    assert note.kind is NoteKind.SUSPECT
    assert note.text.endswith("lines are identical to the reference refA (is the output a reference?)")


def test_a_source_as_output():
    assert [str(note) for note in notes({"copy": SOURCES})] == [
        "copy: looks like English, but the target language of en-de is de",
        f"copy, line 1: {len(SOURCES)} of {len(SOURCES)} outputs are copies of the source, first here",
    ]


def test_misaligned_outputs():
    size = len(REFERENCE)
    end = OUTPUTS["willow"][:2]
    changed = {"elm": OUTPUTS["elm"], "shuffled": OUTPUTS["alder"][::-1], "shifted": (*OUTPUTS["willow"][2:], *end)}
    assert [str(note) for note in notes(changed)] == [
        f"shuffled, line 1: lines 1 to {size} resemble their own lines of refA no more than its other lines: a "
        "different order, or a very poor system",
        f"shifted, line 1: misaligned: lines 1 to {size - 2} fit the lines of refA 2 further on better than their own",
    ]


def test_a_misaligned_reference_is_reported_once():
    (note,) = notes(references={"refA": (*REFERENCE[1:], "Ende")})
    assert note.where == "refA, line 2"
    assert note.text.startswith("none of the 3 outputs matches this reference; for example, misaligned: lines 2 to ")


def test_most_outputs_misaligned_are_reported_one_by_one():
    shifted = {name: (*column[shift:], *column[:shift]) for shift, (name, column) in enumerate(OUTPUTS.items(), 1)}
    found = notes({"good": OUTPUTS["elm"], **shifted})
    assert {note.where.partition(",")[0] for note in found if "misaligned" in note.text} == set(shifted)


def test_outputs_are_compared_with_the_sources_if_there_is_no_reference():
    (note,) = notes({"a": OUTPUTS["elm"], "b": OUTPUTS["elm"][::-1]}, references={})
    assert note.where == "b, line 1"
    assert "resemble their own lines of sources no more" in note.text


def test_blank_lines():
    (note,) = notes({"elm": (*OUTPUTS["elm"][:-2], "", " ")})
    assert (note.kind, note.count) == (NoteKind.MISSING, 2)
    assert str(note) == f"elm, line {len(REFERENCE) - 1}: 2 of {len(REFERENCE)} lines are empty, first here"


def test_normal_forms():
    decomposed = tuple(unicodedata.normalize("NFD", text) for text in OUTPUTS["elm"])
    (note,) = notes({"elm": decomposed, "alder": OUTPUTS["alder"]})
    assert note.kind is NoteKind.SUSPECT
    assert "lines are not in Unicode normal form C, unlike other columns" in note.text
    assert (
        notes({"elm": decomposed}, references={"refA": tuple(unicodedata.normalize("NFD", t) for t in REFERENCE)}) == []
    )
