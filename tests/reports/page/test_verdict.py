from __future__ import annotations

from assay import explain, load, score
from assay.reports.blocks import Answers, Fold
from assay.reports.html.page import blocks_html
from assay.words.statement import Name
from tests.reports.html.parsed import parsed
from tests.reports.page.built import built, page_text
from tests.reports.page.comparisons import compared, comparison
from tests.store.examples import example


def test_the_verdict_comes_with_answers_and_their_evidence():
    section, content = built("verdict", comparison(compared("bleu", 1.2), compared("chrf", 0.1, 0.5)))["verdict"]
    assert section.heading == ("BLEU puts ", Name("new", "a"), " ahead of ", Name("base", "b"), ".")
    assert "Which system is better?" in content.text
    assert {attributes["href"] for attributes in content.having("a")} == {"#pairs"}
    assert section.eyebrow == "en → de · 2 systems · 100 segments · 1 reference"


def test_numbers_of_many_scores_and_answers_by_other_scores_do_not_stand_at_the_top():
    """The chart and a fold have them."""
    scores = [compared(name, 1.2, noticed=explain(name, 1.2)) for name in ("bleu", "chrf", "ter")]
    few, many = (built("verdict", comparison(*scores[:n], calibration="wmt"))["verdict"] for n in (2, 3))
    assert few[0].lede == "new is better than base by BLEU (1.20, p = 0.0010) and chrF (1.20, p = 0.0010)."
    assert many[0].lede == ""
    (fold,) = [block for block in many[0].blocks if isinstance(block, Fold)]
    assert "(chrF) and" in parsed(blocks_html(fold.blocks)).text
    (answers,) = [block for block in many[0].blocks if isinstance(block, Answers)]
    assert "in BLEU" in answers.answers[2].detail
    assert "chrF" not in answers.answers[2].detail


def test_results_without_a_comparison_have_no_answers():
    section, content = built("verdict", example("meta"), title="My run")["verdict"]
    assert content.elements == []
    assert section.eyebrow.startswith("My run · ")
    assert built("verdict", example("rank ratings"))["verdict"][0].eyebrow


def test_a_full_stop_stays_with_the_name_before_it():
    text = page_text(comparison(compared("bleu", 1.2)))
    assert (
        'BLEU puts <bdi class="name a">new</bdi> ahead of <span class="stopped"><bdi class="name b">base</bdi>.</span>'
    ) in text


def test_the_systems_of_the_page_are_counted():
    """Also those that were scored, where two of them were compared."""
    outputs = {"new": ["a b", "a c"], "base": ["a b", "x"], "third": ["q", "r"]}
    scored = score(load(outputs=outputs, references=["a b"] * 2, lp="en-de"), ["chrf"], resamples=0)
    section, _ = built("verdict", scored, comparison(compared("chrf", 1.2)))["verdict"]
    assert "3 systems" in section.eyebrow


def test_different_references_are_named():
    """Scores with two references are not those of a comparison with one."""
    outputs = {"new": ["a b", "a c"], "base": ["a b", "x"]}
    references = {"A": ["a b"] * 2, "B": ["a c"] * 2}
    both, one = (load(outputs=outputs, references=dict(list(references.items())[:n]), lp="en-de") for n in (2, 1))
    section, _ = built("verdict", *(score(texts, ["chrf"], resamples=0) for texts in (both, one)))["verdict"]
    assert section.eyebrow.endswith("different references: A and B or A")
