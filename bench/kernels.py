"""BLEU and chrF of one or many systems, and segment scores, from Python lists to scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from sacrebleu.metrics import BLEU, CHRF

import assay
from assay.runtime import Runtime
from bench.harness import Case
from tests.archives import texts


def cases() -> Iterator[Case]:
    """All comparisons with sacreBLEU on WMT22 en-de and WMT19 en-zh."""
    references, outputs = texts("wmt22", "en-de", ("refA", "refB"))
    streams = list(references.values())
    systems = {name: outputs[name] for name in list(outputs)[:9]}
    output = next(iter(systems.values()))
    chinese_references, chinese = texts("wmt19", "en-zh", ("ref",))
    chinese_reference, chinese_output = chinese_references["ref"], next(iter(chinese.values()))

    yield corpus("corpus BLEU", BLEU, {}, "bleu", output, streams[:1], 40, 80)
    yield corpus("corpus BLEU, 2 references", BLEU, {}, "bleu", output, streams, 40, 80)
    yield corpus("corpus BLEU, tok intl", BLEU, {"tokenize": "intl"}, "bleu:tok=intl", output, streams[:1], 40, 80)
    yield sentences("all sentence BLEU", output, streams[0])
    zh = {"tokenize": "zh"}
    yield corpus("corpus BLEU, tok zh (en-zh)", BLEU, zh, "bleu:tok=zh", chinese_output, [chinese_reference], 100, 200)
    yield corpus("chrF", CHRF, {}, "chrf", output, streams[:1], 75, 150)
    yield corpus("chrF, 2 references", CHRF, {}, "chrf", output, streams, 75, 150)
    yield corpus("chrF++", CHRF, {"word_order": 2}, "chrf++", output, streams[:1], 60, 110)
    yield many_systems("BLEU of nine systems, references cached", BLEU, "bleu", systems, streams[0], 35, 80)
    yield many_systems("chrF of nine systems, references cached", CHRF, "chrf", systems, streams[0], 75, 150)


def ours(spec: str, outputs: Mapping[str, Sequence[str]], streams: Sequence[Sequence[str]], **options: Any) -> Any:
    """The public interface, from lists of strings to scores, on one thread."""
    references = {f"ref{k}": stream for k, stream in enumerate(streams)}
    testset = assay.load(outputs=outputs, references=references)
    return assay.score(testset, spec, runtime=Runtime(threads=1), **{"agg": "corpus", "resamples": 0, **options})[spec]


def corpus(
    name: str,
    peer: Any,
    options: dict[str, Any],
    spec: str,
    output: list[str],
    streams: list[list[str]],
    minimum: float,
    target: float,
) -> Case:
    """One corpus score."""

    def agree(expected: Any, found: Any) -> None:
        np.testing.assert_allclose(found.corpus["x"], expected.score, rtol=0, atol=1e-9)

    return Case(
        name,
        "sacreBLEU",
        lambda: peer(**options).corpus_score(output, streams),
        lambda: ours(spec, {"x": output}, streams),
        agree,
        minimum,
        target,
    )


def sentences(name: str, output: list[str], stream: list[str]) -> Case:
    """The BLEU of every segment, as an array."""

    def peer() -> list[float]:
        metric = BLEU(effective_order=True)
        return [metric.sentence_score(o, [r]).score for o, r in zip(output, stream, strict=True)]

    def agree(expected: list[float], found: Any) -> None:
        np.testing.assert_allclose(found.segments["x"], expected, rtol=0, atol=1e-9)

    return Case(name, "sacreBLEU", peer, lambda: ours("bleu", {"x": output}, [stream], agg="segment"), agree, 50, 100)


def many_systems(
    name: str, peer: Any, spec: str, systems: dict[str, list[str]], stream: list[str], minimum: float, target: float
) -> Case:
    """Nine systems; both tools prepare the references once."""

    def theirs() -> dict[str, float]:
        metric = peer(references=[stream])
        return {system: metric.corpus_score(output, None).score for system, output in systems.items()}

    def agree(expected: dict[str, float], found: Any) -> None:
        for system, value in expected.items():
            np.testing.assert_allclose(found.corpus[system], value, rtol=0, atol=1e-9)

    return Case(name, "sacreBLEU", theirs, lambda: ours(spec, systems, [stream]), agree, minimum, target, rounds=3)
