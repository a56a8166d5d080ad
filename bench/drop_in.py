"""sacreBLEU's functions for one segment, called for every segment in turn, as scripts and MBR decoders do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sacrebleu

import assay
import assay.compat.sacrebleu
from bench.harness import Case
from tests.archives import texts


def cases() -> Iterator[Case]:
    """Functions see every text for the first time; an object of sacreBLEU keeps the tokens of texts it has seen."""
    references, outputs = texts("wmt22", "en-de", ("refA",))
    segments = list(zip(next(iter(outputs.values())), references["refA"], strict=True))
    names = {
        "sacrebleu": sacrebleu,
        "assay": assay,
        "segments": segments,
        "their_metric": sacrebleu.BLEU(effective_order=True),
        "our_metric": assay.compat.sacrebleu.BLEU(effective_order=True),
    }

    def case(name: str, their_function: str, our_function: str, minimum: float, target: float) -> Case:
        """Attributes of the results, so that a result is not made when it is first read."""
        code = "[vars({}(output, [reference])) for output, reference in segments]"
        peer_code, our_code = code.format(their_function), code.format(our_function)
        name = f"{name}, {len(segments):,} calls"
        return Case(name, "sacreBLEU", peer_code, our_code, names, _agree, minimum, target)

    for function in ("sentence_bleu", "sentence_chrf"):
        yield case(f"{function}, new texts", f"sacrebleu.{function}", f"assay.compat.sacrebleu.{function}", 3, 8)
    name = "BLEU(effective_order=True).sentence_score, the same texts again"
    yield case(name, "their_metric.sentence_score", "our_metric.sentence_score", 1, 3)


def _agree(expected: Any, found: Any) -> None:
    if expected != found:
        raise AssertionError("the results differ")
