from __future__ import annotations

import unicodedata

import numpy as np
import pytest

from assay import _core
from assay.data.text_checks import text_findings
from assay.sample import generate
from assay.types import NoteKind, as_column

SAMPLE = generate("de")
REFERENCE, SOURCES = SAMPLE.references["refA"], SAMPLE.sources
OUTPUTS = {name: SAMPLE.output(name) for name in ("alder", "elm", "willow")}


def notes(outputs=OUTPUTS, references=None, sources=SOURCES, lp="en-de", **options):
    columns = {"refA": REFERENCE} if references is None else references
    findings = text_findings(outputs, columns, sources=sources, lp=lp, **options)
    return [finding for finding in findings if finding.severity != "note"]


@pytest.mark.parametrize("lp", [None, "en-de", "eng-deu", "en-de_AT", "xx-yy"])
@pytest.mark.parametrize("thorough", [True, False])
@pytest.mark.parametrize("sources", [SOURCES, None])
def test_sound_texts_have_no_notes(lp, thorough, sources):
    assert notes(lp=lp, thorough=thorough, sources=sources) == []
    assert notes(references={}, lp=lp, thorough=thorough, sources=sources) == []


def test_a_source_as_reference():
    found = notes(references={"refA": SOURCES})
    assert [str(note) for note in found] == [
        "refA: looks like English, but the target language of en-de is de (is the reference the source file?)",
        f"refA: {len(SOURCES)} of {len(SOURCES)} lines are copies of the source (is the reference the source file?)",
    ]
    assert {note.kind for note in found} == {NoteKind.SUSPECT}
    (without_pair,) = notes(references={"refA": SOURCES}, sources=None, lp=None)
    text = "alder, elm, willow: look like German, but the reference refA does not (is the reference the source file?)"
    assert str(without_pair) == text
    assert without_pair.count == 3


@pytest.mark.parametrize("lp", [None, "en-de"])
def test_a_reference_as_source(lp):
    found = [note for note in notes(sources=REFERENCE, lp=lp) if "copies" in note.text]
    assert found[-1].text == f"{len(REFERENCE)} of {len(REFERENCE)} lines are copies of the source"
    assert found[-1].hint == "is the source the reference file?"


def test_a_reference_as_output():
    (note,) = notes({"human": REFERENCE})
    assert (note.kind, str(note)) == (NoteKind.SUSPECT, "human: identical to the reference refA")
    assert note.severity == "error"
    (note,) = notes({"human": (*REFERENCE[:100], *OUTPUTS["elm"][100:])})
    assert note.kind is NoteKind.SUSPECT
    assert note.in_full.endswith("lines are identical to the reference refA (is the output a reference?)")


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
        f"shuffled, line 1: lines 1 to {size} do not match refA; they may be in another order, or the system is very "
        "poor",
        f"shifted, line 1: misaligned: lines 1 to {size - 2} fit the lines of refA 2 further on better than their own",
    ]


def test_a_misaligned_reference_is_reported_once():
    (note,) = notes(references={"refA": (*REFERENCE[1:], "Ende")})
    assert note.place == "refA, line 2"
    assert note.text.startswith("none of the 3 outputs matches this reference; for example, misaligned: lines 2 to ")


def test_most_outputs_misaligned_are_reported_one_by_one():
    shifted = {name: (*column[shift:], *column[:shift]) for shift, (name, column) in enumerate(OUTPUTS.items(), 1)}
    found = notes({"good": OUTPUTS["elm"], **shifted})
    assert {note.where.partition(",")[0] for note in found if "misaligned" in note.text} == set(shifted)


def test_outputs_are_compared_with_the_sources_if_there_is_no_reference():
    (note,) = notes({"a": OUTPUTS["elm"], "b": OUTPUTS["elm"][::-1]}, references={})
    assert note.place == "b, line 1"
    assert "do not match sources; they may be in another order" in note.text


def test_blank_lines():
    (note,) = notes({"elm": (*OUTPUTS["elm"][:-2], "", " ")})
    assert (note.kind, note.count) == (NoteKind.MISSING, 2)
    assert str(note) == f"elm, line {len(REFERENCE) - 1}: 2 of {len(REFERENCE)} lines are empty, first here"


