"""`judge`: what is asked, what the replies are worth, and what is said of those that cannot be used."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest

import assay
from assay.errors import ConfigError, InputError
from assay.judges.prompt import PROMPTS
from assay.metrics import metric
from assay.testing import check_metric
from assay.types.runtime import Runtime
from tests.judges.scripted import part, scripted

SOURCES = ["One.", "Two two.", "Three."]
OUTPUTS = {"elm": ["Eins.", "Zwei zwei.", "Drei."], "oak": ["Ein.", "Zwei zwei.", "Three."]}
REFERENCES = {"refA": ["Eins.", "Zwei zwei!", "Drei."], "refB": ["1.", "2", "3"]}
ADDRESS = "model=m,endpoint=http://127.0.0.1:8000/v1"


def texts(**changes):
    return assay.load(**{"sources": SOURCES, "outputs": OUTPUTS, "references": REFERENCES, "lp": "en-de", **changes})


def spec(protocol, *options):
    return ",".join([f"judge:protocol={protocol}", ADDRESS, *options])


def run(name, testset=None):
    scores = assay.score(texts() if testset is None else testset, name, resamples=0)
    return scores, scores[name]


def by_length(prompt, vote=0, attempt=0):
    """A score that depends on the output."""
    return json.dumps({"score": 10 * len(part(prompt, "candidate"))})


def notes_with(scores, text):
    return [note for note in scores.notes if text in note.text]


@pytest.mark.parametrize("protocol", ["da", "sqm"])
def test_scores_are_the_replies(monkeypatch, protocol):
    """10 for each character: 5, 10 and 5 of elm; 4, 10 and 6 of oak."""
    scripted(monkeypatch, by_length)
    _, found = run(spec(protocol))
    assert found.segments["elm"].tolist() == [50, 100, 50]
    assert found.segments["oak"].tolist() == [40, 100, 60]
    assert found.segment_mean.estimate("oak").value == pytest.approx(200 / 3)
    assert found.corpus.estimate("oak").value == pytest.approx(200 / 3)


def test_what_the_model_reads(monkeypatch):
    script = scripted(monkeypatch, by_length)
    run(spec("da"))
    prompts = [request.messages[0].content for request in script.requests]
    assert [part(prompt, "original") for prompt in prompts] == [*SOURCES, "One.", "Three."]  # equal outputs once
    assert [part(prompt, "candidate") for prompt in prompts] == [*OUTPUTS["elm"], "Ein.", "Three."]
    assert all("in English:" in prompt and "into German:" in prompt for prompt in prompts)
    assert not any("Eins." in prompt and part(prompt, "reference") for prompt in prompts)
    assert [[message.role for message in request.messages] for request in script.requests] == [["user"]] * 5


def test_the_first_reference_is_read_if_asked_for(monkeypatch):
    script = scripted(monkeypatch, by_length)
    testset = texts(references={"refA": ["Eins.", None, " "], "refB": ["1.", "2", "3"]})
    scores, found = run(spec("da", "reference=yes"), testset)
    assert [part(request.messages[0].content, "reference") for request in script.requests[:3]] == ["Eins.", "2", "3"]
    assert notes_with(scores, "the judge reads the first reference of each segment only")
    assert found.segment_mean.signature.references == "1"


def test_languages_that_are_not_known(monkeypatch):
    script = scripted(monkeypatch, by_length)
    run(spec("da"), texts(lp=None))
    run(spec("da"), texts(lp="en-zh_TW"))
    first, last = (script.requests[i].messages[0].content for i in (0, -1))
    assert "in the source language:" in first
    assert "into Chinese (zh_TW):" in last


def test_the_signature_says_what_scores_depend_on(monkeypatch):
    scripted(monkeypatch, by_length, reported_model="m-2026-01-01")
    _, found = run(spec("da"))
    text = str(found.segment_mean.signature)
    for item in ("protocol:da", "model:m", "endpoint:http://127.0.0.1:8000/v1", "temperature:0", "votes:1"):
        assert f"|{item}|" in text
    assert "|prompt:da.1|" in text
    assert "|reported_model.digest:m-2026-01-01|" in text
    assert "|languages.digest:English-German|" in text  # the prompt names them
    assert "|da.digest:" in text
    assert "prepared" not in text


@pytest.mark.parametrize(("lp", "names"), [("eng-fra", "English-French"), (None, "unknown")])
def test_the_signature_has_the_languages_of_the_prompt(monkeypatch, lp, names):
    scripted(monkeypatch, by_length)
    _, found = run(spec("da"), dataclasses.replace(texts(), lp=lp))
    assert f"|languages.digest:{names}|" in str(found.segment_mean.signature)


def test_languages_that_no_prompt_names_are_in_no_signature(monkeypatch, tmp_path):
    scripted(monkeypatch, by_length)
    (tmp_path / "mine.txt").write_text("{source}\n<candidate>\n{output}\n</candidate>")
    _, found = run(spec("da", f"prompt={tmp_path / 'mine.txt'}"))
    assert "languages.digest" not in str(found.segment_mean.signature)


def test_a_prompt_of_the_users_own(monkeypatch, tmp_path):
    script = scripted(monkeypatch, lambda *_: "50")
    path = tmp_path / "mine.txt"
    path.write_text("Rate {output} for {source}.")
    name = spec("da", f"prompt={path}")
    _, mine = run(name)
    assert script.requests[0].messages[0].content == "Rate Eins. for One.."
    before = dict(mine.segment_mean.signature.resources)["da"]
    path.write_text("Please rate {output} for {source}.")
    assert dict(run(name)[1].segment_mean.signature.resources)["da"] != before


def test_esa_has_two_prompts(monkeypatch, tmp_path):
    scripted(monkeypatch, lambda *_: "50")
    with pytest.raises(ConfigError, match="esa has 2 prompts, and prompt= names 1") as caught:
        run(spec("esa", "prompt=esa-spans.1"))
    assert "esa-spans.1+esa-score.1" in caught.value.hint


MISTAKE = {"errors": [{"text": "Three", "severity": "major", "category": "accuracy/untranslated text"}]}
COMMA = {"errors": [{"text": "zwei", "severity": "minor", "category": "fluency/punctuation"}]}


def marking(prompt, *_):
    """Errors of two outputs; a score of 100 less 40 for each line with an error."""
    if (errors := part(prompt, "errors")) is not None:
        return json.dumps({"score": 100 - 40 * errors.count('"') / 2})
    return json.dumps({"Three.": MISTAKE, "Zwei zwei.": COMMA}.get(part(prompt, "candidate"), {"errors": []}))


def test_mqm_adds_up_weights(monkeypatch):
    """Freitag et al. 2021: a major error weighs 5, a minor one of punctuation 0.1."""
    scripted(monkeypatch, marking)
    _, found = run(spec("mqm"))
    assert found.segments["oak"].tolist() == [0, -0.1, -5]
    assert not np.signbit(found.segments["oak"][0])


@pytest.mark.parametrize(
    ("errors", "score"),
    [
        ([("Eins", "major", "non-translation")], -25),
        ([("", "major", "accuracy/omission")], -5),
        ([("", "major", "accuracy/omission")] * 6, -25),  # no output is worse than one that is no translation
        ([("Eins", "minor", "style"), (".", "minor", "fluency/punctuation")], -1.1),
        ([("Eins", "minor", "punctuation"), (".", "minor", "Punctuation ")], -0.2),
        # not in the output, and an error all the same
        pytest.param([("Zwei", "major", "style")], -5, marks=pytest.mark.warns("have no place")),
        pytest.param([("One!", "major", "non-translation")], -25, marks=pytest.mark.warns("have no place")),
        pytest.param([("Eins", "minor", "style")] * 9, -1, marks=pytest.mark.warns("dropped 8 of 9")),
    ],
)
def test_mqm_scores(monkeypatch, errors, score):
    keys = ("text", "severity", "category")
    reply = json.dumps({"errors": [dict(zip(keys, error, strict=True)) for error in errors]})
    scripted(monkeypatch, lambda *_: reply)
    _, found = run(spec("mqm"), texts(sources=["One."], outputs={"elm": ["Eins."]}, references={}))
    assert found.segments["elm"].tolist() == pytest.approx([score])


def test_esa_scores_with_the_errors_in_sight(monkeypatch):
    script = scripted(monkeypatch, marking)
    _, found = run(spec("esa"))
    assert found.segments["elm"].tolist() == [100, 60, 100]
    assert found.segments["oak"].tolist() == [100, 60, 60]
    second = [part(request.messages[0].content, "errors") for request in script.requests[5:]]
    assert second == ["none", 'minor: "zwei"', "none", "none", 'major: "Three"']
    assert [sorted(schema["properties"]) for schema in script.schemas] == [["errors"], ["score"]]


@pytest.mark.warns("could not be read")
def test_esa_needs_both_stages(monkeypatch):
    def reply(prompt, *_):
        if part(prompt, "errors") is not None:
            return "no" if part(prompt, "candidate") == "Drei." else "70"
        return "What?" if part(prompt, "candidate") == "Ein." else '{"errors": []}'

    scripted(monkeypatch, reply)
    scores, found = run(spec("esa"))
    assert np.isnan([found.segments["elm"][2], found.segments["oak"][0]]).all()
    (note,) = notes_with(scores, "could not be read")
    assert "2 of 5 answers could not be read, after 3 attempts each" in note.text
    assert "in the first step (errors), it is not JSON (1)" in note.text
    assert "in the second step (score), there is no number (1)" in note.text


@pytest.mark.parametrize("protocol", ["esa", "mqm"])
def test_marked_errors_are_handed_out(monkeypatch, protocol):
    script = scripted(monkeypatch, marking)
    testset = texts()
    judge = metric.create(spec(protocol)).prepare(testset)
    judge.statistics(testset, Runtime())
    asked = len(script.requests)
    ratings = judge.predicted_spans(testset, Runtime())
    assert len(script.requests) == asked  # nothing is asked again
    assert (ratings.protocol, ratings.is_human, len(ratings)) == (protocol.upper(), False, 6)
    row = int(np.flatnonzero((ratings.system == 1) & (ratings.segment == 2))[0])
    (error,) = ratings.errors[row]
    assert (error.start, error.end, error.severity) == (0, 5, "major")
    assert ratings.errors[0] == ()


@pytest.mark.parametrize(("protocol", "marks"), [("da", False), ("pairwise", False), ("mqm", True), ("esa", True)])
def test_which_protocols_mark_errors(protocol, marks):
    assert metric.create(spec(protocol)).marks_errors is marks


@pytest.mark.warns("1 of 3 marked errors have no place")
def test_errors_without_a_place_are_counted(monkeypatch):
    errors = [("eins", "minor", "style"), ("zwei", "minor", "style"), (".", "minor", "style")]
    keys = ("text", "severity", "category")
    reply = json.dumps({"errors": [dict(zip(keys, error, strict=True)) for error in errors]})
    scripted(monkeypatch, lambda *_: reply)
    scores, _ = run(spec("mqm"), texts(sources=["One."], outputs={"elm": ["Eins ."]}, references={}))
    (note,) = notes_with(scores, "have no place")
    assert "1 of 3 marked errors have no place" in note.text
    assert (note.example, note.severity) == ("zwei", "warning")
    assert notes_with(
        scores, "of 3 marked errors: 1 found only when case, white space and the shape of characters were ignored"
    )


@pytest.mark.warns("could not be read")
def test_a_reply_is_asked_for_again_and_then_has_no_score(monkeypatch):
    """`Ein.` is answered at the third attempt, `Drei.` never."""

    def reply(prompt, vote, attempt):
        wrong = {"Ein.": attempt < 2, "Drei.": True}.get(part(prompt, "candidate"), False)
        return "I'm sorry,\nI can't." if wrong else "70"

    script = scripted(monkeypatch, reply)
    scores, found = run(spec("da"))
    assert found.segments["oak"].tolist() == [70, 70, 70]
    assert found.segments["elm"][:2].tolist() == [70, 70]
    assert math.isnan(found.segments["elm"][2])
    assert max(script.replies.values()) == 3
    (note,) = notes_with(scores, "could not be read")
    assert "1 of 5 answers could not be read, after 3 attempts each: there is no number (1)" in note.text
    assert (note.example, note.severity) == ("I'm sorry, I can't.", "warning")
    assert notes_with(scores, "lack a defined value (the judge gave no reply that could be read)")
    assert found.segment_mean.estimate("elm").n == found.segment_mean.estimate("oak").n == 2  # the segments of both


@pytest.mark.warns("could not be read")
def test_systems_without_scores_are_named(monkeypatch):
    """oak's last two outputs are the ones that no reply can be read of: without them, it looks as good as elm."""
    scripted(monkeypatch, lambda prompt, *_: "?" if part(prompt, "candidate") in ("b", "c") else "70")
    testset = texts(outputs={"elm": ["a", "x", "x"], "oak": ["a", "b", "c"]})
    scores, _ = run(spec("da", "retries=0"), testset)
    (note,) = notes_with(scores, "2 of 5 answers could not be read, after 1 attempt each")
    assert "; outputs without a score: oak (2); their segments are left out for all systems" in note.text


