"""docs/coverage.md lists the items of scripts/coverage_items.tsv, and their commands exist."""

from __future__ import annotations

import contextlib
import shlex
from pathlib import Path

import click
import pytest

from assay.cli.group import cli
from assay.errors import MissingExtraError
from scripts.coverage import OUTCOMES, Item, Run, items, outcome, page

PAGE = (Path(__file__).parents[2] / "docs/coverage.md").read_text(encoding="utf-8")
COMMANDS = tuple(dict.fromkeys(each.command for each in items() if each.command and each.expected))


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_parse(command):
    """With their options and choices; nothing is run."""
    name, *arguments = shlex.split(command)
    assert name == "assay"
    with cli.make_context("assay", arguments, obj=tuple(arguments)) as context:
        sub_name, sub, rest = cli.resolve_command(context, [*context._protected_args, *context.args])
        with contextlib.suppress(click.exceptions.Exit, MissingExtraError):  # --help; a metric without its model
            sub.make_context(sub_name, list(rest), parent=context).close()


def test_the_page_lists_the_table():
    listed = {line.split(" | ")[0].removeprefix("| ") for line in PAGE.splitlines() if line.startswith("| ")}
    for each in items():
        assert each.item in listed, each.item
    found = [(each, _outcome_on_the_page(each)) for each in items()]
    assert "\n".join(page(found)) + "\n" == PAGE
    assert all(each.remark for each, outcome in found if outcome != "works")  # what is needed


def _outcome_on_the_page(item):
    section = PAGE.partition(f"\n## {item.paper}\n")[2].partition("\n## ")[0]
    (row,) = (line for line in section.splitlines() if line.startswith(f"| {item.item} | "))
    return next(name for name in OUTCOMES if row.split(" | ")[1].startswith(name))


def test_every_item_is_complete():
    for each in items():
        assert each.paper, each
        assert each.item, each
        assert each.command or each.remark, each  # what has no command says why
    assert len({(each.paper, each.item) for each in items()}) == len(items())


@pytest.mark.parametrize(
    ("expected", "run", "found"),
    [
        ("chrf", Run(0, ("bleu 3", "chrf 4")), "works"),
        ("^Table 2", Run(0, ("Table 1 met", "Table 2 … needs model 1")), "needs model"),
        ("chrf", Run(3, ("error: no such folder",)), "needs data"),
        ("chrf", Run(4, ("error: COMET checkpoint not found",)), "needs model"),
        ("", Run(2, ("error: unknown metric",)), "not computed"),
        ("roles", Run(2, ("error: meant needs the annotation layer 'roles'",)), "needs data"),
        ("", None, "not computed"),
    ],
)
def test_outcomes(expected, run, found):
    assert outcome(Item("A paper", "an item", "assay score", expected, ""), run) == found


@pytest.mark.parametrize("run", [Run(2, ("error: unknown option",)), Run(0, ("bleu 3",)), Run(1, ("chrf",))])
def test_a_command_that_does_something_else_is_an_error(run):
    with pytest.raises(ValueError, match="A paper, an item: assay score"):
        outcome(Item("A paper", "an item", "assay score", "chrf", ""), run)
