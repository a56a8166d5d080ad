"""sacreBLEU's paired tests of nine systems, from Python lists to p-values that are the same bit for bit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sacrebleu
import sacrebleu.significance

import assay
import assay.compat.sacrebleu.significance
from bench.harness import Case
from tests.archives import texts


def cases() -> Iterator[Case]:
    """The bootstrap and randomisation of nine systems of WMT22 en-de, each with sacreBLEU's default size."""
    references, outputs = texts("wmt22", "en-de", ("refA",))
    systems = [(name, outputs[name]) for name in list(outputs)[:9]]
    reference = references["refA"]
    yield paired("paired bootstrap, 1,000 x 9 systems, BLEU", "bs", "BLEU", systems, reference)
    yield paired("approximate randomisation, 10,000 x 9 systems, BLEU", "ar", "BLEU", systems, reference)
    yield paired("paired bootstrap, 1,000 x 9 systems, chrF", "bs", "CHRF", systems, reference)


def paired(name: str, test_type: str, metric: str, systems: list[tuple[str, list[str]]], reference: list[str]) -> Case:
    """One paired test; both tools prepare the references once."""

    def code(package: str) -> str:
        metrics = f'{{"{metric}": {package}.{metric}(references=[reference])}}'
        return f'{package}.significance.PairedTest(systems, {metrics}, None, "{test_type}")()'

    return Case(
        name,
        "sacreBLEU",
        code("sacrebleu"),
        code("assay.compat.sacrebleu"),
        {"sacrebleu": sacrebleu, "assay": assay, "systems": systems, "reference": reference},
        _agree,
        60,
        150,
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