@pytest.mark.warns("could not be read")
def test_warnings_of_two_judges_name_the_judge(monkeypatch):
    """Each has one unreadable answer: two warnings, and not one."""
    scripted(monkeypatch, lambda prompt, *_: "?" if part(prompt, "candidate") == "Drei." else "70")
    names = [spec("da"), spec("sqm")]
    found = notes_with(assay.score(texts(), names), "could not be read")
    assert [("protocol=sqm" in note.where, note.count) for note in found] == [(False, 1), (True, 1)]
    assert found[0].where != found[1].where


@pytest.mark.warns("could not be read|no segments of elm, oak were scored")
def test_no_readable_reply_at_all_is_no_score(monkeypatch):
    scripted(monkeypatch, lambda *_: "")
    _, found = run(spec("da"))
    assert math.isnan(found.segment_mean.estimate("elm").value)
    assert math.isnan(found.corpus.estimate("elm").value)


def test_votes_are_averaged(monkeypatch):
    """Votes of 60, 70 and 80: their mean, and (10 ** 2) / 3 as the squared standard error of the mean."""
    scripted(monkeypatch, lambda prompt, vote, attempt: str(60 + 10 * vote))
    scores, found = run(spec("da", "votes=3", "temperature=1"))
    assert found.statistics.columns == ("score", "count", "vote_variance", "vote_count")
    assert found.statistics.table[0, 0].tolist() == pytest.approx([70, 1, 100 / 3, 1])
    error = math.sqrt(3 * 100 / 3) / 3
    judge = metric.create(spec("da", "votes=3"))
    assert judge.vote_error(found.statistics.table.sum(axis=1)).tolist() == pytest.approx([error, error])
    assert notes_with(scores, f"a standard error of {error:.2g} with 3 votes")


