from __future__ import annotations

import math
from dataclasses import replace

import assay
from assay.results import Estimate
from assay.words.compared_pair import pair_verdict
from assay.words.noticed import noticed_sentence
from tests.charts.examples import calibration
from tests.reports.page.built import built
from tests.reports.page.comparisons import compared, comparison


def test_without_an_answer_there_is_no_section():
    unanswered = compared("bleu", 1.2, noticed=Estimate(math.nan, 0, reason="no calibration: x"))
    assert built("notice", comparison(unanswered)) == {}
    assert built("notice", comparison(compared("bleu", 1.2))) == {}


def test_the_calibration_of_the_comparison_is_drawn_and_quoted_also_beside_another_one():
    used = assay.explain("chrf", 1.2, lp="en-de")
    compared_by_it = comparison(compared("chrf", 1.2, noticed=used), calibration="wmt")
    for others in ((), (calibration(),)):
        _, content = built("notice", compared_by_it, *others)["notice"]
        seen = f"{used.population.pairs:,} pairs of systems"
        assert [seen in figure["aria-label"] for figure in content.having("div", role="img")] == [True, True]
        assert f"Seen in {seen}" in content.text
        assert "the calibration on WMT data that comes with Assay" in content.text


def test_a_calibration_of_the_report_is_drawn_only_if_it_gives_the_same_answer():
    used = assay.explain("chrf", 9.5, lp="en-de", calibration=calibration())
    own = comparison(compared("chrf", 9.5, noticed=used), calibration="own")
    _, content = built("notice", own, calibration())["notice"]
    assert len(content.having("figure")) == 1
    elsewhere = replace(used, probability=Estimate(used.probability.value / 2 + 0.1, 9))
    other = comparison(compared("chrf", 9.5, noticed=elsewhere), calibration="own")
    _, content = built("notice", other, calibration())["notice"]
    assert not content.having("figure")
    assert "Seen in " in content.text


def test_scores_that_rest_on_different_pairs_of_systems_are_told_apart():
    used = {name: assay.explain("bleu", 1.2, lp="en-de", agg=name) for name in ("corpus", "segment")}
    metrics = (compared("bleu", 1.2, aggregation=name, noticed=each) for name, each in used.items())
    _, content = built("notice", comparison(*metrics, calibration="wmt"))["notice"]
    assert "this answer, which pools all languages" in content.text
    assert "cannot be compared with each other" in content.text
    assert not content.having("details"), "what limits the numbers is not folded away"
    assert [
        line.count("differ by") for line in content.text.splitlines() if "of pairs of systems that differ by" in line
    ] == [1, 1]


def test_other_data_that_say_something_else_are_quoted():
    used = assay.explain("chrf", 1.2, lp="en-de")
    made = comparison(compared("chrf", 1.2, noticed=used), calibration="wmt")
    _, content = built("notice", made)["notice"]
    assert "In other data, people noticed such a difference in chrF in " in content.text
    assert "(MQM)" in content.text
    assert "into English" not in content.text  # which may predict worse than all languages
    _, content = built("notice", made, calibration())["notice"]
    assert "on this page)" in content.text


def test_several_comparisons_have_sections_of_their_own():
    made = comparison(compared("bleu", 1.2, noticed=Estimate(0.5, 9)))
    other = replace(made, inputs=replace(made.inputs, lp="en-zh"))
    found = built("notice", made, other)
    assert {name: section.eyebrow for name, (section, _) in found.items()} == {"notice": "en-de", "notice-2": "en-zh"}


def test_the_sentence_of_the_terminal_comes_first():
    used = assay.explain("chrf", 1.2, lp="en-de")
    made = comparison(compared("chrf", 1.2, noticed=used), calibration="wmt")
    (sentence,) = noticed_sentence(pair_verdict(made), made, None)
    _, content = built("notice", made)["notice"]
    answer = sentence.removeprefix("Would people notice? ")
    assert 0 < content.text.index(answer) < content.text.index("The numbers below come from")
