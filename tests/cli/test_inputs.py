from __future__ import annotations

import click
import pytest

from assay.cli.inputs import _files_by_name, input_options
from assay.errors import NameClashError


def test_names_of_files():
    assert _files_by_name("system", ("a/b.de", "c.txt.gz", "x=d.de", "-", "e,f.de")) == {
        "b": "a/b.de",
        "c": "c.txt.gz",
        "x": "d.de",
        "stdin": "-",
        "e,f": "e,f.de",
    }
    with pytest.raises(NameClashError, match=r"two systems are called 'b': a/b.de and c/b.fr"):
        _files_by_name("system", ("a/b.de", "c/b.fr"))


def test_options_keep_their_order():
    command = click.command()(input_options(lambda **_: None))
    assert [parameter.name for parameter in command.params] == [
        *("outputs", "references", "named_outputs", "sources", "documents", "domains", "lp", "data", "input_format"),
        *("systems", "exclude", "keep_references"),
    ]
