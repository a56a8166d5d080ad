from __future__ import annotations

import pytest

from assay.errors import ConfigError, DecodeError, InputError, UnknownNameError
from assay.metaeval.tasks.definition import MAD, PairSettings
from assay.metaeval.tasks.reader import read_task, shipped_tasks
from tests.metaeval.tasks.files import SMALL, write_task


def test_shipped_tasks():
    assert shipped_tasks() == ("wmt13", "wmt22", "wmt23", "wmt24", "wmt25", "wmt26")
    for name in shipped_tasks():
        task = read_task(name)
        assert task.name == name
        assert task.sources
        assert task.settings == {"task": name}


def test_the_official_settings_of_pairs():
    """Gold, reference, human outputs and outliers of mt-metrics-eval's meta_info; WMT25 mixes MQM and ESA."""
    wmt23 = read_task("wmt23").pairs
    assert wmt23["en-de"] == PairSettings("mqm", ("refA",), (), ("synthetic_ref",))
    assert wmt23["he-en"] == PairSettings("mqm", ("refB",), ("refA",))
    assert read_task("wmt24").pairs["en-de"] == PairSettings("mqm", ("refB",), ("refA",))
    wmt25 = read_task("wmt25").pairs
    assert {lp for lp, settings in wmt25.items() if settings.gold == "mqm"} == {"en-ko_KR", "ja-zh_CN"}
    assert {settings.gold for settings in wmt25.values()} == {"mqm", "esa"}
    assert len(wmt25) == 16
    wmt26 = read_task("wmt26")
    assert (len(wmt26.pairs), {settings.gold for settings in wmt26.pairs.values()}) == (23, {"esa"})
    assert [name for name in shipped_tasks() if read_task(name).unpublished] == ["wmt26"]
    assert {settings.method for settings in read_task("wmt13").pairs.values()} == {"wins"}


def test_defaults_and_values_of_pairs(tmp_path):
    task = read_task(
        write_task(
            tmp_path,
            """
            combine = "rank"
            [defaults]
            gold = "da"
            exclude = ["a"]
            [pairs]
            "*-en" = { outliers = "mad", gold = "mqm" }
            en-de = { reference = ["refC", "refA"], human_outputs = "refB" }
            [[components]]
            statistic = "pearson"
            level = ["system", "segment"]
            weight = 2
            """,
        )
    )
    assert task.pairs["*-en"] == PairSettings("mqm", outliers=MAD, exclude=("a",))
    assert task.pairs["en-de"] == PairSettings("da", ("refC", "refA"), ("refB",), exclude=("a",))
    assert (task.components[0].level, task.components[0].weight) == (("system", "segment"), 2.0)
    assert task.settings["task"] == "mine"
    assert len(task.settings["digest"]) == 8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pairs = 1", "'pairs' must be a table"),
        ("[pairs]\na-b = 1\n[[components]]\nstatistic = 'pearson'", "'pairs.a-b' must be a table"),
        ("components = 1", "'components' must be an array of tables"),
        ("", "a task needs 'pairs'"),
        ("[pairs.a-b]", "a task needs 'components'"),
        (SMALL + "level = 'word'", r"unknown value 'word' of 'components\[1\].level'"),
        (SMALL + "statistics = 'x'", r"unknown key 'components\[1\].statistics'"),
        (SMALL + "weight = -1", r"'components\[1\].weight' must be a number from 0, or \"pairs\""),
        (SMALL + "weight = true", r"'components\[1\].weight' must be a number"),
        (SMALL + "weight = 0", "no component counts"),
        (SMALL + "human_outputs = 1", "must be true, false or both"),
        (SMALL.replace("pearson", "pearsen"), "unknown statistic 'pearsen'"),
        (SMALL + "domain = 3", "must be a string"),
        ("resamples = -1" + SMALL, "'resamples' must be an integer from 0"),
        ("combine = 'sum'" + SMALL, "unknown value 'sum' of 'combine'"),
        ("ci = 'judge'" + SMALL, "unknown interval method 'judge'"),
        ("defaults = { method = 'losses' }" + SMALL, "unknown method 'losses'"),
        ("split = ['lp']" + SMALL + "weight = 3", "components have weights, but 'split'"),
        ("split = ['size']" + SMALL, "unknown value 'size' of 'split'"),
        (SMALL + "[[tables]]\ntitle = 'x'", r"'tables\[1\].pairs' is missing"),
        (SMALL.replace('statistic = "pearson"', ""), r"'components\[1\].statistic' is missing"),
        ("a = b\n", "not a TOML file: .*line 1"),
    ],
)
def test_a_flaw_is_an_error_that_names_the_file_and_the_key(tmp_path, text, message):
    path = write_task(tmp_path, text)
    with pytest.raises(InputError, match=message) as caught:
        read_task(path)
    assert caught.value.path == str(path)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_task(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"title = '\xe9'")
    with pytest.raises(DecodeError, match="not UTF-8 at byte 10"):
        read_task(str(tmp_path / "latin.toml"))
    with pytest.raises(UnknownNameError, match="there is no task called 'wmt32'") as caught:
        read_task("wmt32")
    assert caught.value.hint == "use wmt13, wmt22, wmt23, wmt24, wmt25, wmt26 or the path of a TOML file"


def test_a_component_may_occur_once(tmp_path):
    task = read_task(write_task(tmp_path, SMALL + '[[components]]\nstatistic = "pearson"'))
    with pytest.raises(ConfigError, match="the component 'de-en pearson' more than once"):
        task.components_of(task.pairs_of({}))
