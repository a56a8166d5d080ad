from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.types import Role, base_label, check_frames, frames_of
from assay.types.semantic_roles import frames_text


def test_frames_are_read_and_written():
    text = "1-2:ARG0 3:V 4-6:ARGM-LOC | 5:V"
    frames = frames_of(text)
    assert frames == (
        (Role("V", 2, 3), Role("ARG0", 0, 2), Role("ARGM-LOC", 3, 6)),
        (Role("V", 4, 5),),
    )
    assert frames_text(frames) == text
    assert frames_of("") == frames_of("  ") == ()


@pytest.mark.parametrize(
    ("label", "base"),
    [
        *(("V", ("V", "")), ("TARGET", ("V", "")), ("C-V", ("V", "")), ("rel", ("V", ""))),
        *(("ARG0", ("0", "")), ("A1", ("1", "")), ("R-A1", ("1", "")), ("C-ARG2-LOC", ("2", "LOC")), ("AA", ("A", ""))),
        *(("AM-TMP", ("", "TMP")), ("ARGM-LOC", ("", "LOC")), ("C-R-AM-TMP", ("", "TMP")), ("arg0-agt", ("0", "AGT"))),
        ("Theme", ("", "THEME")),
    ],
)
def test_labels_of_all_corpora(label, base):
    assert base_label(label) == base


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1:ARG0", "the frame '1:ARG0' has no predicate"),
        ("1:V 2:V", "the frame '1:V 2:V' has 2 predicates"),
        ("1:V |", "the frame '' has no predicate"),
        ("0:V", "'0:V' is not a span of words and a role"),
        ("3-1:ARG0 4:V", "the span '3-1:ARG0' ends before it starts"),
        ("sat", "'sat' is not a span of words and a role"),
        ("1:V 2", "'2' is not a span of words and a role"),
    ],
)
def test_faulty_frames(text, message):
    with pytest.raises(InputError) as caught:
        frames_of(text)
    assert caught.value.message == message
    assert "1-2:ARG0 3:V" in caught.value.hint or "before" in message


def test_a_role_ends_within_the_segment():
    check_frames(frames_of("1:V 2-3:ARG1"), 3)
    with pytest.raises(InputError, match="a role ends at word 3, but the segment has 2"):
        check_frames(frames_of("1:V 2-3:ARG1"), 2)
