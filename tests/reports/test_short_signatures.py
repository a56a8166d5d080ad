from __future__ import annotations

import pytest

from assay import compare, explain, leaderboard, load
from assay.reports import document
from assay.reports.short_signatures import short_score_line
from assay.reports.table import Table

REFERENCES = ["the cat sat on the mat", "good morning to you all"] * 4
TEXTS = load(outputs={"good": REFERENCES, "poor": ["the cat sat", "good day"] * 4}, references=REFERENCES)


def signatures(result, **options):
    lines = Table().render(document(result, **options)).splitlines()
    return [line.rpartition("|version:")[0] for line in lines if "|version:" in line]


@pytest.mark.parametrize(("verb", "options"), [(leaderboard, {}), (compare, {"details": True})])
def test_comparisons_name_what_is_not_the_default(verb, options):
    result = verb(TEXTS, ["bleu:tok=intl", "chrf++"], agg="corpus", resamples=200)
    bleu, chrf, tests = signatures(result, signatures="short", **options)
    assert (bleu, chrf) == ("bleu|tok:intl|refs:1|agg:corpus|resamples:200", "chrf++|refs:1|agg:corpus|resamples:200")
    assert "resamples:200" in tests
    assert "seed" not in tests
    assert "systems:" not in tests
    assert [line.count("seed:") for line in signatures(result, **options)] == [1, 1, 1]


def test_an_explanation_names_its_question():
    result = explain("bleu", 1.2, lp="en-de")
    (line,) = signatures(result, signatures="short")
    assert line == "metric:bleu|agg:corpus|difference:1.2|lp:en-de|protocol:ESA|calibration:wmt"
    assert "min_segments:" in signatures(result)[0]


def test_scores_from_a_file_keep_their_signature():
    assert short_score_line("mine", "mine|seed:12345|version:1") == "mine|seed:12345|version:1"
