from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict, Unpack

import numpy as np
import pytest

import assay
from assay.errors import AssayError, ConfigError, InputError
from assay.human.options import RankingChoices, RankingOptions
from assay.options.option import Data, Option, split_specs
from assay.options.shared import RUNTIME, TESTSET, Level
from assay.options.verb import options_of_verb, verb, verb_with
from assay.types import TestSet
from assay.types.runtime import Runtime, RuntimeFields

TEXTS = assay.load(outputs={"a": ["x y", "z"]}, references=["x y", "q"])


def make_campaign():
    values = -np.abs(np.random.default_rng(1).normal(size=(4, 20)) - 5 + np.arange(4)[:, None])
    names = ("alder", "birch", "cedar", "elm")
    human = assay.ScoreTable("mqm", "segment", names, values, protocol="MQM")
    metric = assay.ScoreTable("m", "segment", names, values + 1)
    return assay.Campaign("wmt", "en-de", 20, names, (), None, (human, metric))


CAMPAIGN = make_campaign()


@pytest.fixture(scope="module")
def campaign():
    return CAMPAIGN


@pytest.mark.parametrize(
    ("call", "message", "hint"),
    [
        (lambda: assay.load(outputs={}, references=["a"]), "no system output was given", 'outputs={"base": ['),
        (lambda: assay.load(outputs=None), "no system output was given", 'outputs={"base": ['),
        (lambda: assay.load(outputs={"x": "The cat"}), "no such file", "a list: outputs={\"x\": ['The cat', …]}"),
        (lambda: assay.load(outputs=b"abc"), "outputs is bytes; a column is a list of texts", "outputs=["),
        (lambda: assay.load(outputs={"x": b"abc"}), "outputs['x'] is bytes", "second segment, …]}"),
        (lambda: assay.load(outputs=["a", b"b"]), "segment 2: bytes is not text", "decode"),
        (lambda: assay.load(outputs={"a", "b"}), "outputs is set", "outputs=["),
        (lambda: assay.load(outputs=["a"], references=7), "references is int", "references=["),
        (lambda: assay.load(outputs=["a"], sources={"x": ["a"]}), "sources is dict", "sources=["),
        (lambda: assay.load(outputs=np.array([["a"], ["b"]])), "outputs is 2 lists of 1", None),
        (lambda: assay.load(outputs=["a"], lp=5), "lp must be a string, not int", None),
        (lambda: assay.TestSet(outputs={"x": "abc"}), "a column is a list of texts, not str", "assay.load("),
        (lambda: assay.TestSet(outputs=["abc"]), "a mapping from names to columns is needed, not list", "assay.load("),
        (lambda: assay.TestSet(outputs={"x": ["a"]}, sources="a"), "a column is a list of texts, not str", None),
        (lambda: assay.score(["ref"], ["out"]), "testset must be a test set, not list", "assay.score(testset, …)"),
        (lambda: assay.score("x", "bleu"), "testset must be a test set, not 'x'", "testset = assay.load(outputs="),
        (
            lambda: assay.score(TEXTS, None),
            "metrics must be a string or a list of strings, not None",
            '"bleu"',
        ),
        (lambda: assay.score(TEXTS, [5]), "5 is not a metric", "its name"),
        (lambda: assay.score(TEXTS, len), "metrics must be a string or a list of strings", "from_function"),
        (lambda: assay.score(TEXTS, [assay.TestSet]), "is not a metric", "TestSet()"),
        (lambda: assay.score(TEXTS, by=None), "by must be a string or a list", None),
        (lambda: assay.score(TEXTS, agg=5), "agg must be a string or a list", None),
        (lambda: assay.score(TEXTS, confidence="high"), "confidence must be a number, not 'high'", None),
        (lambda: assay.score(TEXTS)[0], "'0' was not scored", "give a name: bleu, chrf"),
        (lambda: assay.match(None, "27.3"), "testset must be a test set, not None", "assay.match(testset, …)"),
        (
            lambda: assay.rank("/path"),
            "judgements must be a campaign or judgements, not '/path'",
            "assay.rank(campaign",
        ),
        (lambda: assay.meta("/path"), "campaigns must be a campaign or a list of campaigns", "assay.load_campaigns("),
        (
            lambda: assay.meta([TEXTS]),
            "campaigns must be a campaign or a list of campaigns, not TestSet",
            None,
        ),
        (lambda: assay.robustness(None), "campaign must be a campaign, not None", "assay.load_campaign("),
        (lambda: assay.robustness(CAMPAIGN, seed=1.5), "seed must be an integer, not float", None),
        (lambda: assay.rank(CAMPAIGN, quality="x"), "quality must be a number, not 'x'", None),
        (lambda: assay.rank(CAMPAIGN, threshold=[1]), "threshold must be a number, not list", None),
        (lambda: assay.rank(CAMPAIGN, resamples=True), "resamples must be an integer, not bool", None),
        (lambda: assay.rank(CAMPAIGN, gold=5), "gold must be a string, not int", None),
        (lambda: assay.rank([5]), "judgements must be a campaign or judgements, not int", None),
        (lambda: assay.check(5), "paths must be a string or a path, not int", None),
        (lambda: assay.check(["x", 5]), "paths must be a string or a path, not int", None),
        (lambda: assay.check("x", strict=1), "strict must be True or False, not int", None),
        (lambda: assay.read(5), "paths must be a string or a path, not int", None),
        (lambda: assay.convert(5, "x.tsv"), "paths must be a string or a path, not int", None),
        (lambda: assay.convert("x", "y.tsv", only=5), "only must be a string or a list of strings", None),
        (lambda: assay.load_campaign(5), "data must be a string or a path, not int", None),
        (lambda: assay.load_campaigns("x", lps=5), "lps must be a string or a list of strings", None),
        (lambda: assay.load_scores(5, TEXTS), "paths must be a path, a list of paths", 'paths="comet.json"'),
        (lambda: assay.load_scores([5], TEXTS), "paths must be a path, a list of paths", 'paths="comet.json"'),
        (lambda: assay.load_scores("x", 5), "target must be a test set or campaigns, not int", "assay.load_campaign("),
        (
            lambda: assay.rater_reliability([1, 2]),
            "judgements must be a campaign or judgements, not list",
            "assay.rater_reliability(",
        ),
        (lambda: assay.rank({}), "judgements must be a campaign or judgements, not dict", "assay.rank(campaign"),
        (lambda: assay.meta([]), "campaigns is empty", "assay.meta(campaigns"),
        (lambda: assay.check({}), "paths must be a string or a path, not dict", None),
        (lambda: assay.check([]), "no files to check", None),
        (lambda: assay.import_data([5]), "archives must be a string or a path, not int", None),
        (lambda: assay.fetch_data(5), "names must be a string or a list of strings", None),
        (lambda: assay.open_result(5), "folder must be a string or a path, not int", None),
        (lambda: assay.save_result(CAMPAIGN, None), "folder must be a string or a path, not NoneType", None),
        (lambda: assay.diff(5, 6), "first must be a Run, a string or a path, not int", None),
        (lambda: assay.describe_metric(None), "spec must be a string, not None", None),
    ],
)
def test_wrong_types_name_the_parameter_and_the_right_call(call, message, hint):
    with pytest.raises((InputError, ConfigError)) as caught:
        call()
    assert message in caught.value.message
    assert (hint or "") in (caught.value.hint or "")


