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
    """Edits where the output may be read in any order, one a jump, per 100 words of the reference; lower is better.

    score = 100 * edits / reference length

    Options: flavour (plain; moses: as the Moses scorer, which prints 1 - edits / length, higher is better, and cuts at
    U+0020 only); tok, the tokeniser (none: white space); lowercase; multi_ref, which of several references counts
    (best: the fewest edits, over the mean length; moses: the first, unless another scores more in whole numbers;
    auto: moses for flavour=moses, else best).
    """

    _rate = "cder"
