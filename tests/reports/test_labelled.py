from __future__ import annotations

import pytest

from assay.reports.cells import Count, Text
from assay.reports.documents import Caption, Column, Grid, Section
from assay.reports.labelled import (
    caption_sentence,
    labelled,
    listed_text,
    metric_text,
    reason_captions,
    score_text,
    sentence,
    statistic_text,
)
from assay.reports.latex import Latex
from assay.reports.layout import caption_text
from assay.reports.table import Table
from tests.reports.page.comparisons import compared, comparison


@pytest.mark.parametrize(
    ("made", "text", "label"),
    [
        (metric_text("chrf"), "chrf", "chrF"),
        (metric_text("bleu-refA"), "bleu-refA", "BLEU-refA"),
        (score_text("bleu", "corpus"), "bleu corpus", "BLEU"),
        (score_text("bleu", "segment"), "bleu segment", "BLEU segment mean"),
        (statistic_text("pearson"), "pearson", "Pearson"),
        (listed_text([metric_text("ter"), Text("mine"), metric_text("bleu")], 2), "ter, mine and 1 more", None),
    ],
)
def test_a_name_has_two_forms(made, text, label):
    assert made.text == text
    assert made.label == (label or "TER, mine and 1 more")


def test_a_section_shows_its_labels():
    grid = Grid(
        (Column("pearson", "left", label="Pearson"), Column("n")),
        ((metric_text("bleu"), Count(3)),),
        (Caption("{}: so", (metric_text("bleu"),)),),
    )
    shown = labelled(Section((grid,), "bleu corpus", label="BLEU"))
    assert shown.title == "BLEU"
    assert [column.title for column in shown.grids[0].columns] == ["Pearson", "n"]
    assert shown.grids[0].rows[0][0].text == "BLEU"
    assert caption_text(shown.grids[0].captions[0]) == "BLEU: so"


def test_captions_are_sentences_on_a_page_but_names_stay_as_they_are():
    captions = (Caption("± is {}", (Text("so"),)), Caption("of {} systems", (Count(3),)), Caption("{}", (Text("no"),)))
    named = Caption("{}: no interval", (Text("bleurt_best"),))
    assert [*map(caption_sentence, (*captions, named, Caption("one {a} brace")))] == [
        "± is so.",
        "Of 3 systems.",
        "No.",
        "bleurt_best: no interval.",
        "One {a} brace.",
    ]
    assert sentence("") == ""
    assert sentence("It is one.") == "It is one."


def test_papers_have_labels_and_a_terminal_what_options_take():
    from assay.reports import document

    made = document(comparison(compared("bleu", 1.2, aggregation="segment")))
    assert r"system & BLEU segment mean \\" in Latex().render(made)
    assert "100 segments, " in Latex().render(made)
    assert any(line.startswith("bleu segment ") for line in Table().render(made).splitlines())


def test_a_reason_is_said_once():
    reasons = [("bleu", "too few"), ("chrf", None), ("ter", "too few"), ("bleu", "too few"), ("wer", "other")]
    captions = reason_captions((Text(name), reason) for name, reason in reasons)
    assert [*map(caption_text, captions)] == ["bleu, ter: too few", "wer: other"]
