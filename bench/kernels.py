"""BLEU and chrF of one or many systems, and segment scores, from Python lists to scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from sacrebleu.metrics import BLEU, CHRF, TER

import assay
from assay.types.runtime import Runtime
from bench.harness import Case
from tests.archives import texts


def cases() -> Iterator[Case]:
    """All comparisons with sacreBLEU on WMT22 en-de and WMT19 en-zh."""
    references, outputs = texts("wmt22", "en-de", ("refA", "refB"))
    both = list(references.values())
    one = both[:1]
    systems = {name: outputs[name] for name in list(outputs)[:9]}
    output = next(iter(systems.values()))
    chinese_references, chinese = texts("wmt19", "en-zh", ("ref",))
    chinese_output = next(iter(chinese.values()))

    yield corpus("corpus BLEU", "BLEU()", "bleu", output, one, 75, 110)
    yield corpus("corpus BLEU, 2 references", "BLEU()", "bleu", output, both, 40, 80)
    yield corpus("corpus BLEU, tok intl", 'BLEU(tokenize="intl")', "bleu:tok=intl", output, one, 60, 90)
    yield sentences("all sentence BLEU", output, one)
    zh = list(chinese_references.values())
    yield corpus("corpus BLEU, tok zh (en-zh)", 'BLEU(tokenize="zh")', "bleu:tok=zh", chinese_output, zh, 120, 200)
    yield corpus("chrF", "CHRF()", "chrf", output, one, 150, 200)
    yield corpus("chrF, 2 references", "CHRF()", "chrf", output, both, 75, 150)
    yield corpus("chrF++", "CHRF(word_order=2)", "chrf++", output, one, 115, 150)
    yield many_systems("BLEU of nine systems, references cached", "BLEU", "bleu", systems, one, 35, 80)
    yield many_systems("chrF of nine systems, references cached", "CHRF", "chrf", systems, one, 75, 150)


def score(spec: str, outputs: Mapping[str, Sequence[str]], references: Sequence[Sequence[str]], **options: Any) -> Any:
    """The public interface, from lists of strings to scores, on one thread; without intervals unless `options` ask."""
    named = {f"ref{k}": reference for k, reference in enumerate(references)}
    testset = assay.load(outputs=outputs, references=named)
    return assay.score(testset, spec, runtime=Runtime(threads=1), **{"agg": "corpus", "resamples": 0, **options})[spec]


def corpus(
    name: str,
    peer: str,
    spec: str,
    output: Sequence[str],
    references: Sequence[Sequence[str]],
    minimum: float,
    target: float,
    *,
    rounds: int = 5,
) -> Case:
    """One corpus score; `peer` is the code that makes sacreBLEU's metric."""

    def agree(expected: Any, found: Any) -> None:
        np.testing.assert_allclose(found.corpus["x"], expected.score, rtol=0, atol=1e-9)

    return Case(
        name,
        "sacreBLEU",
        f"{peer}.corpus_score(output, references)",
        f'score("{spec}", {{"x": output}}, references)',
        _names(output=output, references=references),
        agree,
        minimum,
        target,
        rounds=rounds,
    )


def sentences(name: str, output: Sequence[str], references: Sequence[Sequence[str]]) -> Case:
    """The BLEU of every segment, as an array."""

    def agree(expected: list[float], found: Any) -> None:
        np.testing.assert_allclose(found.segments["x"], expected, rtol=0, atol=1e-9)

    return Case(
        name,
        "sacreBLEU",
        "[metric.sentence_score(out, [ref]).score for metric in [BLEU(effective_order=True)]"
        " for out, ref in zip(output, references[0])]",
        'score("bleu", {"x": output}, references, agg="segment")',
        _names(output=output, references=references),
        agree,
        50,
        100,
    )


def many_systems(
    name: str,
    peer: str,
    spec: str,
    systems: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    minimum: float,
    target: float,
) -> Case:
    """Nine systems; both tools prepare the references once."""

    def agree(expected: dict[str, float], found: Any) -> None:
        for system, value in expected.items():
            np.testing.assert_allclose(found.corpus[system], value, rtol=0, atol=1e-9)

    return Case(
        name,
        "sacreBLEU",
        f"{{name: metric.corpus_score(out, None).score for metric in [{peer}(references=references)]"
        " for name, out in systems.items()}",
        f'score("{spec}", systems, references)',
        _names(systems=systems, references=references),
        agree,
        minimum,
        target,
        rounds=3,
    )


def _names(**texts: Any) -> dict[str, Any]:
    return {"BLEU": BLEU, "CHRF": CHRF, "TER": TER, "score": score, **texts}