def test_scores_of_single_votes(monkeypatch):
    scripted(monkeypatch, lambda prompt, vote, attempt: str(60 + 10 * vote))
    testset = texts()
    prepared = metric.create(spec("da", "votes=3", "temperature=1")).prepare(testset)
    assert prepared.vote_scores(testset, Runtime())[1, 2].tolist() == [60, 70, 80]


def test_votes_that_order_systems_differently(monkeypatch):
    """elm leads in votes 1 and 2 and loses in vote 3: the order differs in two of three pairs of votes.

    Of elm's scores, those of votes 1 and 2 are equal, of oak's all: (3 * 1 + 3 * 3) of 18.
    """

    def reply(prompt, vote, attempt):
        elm = part(prompt, "candidate").startswith("elm")
        return str((90, 90, 10)[vote] if elm else 50)

    scripted(monkeypatch, reply)
    outputs = {name: [f"{name} {k}" for k in range(3)] for name in ("elm", "oak")}
    scores, _ = run(spec("da", "votes=3", "temperature=1"), texts(outputs=outputs))
    (note,) = notes_with(scores, "two votes on the same output")
    assert "agree in 67% of cases, and order 66.7% of the pairs of systems differently" in note.text


@pytest.mark.warns("could not be read")
def test_votes_that_cannot_be_read_are_left_out(monkeypatch):
    """The second vote of elm's third output is the only readable one: its spread is not known, and not 0."""

    def reply(prompt, vote, attempt):
        return "?" if part(prompt, "candidate") == "Drei." and vote != 1 else str(60 + 10 * vote)

    scripted(monkeypatch, reply)
    _, found = run(spec("da", "votes=3", "temperature=1"))
    assert found.statistics.table[0, 2].tolist() == [70, 1, 0, 0]
    errors = metric.create(spec("da", "votes=3")).vote_error(found.statistics.table.sum(axis=1))
    assert errors[0] == pytest.approx(errors[1])  # as if it varied like the others


