from __future__ import annotations

from assay import load, score
from assay.reports import document as make_document
from assay.reports.documents import Document, Section
from assay.reports.md import Markdown


def test_pipe_table():
    run = score(
        load(outputs={"a|b": ["x y", "z"], "<i>": ["x", "y"]}, references=["x y", "z z z"]),
        "chrf",
        resamples=0,
        agg="corpus,segment",
    )
    lines = Markdown().render(make_document(run)).splitlines()
    assert lines[:3] == ["| chrf (n=2) | corpus | segment |", "| --- | --: | --: |", "| a\\|b | 52.24 | 69.23 |"]
    assert lines[3].startswith("| \\<i\\> | ")
    assert "corpus and segment scores differ by up to 16.99 (a\\|b)" in lines[5]
    assert lines[-1].startswith("`chrf|char_order:6|")


def test_notes_are_a_list_at_the_end():
    run = score(load(outputs={"x": ["a", None]}, references=["a", "b"]), "chrf", resamples=0, agg="corpus")
    assert Markdown().render(make_document(run)).splitlines()[-1].startswith("- chrf: excluded 1 of 2 segments")


def test_signatures_are_code_whatever_is_in_them():
    def written(signature):
        return Markdown().render(Document(lambda: [Section(signatures=(signature,))], {}, lambda: (), dict))

    assert written("bleu|tok:13a") == "`bleu|tok:13a`\n"
    assert written("a`b``c\nd") == "``` a`b``c d ```\n"
