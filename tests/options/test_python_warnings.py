"""Warnings in Python: every note that the command line prints as a warning, once, at the caller's line."""

from __future__ import annotations

import functools
import inspect
import re
import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import assay
from assay import AssayWarning, Note, NoteKind
from assay.cli.group import _run
from assay.compat import sacrebleu
from assay.options.verb import verb
from assay.results.result import Result
from assay.types.runtime import Runtime

REFERENCE = ["the cat sat on the mat", "good morning to you all"]
FUNCTIONS = [name for name in assay.__all__ if inspect.isfunction(getattr(assay, name))]
NOT_PUBLIC_FUNCTIONS = {"open_result", "save_result"}  # saved results were warned of when they were made


def texts(**outputs):
    return assay.load(references={"refA": REFERENCE}, outputs=outputs)


@dataclass(frozen=True, slots=True, repr=False)
class Made(Result):
    columns = ()

    def __repr__(self):
        return "Made()"

    def records(self):
        return ()


def made(*notes):
    """A public function that returns these notes."""

    @verb
    def function() -> Made:
        return Made(notes=notes)

    return function


def warned(function):
    """What a function returns, and the texts of its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function()
    assert all(entry.category is AssayWarning for entry in caught)
    return result, [str(entry.message) for entry in caught]


@pytest.mark.parametrize("kind", NoteKind)
def test_a_warning_of_every_kind_is_a_warning_of_python(kind):
    function = made(Note(kind, "doubtful", "file", severity="warning"), Note(kind, "a fact"))
    with pytest.warns(AssayWarning, match=r"^file: doubtful$") as caught:
        result = function()
    assert len(caught) == 1
    assert repr(result) == "Made()\n1 warning:\n  file: doubtful"
    assert "file: doubtful" in result._repr_html_()
    assert "a fact" not in result._repr_html_()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_warns(name):
    """All functions that `verb` makes have the code of its inner one."""
    is_public = getattr(assay, name).__code__ is made().__code__
    assert is_public != (name in NOT_PUBLIC_FUNCTIONS)


def test_a_function_that_only_wraps_another_is_told_apart():
    @functools.wraps(assay.score)
    def other(*args, **kwargs):
        return assay.score(*args, **kwargs)

    assert other.__code__ is not made().__code__


def test_the_warning_is_at_the_line_of_the_call():
    testset = texts(x=["", "good"])
    line = sys._getframe().f_lineno + 2
    with pytest.warns(AssayWarning, match="x, line 1: 1 of 2 lines is empty") as caught:
        assay.score(testset, "bleu", resamples=0)
    assert [(entry.filename, entry.lineno) for entry in caught] == [(__file__, line)]


def test_a_function_of_assay_that_calls_another_warns_once():
    testset = texts(x=["", "good"])
    result, said = warned(lambda: assay.match(testset, "27.3", resamples=0))  # it calls score many times
    assert said == [str(note) for note in result.warnings] == ["x, line 1: 1 of 2 lines is empty"]


def test_what_is_known_of_the_data_is_said_once():
    domains = [f"domain {i}" for i in range(60)]
    column = [f"text number {i}" for i in range(60)]
    testset, said = warned(lambda: assay.load(outputs={"x": column}, domains=domains, references=column[::-1]))
    assert said == ["domains: 60 different domains for 60 segments: is this a column of domains?"]
    assert repr(testset).endswith(f"\n1 warning:\n  {said[0]}")
    run, later = warned(lambda: assay.score(testset, "chrf", resamples=0))
    assert said[0] in map(str, run.warnings)
    assert said[0] not in later
    assert set(later) == set(map(str, run.warnings)) - {said[0]}


@pytest.mark.parametrize(
    ("known", "later", "is_said"),
    [
        ("s1", "s1", False),
        ("s1", "s10", True),
        ("s1", "en-de, s1", False),
        ("s1, line 2", "s1, line 20", True),
        ("", "en-de", False),
    ],
)
def test_a_warning_is_known_by_the_whole_name_of_its_place(known, later, is_said):
    @verb
    def function(given: object) -> Made:
        return Made(notes=(Note(NoteKind.SUSPECT, "doubtful", later, severity="warning"),))

    _, said = warned(lambda: function(Made(notes=(Note(NoteKind.SUSPECT, "doubtful", known, severity="warning"),))))
    assert bool(said) is is_said


def test_warnings_can_be_silenced_or_raised():
    testset = texts(x=["", "good"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", assay.AssayWarning)
        assay.score(testset, "bleu", resamples=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", assay.AssayWarning)
        with pytest.raises(assay.AssayWarning, match="1 of 2 lines is empty"):
            assay.score(testset, "bleu", resamples=0)


def test_outputs_that_are_none_are_counted():
    testset = texts(x=["the cat", None], y=["a cat", "morning"])
    run, said = warned(lambda: assay.score(testset, "bleu", resamples=0))
    assert said == ["x, line 2: 1 of 2 segments missing"]
    assert [note.count for note in run.warnings] == [1]
    _, said = warned(lambda: assay.compare(testset, "bleu", resamples=10))
    assert said[0] == "x, line 2: 1 of 2 segments missing"
    assert said[1].startswith("no difference can be significant: 1 segment can be swapped in 2 ways")


def test_a_representation_names_few_warnings_and_counts_all():
    notes = [Note(NoteKind.SUSPECT, f"odd {i}", severity="warning") for i in range(5)]
    result, said = warned(made(*notes, *notes))
    assert said == [f"odd {i}" for i in range(5)]
    assert repr(result).splitlines() == [
        *("Made()", "5 warnings:", "  odd 0", "  odd 1", "  odd 2"),
        "  and 2 more: see .warnings",
    ]
    escaped, _ = warned(made(Note(NoteKind.SUSPECT, "<b>\n", severity="warning")))
    assert repr(escaped).endswith("  <b>\\n")
    assert "&lt;b&gt;" in escaped._repr_html_()


@dataclass(frozen=True, slots=True)
class Plain(Made):
    """Without a representation of its own beyond that of dataclasses."""

    value: int = 0


def test_results_of_every_class_show_their_warnings():
    note = Note(NoteKind.SUSPECT, "odd", severity="warning")
    for cls in (Made, Plain):
        assert repr(cls(notes=(note,))).count("1 warning:\n  odd") == 1
        assert "warning:" not in repr(cls())

    classes = [getattr(assay.results, name) for name in assay.results.__all__]
    for cls in (
        each for each in classes if inspect.isclass(each) and issubclass(each, Result) and "__repr__" in vars(each)
    ):
        assert hasattr(cls.__repr__, "shows_warnings"), cls


def campaign():
    """Systems with texts, human scores and scores of a metric, and one row of a file that could not be read."""
    values = -np.abs(np.random.default_rng(1).normal(size=(4, 20)) - 5 + np.arange(4)[:, None])
    names = ("alder", "birch", "cedar", "elm")
    words = ["the", "cat", "sat", "on", "a", "mat", "and", "looked", "at", "my", "dog", "while", "it", "rained"]
    rng = np.random.default_rng(2)
    column = {name: [" ".join(rng.choice(words, 6)) for _ in range(20)] for name in (*names, "refA")}
    column["elm"][3] = ""
    reference = {"refA": column.pop("refA")}
    testset = assay.TestSet(outputs=column, references=reference, lp="de-en", name="wmt")
    tables = (
        assay.ScoreTable("mqm", "segment", names, values, protocol="MQM"),
        assay.ScoreTable("m", "segment", names, values + 1),
    )
    skipped = Note(NoteKind.SKIPPED, "skipped 1 row", "ratings.tsv", 1, "warning")
    return assay.Campaign("wmt", "de-en", 20, names, ("refA",), testset, tables, notes=(skipped,))


VERBS = {
    "score": lambda data: assay.score(data.testset, resamples=0),
    "compare": lambda data: assay.compare(data.testset, resamples=20),
    "match": lambda data: assay.match(data.testset, "20.0", resamples=0),
    "meta": lambda data: assay.meta(data, metrics=["bleu", "m"], gold="mqm", resamples=20),
    "robustness": lambda data: assay.robustness(data, metrics=["bleu", "m"], gold="mqm"),
    "correlate": lambda data: assay.correlate(data, metrics=["bleu", "m"], resamples=20),
    "calibrate": lambda data: assay.calibrate(data, metrics=["bleu"], min_segments=5),
    "decisions": lambda data: assay.decisions(data, metrics=["bleu"], min_segments=5),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_result_warns_of_what_it_notes_and_its_data_do_not(verb):
    data = campaign()
    result, said = warned(lambda: VERBS[verb](data))
    own = [str(note) for note in result.warnings if "skipped 1 row" not in note.text]
    assert said == own
    assert any("elm" in text and "1 of 20 lines is empty" in text for text in said)
    assert f"{len(result.warnings)} warning" in repr(result)


def test_data_warn_when_they_are_read(tmp_path):
    ratings = tmp_path / "ratings.csv"
    rows = [f"r{i % 2},{system},{i + 1},{50 + i}" for system in ("a", "b", "c") for i in range(40)]
    ratings.write_text("\n".join(["rater,system,segment,human:ESA", *rows, "r1,a,x,50", ""]), encoding="utf-8")
    for read in (assay.load_campaign, assay.load_campaigns, assay.read):
        data, said = warned(lambda read=read: read(ratings))
        assert len(said) == 1
        assert "ratings.csv" in said[0]
        assert said[0] in repr(data)
    ranking, said = warned(lambda: assay.rank(data[0]))
    assert [text for text in said if "ratings.csv" in text] == []  # said already
    assert any("ratings.csv" in str(note) for note in ranking.warnings)


def test_score_files_warn_when_they_are_read(tmp_path):
    (tmp_path / "ter.txt").write_text("0.5\n0.25\n", encoding="utf-8")
    loaded, said = warned(lambda: assay.load_scores({"TER": tmp_path / "ter.txt"}, texts(x=["a", "b"])))
    assert len(said) == 1
    assert said[0].startswith("TER: higher scores count as better")
    assert isinstance(loaded, Mapping)
    assert repr(loaded).endswith(f"1 warning:\n  {said[0]}")


def test_the_command_line_prints_a_warning_once_and_python_none(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("ref.de").write_text("a b\nc d\n", encoding="utf-8")
    Path("x.de").write_text("a b\n\n", encoding="utf-8")
    for arguments in (["score", "x.de"], ["match", "27.3", "x.de"]):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert _run([*arguments, "--ref", "ref.de"]) == 0
        assert re.findall(".*empty.*", capsys.readouterr().err) == ["warning: x, line 2: 1 of 2 lines is empty"]


def test_a_runtime_warns_at_the_line_of_the_call():
    with pytest.warns(AssayWarning, match="the cache is full") as caught:
        Runtime().warn("the cache is full")
    assert caught[0].filename == __file__


def test_the_interface_of_sacrebleu_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sacrebleu.corpus_bleu(["", "a b"], [["", "a b"]])
        sacrebleu.BLEU().corpus_score(["a b c d"], [["a b c d"]])


def test_the_check_of_a_metric_does_not_warn_of_its_texts():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assay.testing.check_metric(assay.metrics.metric.create("wer"), texts(x=["", "good"]), skip=["direction"])
