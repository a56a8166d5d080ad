"""Where quoted errors stand in an output."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.judges.marks import ERRORS, Marked, locate, read_errors
from assay.judges.request import UnreadableReply
from assay.types import ErrorSpan

OUTPUT = "This is the cat, and the  Cat is black."


def places(output, *texts):
    errors, doubts = locate([Marked(text, "major", "error") for text in texts], output)
    return [(error.start, error.end) for error in errors], doubts


@pytest.mark.parametrize(
    ("text", "place", "is_inexact"),
    [
        ("black", (33, 38), False),
        ("the cat", (8, 15), False),
        ("BLACK", (33, 38), True),
        ("the cat is", (21, 32), True),
        ("cat,\nand", (12, 20), True),
        ("is", (5, 7), False),  # a whole word, and not the end of "This"
        ("lac", (34, 37), False),  # part of a word, if there is no other place
        (", and", (15, 20), False),
    ],
)
def test_a_place(text, place, is_inexact):
    """By hand. Letter by letter first, then without case and with any white space; whole words first."""
    found, doubts = places(OUTPUT, text)
    assert found == [place]
    assert (doubts.total, doubts.inexact, doubts.absent) == (1, is_inexact, 0)


def test_the_second_error_with_a_text_is_at_its_second_place():
    found, doubts = places("no no no", "no", "no")
    assert found == [(0, 2), (3, 5)]
    assert (doubts.ambiguous, doubts.absent) == (2, 0)  # three places for two errors
    assert places("no no", "no", "no")[1].ambiguous == 0


def test_what_does_not_occur_has_no_place_and_repetitions_are_dropped():
    found, doubts = places("no yes", "no", "no", "maybe", "maybe", "perhaps")
    assert found == [(0, 2), (None, None), (None, None)]
    assert (doubts.total, doubts.absent, doubts.repeated, doubts.example) == (5, 2, 2, "maybe")


def test_no_place_is_given_twice_to_spellings_of_one_text():
    """Rule 2 holds for texts that are found when case is ignored, too."""
    assert places("Nein nein NEIN.", "neIN", "NeiN")[0] == [(0, 4), (5, 9)]
    assert places("Nein nein.", "nein", "NEIN", "neIN")[1].repeated == 1


@pytest.mark.parametrize("quoted", ['der "nichts" sagt', "der 'nichts' sagt", "der “nichts” sagt", "der «nichts» sagt"])
def test_quotation_marks_may_have_another_shape(quoted):
    found, doubts = places("Unsinn, der „nichts“ sagt.", quoted)
    assert found == [(8, 25)]
    assert (doubts.inexact, doubts.absent) == (1, 0)


@pytest.mark.parametrize(
    ("output", "quoted", "place"),
    [
        ("Das Café dort", "Cafe\u0301", (4, 8)),
        ("Das Cafe\u0301 dort", "Café", (4, 9)),
        ("Nun … ja", "Nun ... ja", (0, 8)),
        ("Nun ... ja", "Nun … ja", (0, 10)),
        ("Peter’s Hund", "Peter's", (0, 7)),
    ],
)
def test_letters_may_be_written_in_another_way(output, quoted, place):
    """Models change these when they copy."""
    found, doubts = places(output, quoted)
    assert found == [place]
    assert (doubts.inexact, doubts.absent) == (1, 0)


def test_an_omission_has_no_place():
    errors, doubts = locate([Marked("", "major", "accuracy/omission"), Marked("cat", "minor", "omission")], OUTPUT)
    assert errors == (ErrorSpan("accuracy/omission", "major"), ErrorSpan("omission", "minor"))
    assert doubts.total == 0


@given(st.text(alphabet="ab .A\n", max_size=12), st.lists(st.text(alphabet="ab .A", min_size=1, max_size=3)))
def test_every_error_that_occurs_stands_at_a_place_of_its_own(output, texts):
    errors, doubts = locate([Marked(text.strip() or "a", "minor", "error") for text in texts], output)
    assert len(errors) + doubts.repeated == doubts.total == len(texts)
    assert sum(error.start is None for error in errors) == doubts.absent
    places = [(error.start, error.end) for error in errors if error.start is not None]
    assert len(set(places)) == len(places)
    for error in errors:
        if error.start is None:
            assert error.text not in output
            continue
        assert output[error.start : error.end] == error.text
        assert " ".join(error.text.split()).lower() in [" ".join((t.strip() or "a").split()).lower() for t in texts]


def test_errors_are_read():
    reply = {"errors": [{"text": " cat ", "severity": "Major", "category": "Fluency/Grammar", "note": "?"}]}
    assert read_errors(json.dumps(reply)) == (Marked("cat", "major", "fluency/grammar"),)
    assert read_errors('{"errors": []}') == ()


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty"),
        ("No errors.", "not JSON"),
        ("[]", "a JSON list"),
        ("{}", "no list 'errors'"),
        ('{"errors": "none"}', "no list 'errors'"),
        ('{"errors": ["cat"]}', "an error is not a JSON object"),
        ('{"errors": [{"text": "cat", "severity": "major"}]}', "no text 'category'"),
        ('{"errors": [{"text": 7, "severity": "major", "category": "style"}]}', "no text 'text'"),
        ('{"errors": [{"text": "cat", "severity": "awful", "category": "style"}]}', "not one of major, minor"),
        ('{"errors": [{"text": "", "severity": "major", "category": "style"}]}', "quotes no text and is no omission"),
        ('{"errors": [{"text": "cat", "sev', "not valid JSON"),
    ],
)
def test_unreadable_errors(reply, reason):
    """One faulty error makes a reply unreadable: leaving it out would make the output better than the model said."""
    with pytest.raises(UnreadableReply, match=reason):
        read_errors(reply)


def test_the_schema_asks_for_what_is_read():
    item = ERRORS.schema["properties"]["errors"]["items"]
    error = {"text": "cat", "severity": item["properties"]["severity"]["enum"][0], "category": "style"}
    assert set(item["required"]) == error.keys()
    assert read_errors(json.dumps({"errors": [error]})) == (Marked("cat", "major", "style"),)
