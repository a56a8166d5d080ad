"""sacreBLEU's Python interface: change one import line and keep the rest of the script.

    from assay.compat.sacrebleu import BLEU, CHRF, TER, corpus_bleu

References are K lists of N texts, as in sacreBLEU, but their lengths are checked. Scores, counts, means and intervals,
texts and signatures equal those of sacreBLEU 2.6.0 with NumPy 2. `significance.PairedTest` has its paired tests.

`python -m assay.compat.sacrebleu` replaces its command.
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