def test_columns_of_other_types_are_read():
    array = np.array(["x y", "z"])
    testset = assay.load(outputs={"a": array, "b": (text for text in array)}, references=array.astype(object))
    assert testset.outputs["a"] == testset.outputs["b"] == ("x y", "z")


def test_a_string_is_read_as_on_the_command_line(campaign):
    assert list(assay.score(TEXTS, "bleu,chrf", resamples=0)) == ["bleu", "chrf"]
    run = assay.score(TEXTS, "bleu:tok=intl,smooth=floor, chrf", agg="corpus,segment", resamples=0)
    assert list(run) == ["bleu:tok=intl,smooth=floor", "chrf"]
    one = assay.meta(
        [campaign], gold="mqm", statistics="pearson,kendall", systems="alder,birch,cedar,elm", random_metrics=0
    )
    lists = {"statistics": ["pearson", "kendall"], "systems": ["alder", "birch", "cedar", "elm"]}
    assert str(list(one.rows())) == str(list(assay.meta(campaign, gold="mqm", random_metrics=0, **lists).rows()))
    assert len(assay.rank(campaign, gold="mqm", systems="alder,elm", resamples=0)) == 2


def test_an_index_into_a_ranking(campaign):
    ranking = assay.rank(campaign, gold="mqm", systems=["alder", "elm"], resamples=0)
    with pytest.raises(AssayError, match="give a name: alder, elm"):
        ranking[0]


def test_the_signature_has_plain_types():
    @verb
    def function(
        testset: Annotated[TestSet, TESTSET],
        metrics: Annotated[Sequence[str], Option("Metrics.", split=split_specs)] = ("bleu",),
        *,
        other: Annotated[int | None, Option("Another number.", default="one more")] = None,
        side: Annotated[Literal["left", "right", "both"], Option("A side.", choices=("right", "left"))] = "left",
    ) -> Any:
        """What it does."""
        return metrics, other

    assert str(inspect.signature(function)) == (
        "(testset: assay.types.testset.TestSet, metrics: collections.abc.Sequence[str] = ('bleu',), *, "
        "other: int | None = None, side: Literal['left', 'right', 'both'] = 'left') -> 'Any'"
    )
    assert function.__doc__ == (
        "What it does.\n\n"
        "Parameters\n----------\n"
        "testset : TestSet\n    The texts: outputs, references and sources.\n"
        "metrics : list of str, default bleu\n    Metrics.\n"
        "other : int, optional\n    Another number. Default: one more.\n"
        "side : {right, left}, default left\n    A side."
    )
    assert function(TEXTS) == (("bleu",), None)
    assert function(TEXTS, "a:b=c,d=e,f", other=2) == (("a:b=c,d=e", "f"), 2)
    with pytest.raises(TypeError, match="function\\(\\) got an unexpected keyword argument 'others'"):
        function(TEXTS, others=2)


