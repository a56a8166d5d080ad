"""How intervals of agreement were made, in words."""

from __future__ import annotations

from collections.abc import Iterable

from assay.results import IntervalBasis
from assay.types.note import plural

__all__ = ["interval_words"]

_METHODS = {
    "fisher": "Fisher's z over systems",
    "systems": "bootstrap over systems",
    "segments": "bootstrap over segments",
    "documents": "bootstrap over documents",
    "both": "bootstrap over systems and segments",
    "judgements:unit=segment": "bootstrap over human judgements, segments with all their rankings",
    "judgements:unit=ranking": "bootstrap over human judgements, rankings with all their pairs",
    "judgements:unit=pair": "bootstrap over human judgements, single pairs of outputs",
}


def interval_words(bases: Iterable[IntervalBasis]) -> str:
    """Each method once, with the number of resamples."""
    return "; ".join(dict.fromkeys(map(_words, bases)))


def _words(basis: IntervalBasis) -> str:
    words = _METHODS.get(basis.method, basis.method)
    return f"{words}, {plural(basis.resamples, 'resample')}" if basis.resamples else words