def test_intervals_over_segments_contain_the_spread_of_votes(monkeypatch):
    """All outputs are equally good, and replies vary with a deviation of 10: the mean of 400 has an error of 0.5."""
    generator = np.random.default_rng(1)
    scripted(monkeypatch, lambda *_: f"{50 + 10 * generator.standard_normal():.3f}")
    lines = [f"Zeile {i}." for i in range(400)]
    testset = assay.load(sources=[f"Line {i}." for i in range(400)], outputs={"elm": lines}, lp="en-de")
    for votes in (1, 4):
        name = spec("da", f"votes={votes}", "temperature=1")
        estimate = assay.score(testset, name, resamples=1000)[name].segment_mean.estimate("elm")
        assert (estimate.high - estimate.low) / 3.92 == pytest.approx(0.5 / math.sqrt(votes), rel=0.15)


def better_is_longer(prompt, *_):
    first, second = (len(part(prompt, f"candidate-{letter}")) for letter in "AB")
    return json.dumps({"better": "tie" if first == second else "A" if first > second else "B"})


THREE = {**OUTPUTS, "yew": ["Eins eins.", "Zwei", "Drei."]}


def test_pairwise_is_the_share_of_wins(monkeypatch):
    """By length. Segment 1: yew, elm, oak. Segment 2: elm and oak are equal, yew is shorter. Segment 3: oak first."""
    script = scripted(monkeypatch, better_is_longer)
    scores, found = run(spec("pairwise"), texts(outputs=THREE))
    assert found.segments["elm"].tolist() == [50, 75, 25]
    assert found.segments["oak"].tolist() == [0, 75, 100]
    assert found.segments["yew"].tolist() == [100, 0, 25]
    assert len(script.requests) == 2 * (3 + 1 + 1)  # equal texts are a tie, equal pairs are asked once, both orders
    assert notes_with(scores, "shares of comparisons won against the other systems of this run (3 systems)")
    assert "|against:3-" in str(found.segment_mean.signature)


