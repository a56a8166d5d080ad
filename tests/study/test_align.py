from __future__ import annotations

import json

import pytest

import assay
from assay.errors import AssayWarning, ConfigError, EmptyInputError, InputError

REFERENCE = ["The cat sat on the mat.", "A dog ran away.", "It rained all day long."]


def test_lines_edits_and_doubts_of_each_output():
    result = assay.align(
        outputs={"x": [" ".join(REFERENCE)], "y": ["A cat sat on a mat. It rained"]}, reference=REFERENCE
    )
    assert result["x"].lines == tuple(REFERENCE)
    assert (result["x"].words, result["x"].edits, result["x"].doubtful, result["x"].empty) == (18, 0, 0, 0)
    assert result["y"].lines == ("A cat sat on a mat.", "", "It rained")
    assert (result["y"].edits, result["y"].empty) == (2 + 5 + 4, 1)
    assert len(list(result.rows())) == 6
    assert next(iter(result.rows())) == {
        "system": "x",
        "segment": 1,
        "reference_words": 7,
        "words": 7,
        "edits": 0,
        "doubtful": "no",
    }
    assert json.loads(json.dumps(result.to_dict()))["outputs"][1]["lines"][1] == ""


def test_an_output_that_is_segmented_comes_back_unchanged():
    result = assay.align(outputs=[line.upper() for line in REFERENCE], reference=REFERENCE)
    assert result.outputs[0].lines == tuple(line.upper() for line in REFERENCE)
    assert "as many lines as the reference" in str(result.notes[0])


@pytest.mark.filterwarnings("ignore:.*hardly any words")
def test_texts_without_spaces_are_aligned_by_characters():
    reference = ["我爱猫。", "你爱狗。"]
    result = assay.align(outputs=["我爱猫。你爱狗。"], reference=reference)
    assert result.outputs[0].lines == tuple(reference)
    assert result.settings["tokens"] == "characters"
    by_words = assay.align(outputs=["我爱猫。你爱狗。"], reference=reference, tokens="words")
    assert by_words.outputs[0].lines == ("我爱猫。你爱狗。", "")


def test_files_are_read_and_written(tmp_path):
    (tmp_path / "ref.en").write_text("".join(f"{line}\n" for line in REFERENCE))
    (tmp_path / "x.en").write_text(" ".join(REFERENCE))
    aligned = tmp_path / "aligned"
    call = {"outputs": {"x": tmp_path / "x.en"}, "reference": tmp_path / "ref.en", "output": aligned}
    assay.align(**call)
    assert (aligned / "x.txt").read_text() == (tmp_path / "ref.en").read_text()
    with pytest.raises(InputError, match="already exists"):
        assay.align(**call)
    assay.align(**call, force=True)
    with pytest.raises(ConfigError, match="no output is called 'z'"):
        assay.align(outputs={"x": ["a"]}, reference=["a"], output={"z": tmp_path / "z"})


def test_what_cannot_be_aligned():
    with pytest.raises(EmptyInputError, match="output 'x' has no words"):
        assay.align(outputs={"x": [" ", ""]}, reference=REFERENCE)
    with pytest.raises(EmptyInputError, match="the reference has no words"):
        assay.align(outputs={"x": ["a"]}, reference=["", ""])
    with pytest.raises(EmptyInputError, match="no output was given"):
        assay.align(outputs={}, reference=REFERENCE)
    with pytest.raises(InputError, match="too short to be aligned: it has 1 word, but the reference has 18"):
        assay.align(outputs={"x": ["cat"]}, reference=REFERENCE)


def test_warnings():
    with pytest.warns(AssayWarning, match="x: has 6 words, and the reference 18"):
        assay.align(outputs={"x": ["The cat sat on the mat"]}, reference=REFERENCE)
    with pytest.warns(AssayWarning, match="hardly any words"):
        assay.align(outputs={"x": ["1 2 3 4 5 6 7 8 9 10 11"]}, reference=REFERENCE)
