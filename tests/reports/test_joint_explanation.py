from __future__ import annotations

import assay
from assay.reports import document
from assay.reports.table import Table


def test_sentences_and_the_signature():
    found = assay.explain("bleu,chrf", [2.0, 1.0], lp="en-cs")
    text = Table().render(document(found))
    assert text.startswith("BLEU +2 and chrF +1 (en-cs): chrF, which answers alone because all ")
    assert found.signature in text
    assert found.signature not in Table().render(document(found, signatures="short"))
