"""A comparison on one screen."""

from __future__ import annotations

import dataclasses

import pytest

import assay
from assay.reports import document
from assay.reports.latex import Latex
from assay.reports.table import Table
from assay.sample import generate

WIDTH, HEIGHT = 100, 40


@pytest.fixture(scope="module")
def sample():
    campaign = generate("de")
    return assay.load(
        outputs={name: campaign.output(name) for name in ("cedar", "alder", "birch", "elm")},
        references=campaign.references["refA"],
        lp="en-de",
    )


def shown(comparison, **options):
    return Table(width=WIDTH).render(document(comparison, **options))


def test_two_systems_fit_a_screen(sample):
    text = shown(assay.compare(sample.with_systems(["cedar", "alder"]), "bleu,chrf,ter", resamples=500))
    lines = text.splitlines()
    assert len(lines) <= HEIGHT
    assert max(map(len, lines)) <= WIDTH
    titles = next(line.split() for line in lines if "difference [" in line)
    assert titles[:2] == ["alder", "cedar"]
    rows = [line.split()[:2] for line in lines if line.startswith(("bleu", "chrf", "ter"))]
    assert rows == [
        [metric, aggregation] for metric in ("bleu", "chrf", "ter") for aggregation in ("corpus", "segment")
    ]
    said = " ".join(lines)
    assert "Would people notice? The difference comes from only 130 segments; the smallest test set of" in said
    assert said.index("Would people notice?") < said.index("The difference comes from only 130 segments")
    assert "↓: lower is better, so that a difference below 0 is in favour of alder" in said
    assert "detectable" not in text
    assert "detectable" in shown(
        assay.compare(sample.with_systems(["cedar", "alder"]), "chrf", resamples=500), details=True
    )


def test_without_a_difference_people_come_second(sample):
    one = dataclasses.replace(
        sample, **{name: {k: c[:1] for k, c in getattr(sample, name).items()} for name in ("outputs", "references")}
    )
    with pytest.warns(assay.AssayWarning, match="no difference can be significant"):
        found = assay.compare(one.with_systems(["cedar", "elm"]), "bleu", agg="corpus", resamples=500)
    text = " ".join(shown(found).split())
    assert (
        "Would people notice? No difference is shown (p = 1, 1 segment). The smallest test set of the calibration has "
        in text
    )


def test_a_baseline_stands_among_the_others(sample):
    lines = shown(assay.compare(sample, "bleu", agg="corpus", resamples=500)).splitlines()
    table = lines[next(k for k, line in enumerate(lines) if line.startswith("bleu corpus")) :]
    rows = [line.split()[0] for line in table if line.startswith(("alder", "birch", "cedar", "elm"))]
    assert rows == ["alder", "cedar", "birch", "elm"]
    assert any(line.startswith("cedar (baseline)") and len(line.split()) == 3 for line in lines)


def test_all_pairs_are_a_matrix(sample):
    found = assay.compare(sample, "bleu", agg="corpus", all_pairs=True, resamples=2000)
    lines = shown(found).splitlines()
    rows = [line for line in lines if line[:2] in ("1 ", "2 ", "3 ", "4 ")]
    order = [row.split()[1] for row in rows]
    assert order == ["alder", "cedar", "birch", "elm"]
    metric = found.metrics[0]
    start = next(line.index("1 2 3 4") for line in lines if "1 2 3 4" in line)
    for row, system in zip(rows, order, strict=True):
        for mark, other in zip(row[start:].ljust(7)[::2], order, strict=True):
            expected = "-" if other == system else "·" if not metric.pair(system, other).shows_difference else "<>"
            assert mark in expected
    assert "won" not in "".join(lines)
    assert "+" not in "".join(rows)
    assert sum(line.startswith("cluster: 1 is best; ") for line in lines) == 1
    listed = shown(found, pairs=True)
    assert listed.startswith("\n".join(lines[:1]))
    assert listed.count("detectable (80 % power)") == 1
    assert listed.count("p_best") == listed.count("version:") == 0


def test_what_people_gave_stands_beside_the_scores(sample):
    human = assay.ScoreTable("mqm", "system", ("alder", "cedar", "elm"), [[-1.0], [-2.5], [-4.0]], protocol="MQM")
    pair = assay.compare(sample.with_systems(["cedar", "alder"]), "bleu", resamples=500, human=[human])
    assert dict(pair.human["mqm"]) == {"alder": -1.0, "cedar": -2.5}
    row = next(line.split() for line in shown(pair).splitlines() if line.startswith("people: mqm"))
    assert row == ["people:", "mqm", "-1.00", "-2.50", "+1.50"]
    assert "The human scores in the data put alder ahead, too (1.50 mqm; not tested here)." in " ".join(
        shown(pair).split()
    )
    several = shown(assay.compare(sample, "bleu", agg="corpus", resamples=500, human=[human]))
    assert ["people", "mqm"] in [line.split() for line in shown(pair, details=True).splitlines()]
    paper = Latex().render(document(pair))
    assert r"\multicolumn{1}{c}{people}" in paper
    assert "-2.50" in paper.replace("$-$", "-")
    assert [line.split() for line in several.splitlines() if line.endswith("-4.00")] == [["elm", "-4.00"]]


def test_an_unknown_probability_has_its_reason_below_its_table(sample):
    found = assay.compare(sample, "bleu,chrf", resamples=500)
    reason = "no calibration: the metrics prefer different systems"
    assert {pair.first for pair in found.pairs if pair.noticed.reason == reason} == {"birch"}
    assert shown(found).count(f"\nbirch: {reason}\n") == 4  # tables
    pairs = shown(assay.compare(sample, "bleu,chrf", all_pairs=True, resamples=500), pairs=True)
    assert f"cedar and birch: {reason}" in pairs


def test_a_reason_that_the_sentence_has_is_not_repeated(sample):
    (reference,) = sample.references.values()
    both = dataclasses.replace(sample, references={"A": reference, "B": reference})
    text = shown(assay.compare(both, "chrf", agg="corpus", resamples=500))
    assert "Would people notice? No calibration. Calibrations are for one reference, not 2." in text
    assert text.count("not 2") == 1
    assert "noticed" not in text
