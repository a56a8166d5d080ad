"""Scores and signatures in sacreBLEU's format."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any

__all__ = ["BLEUScore", "CHRFScore", "Score", "Signature", "TERScore"]

_ABBREVIATIONS = {
    "nrefs": "#",
    "bs": "bs",
    "ar": "ar",
    "seed": "rs",
    "case": "c",
    "eff": "e",
    "tok": "tok",
    "smooth": "s",
    "nc": "nc",
    "nw": "nw",
    "space": "s",
    "norm": "nr",
    "punct": "pn",
    "asian": "as",
    "version": "v",
}


@dataclass(frozen=True, repr=False)
class Signature:
    """sacreBLEU's signature; `format(short=True)` abbreviates the keys."""

    text: str

    def format(self, short: bool = False) -> str:
        """The signature as text."""
        if not short:
            return self.text
        short_keys = _ABBREVIATIONS | ({"tok": "t"} if "|tok:tercom|" in self.text else {})  # as in sacreBLEU
        return "|".join(f"{short_keys[key]}:{value}" for key, _, value in map(_split_item, self.text.split("|")))

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


def _split_item(item: str) -> tuple[str, str, str]:
    return item.partition(":")


@dataclass(frozen=True)
class Score:
    """A score in sacreBLEU's format."""

    name: str
    score: float
    mean: float | None = dataclasses.field(default=None, kw_only=True)
    interval: float | None = dataclasses.field(default=None, kw_only=True)

    @property
    def verbose(self) -> str:
        """The text after the number."""
        return ""

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """The score as a line of text or a JSON object."""
        number = f"{self.score:.{width}f}"
        confidence = ""
        if self.mean is not None and self.interval is not None and self.mean > 0:
            confidence = f"μ = {self.mean:.{width}f} ± {self.interval:.{width}f}"
            number += f" ({confidence})"
        if score_only:  # also for JSON, which is then a bare number
            return number
        if is_json:
            return self._json(width, confidence, signature)
        name = f"{self.name}|{signature}" if signature else self.name
        return f"{name} = {number}" + (f" {self.verbose}" if self.verbose else "")

    def _json(self, width: int, confidence: str, signature: str) -> str:
        document: dict[str, Any] = {
            "name": self.name,
            "score": float(f"{self.score:.{width}f}"),
            "signature": signature,
        }
        if confidence:
            document["confidence_mean"] = float(f"{self.mean:.{width}f}")
            document["confidence_var"] = float(f"{self.interval:.{width}f}")
            document["confidence"] = confidence
        if self.verbose:
            document["verbose_score"] = self.verbose
        if signature:
            document |= {key: value for key, _, value in map(_split_item, signature.split("|"))}
        return json.dumps(document, indent=1, ensure_ascii=False)

    def __str__(self) -> str:
        return self.format()


@dataclass(frozen=True)
class BLEUScore(Score):
    """BLEU and its components."""

    counts: list[float]
    totals: list[float]
    precisions: list[float]
    bp: float
    sys_len: int
    ref_len: int

    @property
    def prec_str(self) -> str:
        """The precisions, one decimal each."""
        return "/".join(f"{p:.1f}" for p in self.precisions)

    @property
    def ratio(self) -> float:
        """Output length over reference length."""
        return self.sys_len / self.ref_len if self.ref_len else 0

    @property
    def verbose(self) -> str:
        """Precisions, brevity penalty and lengths."""
        return (
            f"{self.prec_str} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.sys_len:d} ref_len = {self.ref_len:d})"
        )

    __str__ = Score.__str__


@dataclass(frozen=True)
class CHRFScore(Score):
    """chrF with its orders."""

    char_order: int
    word_order: int
    beta: float

    __str__ = Score.__str__


@dataclass(frozen=True)
class TERScore(Score):
    """TER with its edits and the sum of mean reference lengths."""

    num_edits: int
    ref_length: float

    __str__ = Score.__str__
