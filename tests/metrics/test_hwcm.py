from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from assay import Runtime, score
from assay.errors import ConfigError
from assay.metrics import metric
from assay.types import TestSet


def trees(output, reference):
    layers = {"tokens": {}, "dependencies": {}}
    for name, words in {"x": output, "ref": reference}.items():
        layers["tokens"][name] = [" ".join(word for word, _ in words)]
        layers["dependencies"][name] = [" ".join(f"{head}:dep" for _, head in words)]
    return TestSet(outputs={"x": ("…",)}, references={"ref": ("…",)}, annotations=layers)


REFERENCE = [("The", 2), ("cat", 3), ("sat", 0), ("on", 3), ("mats", 4)]
OUTPUT = [("A", 2), ("cat", 3), ("sat", 0), ("on", 3), ("cat", 4)]


def test_chains():
    """Chains of the reference: 5 words; The-cat, cat-sat, on-sat, mats-on; The-cat-sat, mats-on-sat; none of four."""
    table = metric.create("hwcm").statistics(trees(OUTPUT, REFERENCE), Runtime())
    assert table[0, 0].tolist() == [3, 5, 5, 2, 4, 4, 0, 2, 2, 0, 0, 0]


def test_score():
    """Both precision and recall are the mean of 3/5, 2/4, 0 and, without chains, 0."""
    run = score(trees(OUTPUT, REFERENCE), metrics="hwcm", resamples=0)
    assert run["hwcm"].aggregations["corpus"]["x"] == pytest.approx((3 / 5 + 2 / 4) / 4)


def test_references_without_long_chains_are_counted():
    """Chains are as long as the tree is deep, whatever the number of words."""
    flat = [("a", 0), ("b", 1), ("c", 1), ("d", 1), ("e", 1)]
    for words, score_of_same in (([("Hello", 0), ("world", 1)], 0.5), (flat, 0.5)):
        run = score(trees(words, words), metrics="hwcm", resamples=0)
        assert run["hwcm"].corpus["x"] == score_of_same
        (note,) = [note for note in run.notes if "chains of 4 words" in note.text]
        assert note.text == (
            "1 segment with a reference without chains of 4 words: the score is below 1 there, even if the output "
            "equals the reference"
        )
    deep = [("a", 0), ("b", 1), ("c", 2), ("d", 3)]
    assert not [note for note in score(trees(deep, deep), metrics="hwcm", resamples=0).notes if "chains" in note.text]


def test_counts_are_clipped():
    table = metric.create("hwcm:max_order=1").statistics(trees([("a", 0)] * 3, [("a", 0), ("b", 1)]), Runtime())
    assert table[0, 0].tolist() == [1, 3, 2]


def head_chains(words, max_order):
    """Head-word chains by the definition."""
    found = Counter()
    for word, head in words:
        chain = (word,)
        found[chain] += 1
        while head and len(chain) < max_order:
            word, head = words[head - 1]
            chain += (word,)
            found[chain] += 1
    return found


def test_random_trees():
    rng = random.Random(4)
    for _ in range(50):
        sides = [[(rng.choice("abc"), i and rng.randint(0, i)) for i in range(rng.randint(0, 15))] for _ in range(2)]
        output, reference = (head_chains(side, 5) for side in sides)
        multisets = output & reference, output, reference
        expected = [
            sum(count for chain, count in chains.items() if len(chain) == n)
            for n in range(1, 6)
            for chains in multisets
        ]
        table = metric.create("hwcm:max_order=5").statistics(trees(*sides), Runtime())
        assert table[0, 0].tolist() == expected


def test_case():
    upper = [(word.upper(), head) for word, head in REFERENCE]
    assert metric.create("hwcm").statistics(trees(upper, REFERENCE), Runtime())[0, 0, 0] == 0
    lowercase = metric.create("hwcm:lowercase=yes").statistics(trees(upper, REFERENCE), Runtime())
    assert lowercase[0, 0].tolist() == [5, 5, 5, 4, 4, 4, 2, 2, 2, 0, 0, 0]


def test_nothing_in_common_is_zero_and_no_reference_undefined():
    hwcm = metric.create("hwcm")
    assert hwcm.score(hwcm.statistics(trees([("a", 0)], [("b", 0)]), Runtime())).tolist() == [[0.0]]
    assert math.isnan(hwcm.score(hwcm.statistics(trees([("a", 0)], []), Runtime()))[0, 0])


def test_options():
    with pytest.raises(ConfigError, match="max_order must be an integer between 1 and 100"):
        metric.create("hwcm:max_order=0")
