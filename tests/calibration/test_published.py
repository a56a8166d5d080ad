from __future__ import annotations

from assay.calibration.published import Cutoff, Published


def test_cut_offs_of_one_population_in_order():
    high, low = (Cutoff("BLEU", "DA/SQM", "all", "all", x, p) for x, p in ((5.5, 0.8), (1.2, 0.5)))
    other = Cutoff("chrF", "DA/SQM", "I", "all", 3.0, 0.8)
    published = Published("A paper", "absolute", ("wmt22",), (high, low, other))
    assert published.metrics == ("BLEU", "chrF")
    assert published.find("bleu", "corpus", "DA/SQM", "all", "all") == (low, high)
    assert published.find("bleu", "segment", "DA/SQM", "all", "all") == ()
    assert published.find("chrf", "corpus", "DA/SQM", "all", "all") == ()