def test_blank_sources():
    (note,) = notes({"elm": OUTPUTS["elm"]}, sources=("", *SOURCES[1:]))
    assert str(note) == f"sources, line 1: 1 of {len(REFERENCE)} lines is empty"


def test_normal_forms():
    decomposed = tuple(unicodedata.normalize("NFD", text) for text in OUTPUTS["elm"])
    (note,) = notes({"elm": decomposed, "alder": OUTPUTS["alder"]})
    assert note.kind is NoteKind.SUSPECT
    assert "lines are not in Unicode normal form C, unlike other columns" in note.text
    assert (
        notes({"elm": decomposed}, references={"refA": tuple(unicodedata.normalize("NFD", t) for t in REFERENCE)}) == []
    )


@pytest.mark.parametrize(
    "text", ["", " ", "\t\u3000", "\x1c\x85\xa0", "a", "\u200b", " \U0001f600", "e\u0301", "\u00e9", "\u0344"]
)
def test_the_core_sees_lines_as_python_does(text):
    column = (text, None, f"{text}a")
    assert (_core.blank_lines(column) == [0]) == (not text or text.isspace())
    np.testing.assert_array_equal(_core.lengths(column), [len(text), np.nan, len(text) + 1])
    expected = [0] if " " in text else []  # of more than one word; an absent text equals nothing
    assert _core.equal_lines(column, (text[:], None, text)) == expected
    if not unicodedata.is_normalized("NFC", text):
        assert _core.lines_to_normalize(column) == [0, 2]
    with pytest.raises(ValueError, match="differ in length"):
        _core.equal_lines(column, (text,))


def test_characters_below_u0300_need_no_normalisation():
    letters = "".join(map(chr, range(0x300)))
    assert unicodedata.is_normalized("NFC", letters)
    assert all(unicodedata.combining(letter) == 0 for letter in letters)
    assert _core.lines_to_normalize((letters, None, letters + "\u0300")) == [2]


def test_texts_that_several_columns_lack_are_reported_once():
    def without(column, *missing):
        return tuple(None if i in missing else text for i, text in enumerate(column))

    outputs = {name: without(column, 3, 7) for name, column in OUTPUTS.items()}
    findings = text_findings(
        {**outputs, "oak": without(OUTPUTS["elm"], 5)},
        {"refA": REFERENCE},
        sources=without(SOURCES, 3, 7),
        thorough=True,
    )
    missing = [(str(f), f.count) for f in findings if f.kind is NoteKind.MISSING]
    assert missing == [
        ("alder, elm, willow and 1 more, line 4: the same 2 of 130 segments missing", 2),
        ("oak, line 6: 1 of 130 segments missing", 1),
    ]


def test_copies_are_noted_when_scoring():
    (copy,) = notes({**OUTPUTS, "copy": OUTPUTS["elm"]})
    assert (copy.kind, str(copy)) == (NoteKind.DUPLICATE, "copy: identical to elm")
    (reference,) = notes(references={"refA": REFERENCE, "refB": REFERENCE})
    assert str(reference) == "refB: identical to refA"


def test_a_reversed_language_pair():
    reference, outputs = notes(sources=None, lp="de-en")
    assert reference.in_full.endswith("(is the language pair en-de?)")
    assert outputs.count == 3
    reference, outputs = notes(lp="de-en")
    assert "swapped" not in str(outputs)


def test_the_script_of_the_language_pair():
    (found,) = notes(sources=None, lp="en-sr_Cyrl_RS")[1:]
    assert "text in Latin script, but the target language of en-sr_Cyrl_RS is sr in Cyrillic script" in found.text
    assert notes(sources=None, lp="en-sr_Latn_RS") == []


def test_texts_encoded_twice():
    twice = tuple((text or "").encode().decode("latin-1") for text in OUTPUTS["elm"])
    found = [note for note in notes({"elm": twice}, lp=None) if "UTF-8 twice" in note.text]
    assert [note.where.partition(",")[0] for note in found] == ["elm"]


def test_a_very_long_line():
    column = ("word " * 10_000, *OUTPUTS["elm"][1:])
    found = [note for note in notes({"elm": column}) if "characters" in note.text]
    assert [str(note) for note in found] == [
        f"elm, line 1: a line of 50,000 characters; that of refA has {len(REFERENCE[0])}"
    ]


