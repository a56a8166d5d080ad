from __future__ import annotations

from dataclasses import replace

import pytest

import assay
from assay.reports import document
from assay.reports.table import Table
from tests.calibration.made_up import campaign


@pytest.fixture(scope="module")
def table():
    campaigns = [
        campaign(lp, seed=k, domains=True) for k, lp in enumerate(("de-en", "cs-en", "en-de", "en-cs", "en-ja"))
    ]
    result = assay.calibrate(campaigns, metrics="bleu", agg="corpus", min_segments=20, by_domain=True, at="2")
    return Table().render(document(result))


def columns(table, start):
    return " ".join(next(row for row in table.splitlines() if row.startswith(start)).split())


def test_tables_in_the_form_of_the_paper(table):
    assert columns(table, "DA/SQM ") == "DA/SQM 50 % 80 % 95 % at 2 pairs LPs base rate reversed"
    by_target = "DA/SQM, 80 % by target"
    assert columns(table, by_target) == f"{by_target} all English I II largest / smallest"
    assert columns(table, "DA/SQM, 80 % by domain") == "DA/SQM, 80 % by domain all social news"
    assert "by protocol" not in table
    assert "each language pair predicted by fits to the others" in table


def test_kinds_of_systems_have_a_table_of_their_own():
    result = assay.calibrate(campaign(), "bleu", agg="corpus", min_segments=20)
    (first, *others) = result.curves
    of_kinds = replace(first, population=replace(first.population, kinds="LLM", pairs=7))
    text = Table().render(document(replace(result, curves=(first, of_kinds, *others))))
    assert columns(text, "DA/SQM, 80 % by kinds") == "DA/SQM, 80 % by kinds all LLM"
    assert "pairs of systems: all 6, LLM 7" in text
    (row,) = (line for line in text.partition("reversed: ")[0].splitlines() if line.startswith("bleu "))
    assert " 6 " in row  # pairs of all kinds


def test_few_pairs_are_shown(table):
    assert "a number after a cut-off: only so many pairs of systems differ by this much or more" in table
    assert "pairs of systems: all 30, English 12, I 12, II 6" in table


def test_probabilities_say_how_many_pairs_they_are_of_and_why_they_are_missing():
    result = assay.calibrate(campaign(), "bleu", agg="corpus", min_segments=20, at="5,99")
    curve = result.curve("bleu", agg="corpus", protocol="DA/SQM")
    text = Table().render(document(result))
    found = curve.at[5.0]
    assert f"{found.value:.2f} [{found.low:.2f}, {found.high:.2f}] ({curve.step(5.0).pairs})" in text
    assert "a number after a probability: how many pairs of systems are on this step of the curve" in text
    assert "bleu corpus at 99: no calibration: 99 is outside the observed differences of bleu (corpus), " in text
