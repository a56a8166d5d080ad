"""sacreBLEU's Python interface: change one import line and keep the rest of the script.

    from assay.compat.sacrebleu import BLEU, CHRF, TER, corpus_bleu

References are K lists of N texts, as sacreBLEU takes them, but their lengths are checked. Scores, counts, precisions,
texts and signatures are sacreBLEU 2.6.0's; resampled means and intervals use its draws, summed exactly.

`python -m assay.compat.sacrebleu` is its command.
"""

from __future__ import annotations

from assay.compat.sacrebleu.functions import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from assay.compat.sacrebleu.scorers import BLEU, CHRF, TER
from assay.compat.sacrebleu.scores import BLEUScore, CHRFScore, Signature, TERScore

__all__ = [
    "BLEU",
    "CHRF",
    "TER",
    "BLEUScore",
    "CHRFScore",
    "Signature",
    "TERScore",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
]
