from __future__ import annotations

import click
import pytest

from assay.cli.compare import command as compare
from assay.reports.page.pair_command import pair_command

SYSTEMS = ("base", "new[1]")


def words(command, systems=SYSTEMS):
    found = pair_command((command,), systems)
    return None if found is None else found["words"]


def test_files_of_systems_are_numbered_and_what_writes_is_left_out():
    command = "assay compare --ref r.de out/base.de --save=run --sys 'new[1]=x y.de' --all-pairs -o page.html -m bleu"
    assert words(command) == [
        *([word, None] for word in ("assay", "compare", "--ref", "r.de")),
        ["out/base.de", 0],
        ["--sys", 1],
        ["'new[1]=x y.de'", 1],
        ["-m", None],
        ["bleu", None],
    ]


def test_systems_of_data_are_selected_by_patterns():
    found = pair_command(("assay score x", "assay compare --data wmt22 --systems '*' --baseline base"), SYSTEMS)
    assert found["patterns"] == ["base", "new[[]1]"]
    assert [word for word, _ in found["words"]] == ["assay", "compare", "--data", "wmt22"]


def test_no_command_is_made_up():
    assert pair_command((), SYSTEMS) is None
    assert pair_command(("assay score base.de",), SYSTEMS) is None
    assert pair_command(("assay compare 'base.de",), SYSTEMS) is None  # the quotation does not end
    assert pair_command(("assay compare --data a", "assay compare --data b"), SYSTEMS) is None
    assert words("assay compare base.de other.de") is None  # new[1] is not found
    assert words("assay compare base.de base.fr 'new[1]'") is None  # which of them is base?


@pytest.mark.parametrize(
    "writing",
    ["--no-text -o page.html --force", "-opage.html", "--format html --output=page.html", "--save run --save-texts"],
)
def test_the_copied_command_writes_nothing(writing):
    found = words(f"assay compare {writing} base.de 'new[1]' --notes none -m bleu")
    assert [word for word, _ in found] == ["assay", "compare", "base.de", "'new[1]'", "-m", "bleu"]


def test_every_option_of_the_output_is_left_out():
    """An option that is new among them must be known here, too."""
    options = [
        each for each in compare.params if isinstance(each, click.Option) and getattr(each, "group", "") == "Output"
    ]
    assert len(options) >= 6
    for option in options:
        given = [option.opts[0]] if option.is_flag else [option.opts[0], "x"]
        found = words(" ".join(["assay compare base.de 'new[1]'", *given]))
        assert len(found) == 4, option.opts
