"""Metrics on the trees, lemmas and tags of real parsers, in all languages for which there is one."""

from __future__ import annotations

from collections import Counter

import pytest

from assay import annotate, load, score
from assay.errors import MissingExtraError

TEXTS = {
    "en": (
        ["The old cat slept on the warm mat because it was tired.", "Yesterday the minister opened the new bridge."],
        ["The old cat slept on a cold mat because it was tired.", "The minister opened yesterday a new bridge."],
    ),
    "cs": (
        ["Stará kočka spala na teplé rohožce, protože byla unavená.", "Ministr včera otevřel nový most."],
        ["Stará kočka spala na studené zemi, protože byla unavená.", "Včera ministr otevřel most."],
    ),
    "fr": (
        [
            "Le vieux chat dormait sur le tapis chaud parce qu'il était fatigué.",
            "Le ministre a ouvert le nouveau pont.",
        ],
        ["Le chat dormait sur un tapis froid parce qu'il était fatigué.", "Hier le ministre a ouvert un pont."],
    ),
    "es": (
        ["El gato viejo dormía en la alfombra porque estaba cansado.", "El ministro abrió ayer el nuevo puente."],
        ["El gato dormía en una alfombra porque estaba cansado.", "Ayer el ministro abrió un puente."],
    ),
    "ru": (
        ["Старый кот спал на тёплом коврике, потому что он устал.", "Министр вчера открыл новый мост."],
        ["Старый кот спал на холодном полу, потому что он устал.", "Вчера министр открыл мост."],
    ),
}


ORDER = 3
"""All these texts have chains of so many words."""


@pytest.fixture(scope="module", params=TEXTS)
def annotated(request):
    references, changed = TEXTS[request.param]
    outputs = {"same": references, "changed": changed}
    texts = load(outputs=outputs, references={"ref": references}, lp=f"de-{request.param}")
    try:
        return annotate(texts, language=request.param)
    except MissingExtraError as error:
        pytest.skip(f"{error.message} (make test-linguistic)")


def chains(testset, name, order):
    """The chains of words and their heads, of all segments."""
    counts = []
    layers = (testset.annotations[layer][name] for layer in ("tokens", "dependencies"))
    for tokens, dependencies in zip(*layers, strict=True):
        words, heads = tokens.split(), [int(value.partition(":")[0]) for value in dependencies.split()]
        found = Counter()
        for place in range(len(words)):
            chain = [place]
            while len(chain) < order and heads[chain[-1]]:
                chain.append(heads[chain[-1]] - 1)
            if len(chain) == order:
                found[tuple(words[i] for i in chain)] += 1
        counts.append(found)
    return counts


def test_hwcm(annotated):
    scores = score(annotated, f"hwcm:max_order={ORDER}", resamples=0)[f"hwcm:max_order={ORDER}"].corpus
    assert scores["same"] == 1
    rates = []
    for name in ("changed", "ref"):
        by_order = []
        for order in range(1, ORDER + 1):
            output, reference, side = (chains(annotated, each, order) for each in ("changed", "ref", name))
            matches = sum((a & b).total() for a, b in zip(output, reference, strict=True))
            by_order.append(matches / sum(found.total() for found in side))
        rates.append(sum(by_order) / ORDER)
    precision, recall = rates
    assert scores["changed"] == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-12)
    assert 0 < scores["changed"] < 1


@pytest.mark.parametrize("spec", ["depref-exact", "depref-align:aligner=(meteor:files=none,modules=exact)"])
def test_depref(annotated, spec):
    """Equal texts may score less than 1: there are fewer structures than n-grams."""
    scores = score(annotated, spec, resamples=0)[spec].corpus
    assert 0 < scores["changed"] < scores["same"] <= 1


def test_sempos_upos(annotated):
    scores = score(annotated, "sempos-upos", resamples=0)["sempos-upos"].corpus
    assert 0 < scores["changed"] < scores["same"] == 1


def test_inflection_errors_of_lemmas(annotated):
    """Of equal texts there are none, and errors of all classes add up."""
    errors = ("all", "inflection", "order", "missing", "extra", "lexical")
    specs = [f"hjerson:base=lemma,error={error}" for error in errors]
    run = score(annotated, specs, resamples=0)
    values = [run[spec].corpus["changed"] for spec in specs]
    assert values[0] == pytest.approx(sum(values[1:]))
    assert values[0] > 0
    assert all(run[spec].corpus["same"] == 0 for spec in specs)