@pytest.mark.parametrize("options", [(), ("baseline=elm",)])
def test_signatures_differ_if_the_texts_differ_that_outputs_are_compared_with(monkeypatch, options):
    scripted(monkeypatch, better_is_longer)
    other = {**THREE, "elm": [f"{text}!" for text in THREE["elm"]]}
    first, same, changed = (
        str(run(spec("pairwise", *options), texts(outputs=outputs))[1].segment_mean.signature)
        for outputs in (THREE, dict(reversed(THREE.items())), other)
    )
    assert first == same != changed


def test_pairwise_with_a_baseline(monkeypatch):
    scripted(monkeypatch, better_is_longer)
    _, found = run(spec("pairwise", "baseline=elm"), texts(outputs=THREE))
    assert found.segments["elm"].tolist() == [50, 50, 50]
    assert found.segments["oak"].tolist() == [0, 50, 100]
    assert found.segments["yew"].tolist() == [100, 0, 50]


def test_a_judge_that_prefers_the_first_candidate_finds_no_difference(monkeypatch):
    scripted(monkeypatch, lambda *_: "A")
    scores, found = run(spec("pairwise"))
    assert found.segments["elm"].tolist() == found.segments["oak"].tolist() == [50, 50, 50]
    text = (
        "in 2 of 2 comparisons (100%), the answer changed with the order of the candidates; kappa of both orders 0.00"
    )
    assert notes_with(scores, text)


def test_kappa_of_both_orders(monkeypatch):
    """Four pairs: two whose first text (in order of the alphabet) wins in both orders, one that loses, one that flips.

    Three of four agree. By chance: 3/4 * 2/4 for a win and 1/4 * 2/4 for a loss, 0.5. Kappa: (0.75 - 0.5) / 0.5.
    """

    def reply(prompt, *_):
        texts = [part(prompt, f"candidate-{letter}") for letter in "AB"]
        wins = {"a": 0, "b": 0, "c": 1}.get(texts[0][0], 0)
        return "AB"[wins if texts == sorted(texts) or texts[0][0] == "d" else 1 - wins]

    scripted(monkeypatch, reply)
    outputs = {"elm": ["a1", "b1", "c1", "d1"], "oak": ["a2", "b2", "c2", "d2"]}
    testset = assay.load(sources=[*"wxyz"], outputs=outputs, lp="en-de")
    scores, found = run(spec("pairwise"), testset)
    assert found.segments["elm"].tolist() == [100, 100, 0, 50]
    assert notes_with(scores, "in 1 of 4 comparisons (25%)")[0].text.endswith("kappa of both orders 0.50")


