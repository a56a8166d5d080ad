"""sacreBLEU's paired tests of nine systems, from Python lists to p-values that are the same bit for bit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sacrebleu.metrics as their_metrics
from sacrebleu import significance as theirs

from assay.compat import sacrebleu as our_metrics
from assay.compat.sacrebleu import significance as ours
from bench.harness import Case
from tests.archives import texts


def cases() -> Iterator[Case]:
    """The bootstrap and randomisation of nine systems of WMT22 en-de, each with sacreBLEU's default size."""
    references, outputs = texts("wmt22", "en-de", ("refA",))
    systems = [(name, outputs[name]) for name in list(outputs)[:9]]
    stream = references["refA"]
    yield paired("paired bootstrap, 1,000 x 9 systems, BLEU", "bs", "BLEU", systems, stream, 60, 150)
    yield paired("approximate randomisation, 10,000 x 9 systems, BLEU", "ar", "BLEU", systems, stream, 60, 150)
    yield paired("paired bootstrap, 1,000 x 9 systems, chrF", "bs", "CHRF", systems, stream, 60, 150)


def paired(
    name: str,
    test_type: str,
    metric: str,
    systems: list[tuple[str, list[str]]],
    stream: list[str],
    minimum: float,
    target: float,
) -> Case:
    """One paired test; both tools prepare the references once."""

    def call(significance: Any, metrics: Any) -> Any:
        scorer = getattr(metrics, metric)(references=[stream])
        return significance.PairedTest(systems, {metric: scorer}, None, test_type)()

    return Case(
        name,
        "sacreBLEU",
        lambda: call(theirs, their_metrics),
        lambda: call(ours, our_metrics),
        _agree,
        minimum,
        target,
        rounds=3,
    )


def _agree(expected: Any, found: Any) -> None:
    if _plain(*expected) != _plain(*found):
        raise AssertionError("the results differ")


def _plain(signatures: Any, scores: Any) -> Any:
    """Signatures, and every number with all its digits."""
    results = {name: column for name, column in scores.items() if name != "System"}
    numbers = {
        name: [[value and float(value) for value in vars(r).values()] for r in results[name]] for name in results
    }
    return {name: str(text) for name, text in signatures.items()}, numbers
