"""Outputs before a judge: equal ones are judged once, and what cannot be read is counted once."""

from __future__ import annotations

import math

import numpy as np

from assay.judges.panel import Outputs, Panel, judge_outputs, judge_pairs
from assay.judges.prompt import open_prompt
from assay.judges.protocols import Judging, Segment, protocol
from tests.judges.scripted import Script, part

SEGMENTS = [Segment("s0"), Segment("s1"), None]


def outputs(*systems):
    wanted = np.array(
        [
            [text is not None and segment is not None for text, segment in zip(each, SEGMENTS, strict=True)]
            for each in systems
        ]
    )
    return Outputs(SEGMENTS, systems, wanted)


def judging(name, reply, votes=1):
    made, script = protocol.create(name), Script(reply)
    prompts = dict(zip(made.stages, map(open_prompt, made.bundled_prompts), strict=True))
    return made, script, Judging(prompts, votes, lambda requests, form: script(requests, form.read, form.schema, 0))


def test_equal_outputs_of_a_segment_are_judged_once():
    made, script, how = judging("da", lambda prompt, *_: "?" if part(prompt, "candidate") == "b" else "70")
    panel = judge_outputs(made, outputs(["a", "a", "a"], ["a", "b", None]), how)
    assert len(script.requests) == 3  # "a" of each segment, and "b"; not what has no segment
    assert panel.values[..., 0].tolist()[0][:2] == [70, 70]
    assert np.isnan(panel.values[..., 0]).tolist() == [[False, False, True], [False, True, True]]
    assert (panel.asked, panel.unread) == (3, {"there is no number": 1})


def test_marked_errors_are_those_of_the_first_vote_that_could_be_read():
    def reply(prompt, vote, _):
        if part(prompt, "errors") is not None:
            return "70"
        error = f'{{"text": "{"ab"[vote - 1]}", "severity": "minor", "category": "error"}}'
        return "?" if vote == 0 else f'{{"errors": [{error}]}}'

    made, _, how = judging("esa", reply, votes=3)
    panel = judge_outputs(made, outputs(["a b", None, None]), how)
    assert [error.text for error in panel.errors[0, 0]] == ["a"]
    assert [math.isnan(value) for value in panel.values[0, 0]] == [True, False, False]


def test_a_system_without_an_output_plays_no_game():
    made, script, how = judging("pairwise", lambda *_: "tie")
    panel = judge_pairs(made, outputs(["a", "a", None], ["b", None, None]), how, baseline=None, both_orders=True)
    assert len(script.requests) == 2
    assert panel.values[..., 0][:, 0].tolist() == [50, 50]
    assert np.isnan(panel.values[..., 0][:, 1]).all()


def test_nothing_asked_has_no_kappa():
    assert math.isnan(Panel(np.zeros((1, 1, 1))).order_kappa)
