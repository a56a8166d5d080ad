"""Replies are read strictly: what is not in the form that was asked for has no value."""

from __future__ import annotations

import pytest

from assay.judges.reading import read_choice, read_object, read_score
from assay.judges.request import UnreadableReply


def score(reply):
    return read_score(reply, low=0, high=100)


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ('{"score": 87}', 87),
        ('  {"score": 87.5}\n', 87.5),
        ('{"score": 0, "why": "nothing is left"}', 0),
        ('```json\n{"score": 87}\n```', 87),
        ('```\n{"score": 100}\n```', 100),
        ("87", 87),
        ("Score: 87", 87),
        ("score = 87.5", 87.5),
        ("<think>It might be 40 or 50.</think>\n\n87", 87),
        ('<think>\n{"score": 1}\n</think>{"score": 87}', 87),
    ],
)
def test_a_score(reply, value):
    assert score(reply) == value


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "the reply is empty"),
        (" \n", "the reply is empty"),
        ("I'm sorry, but I can't help with that.", "there is no number"),
        ("Die Übersetzung ist gut.", "there is no number"),
        ("Оценка: 87", "there is text beside the number"),
        ("٨٧", "there is no number"),
        ("87/100", "several numbers"),
        ("between 80 and 90", "several numbers"),
        ("80\n90", "several numbers"),
        ("87,5", "text beside the number"),
        ("87%", "text beside the number"),
        ("I would say 87", "text beside the number"),
        ("I cannot rate this in 1 step", "text beside the number"),
        ("101", "the score 101.0 is not from 0 to 100"),
        ("-1", "the score -1.0 is not from 0 to 100"),
        ('{"score": 101}', "the score 101 is not from 0 to 100"),
        ('{"score": 1e999}', "the score inf is not from 0 to 100"),
        ('{"score": NaN}', "not valid JSON"),
        ('{"score": "87"}', "the score is not a number"),
        ('{"score": true}', "the score is not a number"),
        ('{"score": null}', "the score is not a number"),
        ('{"score": [87]}', "the score is not a number"),
        ('{"rating": 87}', "the JSON object has no 'score'"),
        ('{"score": 87, "score": 12}', "not valid JSON"),
        ('{"score": 87', "not valid JSON"),
        ('{"score": 87} {"score": 12}', "not valid JSON"),
        ('{"score": 87} I am sure.', "not valid JSON"),
        ("[87]", "a JSON list, not an object"),
        ('Here it is:\n```json\n{"score": 87}\n```', "text beside the number"),
        ('```json\n{"score": 87}\n```\n```json\n{"score": 12}\n```', "not valid JSON"),
        ('```json\n{"score": 87}\n``` I am sure.', "text beside the code block"),
        ('```json\n{"score": 87}', "text beside the code block"),
        ("<think>87 would be", "in the middle of its thoughts"),
        ("<think>87</think>", "nothing after the thoughts"),
    ],
)
def test_no_score(reply, reason):
    with pytest.raises(UnreadableReply, match=reason):
        score(reply)


@pytest.mark.parametrize("reply", ['{"better": "A"}', "A", " a\n", '```json\n{"better": "a"}\n```'])
def test_a_choice(reply):
    assert read_choice(reply, "better", ["A", "B", "tie"]) == "A"


@pytest.mark.parametrize("reply", ["A or B", "C", "A is better", '{"better": 1}', '{"better": null}', '["A"]', "AB"])
def test_no_choice(reply):
    with pytest.raises(UnreadableReply):
        read_choice(reply, "better", ["A", "B", "tie"])


@pytest.mark.parametrize("form", ["%s", "```json\n%s\n```"])
def test_a_text_may_contain_a_code_fence(form):
    reply = '{"errors": [{"text": "```html", "why": "```"}]}'
    assert read_object(form % reply)["errors"][0]["text"] == "```html"


def test_an_object_that_is_nested_too_deeply_is_no_crash():
    with pytest.raises(UnreadableReply):
        read_object('{"a":' * 100_000)
