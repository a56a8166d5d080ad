from __future__ import annotations

from assay import load, score
from assay.reports import document as make_document
from assay.reports.latex import Latex


def test_booktabs():
    run = score(load(outputs={"a_b & c": ["x y", None]}, references=["x y", "z"]), "chrf", resamples=0, agg="corpus")
    text = Latex().render(make_document(run, signatures="sacrebleu"))
    assert text == (
        "\\begin{tabular}{lr}\n\\toprule\nchrf (n=1) & corpus \\\\\n\\midrule\n"
        "a\\_b \\& c & 100.00 \\\\\n\\bottomrule\n"
        "\\end{tabular}\n% nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0\n"
        f"% note: {run.notes[0]}\n"
    )


def test_captions_signatures_and_notes_are_comments():
    run = score(load(outputs={"x": [None]}, references=["z"]), "chrf", resamples=0, agg="corpus")
    assert "% x, corpus: no segment was scored\n" in Latex().render(make_document(run))
    assert "x & -- \\\\" in Latex().render(make_document(run))


def test_a_bracket_does_not_belong_to_the_row_before():
    run = score(load(outputs={"[1pt]x": ["z"], "*y": ["z"]}, references=["z"]), "chrf", resamples=0, agg="corpus")
    text = Latex().render(make_document(run))
    assert "\n{[}1pt]x & 100.00" in text
    assert "\n{*}y & 100.00" in text
