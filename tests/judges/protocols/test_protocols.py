"""What each protocol asks for, and what its answers are worth."""

from __future__ import annotations

import json

import pytest

from assay.judges.protocols import Segment, protocol, source_texts
from assay.judges.protocols.mqm import mqm_score
from assay.judges.reading import score_form
from assay.types import ErrorSpan
from tests.judges.scripted import part
from tests.judges.test_panel import judging


def test_names():
    assert protocol.names() == ["da", "esa", "mqm", "pairwise", "sqm"]


@pytest.mark.parametrize(
    ("error", "weight"),
    [
        (("major", "accuracy/mistranslation"), 5),
        (("minor", "accuracy/mistranslation"), 1),
        (("minor", "fluency/punctuation"), 0.1),
        (("major", "fluency/punctuation"), 5),
        (("major", "non-translation"), 25),
        (("minor", "anything of the user's own"), 1),
    ],
)
def test_weights(error, weight):
    """Freitag et al. 2021, table 1."""
    severity, category = error
    assert mqm_score([ErrorSpan(category, severity, 0, 1)]) == -weight
    assert mqm_score([]) == 0


def test_the_scale_is_that_of_the_schema():
    schema = score_form(*protocol.create("da").scale).schema["properties"]["score"]
    assert (schema["minimum"], schema["maximum"]) == (0, 100)


@pytest.mark.parametrize(
    ("languages", "source", "target"),
    [
        (("en", "de"), "English", "German"),
        (("eng", "deu"), "English", "German"),
        (("en", "zh_TW"), "English", "Chinese (zh_TW)"),
        (("", ""), "the source language", "the target language"),
        (("en", "xx"), "English", "xx"),
    ],
)
def test_languages(languages, source, target):
    texts = source_texts(Segment("s", None, languages))
    assert (texts["source_language"], texts["target_language"]) == (source, target)


def test_esa_shows_omissions_in_words():
    seen = []

    def reply(prompt, *_):
        if part(prompt, "errors") is not None:
            seen.append(part(prompt, "errors"))
            return "40"
        keys, errors = (
            ("text", "severity", "category"),
            [("", "major", "omission"), *((x, "minor", "error") for x in "bx")],
        )
        return json.dumps({"errors": [dict(zip(keys, error, strict=True)) for error in errors]})

    made, _, how = judging("esa", reply)
    ((answer,),) = made.judge([(Segment("s"), "a b")], how)
    assert seen == ['major: something of the original is absent\nminor: "b"\nminor: "x"']  # "x" does not occur
    assert (answer.value.score, answer.value.doubts.absent, answer.replies) == (40, 1, 2)
    assert answer.value.errors == (
        ErrorSpan("omission", "major"),
        ErrorSpan("error", "minor", 2, 3),
        ErrorSpan("error", "minor"),
    )


@pytest.mark.parametrize(("reply", "value"), [("A", 1), ("B", 0), ("tie", 0.5), ('{"better": "tie"}', 0.5)])
def test_pairs(reply, value):
    made, _, how = judging("pairwise", lambda *_: reply)
    assert made.compare([(Segment("s"), "a", "b")], how)[0][0].value == value


@pytest.mark.parametrize("name", ["da", "sqm", "mqm", "esa", "pairwise"])
def test_texts_are_asked_for_once_in_every_prompt(name):
    """Each text stands in a prompt exactly once, and the reference only if there is one."""
    made, script, how = judging(name, lambda prompt, *_: '{"errors": [], "score": 50, "better": "A"}')
    for reference in (None, "REFERENCE"):
        segment = Segment("SOURCE", reference, ("en", "de"))
        if name == "pairwise":
            made.compare([(segment, "FIRST", "SECOND")], how)
        else:
            made.judge([(segment, "OUTPUT")], how)
    texts = ["SOURCE", *(["FIRST", "SECOND"] if name == "pairwise" else ["OUTPUT"])]
    for request in script.requests:
        (message,) = request.messages
        assert [message.content.count(text) for text in texts] == [1] * len(texts)
    counts = [request.messages[0].content.count("REFERENCE") for request in script.requests]
    assert counts == sorted(counts)
    assert set(counts) == {0, 1}
