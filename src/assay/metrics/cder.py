"""CDER (Leusch et al. 2006) as the Moses scorer computes it."""

from __future__ import annotations

from dataclasses import dataclass

from assay.metrics import metric
from assay.metrics.wer import Wer

__all__ = ["Cder"]

_MOSES = {"flavour": "moses"}


@metric("cder", aliases={"cder-moses": _MOSES})
@dataclass(frozen=True)
class Cder(Wer):
    """Edits and block jumps (one edit each), per 100 words of the reference; lower is better.

    score = 100 * edits / reference length

    Options: flavour (plain; moses: as the Moses scorer, which prints 1 - edits / length, higher is better, and splits
    at U+0020 only); tok, the tokeniser (none: white space); lowercase; multi_ref, how to use several references (best:
    the fewest edits, divided by the mean length; moses: the first, unless another scores higher with the fraction cut
    off; auto: moses for flavour=moses, else best).
    """

    labels = ("CDER",)

    @property
    def rate(self) -> str:
        return "cder"
