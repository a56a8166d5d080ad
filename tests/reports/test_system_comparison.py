from __future__ import annotations

import re

import numpy as np

from assay import ScoreTable, compare, load
from assay.labels.tests import IN_CLUSTERS
from assay.reports import document
from assay.reports.cells import Flag, cell_text
from assay.reports.latex import Latex
from assay.reports.md import Markdown
from assay.reports.table import Table
from assay.words import verdict
from tests.store.examples import example


def test_verdict_then_differences_then_clusters():
    found = example("compare")
    lines = Table().render(document(found, details=True)).splitlines()
    assert lines[0] == verdict((found,)).text
    assert any(line.startswith("bleu corpus (n=130)") and "p (holm)" in line for line in lines)
    titles = next(line.split() for line in lines if line.startswith("bleu corpus"))
    assert titles[3:7] == ["other", "score", "other", "score"]
    assert any("  detectable (80 % power)" in line for line in lines)
    assert any(line.startswith("system") and "p_best" in line for line in lines)
    assert "p-values after Holm correction for 3 pairs" in lines
    assert lines[-1] == found.signature


def contrasted(**options):
    outputs = {
        "base": [f"das ist Satz {k} von vielen" for k in range(50)],
        "new": [f"das war Satz {k} von vielen" for k in range(50)],
    }
    references = [f"das {'war' if k < 30 else 'ist'} Satz {k} von vielen" for k in range(50)]
    testset = load(outputs=outputs, references=references, documents=[f"d{k}" for k in range(50)])
    return document(compare(testset, "chrf", agg="corpus", resamples=50, **options), details=True)


def test_words_that_differ_are_marked_and_styled_on_a_terminal():
    examples = contrasted(examples=1)
    plain, styled = Table().render(examples), Table(styled=True).render(examples)
    assert "das *war* Satz 0" in plain
    assert "\x1b" not in plain
    assert "das \x1b[33m\x1b[4mwar\x1b[0m Satz 0" in styled
    assert "*" not in styled
    assert "\\*war\\*" in Markdown().render(examples)


def test_examples_without_sources_have_no_row_for_them():
    lines = Table().render(contrasted(examples=1)).splitlines()
    assert not any("source" in line for line in lines)
    start = next(k for k, line in enumerate(lines) if line.startswith("segment"))
    assert lines[start + 1].split()[:3] == ["1", "ref", "das"]


def test_words_that_no_reference_has_are_no_row():
    outputs = {"base": ["das ist neu"] * 5, "new": ["das war neu"] * 5}
    testset = load(outputs=outputs, references=["das ist alt"] * 5)
    found = compare(testset, "chrf", agg="corpus", resamples=50, words=True)
    assert "frequency:0" in {group["group"] for contrast in found.contrasts for group in contrast.tree()["groups"]}
    text = Table().render(document(found))
    assert "frequency:5-9" in text
    assert "frequency:0" not in text


def test_of_many_groups_the_extremes_are_shown():
    text = Table().render(contrasted(by="document"))
    assert text.count("document:d") == 20
    assert "30 rows between the best and the worst 10 are left out; JSON has all of them" in text


def test_differences_below_one_keep_their_digits():
    values = np.array([[0.81, 0.82, 0.83] * 10, [0.80, 0.82, 0.81] * 10])
    scores = ScoreTable("comet", "segment", ("new", "base"), values)
    texts = ["x"] * 30
    testset = load(outputs={"base": texts, "new": texts}, references=texts, domains=["a", "b"] * 15)
    text = Table().render(document(compare(testset, scores, resamples=50, by="domain")))
    assert "+0.0100" in text
    assert "+0.01 " not in text


def test_won_and_lost_are_segments_also_where_documents_are_the_units():
    titles = Table().render(contrasted(unit="document"))
    assert "segments won  segments tied  segments lost" in titles
    assert "segments won" not in Table().render(contrasted())


def test_the_level_of_the_interval_is_named():
    assert "difference [95 %]" in Table().render(contrasted())
    assert "difference [80 %]" in Table().render(contrasted(confidence=0.8))


def test_the_best_of_the_clusters_and_those_that_do_not_differ_from_it_are_flagged():
    found = example("compare")
    (metric,) = [metric for metric in found.metrics if metric.clusters][:1]
    grids = [grid for section in document(found, details=True).sections for grid in section.grids]
    rows = next(grid for grid in grids if grid.columns[0].title == "system").rows
    best, *others = metric.clusters
    undecided = {name for p in metric.pairs if not p.shows_difference for name in (p.first, p.second)}
    flags = {row[0].text: row[2].flags for row in rows}
    assert flags[best] == {Flag.BEST}
    assert all(Flag.BEST not in flags[name] for name in others)
    assert all(name in undecided for name in others if Flag.AMONG_BEST in flags[name])


def test_a_single_pair_is_not_corrected():
    """One p-value needs no correction, so the table does not claim one."""
    assert example("compare").correction == example("compare").settings["correction"] == "holm"
    texts = example("compare").inputs
    single = compare(texts.with_systems(texts.systems[:2]), "bleu", agg="corpus", resamples=50, correction="holm")
    assert single.correction == single.to_dict()["correction"] == "none"
    lines = Table().render(document(single, details=True)).splitlines()
    assert not any("holm" in line or "are corrected" in line for line in lines)
    assert any(set(texts.systems[:2]) < set(line.split()) and "  p  " in line for line in lines)


def test_the_details_of_a_pair_are_a_row_for_each_score():
    texts = example("compare").inputs
    single = compare(texts.with_systems(texts.systems[:2]), ["bleu", "ter"], resamples=50)
    grid = document(single, details=True).sections[0].grids[0]
    titles = [column.title for column in grid.columns]
    assert titles[:3] == ["", *reversed(texts.systems[:2])]
    assert {"won", "tied", "lost"} < set(titles)
    scores = [cell_text(row[0]).partition(" (")[0] for row in grid.rows]
    assert scores == ["bleu corpus", "bleu segment", "ter corpus", "ter segment"]


def test_a_paper_has_clusters_and_marks_what_is_not_shown():
    text = Latex().render(document(example("compare")))
    first = text.partition("\\end{table}")[0]
    assert f"In parentheses: cluster, 1 is best; {IN_CLUSTERS}. " in first
    assert (
        "Tests: approximate randomisation, two-sided, p \\textless{} 0.05, after Holm correction for 3 pairs under "
        "each score. " in first
    )
    assert re.search(r"\n\w+ & \\textbf\{\d+\.\d \(1\)\} & ", first)
    assert re.search(r"\$\\Delta\$ & (.* & )?p ", text)
    assert "won" not in text


def test_a_paper_has_the_baseline_first_and_marks_what_does_not_differ_from_it():
    outputs = {"base": ["a b c d"] * 20, "copy": ["a b c d"] * 20, "bad": ["x y z w"] * 20}
    testset = load(outputs=outputs, references=["a b c e"] * 20)
    text = Latex().render(document(compare(testset, "chrf", baseline="base", agg="corpus", resamples=50)))
    rows = [line for line in text.splitlines() if line.startswith(("base &", "copy &", "bad &"))][:3]
    assert [row.partition(" &")[0] for row in rows] == ["base", "copy", "bad"]
    assert ["ddagger" in row for row in rows] == [False, True, False]
    assert "$\\ddagger$: no difference from the baseline (base) shown." in text
