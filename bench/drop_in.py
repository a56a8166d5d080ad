"""sacreBLEU's functions for one segment, called for every segment in turn, as scripts and MBR decoders do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import sacrebleu as theirs

from assay.compat import sacrebleu as ours
from bench.harness import Case
from tests.archives import texts


def cases() -> Iterator[Case]:
    """Functions see every text for the first time; an object of sacreBLEU keeps the tokens of texts it has seen."""
    references, outputs = texts("wmt22", "en-de", ("refA",))
    segments = list(zip(next(iter(outputs.values())), references["refA"], strict=True))

    def case(name: str, function: Callable[[Any], Any], minimum: float, target: float) -> Case:
        """`function` finds what to call in a package."""

        def calls(package: Any) -> Callable[[], list[dict[str, Any]]]:
            call = function(package)
            return lambda: [vars(call(output, [reference])) for output, reference in segments]

        return Case(name, "sacreBLEU", calls(theirs), calls(ours), _agree, minimum, target)

    count = f"{len(segments):,} calls"
    yield case(f"sentence_bleu, new texts, {count}", lambda package: package.sentence_bleu, 3, 8)
    yield case(f"sentence_chrf, new texts, {count}", lambda package: package.sentence_chrf, 3, 8)
    yield case(
        f"BLEU.sentence_score, the same texts again, {count}",
        lambda package: package.BLEU(effective_order=True).sentence_score,
        1,
        3,
    )


def _agree(expected: Any, found: Any) -> None:
    if expected != found:
        raise AssertionError("the results differ")
