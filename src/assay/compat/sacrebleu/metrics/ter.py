"""sacreBLEU's TER."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar

from assay.compat.sacrebleu.metrics.base import Metric, Score, Signature
from assay.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from assay.metrics.ter import Ter

__all__ = ["TER", "TERScore", "TERSignature"]


class TERSignature(Signature):
    """The signature of TER."""

    _abbr: ClassVar[dict[str, str]] = Signature._abbr | {
        "case": "c",
        "tok": "t",
        "norm": "nr",
        "punct": "pn",
        "asian": "as",
    }

    def __init__(self, args: Any) -> None:
        super().__init__(args)
        self.info |= {
            "case": "mixed" if args["case_sensitive"] else "lc",
            "tok": "tercom",
            "norm": args["normalized"],
            "punct": not args["no_punct"],
            "asian": args["asian_support"],
        }


class TERScore(Score):
    """TER with its edits and the sum of mean reference lengths."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = num_edits
        self.ref_length = ref_length


class TER(Metric):
    """TER of sacreBLEU."""

    _SIGNATURE_TYPE = TERSignature

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        super().__init__(references)
        self.no_punct = no_punct
        self.normalized = normalized
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive

    @property
    def tokenizer(self) -> TercomTokenizer:
        """The tokeniser of tercom."""
        return TercomTokenizer(self.normalized, self.no_punct, self.asian_support, self.case_sensitive)

    @property
    def tokenizer_signature(self) -> str:
        """The name of the tokeniser."""
        return self.tokenizer.signature()

    @property
    def metric(self) -> Ter:
        """TER of Assay with the options of this one."""
        return _ter(bool(self.normalized), bool(self.no_punct), bool(self.asian_support), bool(self.case_sensitive))

    def _compute_score_from_stats(self, stats: Sequence[float]) -> TERScore:
        edits, length = stats
        score = 100 * (edits / length) if length > 0 else 100.0 if edits > 0 else 0.0
        return TERScore(score, int(edits), float(length))

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer(sent.rstrip())

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """The words of each reference, which sacreBLEU tokenises a second time."""
        return {"ref_words": [self._preprocess_segment(ref).split() for ref in refs]}


@lru_cache(maxsize=16)
def _ter(normalized: bool, no_punct: bool, asian: bool, case_sensitive: bool) -> Ter:
    return Ter(normalized=normalized, no_punct=no_punct, asian=asian, case_sensitive=case_sensitive)
