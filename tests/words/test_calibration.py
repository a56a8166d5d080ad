from __future__ import annotations

import dataclasses
import math
import re

import pytest

import assay
from assay.calibration.explanation import Question, answer
from assay.calibration.files import bundled, published
from assay.results import Estimate, Population
from assay.words import verdict
from assay.words.calibration import BY_DOCUMENTS, population_words, sentences, share, significance_words
from scripts.notebook import ROOT


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(0.324, 9), "32 %"),
        (Estimate(0.324, 9, 0.25, 0.404), "32 % [25, 40]"),
        (Estimate(math.nan, 0, 0.5, 0.8), "at least 50 % and less than 80 %"),
        (Estimate(math.nan, 0, 0.0, 0.5), "less than 50 %"),
        (Estimate(math.nan, 0, 0.95, 1.0), "at least 95 %"),
    ],
)
def test_shares(estimate, text):
    assert share(estimate) == text


def test_what_an_answer_rests_on_in_words():
    found = answer(Question("bleu", "corpus", 1.2, "de-fr"), bundled(), "wmt")
    said, at_all, seen, check, kinds, pooled = sentences(found)
    assert said == (
        "BLEU 1.2 (corpus, de-fr): in WMT 2024–2025 (ESA), people significantly preferred the better-scored system in "
        "53 % [31, 75] of pairs of systems with such a difference (systems of all kinds, all 10 target languages), and "
        "the "
        "worse-scored one in 27 % [10, 50]."
    )
    assert at_all == "They preferred the better-scored system at all, significantly or not, in 65 % [46, 81]."
    assert kinds == (
        "With language models (LLMs), in WMT 2024–2025 (ESA), people significantly preferred the better-scored system "
        "in 61 % [37, 81] for two LLMs (and the other one in 25 % [9, 49]), 14 % [0, 48] for an MT system that scores "
        "better than an LLM (and the LLM in 48 % [18, 78]) and 92 % [69, 100] for an LLM that scores better than an MT "
        "system (and the MT system in 0 % [0, 31])."
    )
    assert seen == (
        "Seen in 30 pairs of systems that differ by 1.2 to 1.4, of 1,042 pairs of systems in 11 language pairs of "
        "wmt24, wmt25, ESA; people judged a median of 634 segments per system; significant: p < 0.05, paired t test, "
        "one-sided, segments as independent."
    )
    assert check == (
        "Where each campaign was predicted from the others, people significantly preferred the better-scored system "
        "in 67 % of the 57 pairs with about this probability, and the worse-scored one in 16 %."
    )
    assert pooled == (
        "Use this answer, which pools all languages: a curve of languages like the target of de-fr (60 % [23, 88], "
        "systems of all kinds) did not predict held-out campaigns better (Brier score 0.1824, and 0.1823 of all "
        "languages)."
    )


@pytest.mark.parametrize(
    ("campaigns", "words"),
    [
        (("wmt20",), "WMT 2020 (MQM)"),
        (("wmt20", "wmt22", "wmt21.news"), "WMT 2020–2022 (MQM)"),
        (("wmt20", "wmt22", "wmt24"), "WMT 2020, 2022, 2024 (MQM)"),
        (("wmt20", "mine"), "wmt20, mine (MQM)"),
    ],
)
def test_populations_name_their_years_and_their_protocol(campaigns, words):
    assert population_words(Population("MQM", campaigns=campaigns)) == words


def test_both_probabilities_have_their_interval():
    first, said, at_all, *_, lowest = sentences(answer(Question("bleu", "corpus", 0.01), bundled(), "wmt"))
    assert lowest == (
        "This is one of the smallest differences that were seen, to which the fit gives too low a probability: take it "
        "as no difference."
    )
    assert first == (
        "BLEU can misorder pairs with such a difference: people significantly preferred the worse-scored system at "
        "least as often as the better-scored one."
    )
    assert "in 31 % [0, 48] of pairs of systems with such a difference (" in said
    assert said.endswith("and the worse-scored one in 44 % [20, 70].")
    assert at_all.endswith("in 44 % [0, 69].")


def test_pairs_that_all_agree_are_not_certain():
    """All of 51 pairs of nine very bad systems with others. The step below has .9702, of more pairs."""
    found = answer(Question("bleu", "corpus", 25.0), bundled(), "wmt")
    said, _, seen, _, few, capped = sentences(found)  # no pair with a language model differs so much
    assert found.step.independent == 9
    such = "pairs of systems with such a difference (two MT systems, all 10 target languages)"
    assert f"in 97 % [89, 100] of {such}, and the worse-scored one in 0 % [0, 11]" in said
    assert seen.startswith("Seen in 51 pairs of systems that differ by 17.8 to 43.6, of 2,368 pairs of systems")
    assert few == "Fewer than 20 pairs of systems differed by this much or more."
    assert capped == (
        "The share in the data is 100 % of 51 pairs, but of these only 9 have no system in common, which supports "
        "no more than 91 % (rule of succession); smaller differences support 97 %."
    )


def test_a_calibration_without_its_test_does_not_name_it():
    explanation = answer(Question("bleu", "corpus", 2.0), bundled(), "wmt")
    settings = {name: value for name, value in explanation.settings.items() if name != "test"}
    assert "one-sided" in [*sentences(explanation)][2]
    assert "one-sided" not in [*sentences(dataclasses.replace(explanation, settings=settings))][2]


