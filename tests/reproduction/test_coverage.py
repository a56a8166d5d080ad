"""docs/coverage.md lists the items of scripts/coverage_items.tsv, and their commands exist."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections import Counter
from pathlib import Path

import click
import pytest

from assay.cli.group import cli
from assay.errors import MissingExtraError
from assay.results.reproduction import VERDICTS
from scripts import coverage
from scripts.coverage import (
    AND,
    DIFFERS,
    OTHER_DATA,
    OUTCOMES,
    Item,
    Number,
    Outcome,
    Run,
    items,
    outcome,
    page,
    parsed,
    patterns,
)

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "coverage.md").read_text(encoding="utf-8")
COMMANDS = tuple(dict.fromkeys(command for each in items() if each.command for command in each.command.split(AND)))
PAPERS = {"Cavalin 2024": 52, "Lo 2023": 51, "Mathur 2020": 51, "ElNokrashy 2023": 32, "Macháček 2013": 57}
"""How many items were found when the papers were read."""
SAME_ROWS = {"assay reproduce tangled --data wmt": "tangled", "assay reproduce thresholds --data wmt": "thresholds"}
"""The commands that the page of reproductions was made with, too, and its section. The others there had more data."""


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_parse(command):
    """With their options and choices; nothing is run."""
    name, *arguments = shlex.split(command)
    assert name == "assay"
    with cli.make_context("assay", arguments, obj=tuple(arguments)) as context:
        sub_name, sub, rest = cli.resolve_command(context, [*context._protected_args, *context.args])
        with contextlib.suppress(click.exceptions.Exit, MissingExtraError):  # --help; a metric without its model
            sub.make_context(sub_name, list(rest), parent=context).close()


def test_every_item_of_the_papers_has_a_row():
    assert Counter(each.paper for each in items()) == PAPERS
    assert f"have {sum(PAPERS.values())} items" in PAGE
    for paper, count in PAPERS.items():
        (row,) = (line for line in PAGE.splitlines() if line.startswith(f"| [{paper}]"))
        numbers = [int(cell) for cell in row.strip("| ").split(" | ")[1:]]
        assert numbers[0] == count == sum(numbers[1:])


def test_the_page_lists_the_table():
    found = [(each, _outcome_on_the_page(each)) for each in items()]
    assert "\n".join(page(found)) + "\n" == PAGE
    for each, shown in found:  # what is missing, or of which data it is
        assert each.remark or shown.name in ("works", DIFFERS) or (shown.name == OTHER_DATA and shown.verdicts)


def _outcome_on_the_page(item):
    section = PAGE.partition(f"\n## {item.paper}\n")[2].partition("\n## ")[0]
    (row,) = (line for line in section.splitlines() if line.startswith(f"| {item.item} | "))
    cell = row.split(" | ")[1]
    if item.item.startswith("Claim"):
        assert not cell.startswith("works")  # it would read as if the claim held
        cell = re.sub("^tried", "works", cell)
    name = max((name for name in OUTCOMES if cell.startswith(name)), key=len)
    counts = re.match(rf"{name} \(((?:(?:{'|'.join(VERDICTS)}) \d+(?:, )?)+)\)", cell)
    return Outcome(name, tuple(re.findall(r"([a-z][a-z ]*) (\d+)", counts[1])) if counts else ())


@pytest.mark.parametrize("item", [each for each in items() if each.command in SAME_ROWS], ids=lambda each: each.item)
def test_verdicts_are_those_of_the_page_of_reproductions(item):
    text = (DOCS / "reproduction.md").read_text(encoding="utf-8")
    section = text.partition(f"\n## {SAME_ROWS[item.command]}\n")[2].partition("\n## ")[0]
    found = Counter()
    for line in section.splitlines():
        cells = [cell.strip().replace("\\", "") for cell in line.strip("|").split(" | ")]
        if len(cells) == 7 and cells[5] in VERDICTS:
            where = "" if cells[0] == "–" else f"{cells[0]}, "
            count = re.search(r" \((\d+) numbers\)", cells[1])
            name = where + re.sub(r" \(\d+ numbers\)", "", cells[1])
            if any(re.search(pattern, name) for pattern in patterns(item)):
                found[cells[5]] += int(count[1]) if count else 1
    assert found == {verdict: int(count) for verdict, count in _outcome_on_the_page(item).verdicts}


@pytest.mark.parametrize(
    "item", [each for each in items() if each.command.startswith("assay explain ")], ids=lambda each: each.item
)
def test_commands_without_data_do_what_the_page_says(item, tmp_path, monkeypatch):
    monkeypatch.setattr(coverage, "KEPT", tmp_path / "kept")
    assert outcome(item, coverage.run_command(item.command, tmp_path)) == _outcome_on_the_page(item)


def test_outputs_are_kept_and_taken_again(tmp_path, monkeypatch):
    monkeypatch.setattr(coverage, "KEPT", tmp_path / "kept")
    (tmp_path / "a.txt").write_text("a b c\nd e f\n", encoding="utf-8")
    command = "assay score --ref a.txt other=a.txt -m chrf --save run && assay plot scores run -o s.svg"
    run = coverage.run_command(command, tmp_path)
    assert run.code == 0
    assert any(line.startswith("chrf (n=2)") for line in run.lines)
    assert "chrF of each system" in run.lines  # in the figure
    (tmp_path / "a.txt").unlink()
    assert coverage.run_command(command, tmp_path, reuse=True) == run
    assert coverage.run_command(command, tmp_path).code == 3


def test_every_item_is_complete():
    for each in items():
        assert each.paper, each
        assert each.item, each
        assert bool(each.command) == bool(each.expected), each
        assert each.command or each.remark, each  # what has no command says why
    assert len({(each.paper, each.item) for each in items()}) == len(items())


@pytest.mark.parametrize("item", [each for each in items() if each.command], ids=lambda each: each.item)
def test_what_is_expected_is_not_the_command_itself(item):
    """A pattern that the text of the command matches would be found in every message that repeats it."""
    for pattern in patterns(item):
        for text in (item.command, *shlex.split(item.command), *re.split(r"[ ,:=]", item.command)):
            assert not re.search(pattern, text), (pattern, text)
        assert not re.search(pattern, ""), pattern


@pytest.mark.parametrize(
    ("expected", "run", "found"),
    [
        ("chrf", Run(0, ("bleu 3", "chrf 4")), "works"),
        ("chrf && bleu", Run(0, ("bleu 3", "chrf 4")), "works"),
        ("chrf", Run(3, ("error: no such folder",)), "needs data"),
        ("chrf", Run(4, ("error: COMET checkpoint not found",)), "needs model"),
        ("", Run(2, ("error: unknown metric",)), "not computed"),
        ("roles", Run(2, ("error: meant needs the annotation layer 'roles'",)), "needs data"),
        ("", None, "not computed"),
    ],
)
def test_outcomes(expected, run, found):
    assert outcome(Item("A paper", "an item", "assay score", expected, ""), run) == Outcome(found)


NUMBERS = (
    Number("Table 1, BLEU", "met", 1),
    Number("Table 1, BLEU, ±", "width met", 1),
    Number("Table 1, TER", "differs", 1),
    Number("Table 2, BLEU", "other data", 3),
    Number("Table 2, COMET", "needs model", 2),
    Number("Table 2, ru-en", "needs data", 9),
    Number("Figure 1", "no number", 0),
)


@pytest.mark.parametrize(
    ("expected", "remark", "found"),
    [
        ("^Table 1, BLEU", "", "works (met 1, width met 1)"),
        ("^Table 1, ", "", "works, differs (met 1, differs 1, width met 1)"),
        ("^Table 2, BLEU", "", "works, other data (other data 3)"),
        ("^Table ., BLEU", "", "works, other data (met 1, width met 1, other data 3)"),
        ("^Table 2, ", "", "works, other data (other data 3, needs data 9, needs model 2)"),
        ("^Table 2, [Cr]", "", "needs data (needs data 9, needs model 2)"),
        ("^Table 2, COMET", "partly: no model", "needs model (needs model 2)"),
        ("^Table 1, TER && ^Open", "", "works, differs (differs 1)"),
        ("^Table 1, TER", "partly: one of two", "partly (differs 1)"),
        ("^Figure 1$", "", "works (no number 1)"),
        ("^Figure 1$", "other data: WMT22", "works, other data (no number 1)"),
        ("^Open", "", "works"),
    ],
)
def test_outcomes_of_a_reproduction(expected, remark, found):
    run = Run(0, ("Open: why",), NUMBERS)
    assert outcome(Item("A paper", "an item", "assay reproduce tangled", expected, remark), run).text == found


def test_rows_of_a_reproduction_are_read():
    text = """{"paper": "tangled", "settings": {"samples": "1000"}, "remarks": ["Open: why"],
    "tables": {"a": "Table 3"}, "figures": {"b": {"caption": "Figure 2"}},
    "recommendations": [{"recommended": "Do.", "found": "It holds."}],
    "rows": [{"where": "Table 1", "quantity": "BLEU", "verdict": "met", "count": 2},
             {"where": null, "quantity": "chrF", "verdict": "ours only", "count": 1}]}
    warning: 2 of 3 lines are empty"""
    assert parsed(0, text.splitlines()) == Run(
        0,
        ("samples: 1000", "Open: why", "Table 3", "Figure 2", "Do. It holds."),
        (Number("Table 1, BLEU", "met", 2), Number("chrF", "ours only", 1)),
    )
    assert parsed(0, ["bleu 3"]) == Run(0, ("bleu 3",))


@pytest.mark.parametrize(
    ("expected", "run"),
    [
        ("chrf", Run(2, ("error: unknown option",))),
        ("chrf", Run(0, ("bleu 3",))),
        ("chrf", Run(1, ("chrf",))),
        ("chrf && ter", Run(0, ("chrf 4",))),
        ("^Table 3", Run(0, (), NUMBERS)),
    ],
)
def test_a_command_that_does_something_else_is_an_error(expected, run):
    with pytest.raises(ValueError, match="A paper, an item: assay score"):
        outcome(Item("A paper", "an item", "assay score", expected, ""), run)
