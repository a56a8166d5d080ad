from __future__ import annotations

from dataclasses import replace

import pytest

from assay.data.scored_texts import compare_scored_texts
from assay.errors import InputError
from assay.types import TestSet

TEXTS = TestSet(
    outputs={"x": (" a", "b\u3000"), "y": ("c", "d")},
    references={"refA": ("e", "f"), "refB": ("g", "h")},
    sources=("s", "t"),
)


def test_equal_texts_give_the_names_of_references():
    scored = TestSet(outputs={"x": ("a", "b")}, references={"ref": ("g ", None)}, sources=("s", "t"))
    assert compare_scored_texts(scored, TEXTS, "f") == ({"ref": "refB"}, [])
    assert compare_scored_texts(replace(scored, references={}), TEXTS, "f") == ({}, [])
    assert compare_scored_texts(scored, replace(TEXTS, references={}), "f") == ({}, [])
    same = replace(TEXTS, references={"other": ("g", "h"), "ref": ("g", "h")})
    assert compare_scored_texts(scored, same, "f") == ({"ref": "ref"}, [])


def test_systems_of_one_side_are_not_compared():
    assert compare_scored_texts(TestSet(outputs={"z": ("1", "2")}), TEXTS, "f") == ({}, [])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"outputs": {"x": ("a", "c")}}, "f: these scores belong to another output of 'x': segment 2 differs"),
        ({"sources": ("s", "u")}, "f: these scores were computed from other sources: segment 2 differs"),
    ],
)
def test_other_texts(changed, message):
    with pytest.raises(InputError, match=message):
        compare_scored_texts(replace(TEXTS, **changed), TEXTS, "f")


def test_another_reference():
    names, (note,) = compare_scored_texts(replace(TEXTS, references={"ref": ("g2", "h2")}), TEXTS, "f")
    assert names == {"ref": "unknown"}
    assert (note.severity, note.count) == ("warning", 2)
    assert note.text.startswith("these scores were computed with another reference than ref")


def test_another_version_of_a_reference():
    names, (note,) = compare_scored_texts(replace(TEXTS, references={"ref": ("g", "H")}), TEXTS, "f")
    assert names == {"ref": "refB"}
    assert (note.severity, note.count) == ("warning", 1)


def test_the_normal_form_does_not_count():
    composed, decomposed = TestSet(outputs={"x": ("\u00e9",)}), TestSet(outputs={"x": ("e\u0301",)})
    assert compare_scored_texts(composed, decomposed, "f") == ({}, [])
