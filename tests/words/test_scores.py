from __future__ import annotations

import assay
from assay.words.scores import leading_systems, run_verdict, unequal_orders

REFERENCES = ["the cat sat on the mat today", "a dog ran over the green hill"]
OUTPUTS = {
    "good": ["the cat sat on the mat", "a dog ran over the green hill"],
    "bad": ["cat mat", "the hill was green"],
}


def run(outputs=OUTPUTS, metrics=("bleu", "chrf", "ter")):
    return assay.score(assay.load(references=REFERENCES, outputs=outputs), metrics, resamples=0)


def test_one_system_leads_by_all_metrics_also_those_whose_lower_scores_are_better():
    assert run_verdict(run()).text == "good scores best by all 3 metrics."
    assert run_verdict(run(metrics=["ter"])).text == "good scores best by TER."
    assert "assay compare" in run_verdict(run()).lede[0]


def test_another_system_may_lead_under_another_aggregation():
    outputs = {"a": ["the cat", REFERENCES[1]], "b": ["the cat sat on the", "a dog ran over the"]}
    found = run_verdict(run(outputs, ["chrf"]))
    assert found.text == "a scores best by the corpus scores of chrF."
    assert found.lede[0] == "By chrF segment mean, b does."
    assert list(leading_systems(run())) == []


def test_leaders_that_differ():
    mixed = run(
        {
            "short": ["the cat sat on the mat", "a dog ran"],
            "long": [f"{text} and some more words here" for text in REFERENCES],
        }
    )
    found = run_verdict(mixed)
    assert found.text == "No system leads by all metrics."
    assert " leads by " in found.lede[0]


def test_orders_of_corpus_score_and_segment_mean():
    outputs = {"a": ["the cat", REFERENCES[1]], "b": ["the cat sat on the", "a dog ran over the"]}
    assert list(unequal_orders(run(outputs, ["chrf"]))) == [
        "Corpus score and segment mean rank pairs of systems differently: 1 of 1 by chrF."
    ]
    assert list(unequal_orders(run())) == []


def test_one_system_has_nothing_to_be_compared_with():
    found = run_verdict(run({"good": OUTPUTS["good"]}, ["bleu", "chrf"]))
    assert found.text.startswith("good scores ")
    assert found.text.endswith(" chrF.")
    assert found.lede == ("It is the only system: there is nothing to compare it with.",)