def test_types_are_read_and_not_their_spelling():
    """However a list of campaigns is declared, it is checked."""
    campaigns = Data("Campaigns.", noun="campaigns", example="campaigns = …")
    for declared in (Iterable[assay.Campaign], Sequence[assay.Campaign]):

        def function(several: Any) -> Any:
            return several

        function.__annotations__["several"] = Annotated[declared, campaigns]
        assert verb(function)(CAMPAIGN) == (CAMPAIGN,)
        with pytest.raises(InputError, match="several must be campaigns, not int"):
            verb(function)([5])


def test_the_fields_of_a_dataclass_are_parameters():
    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Options:
        size: Annotated[int, Option("A size.")] = 3

    class Choices(TypedDict, total=False):
        size: int

    @verb_with(Options)
    def function(name: Annotated[str, Option("A name.")], **options: Unpack[Choices]) -> tuple[str, Options]:
        """What it does."""
        return name, Options(**options)

    assert list(inspect.signature(function).parameters) == list(options_of_verb(function)) == ["name", "size"]
    assert function("a", size=4) == ("a", Options(size=4))
    with pytest.raises(ConfigError, match="size must be an integer, not 'x'"):
        function("a", size="x")


def test_the_fields_of_an_object_are_keyword_arguments():
    @verb
    def function(
        name: Annotated[str, Option("A name.")] = "a",
        *,
        runtime: Annotated[Runtime | None, RUNTIME] = None,
        **_: Unpack[RuntimeFields],
    ) -> Runtime | None:
        """What it does."""
        return runtime

    assert function() is None
    assert function(threads=None) is None
    assert function(threads=1, cache="x") == Runtime(threads=1, cache="x")
    assert function(runtime=Runtime(threads=2)) == Runtime(threads=2)
    assert list(inspect.signature(function).parameters)[:4] == ["name", "runtime", "threads", "device"]
    assert "threads : int, optional\n    Number of threads." in function.__doc__
    with pytest.raises(ConfigError, match="threads must be an integer between 1 and 1,024, not 0"):
        function(threads=0)
    with pytest.raises(ConfigError, match="progress must be a function, not int"):
        function(progress=1)
    with pytest.raises(ConfigError) as caught:
        function(runtime=Runtime(), threads=1, device="cpu")
    assert caught.value.message == "threads, device cannot be given together with runtime"
    assert caught.value.hint == "runtime=assay.Runtime(threads=…, device=…, …)"


def test_public_functions_take_threads(campaign, tmp_path):
    (tmp_path / "base.tsv").write_text("source\treference\tbase\na\tb\tc\n", encoding="utf-8")
    steps = []
    options = {"threads": 1, "progress": lambda task, done, total: steps.append((task, done, total))}
    (read,) = assay.read(tmp_path / "base.tsv", **options)
    assert assay.load_campaign(tmp_path / "base.tsv", **options).testset == read.testset
    assert steps == [(f"reading {tmp_path}/base.tsv", step, 1) for step in (0, 1, 0, 1)]
    testset = assay.load(outputs={"a": ["x"]}, references={"r": ["x"]}, **options)
    assert steps[4::2] == [("reading outputs: a", 0, 1), ("reading references: r", 0, 1)]
    (tmp_path / "a.seg.score").write_text("1\n", encoding="utf-8")
    assert len(assay.load_scores(tmp_path / "a.seg.score", testset, **options).tables) == 1
    assert steps[-1] == (f"reading {tmp_path}/a.seg.score", 1, 1)
    assert "<html" in assay.report(assay.score(testset, "chrf", **options), **options)
    assert steps[-2:] == [("opening Run", 0, 1), ("opening Run", 1, 1)]
    assert (
        assay.score(TEXTS, "bleu", resamples=0, threads=1)["bleu"].corpus
        == assay.score(TEXTS, "bleu", resamples=0)["bleu"].corpus
    )
    assert len(assay.rank(campaign, gold="mqm", resamples=0, threads=1)) == 4
    curves = assay.robustness(campaign, gold="mqm", threads=1)
    assert str(curves) == str(assay.robustness(campaign, gold="mqm", runtime=assay.Runtime(threads=1)))


def test_the_choices_of_rankings_are_their_options():
    assert RankingChoices.__annotations__.keys() == {field.name for field in dataclasses.fields(RankingOptions)}


def test_the_levels_have_short_forms_and_files_can_be_a_list(tmp_path):
    @verb
    def f(*paths: str | Path, level: Level = "system") -> tuple[object, ...]:
        return paths, level

    assert f("a", "b", level="seg") == (("a", "b"), "segment")
    assert f(["a", "b"], level="sys") == (("a", "b"), "system")
    with pytest.raises(ConfigError, match="paths must be"):
        f([1])
    with pytest.raises(ConfigError, match="unknown level 'segmnt'\ndid you mean 'segment'"):
        f(level="segmnt")


def test_a_campaign_instead_of_a_test_set():
    with pytest.raises(InputError) as caught:
        assay.score(CAMPAIGN)
    assert caught.value.hint == "select its texts: assay.score(campaign.select_texts(), …)"
