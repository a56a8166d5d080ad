"""sacreBLEU's Python interface: change one import line and keep the rest of the script.

    from assay.compat.sacrebleu import BLEU, CHRF, TER, corpus_bleu

Modules, names and arguments are those of sacreBLEU 2.6.0. Scores, counts, means and intervals, texts and signatures
equal its own with NumPy 2. References are K lists of N texts, as in sacreBLEU, but their lengths are checked.

For projects that import sacreBLEU themselves, do this before they do:

    sys.modules["sacrebleu"] = assay.compat.sacrebleu

`python -m assay.compat.sacrebleu` replaces its command.
"""

from __future__ import annotations

from assay.compat.sacrebleu.alias import support_aliases
from assay.compat.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from assay.compat.sacrebleu.metrics import BLEU, CHRF, TER
from assay.compat.sacrebleu.metrics.helpers import extract_char_ngrams, extract_word_ngrams
from assay.compat.sacrebleu.utils import (
    DATASETS,
    SACREBLEU_DIR,
    download_test_set,
    get_available_testsets,
    get_langpairs_for_testset,
    get_reference_files,
    get_source_file,
    smart_open,
)
from assay.compat.sacrebleu.version import __version__

__all__ = [
    "BLEU",
    "CHRF",
    "DATASETS",
    "SACREBLEU_DIR",
    "TER",
    "__version__",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "download_test_set",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "get_available_testsets",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "smart_open",
]

support_aliases()