def test_an_output_with_the_name_of_a_reference_has_findings_of_its_own():
    empty = [("", *column[1:]) for column in (REFERENCE, OUTPUTS["elm"])]
    found = notes({"e": empty[1]}, {"e": empty[0]})
    assert [note.place for note in found] == ["e, reference e"]
    assert [note.place for note in notes({"e": empty[0]}, {"e": empty[0]})] == ["e, line 1"]  # the same texts


@pytest.mark.parametrize("lp", [None, "en-de"])
def test_source_and_output_swapped(lp):
    found = notes({"src": SOURCES}, sources=OUTPUTS["elm"], lp=lp)
    assert "looks like English" in found[0].text
    assert found[0].in_full.endswith("(are the source and the output swapped?)")
    found = notes(references={"refA": SOURCES}, lp=None)
    assert found[0].in_full.endswith("(is the reference the source file?)")


def test_sources_in_another_order_than_the_reference():
    sample = generate("de")
    columns = (sample.sources, sample.references["refA"], sample.output("elm"))
    sources, reference, output = (as_column(column * 2) for column in map(list, columns))
    for thorough in (False, True):
        shuffled = as_column(sources[::-1])
        (note,) = notes({"elm": output}, references={"refA": reference}, sources=shuffled, thorough=thorough)
        assert note.place == "sources, line 1"
        assert "do not match refA (are the sources in another order" in str(note)
        assert notes({"elm": output}, references={"refA": reference}, sources=sources, thorough=thorough) == []


def test_copies_of_the_source_are_one_finding_and_not_those_of_a_reference():
    copying = {name: (*SOURCES[:8], *OUTPUTS[name][8:]) for name in ("alder", "elm")}
    (note,) = notes(copying)
    assert note.place == "alder, elm"
    assert note.text == f"8 of {len(SOURCES)} outputs are copies of the source, first in line 1 of alder"
    assert notes(copying, references={"refA": (*SOURCES[:8], *REFERENCE[8:])}) == []


@pytest.mark.parametrize(("length", "is_named"), [(700, False), (1300, True)])
def test_a_line_many_times_as_long_as_the_reference_is_named_even_if_it_is_short(length, is_named):
    reference = ("y" * 20, *REFERENCE[1:])
    output = ("x" * length, "x" * 1100, *OUTPUTS["elm"][2:])
    found = [note for note in notes({"elm": output}, {"ref": reference}) if "characters" in note.text]
    assert bool(found) == is_named
    if is_named:
        assert found[0].text.startswith(f"a line of {length:,} characters; that of ref has 20")
        assert found[0].place == "elm, line 1"


def test_one_text_for_all_segments_is_in_no_order():
    (note,) = notes({"elm": as_column([OUTPUTS["elm"][0]] * len(SOURCES))})
    assert "are one text for different segments" in note.text


def test_columns_with_odd_characters_have_one_finding():
    marked = {name: ("\ufeff" + column[0], "a\rb", *column[2:]) for name, column in OUTPUTS.items()}
    found = [str(note) for note in text_findings(marked, {"refA": REFERENCE}, thorough=True)]
    assert [text for text in found if "contain" in text] == [
        "alder, elm, willow: 1 of 130 lines contains a byte order mark, first in line 1 of alder",
        "alder, elm, willow: 1 of 130 lines contains a carriage return, first in line 2 of alder",
    ]


def test_byte_order_marks_on_all_lines_are_a_warning():
    (note,) = notes({"elm": as_column(f"\ufeff{text}" for text in OUTPUTS["elm"])})
    assert "contain a byte order mark (U+FEFF)" in note.text


def test_one_line_in_another_normal_form_is_noted():
    output = [*OUTPUTS["elm"]]
    output[5] = unicodedata.normalize("NFD", f"{output[5]} für")
    (finding,) = text_findings({"elm": as_column(output)}, {"refA": REFERENCE}, thorough=True)
    assert (finding.severity, finding.line, finding.count) == ("note", 6, 1)


def test_one_text_in_small_letters_is_said_to_be_one():
    found = [note.text for note in notes({"elm": as_column(["the same line"] * len(SOURCES))})]
    assert any("lack the capitals" in text for text in found)
    assert any("are one text for different segments" in text for text in found)
