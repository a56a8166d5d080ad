"""Learn the metric `lexical` that comes with Assay from the WMT archives in $ASSAY_DATA, and write it into the package.

    python -m scripts.bundle_lexical

It is learnt from the judgements of WMT19 to WMT22 that belong to texts at hand: preferences from DA (WMT19), MQM and,
for Livonian, SQM. Left out are WMT14, which has no judgements of segments here; WMT17, where no segment was judged for
two systems; columns of single raters, whose licence does not allow every use; and the crowd's DA of WMT21 and WMT22,
which says next to nothing about single segments. It is checked on WMT24 and WMT25. The file has weights and counts, no
texts and no judgements.
"""

from __future__ import annotations

import sys
from pathlib import Path

import assay
from assay.reports import document, renderer
from scripts import archives

TRAINED = ("wmt14", "wmt17", "wmt19", "wmt21.news", "wmt21.tedtalks", "wmt22")
CHECKED = ("wmt24", "wmt25")
FEATURES = (
    "bleu",
    "chrf",
    "chrf++",
    "ter:normalized=yes,asian=yes",
    "cder:tok=13a",
    "per:tok=13a",
    "cer",
    "chrf#output_char_1/reference_char_1",
)
GOLD = ("mqm", "wmt-appraise-z", "darr", "esa")
TARGET = Path(__file__).parents[1] / "src" / "assay" / "trained" / "bundled" / "lexical.json"


def learnt() -> assay.results.Training:
    """The metric."""
    trained, checked = (
        [campaign for name in names for campaign in assay.load_campaigns(archives.unpacked(name))]
        for names in (TRAINED, CHECKED)
    )
    return assay.train(trained, FEATURES, gold=GOLD, check=checked)


def main() -> None:
    """Learn and write."""
    training = learnt()
    TARGET.write_text(str(renderer.create("json").render(document(training))), encoding="utf-8")
    sys.stdout.write("\n".join((*document(training).verdict.sentences, "")))


if __name__ == "__main__":
    main()
