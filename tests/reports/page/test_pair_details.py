from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from time import process_time

from assay.reports.page.pair_details import PairDetails
from assay.results import Estimate
from tests.reports.page.comparisons import compared, comparison
from tests.store.examples import example


def described(details, number):
    """A pair with its texts."""
    tree = details.tree
    score, first, second, difference, facts, sentence, drawn, is_shown, turned = tree["pairs"][number]
    texts = tree["texts"]
    return {
        "score": tree["scores"][score]["name"],
        "systems": (tree["systems"][first], tree["systems"][second]),
        "difference": texts[difference],
        **dict(zip(tree["facts"], (texts[fact] for fact in facts), strict=True)),
        "sentence": texts[sentence],
        "drawn": drawn,
        "shown": is_shown,
        "turned": tuple(texts[place] for place in turned),
    }


def test_a_pair_is_described_in_the_order_asked_for():
    metric = compared("bleu", 1.2)
    details = PairDetails(comparison(metric))
    forward, back = details.number(metric, "new", "base"), details.number(metric, "base", "new")
    assert details.number(metric, "new", "base") == forward != back
    assert described(details, forward) == {
        "score": "BLEU",
        "systems": ("new", "base"),
        "difference": "+1.20",
        "95 % interval": "[0.70, 1.70]",
        "p, not corrected": "0.0010",
        "test": "approximate randomisation",
        "n": "100 segments",
        "better, same, worse": "5, 1, 0 segments",
        "sentence": "new is shown to be better.",
        "drawn": [1.2, 0.7, 1.7],
        "shown": 1,
        "turned": ("−1.20", "[−1.70, −0.70]"),
    }
    turned = described(details, back)
    assert (turned["difference"], turned["95 % interval"]) == ("−1.20", "[−1.70, −0.70]")
    assert turned["turned"] == ("+1.20", "[0.70, 1.70]")
    assert turned["better, same, worse"] == "0, 1, 5 segments"


def test_a_difference_is_in_favour_of_the_first_system_where_lower_scores_are_better():
    metric = compared("ter", -0.6, higher_is_better=False)
    details = PairDetails(comparison(metric))
    found = described(details, details.number(metric, "new", "base"))
    assert (found["difference"], found["95 % interval"]) == ("+0.60", "[0.10, 1.10]")
    assert found["drawn"] == [0.6, 0.1, 1.1]
    assert described(details, details.number(metric, "base", "new"))["difference"] == "−0.60"


def test_all_pairs_are_described_once():
    found = example("compare")
    details = PairDetails(found)
    pair = found.metrics[0].pairs[0]
    details.number(found.metrics[0], pair.second, pair.first)
    assert len(details.tree["pairs"]) == len(details.tree["pairs"]) == len(found.pairs)


def test_the_pairs_of_many_systems_are_described_in_time():
    """Eighty systems: a search through all pairs for each pair would take minutes."""
    names = [f"s{number}" for number in range(80)]
    one = compared("bleu", 1.2).pairs[0]
    pairs = tuple(replace(one, first=first, second=second) for first, second in combinations(names, 2))
    metric = replace(compared("bleu", 1.2), scores={name: Estimate(30.0, 100) for name in names}, pairs=pairs)
    begin = process_time()
    assert len(PairDetails(comparison(metric)).tree["pairs"]) == 3160
    assert process_time() - begin < 2
