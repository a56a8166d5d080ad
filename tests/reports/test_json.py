from __future__ import annotations

import json

from assay import load, score
from assay.reports import document as make_document
from assay.reports.json import Json


def test_document():
    run = score(load(outputs={"ü": ["a b c d"]}, references=["a b c d"]), "bleu", resamples=10)
    text = Json().render(make_document(run))
    assert text.endswith("}\n")
    assert '"system": "ü"' in text
    document = json.loads(text)
    assert (document["version"], document["segments"]) == (3, 1)
    assert [row["aggregation"] for row in document["rows"]] == ["corpus", "segment"]
    assert "segment_scores" not in document
    assert document["disagreements"] == [{"metric": "bleu", "largest": 0.0, "system": "ü", "flips": [], "pairs": 0}]


def test_segments_and_sacrebleu_signature():
    run = score(load(outputs={"x": ["a b", None]}, references=["a b", "c"]), "bleu", resamples=10)
    document = json.loads(Json().render(make_document(run, segments=True, signatures="sacrebleu")))
    (scores,) = document["segment_scores"]
    assert (scores["system"], scores["metric"], scores["values"]) == ("x", "bleu", [100.0, None])
    assert "percent:yes|refs:1|agg:none" in scores["signature"]
    signatures = {row["aggregation"]: row["signature"] for row in document["rows"]}
    assert signatures["corpus"] == "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    assert signatures["segment"].startswith("bleu|")
