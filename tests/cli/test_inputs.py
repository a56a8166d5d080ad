from __future__ import annotations

from dataclasses import replace

import click
import pytest

from assay.cli.inputs import _named, find_campaign, find_campaigns, input_options
from assay.data.formats.mtme import Mtme
from assay.errors import InputError, NameClashError
from tests.study.campaigns_with_metrics import campaign


def test_names_of_files():
    assert _named("system", ("a/b.de", "c.txt.gz", "x=d.de", "-")) == {
        "b": "a/b.de",
        "c": "c.txt.gz",
        "x": "d.de",
        "stdin": "-",
    }
    with pytest.raises(NameClashError, match=r"two systems are called 'b': a/b.de and c/b.fr"):
        _named("system", ("a/b.de", "c/b.fr"))


def test_options_keep_their_order():
    command = click.command()(input_options(lambda **_: None))
    assert [parameter.name for parameter in command.params] == [
        *("outputs", "references", "systems", "sources", "documents", "domains", "lp"),
        *("data", "wanted", "exclude", "keep_references"),
    ]


def test_campaigns_of_a_place(tmp_path, monkeypatch):
    Mtme().write([campaign(), campaign("en-de")], tmp_path)
    monkeypatch.chdir(tmp_path)
    assert [each.lp for each in find_campaigns("wmt99", ())] == ["de-en", "en-de"]
    assert [each.lp for each in find_campaigns("wmt99", ("en-de", "en-de"))] == ["en-de"]
    assert [each.name for each in find_campaigns(".", ())] == ["wmt99", "wmt99"]
    scores = "wmt99/metric-scores/de-en/good-refA.sys.score"
    assert [each.scores[0].level for each in find_campaigns(scores, ())] == ["system"]


def test_a_folder_of_test_sets(tmp_path):
    Mtme().write([campaign()], tmp_path / "one")
    assert find_campaign(str(tmp_path / "one"), None).name == "wmt99"
    Mtme().write([campaign(), replace(campaign(), name="wmt98")], tmp_path / "two")
    with pytest.raises(InputError, match="holds several test sets") as caught:
        find_campaign(str(tmp_path / "two"), None)
    assert caught.value.hint == f"name one: {tmp_path / 'two' / 'wmt98'}, {tmp_path / 'two' / 'wmt99'}"


def test_a_folder_of_something_else(tmp_path):
    with pytest.raises(InputError, match="no folder of a test set: none of system-outputs/, "):
        find_campaign(str(tmp_path), None)
    (tmp_path / "human-scores").mkdir()
    with pytest.raises(InputError, match="say which language pair is meant with --lp") as caught:
        find_campaign(str(tmp_path), None)
    assert caught.value.hint == "there is none"
