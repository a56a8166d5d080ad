"""Compare readings of eBLEU's paper with the authors' scores of outputs that equal their reference.

python -m scripts.ebleu_identity FILE

FILE is a table with the columns `text` and `score`: segments into English of WMT23 whose output equals its reference,
and the score of the submission eBLEU against this reference. Both are in the data of WMT23's metrics task. Writes the
tables and the figure of docs/methods/ebleu.md, and all readings to build/ebleu_identity/readings.tsv. Needs the WMT
archives in $ASSAY_DATA, and wink-en and use-multilingual in the resource folder (make resources).
"""

from __future__ import annotations

import sys
from pathlib import Path

from assay.types import FloatArray
from scripts.ebleu_identity import page
from scripts.ebleu_identity.fit import Fit, Texts, fit, lowest_of_three_words, scores
from scripts.ebleu_identity.readings import Reading, grid, one_change
from scripts.ebleu_identity.vectors import SOURCES, vectors_of
from scripts.resources import FOLDER

KEPT = FOLDER.parent / "ebleu_identity"


def main() -> None:
    """Compute everything, and write the page."""
    texts = Texts.read(Path(sys.argv[1]))
    readings = dict.fromkeys([*(reading for _, reading in one_change()), *grid()])
    fits: dict[tuple[str, Reading], Fit] = {}
    for source in SOURCES:
        vectors = vectors_of(source, texts.vocabulary, KEPT)
        known: dict[Reading, FloatArray] = {}
        for reading in readings:
            fits[source.name, reading] = fit(scores(texts, vectors, reading, known), texts)
        print(source.name, file=sys.stderr, flush=True)
    lowest = {reading: lowest_of_three_words(reading) for _, reading in one_change() if reading.unknown == "same"}
    (KEPT / "readings.tsv").write_text(page.table_of_all(fits), encoding="utf-8")
    page.write(texts, fits, lowest)


if __name__ == "__main__":
    main()
