"""Numbers, intervals and shares are written in one way in every form for people."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import assay
from assay.reports import document, renderer
from assay.results import Power
from tests.reports.page.comparisons import compared, comparison
from tests.store.examples import VERBS, example

SECOND_FORMS = {
    "a share without a space": r"(?<![\w.%])\d+(?:\.\d+)?%",
    "a bound without the zero before the point": r"\[-?\.\d|, -?\.\d+\]",
    "a p-value without the zero before the point": r"\bp [<=] \.\d",
    "a correction by the name of its option": r"(?:after|corrected:?) \(?(?:holm|bonferroni|benjamini)",
}
FORMS = ("table", "md", "latex")


def test_the_patterns_find_second_forms():
    samples = ("a 95% interval", "[.969, .999]", "p < .05", "after holm")
    found = [bool(re.search(pattern, text)) for pattern, text in zip(SECOND_FORMS.values(), samples, strict=True)]
    assert found == [True] * len(SECOND_FORMS)


@pytest.mark.parametrize("name", VERBS)
def test_every_result_has_one_notation(name):
    shown = document(example(name))
    texts = {form: re.sub(r"(?m)^%.*", "", renderer.create(form).render(shown)).replace("\\%", "%") for form in FORMS}
    texts |= {"words": " ".join(shown.verdict.sentences)}
    for form, text in texts.items():
        for second, pattern in SECOND_FORMS.items():
            assert not re.search(pattern, text), (form, second, re.search(pattern, text))


def test_a_sentence_and_a_table_write_the_same_number():
    metric = compared("bleu", 0.2, 0.6)
    pair = replace(metric.pairs[0], power=Power(2.9342))
    shown = document(comparison(replace(metric, pairs=(pair,))), details=True)
    assert "a difference of 2.93 BLEU" in " ".join(shown.verdict.sentences)
    assert " 2.93" in renderer.create("table").render(shown).split("detectable")[1]


def test_a_score_has_the_same_decimals_everywhere():
    """Percentages have two, however small; a paper has one less."""
    reference = [f"the cat number {k} sat on the mat of the house" for k in range(200)]
    other = [f"a dog with the name {k} ran down the street to the river" for k in range(200)]
    outputs = {"one": [*reference[:1], *other[1:]], "two": [*other[:199], *reference[199:]]}
    testset = assay.load(outputs=outputs, references=reference)
    run = assay.score(testset, "bleu", resamples=20)
    value = run.metrics["bleu"].corpus["one"]
    assert 0 < value < 2
    options = {"metrics": "bleu", "resamples": 100}
    results = (run, assay.compare(testset, agg="corpus", **options), assay.leaderboard(testset, **options))
    for result in results:
        assert f" {value:.2f} " in renderer.create("table").render(document(result))
        assert f" {value:.1f}" in renderer.create("latex").render(document(result)).replace("\\textbf{", " ")