def test_weak_predictions_in_words():
    *_, caution = sentences(answer(Question("bleu", "corpus", 3.0, protocol="MQM"), bundled(), "wmt"))
    assert caution.startswith("The difference says little about whether people prefer the system at all: the share of ")


def test_published_cut_offs_in_words():
    said, seen = sentences(answer(Question("bleu", "corpus", 1.2, "en-de"), published(), "lo2023"))
    assert "people significantly preferred either system in less than 80 % of pairs of systems with such a diff" in said
    assert seen.startswith("Published cut-offs: 80 % from 3.6 on (wmt19, wmt20, wmt21, wmt22, DA/SQM, ")


def test_campaigns_that_were_predicted_far_off_stand_beside_the_probability():
    """Raters of WMT20 told systems apart with fewer segments than those of WMT21 and WMT22."""
    found = assay.explain("bleu", 2, protocol="DA/SQM", judged=150)
    _, second, third, *others = sentences(found)
    assert second == (
        "Where each campaign was predicted from the others, people significantly preferred the better-scored system in "
        "so many of all its pairs of systems, whatever their difference: 49 % in wmt20 (34 % were predicted), 25 % in "
        "wmt22 (35 %) and 22 % in wmt21.news (26 %)."
    )
    assert third == "If this answer is as far off as any of them, counted in odds, the truth is inside its interval."
    assert second not in others
    narrow = dataclasses.replace(found.probability, low=found.probability.value - 0.02)
    _, _, third, *_ = sentences(dataclasses.replace(found, probability=narrow))
    assert third.endswith(" the truth is outside its interval.")


def test_language_pairs_are_not_called_campaigns():
    text = " ".join(sentences(assay.explain("bleu", 2, judged=150)))
    assert "Where each language pair was predicted from the others, people significantly preferred the better" in text
    assert text.count("; 6 more were no farther off.") == 1


def test_an_answer_stands_in_short_paragraphs():
    found = assay.explain("bleu", 1.2, lp="en-de")
    said = verdict((found,)).sentences
    starts = [each.split()[0] for each in said]
    assert starts == ["BLEU", "They", "Seen", "With", "Use", "A"]
    assert " ".join(said) == " ".join(sentences(found))


def test_a_protocol_or_domain_that_was_asked_for_has_no_other_data_in_its_answer():
    for options in ({"protocol": "MQM"}, {"protocol": "DA/SQM", "kinds": "LLM"}, {"domain": "social"}):
        found = assay.explain("bleu", 2, lp="en-de", **options)
        assert not found.by_kinds
        text = " ".join((*sentences(found), *(note.text for note in found.notes)))
        assert "LLM" not in text.replace("not of two LLMs", "")
        assert "69 % instead of 80 %" not in text
    assert "No language models were judged there: this answer is of two MT systems, and not of two LLMs." in sentences(
        assay.explain("bleu", 2, protocol="DA/SQM", kinds="LLM")
    )
    of_esa = assay.explain("bleu", 2, lp="en-de", protocol="ESA")
    assert any(each.startswith("With language models (LLMs), in WMT 2024–2025 (ESA), ") for each in sentences(of_esa))


def test_what_is_known_of_language_models_elsewhere_is_marked():
    text = " ".join(sentences(assay.explain("bleu", 2, lp="de-en")))
    assert (
        "Of other data, with language models (LLMs): in WMT 2024–2025 (ESA), all 10 target languages, people " in text
    )


def test_a_partially_pooled_fit_has_a_sentence_of_its_own():
    """One answer has one number, unless another fit is shown to predict better."""
    *_, last = sentences(assay.explain("chrf", 2, lp="en-cs"))
    fit = "A fit to all languages and protocols, partially pooled, predicts left-out campaigns"
    assert last.startswith(f"{fit} not clearly better: Brier score 0.")
    assert last.endswith("). So the curve answers.")
    assert " (ESA, target languages I; difference -0.0" in last
    *_, last = sentences(assay.explain("hlepor", 0.01, lp="en-de"))
    assert last.startswith(f"{fit} better: Brier score 0.")
    assert ". The curve answers, because the fit knows no kinds of systems, domains or numbers of judged " in last
    assert ". By this fit, people significantly preferred the better-scored system in " in last


def test_shares_by_documents_are_those_of_the_table():
    page = (ROOT / "docs" / "methods" / "calibration.md").read_text(encoding="utf-8")
    for campaign, (lps, pairs, *shares) in BY_DOCUMENTS.items():
        row, *others = (line for line in page.splitlines() if re.match(rf"\| {campaign} \| (all|\w\w-\w+) \| ", line))
        assert len(others) == lps
        assert [cell.strip() for cell in row.split("|")[3:6]] == [f"{pairs:,}", *shares]
    of_esa, of_mqm = (answer(Question("bleu", "corpus", 2.0, protocol=name), bundled(), "wmt") for name in ("", "MQM"))
    said = significance_words(of_esa, is_bundled=True)
    assert "with any difference and of all kinds, 69 % instead of 80 % in WMT 2024 (583 pairs in 9 language" in said
    assert "2024" not in significance_words(of_esa, is_bundled=False)
    assert "2024" not in significance_words(of_mqm, is_bundled=True)