def test_pairwise_in_one_order(monkeypatch):
    """The order depends on the texts alone, not on the order of systems."""
    script = scripted(monkeypatch, lambda *_: "A")
    _, found = run(spec("pairwise", "order=one"))
    assert len(script.requests) == 2
    _, turned = run(spec("pairwise", "order=one"), texts(outputs=dict(reversed(OUTPUTS.items()))))
    for name in OUTPUTS:
        assert found.segments[name].tolist() == turned.segments[name].tolist()
        assert set(found.segments[name].tolist()) <= {0, 50, 100}


@pytest.mark.warns("could not be read")
def test_a_comparison_without_an_answer_counts_for_nobody(monkeypatch):
    def reply(prompt, *_):
        return "?" if "Ein." in (part(prompt, "candidate-A"), part(prompt, "candidate-B")) else better_is_longer(prompt)

    scripted(monkeypatch, reply)
    _, found = run(spec("pairwise"), texts(outputs=THREE))
    assert [found.segments[name][0] for name in ("elm", "yew")] == [0, 100]
    assert math.isnan(found.segments["oak"][0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["pairwise", "baseline=ash"], "there is no system 'ash'"),
        (["esa", "baseline=elm"], "baseline has no effect"),
        (["esa", "order=one"], "order has no effect"),
        (["gemba"], "unknown protocol 'gemba'"),
        (["esa", "votes=0"], "votes must be an integer between 1"),
        (["esa", "temperature=-1"], "temperature must be between 0"),
        (["pairwise", "against=2-1"], "against cannot be chosen"),
    ],
)
def test_options_that_cannot_be(monkeypatch, options, message):
    scripted(monkeypatch, better_is_longer)
    with pytest.raises(ConfigError, match=message):
        run(spec(*options))


def test_pairwise_needs_two_systems(monkeypatch):
    scripted(monkeypatch, better_is_longer)
    with pytest.raises(ConfigError, match="there is only one"):
        run(spec("pairwise"), texts(outputs={"elm": OUTPUTS["elm"]}))


@pytest.mark.parametrize(("name", "what"), [("judge", "a model"), ("judge:model=m", "the address of a server")])
def test_without_a_model_or_a_server_an_example_is_shown(name, what):
    with pytest.raises(ConfigError, match=what) as caught:
        run(name)
    assert "judge:protocol=esa,model=NAME,endpoint=http://127.0.0.1:8000/v1" in caught.value.hint


def test_a_prompt_that_is_not_there(monkeypatch):
    scripted(monkeypatch, by_length)
    with pytest.raises(InputError, match="the prompt cannot be read"):
        run(spec("da", "prompt=nowhere.txt"))


def test_a_note_says_where_texts_go(monkeypatch):
    scripted(monkeypatch, by_length)
    assert not notes_with(run(spec("da"))[0], "this computer")
    scripted(monkeypatch, by_length, host="judge.example.org", is_local=False)
    assert notes_with(run(spec("da"))[0], "sources and outputs left this computer")


def test_sources_are_needed():
    with pytest.raises(ConfigError, match="needs the sources"):
        run(spec("da"), assay.load(outputs=OUTPUTS, references=REFERENCES))


def test_show_says_where_the_prompts_are():
    assert str(PROMPTS) in assay.describe_metric("judge").documentation


@pytest.mark.parametrize(
    "options",
    [("da", "reference=yes"), ("sqm",), ("mqm",), ("esa", "votes=2"), ("pairwise",), ("pairwise", "order=one")],
)
def test_the_contract(monkeypatch, options):
    """`systems`: the wins of an output depend on the other systems, as a note says."""

    def reply(prompt, *_):
        if "<candidate-A>" in prompt:
            return better_is_longer(prompt)
        if '{"errors"' in prompt:
            return '{"errors": []}'
        reference = part(prompt, "reference")
        same = reference == part(prompt, "candidate") if reference is not None else False
        return "100" if same else str(len(part(prompt, "candidate")) % 90)

    scripted(monkeypatch, reply)
    check_metric(metric.create(spec(*options)), skip=["systems"] if options[0] == "pairwise" else [])
