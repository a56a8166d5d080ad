from __future__ import annotations

import json

import pytest

from assay.cli.group import _run


def call(capsys, *arguments):
    code = _run(["explain", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_answer_comes_first(capsys):
    code, out, err = call(capsys, "bleu", "1.2", "--lp", "de-en")
    assert code == 0
    first, _, third, _, fifth, *_ = out.splitlines()
    assert first.startswith("BLEU 1.2 (corpus, de-en): in WMT 2020–2022 (DA/SQM), people significantly preferred the ")
    assert third.startswith("They preferred the better-scored system at all, ")
    assert fifth.startswith("Seen in ")
    assert "no substitute for a test" in err


@pytest.mark.parametrize("difference", ["-1.2", "-.5"])
def test_a_negative_difference_is_a_number(capsys, difference):
    code, out, _ = call(capsys, "bleu", difference, "--format", "json")
    assert code == 0
    assert json.loads(out)["difference"] == -float(difference)


def test_options_are_still_options(capsys):
    code, _, err = call(capsys, "bleu", "1", "--wrong")
    assert code == 2
    assert "unknown option '--wrong'" in err


def test_variants_of_metrics_are_left_to_json(capsys):
    arguments = ("bleu", "2", "--agg", "segment", "--protocol", "DA/SQM")
    _, out, _ = call(capsys, *arguments)
    assert "\nbleu-moses " not in out
    assert "variants of these metrics that are left out here: 7" in out
    _, out, _ = call(capsys, *arguments, "--format", "json")
    assert "bleu-moses" in {each["metric"] for each in json.loads(out)["equivalents"]}


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("bluee", "1"), "did you mean 'bleu'?"),
        (("bleu", "1", "--domain", "newz"), "did you mean 'news'?"),
        (("bleu", "1", "--calibration", "c.txt"), "give a file that assay calibrate -o FILE.json wrote"),
    ],
)
def test_errors_say_what_to_do(capsys, arguments, hint):
    code, out, err = call(capsys, *arguments)
    assert code == (3 if "c.txt" in arguments else 2)
    assert out == ""
    assert hint in err


def test_no_calibration_is_an_answer(capsys):
    code, out, err = call(capsys, "COMET-20", "0.05")
    assert code == 0
    assert out.strip() == (
        "COMET-20 0.05 (corpus): no calibration: the calibration 'wmt' does not cover COMET-20; assay calibrate fits "
        "one to your data."
    )
    assert "lo2023 has cut-offs of COMET-20: --calibration lo2023" in err


def test_several_metrics_have_one_answer(capsys):
    code, out, _ = call(capsys, "bleu,chrf", "-0.4,1.2", "--lp", "en-cs", "--format", "json")
    assert code == 0
    tree = json.loads(out)
    assert [(each["metric"], each["difference"]) for each in tree["scores"]] == [("bleu", -0.4), ("chrf", 1.2)]
    assert tree["preferred"] == "the first system"
    assert tree["rows"][0]["answers"] == "chrf/corpus"
    assert len(tree["validation"]["alone"]) == 2
    assert tree["signature"].startswith("metric:bleu+chrf|agg:corpus+corpus|difference:-0.4+1.2|lp:en-cs|")


def test_fewer_judged_segments(capsys):
    code, out, _ = call(capsys, "bleu", "2", "--lp", "de-en", "--judged", "150")
    assert code == 0
    assert out.startswith("BLEU 2 (corpus, de-en, if 150 segments of each system are judged): ")
    assert "|judged:150|" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bleu,chrf", "1.2"), "2 metrics and 1 difference were given"),
        (("bleu", "1,2"), "1 metric and 2 differences were given"),
        (("bleu,bleu", "1,2"), "bleu corpus was given twice"),
        (("bleu,chrf", "1,x"), "'1,x' is not a number"),
        (("bleu", "2", "--judged", "0"), "--judged must be an integer between 2"),
    ],
)
def test_questions_that_cannot_be_asked(capsys, arguments, message):
    code, _, err = call(capsys, *arguments)
    assert code == 2
    assert message in err
