"""Every combination of outcomes has its sentence."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from assay.results import ComparedMetric, ComparedPair, Estimate, MetGate, Outcome, Power
from assay.words.systems import comparison_verdict, failure_text
from tests.reports.page.comparisons import compared, comparison
from tests.store.examples import example

CASES = {
    "all agree": (
        [compared("bleu", 1.2), compared("chrf", 0.8)],
        "Both metrics put new ahead of base.",
        "new is better than base by BLEU (1.20, p = 0.0010) and chrF (0.80, p = 0.0010).",
        ("new, shown by both scores", "Sure of a difference on both scores"),
    ),
    "three agree": (
        [compared("bleu", 1.2, 0.02), compared("chrf", 0.8), compared("ter", -0.8, higher_is_better=False)],
        "All 3 metrics put new ahead of base.",
        "new is better than base by BLEU (1.20, p = 0.020), chrF (0.80, p = 0.0010) and TER (0.80, p = 0.0010).",
        ("new, shown by all 3 scores", "All 3 scores show a difference"),
    ),
    "one metric, two aggregations": (
        [compared("bleu", 1.2), compared("bleu", 0.9, aggregation="segment")],
        "BLEU puts new ahead of base.",
        "new is better than base by BLEU (1.20, p = 0.0010) and BLEU segment mean (0.90, p = 0.0010).",
        ("new, shown by both scores", "Sure of a difference on both scores"),
    ),
    "some show nothing": (
        [compared("bleu", 0.3, 0.4), compared("chrf", 0.8)],
        "chrF puts new ahead of base.",
        "new is better than base by chrF (0.80, p = 0.0010). "
        "No difference between new and base is shown by BLEU (0.30 in favour of new, p = 0.40).",
        ("new, shown by 1 of 2 scores", "1 of 2 scores show a difference"),
    ),
    "one aggregation shows nothing": (
        [compared("bleu", 0.3, 0.4), compared("bleu", 0.9, aggregation="segment"), compared("chrf", 0.8)],
        "BLEU segment mean and chrF put new ahead of base.",
        "new is better than base by BLEU segment mean (0.90, p = 0.0010) and chrF (0.80, p = 0.0010). "
        "No difference between new and base is shown by BLEU (0.30 in favour of new, p = 0.40).",
        ("new, shown by 2 of 3 scores", "2 of 3 scores show a difference"),
    ),
    "the other is ahead": (
        [compared("bleu", -1.2)],
        "BLEU puts base ahead of new.",
        "new is worse than base by BLEU (1.20, p = 0.0010).",
        ("base", "Sure of a difference"),
    ),
    "disagree": (
        [compared("bleu", 1.2), compared("chrf", -0.8)],
        "The scores disagree on new and base.",
        "new is better than base by BLEU (1.20, p = 0.0010). new is worse than base by chrF (0.80, p = 0.0010).",
        ("It depends on the score", "Sure of a difference on both scores"),
    ),
    "nothing shown": (
        [compared("bleu", 0.2, 0.6), compared("chrf", -0.1, 0.7)],
        "No difference between new and base is shown.",
        "No difference between new and base is shown by BLEU (0.20 in favour of new, p = 0.60) "
        "and chrF (0.10 in favour of base, p = 0.70). "
        "That no difference is shown does not mean that the two are equal. A test set like this one would probably "
        "show a difference of 1.50 BLEU, and may miss a smaller one.",
        ("Not shown", "Chance may explain the difference"),
    ),
    "lower is better": (
        [compared("ter", -2.0, higher_is_better=False)],
        "TER puts new ahead of base.",
        "new is better than base by TER (2.00, p = 0.0010).",
        ("new", "Sure of a difference"),
    ),
    "lower is better, the other ahead": (
        [compared("ter", 2.0, 0.03, higher_is_better=False)],
        "TER puts base ahead of new.",
        "new is worse than base by TER (2.00, p = 0.030).",
        ("base", "A difference is shown"),
    ),
    "identical": (
        [compared("bleu", 0.0, 1.0)],
        "new and base have the same score in every segment.",
        "new and base have the same score in every segment, as identical outputs do, by BLEU.",
        ("Not shown", "There is no difference to test"),
    ),
    "undefined": (
        [compared("bleu", math.nan, math.nan)],
        "The difference between new and base is undefined.",
        "The difference between new and base is undefined by BLEU (no segment was scored).",
        ("Not shown", "There is no difference to test"),
    ),
    "a small difference": (
        [compared("mine", 0.003)],
        "mine puts new ahead of base.",
        "new is better than base by mine (0.003, p = 0.0010).",
        ("new", "Sure of a difference"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_every_combination_of_outcomes(case):
    metrics, headline, lede, answers = CASES[case]
    found = comparison_verdict(comparison(*metrics))
    assert found.text == headline
    assert " ".join(found.lede) == lede
    assert tuple(answer.answer for answer in found.answers[:2]) == answers


def test_the_words_avoid_claims_that_a_test_cannot_make():
    for metrics, *_ in CASES.values():
        found = comparison_verdict(comparison(*metrics))
        said = " ".join((found.text, *found.lede, *(answer.answer for answer in found.answers)))
        assert "not significant" not in said
        assert "are equal." not in said.replace("does not mean that the two are equal.", "")


def test_p_values_say_whether_they_are_corrected():
    bleu = compared("bleu", 1.2, 0.0001)
    text = comparison_verdict(comparison(bleu)).answers[1].detail
    assert text == "BLEU +1.20 [0.70, 1.70] in favour of new, p = 0.00010, not corrected. 100 segments.", (
        "a single pair"
    )
    other = replace(bleu.pairs[0], first="third")
    two = replace(bleu, pairs=(*bleu.pairs, other), scores={**bleu.scores, "third": bleu.scores["new"]})
    assert "p = 0.00010, after Holm correction for 2 pairs." in comparison_verdict(comparison(two)).answers[1].detail
    uncorrected = comparison_verdict(comparison(two, replace(two, metric="chrf"), correction="none")).answers[1].detail
    assert "p = 0.00010, not corrected for 2 pairs under each score." in uncorrected


def test_segments_of_documents_are_said_to_be_taken_as_independent():
    made = comparison(compared("bleu", 1.2))
    inputs = replace(made.inputs, documents=("d", "e") * 50)
    detail = comparison_verdict(replace(made, inputs=inputs)).answers[1].detail
    assert detail.endswith("100 segments of 2 documents, taken as independent.")
    by_document = replace(made, inputs=inputs, settings={**made.settings, "unit": "document"})
    assert comparison_verdict(by_document).answers[1].detail.endswith("100 documents.")


@pytest.mark.parametrize(
    ("difference", "p", "sentence"),
    [
        (-1.8, 0.004, "BLEU and people disagree: by BLEU, {top} is 1.80 behind new (p = 0.0040)."),
        (-0.1, 0.5, "By BLEU, no difference between {top} and new is shown (p = 0.50)."),
    ],
)
def test_a_third_system_that_people_put_first_is_in_the_headline(difference, p, sentence):
    made = example("rank ratings")
    top = made.systems[0].system
    clusters = (1, *(2 for _ in made.systems[1:]))
    systems = tuple(replace(each, cluster=cluster) for each, cluster in zip(made.systems, clusters, strict=True))
    metric = compared("bleu", 0.2, 0.6)
    third = replace(metric.pairs[0], first=top, second="new", p_corrected=p, difference=Estimate(difference, 100))
    third = replace(third, outcome=Outcome.of(difference, p, 0.05))
    scores = {**metric.scores, top: Estimate(25.0, 100)}
    everything = replace(comparison(replace(metric, pairs=(*metric.pairs, third), scores=scores)), baseline=None)
    judged = (systems[0], replace(systems[1], system="new"), *systems[2:])
    found = comparison_verdict(everything, replace(made, systems=judged))
    assert found.text == f"No difference between new and base is shown. People put {top} first."
    assert found.lede[-1] == sentence.format(top=top)
    assert found.answers[0].answer == f"Not shown; by people, {top}"


def test_people_are_quoted_beside_the_metrics():
    ranking = example("rank ratings")
    best, worst = ranking.systems[0].system, ranking.systems[-1].system
    metric = compared("bleu", 1.2)

    def judged(first, second):
        pair = replace(metric.pairs[0], first=first, second=second)
        scores = {first: metric.scores["new"], second: metric.scores["base"]}
        return comparison_verdict(comparison(replace(metric, pairs=(pair,), scores=scores)), ranking)

    def said(first, second):
        return judged(first, second).text

    assert said(best, worst) == f"BLEU puts {best} ahead of {worst}. People who judged both put {best} first, too."
    assert said(worst, best) == f"BLEU puts {worst} ahead of {best}. People who judged both put {best} first."
    assert said("new", "base") == "BLEU puts new ahead of base."
    assert judged(worst, best).answers[2].answer == f"People put {best} first"
    assert [answer.question for answer in judged("new", "base").answers] == ["Which system is better?", "How sure?"]


def test_what_could_have_been_shown_is_written_as_in_the_table_and_holds_for_one_pair():
    metric = compared("bleu", 0.2, 0.6)
    pair = replace(metric.pairs[0], power=Power(0.844))
    scores = {**metric.scores, "third": metric.scores["base"]}
    two = replace(metric, pairs=(pair, replace(pair, first="third")), scores=scores)
    lede = " ".join(comparison_verdict(comparison(two)).lede)
    assert "a difference of 0.84 BLEU, and may miss a smaller one." in lede
    assert "With 2 pairs tested at once it takes a larger one." in lede
    assert "at once" not in " ".join(comparison_verdict(comparison(two, correction="none")).lede)


def said(metric):
    return " ".join(comparison_verdict(comparison(metric)).lede)


def test_what_is_shown_of_the_other_systems():
    metric = compared("bleu", 0.2, 0.6)
    pair = metric.pairs[0]
    scores = {**metric.scores, "third": replace(metric.scores["base"], value=20.0)}
    worse = replace(pair.difference, value=-10.0)
    lost = replace(pair, first="third", p_corrected=0.001, difference=worse, outcome=Outcome.WORSE)
    against_baseline = replace(metric, pairs=(pair, lost), scores=scores)
    assert comparison_verdict(comparison(against_baseline)).lede[-2:] == (
        "By BLEU, none of the 2 other systems is shown to be better than the baseline base, and 1 is shown to be "
        "worse.",
        "The best of them by BLEU is new.",
    )
    every = replace(metric, pairs=(replace(lost, first="new"), lost), scores=scores)
    assert "By BLEU, both other systems are shown to be worse than the baseline base." in said(every)
    nothing = replace(metric, pairs=(pair, replace(pair, first="third")), scores=scores)
    assert "none of the 2 other systems is shown to be better or worse than the baseline base." in said(nothing)
    pairs = (pair, lost, replace(lost, second="new"))
    everything = replace(comparison(replace(metric, pairs=pairs, scores=scores)), baseline=None)
    assert comparison_verdict(everything).lede[-2:] == (
        "new and base are the best two of 3 systems by BLEU.",
        "By BLEU, new is shown to be better than 1 of the 2 others, and base than 1.",
    )


def pair(difference, p, first="new", second="base"):
    estimate = Estimate(difference, 10)
    outcome = Outcome.of(difference, p, 0.05)
    return ComparedPair(first, second, estimate, p, "randomisation", p, 1, 2, 3, Power(0.5), outcome)


def metric(name, *pairs, clusters=None):
    scores = {name: Estimate(30.0, 10) for each in pairs for name in (each.first, each.second)}
    return ComparedMetric(name, "corpus", True, "", scores, pairs, clusters or {})


def test_all_pairs_are_summed_up_in_clusters():
    pairs = (pair(1.0, 0.01, "a", "b"), pair(2.0, 0.001, "a", "c"), pair(1.0, 0.2, "b", "c"))
    turned = (pair(-1.0, 0.01, "a", "b"), pair(-2.0, 0.001, "a", "c"), pair(-1.0, 0.2, "b", "c"))
    clusters = {"a": 1, "b": 2, "c": 2}
    made = comparison(metric("bleu", *pairs, clusters=clusters), metric("chrf", *turned))
    bleu, chrf, last = comparison_verdict(replace(made, baseline=None)).answers[0].others
    assert bleu == "BLEU: a difference is shown for 2 of 3 pairs (a > b, a > c); clusters: a > b, c."
    assert chrf.startswith("chrF: a difference is shown for 2 of 3 pairs (b > a, c > a);")
    assert last == "The scores contradict each other on a and b; a and c."


def test_many_systems_are_counted_by_cluster():
    pairs = tuple(pair(1.0, 0.01, "a", name) for name in "bcdefghi")
    for top, said in ((1, "2 clusters, the first of a"), (4, "2 clusters, the first of 4 systems")):
        clusters = {name: 1 if k < top else 2 for k, name in enumerate("abcdefghi")}
        made = replace(comparison(metric("bleu", *pairs, clusters=clusters)), baseline=None)
        assert comparison_verdict(made).answers[0].others[0].endswith(f"; {said}.")


def test_many_pairs_are_not_named():
    pairs = tuple(pair(1.0, 0.01, "a", name) for name in "bcdefg")
    made = replace(comparison(metric("bleu", *pairs, clusters={"a": 1})), baseline=None)
    assert "for 6 of 6 pairs; clusters" in comparison_verdict(made).answers[0].others[0]
    against = tuple(pair(1.0, 0.01, name, "a") for name in "bcdefg")
    assert comparison_verdict(replace(comparison(metric("bleu", *against)), baseline="a")).answers[0].others == ()


def test_every_system_that_was_compared_with_a_baseline_has_its_sentences():
    two = metric("bleu", pair(1.0, 0.01, "b", "a"), pair(-2.0, 0.001, "c", "a"))
    found = comparison_verdict(replace(comparison(two), baseline="a"))
    assert found.lede[0] == "b is better than a by BLEU (1.00, p = 0.010)."
    assert found.answers[0].others == ("c is worse than a by BLEU (2.00, p = 0.0010).",)


def test_one_sided_tests_say_what_they_asked():
    """A system that is much worse is not shown to be better, which is not the same as no difference."""
    found = comparison_verdict(comparison(compared("bleu", -9.0, 1.0), alternative="better"))
    assert found.lede[0] == "new is not shown to be better than base by BLEU (9.00 in favour of base, p = 1)."


def test_names_with_braces_are_kept():
    made = metric("bleu", pair(1.0, 0.01, "{second}", "{0}"))
    assert comparison_verdict(replace(comparison(made), baseline="{0}")).lede == (
        "{second} is better than {0} by BLEU (1.00, p = 0.010).",
    )


def test_conditions_that_hold_are_quoted_with_their_values():
    gate = MetGate("bleu.p < 0.1", "new", {"bleu.p": 1 / 10_001, "bleu.delta": -1.23456}, ("bleu.p",))
    assert failure_text(gate) == "bleu.p < 0.1 holds for 'new': bleu.p < 0.0001, bleu.delta = -1.235"
    undefined = MetGate("bleu.p < 0.1", None, {"bleu.p": math.nan})
    assert failure_text(undefined) == "bleu.p < 0.1: bleu.p is undefined, and an undefined value fails the gate"


def test_a_one_sided_test_says_nothing_about_the_other_direction():
    found = comparison_verdict(comparison(compared("bleu", -9.0, 1.0), alternative="better"))
    assert found.text == "new is not shown to be better than base."
    assert found.answers[1].answer == "The test asked about one direction only"
    assert not any("no difference is shown" in sentence.lower() for sentence in found.sentences)


def test_p_values_in_sentences_are_not_rounded_across_alpha():
    found = comparison_verdict(comparison(compared("bleu", 1.2, 0.00996), alpha="0.01"))
    assert "p = 0.00996" in " ".join(found.sentences)
