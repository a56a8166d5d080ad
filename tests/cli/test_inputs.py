from __future__ import annotations

import click
import pytest

from assay.cli.inputs import _named, input_options
from assay.errors import NameClashError


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
