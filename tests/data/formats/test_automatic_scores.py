from __future__ import annotations

import json

import numpy as np
import pytest

from assay import load_scores, read
from assay.errors import InputError
from assay.types import NoteKind, TestSet
from tests import archives


def line(document="d1", lp="cs-de_DE", domain="edu", **scores):
    return {"language_pair": lp, "domain": domain, "document_id": document, "metric_scores": scores}


def write(tmp_path, rows, name="automatic_scores-GPT-3.5.jsonl"):
    path = tmp_path / name
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_paragraphs_are_named_and_pairs_are_split(tmp_path):
    rows = [line(A=[1, 2.5], B=[None, 0.5]), line("d2", domain="news", A=[3], B=[4]), line(lp="cs-uk_UA", A=[9])]
    german, ukrainian = read(write(tmp_path, rows))
    assert (german.lp, german.systems, ukrainian.lp, ukrainian.segments) == ("cs-de_DE", ("GPT-3.5",), "cs-uk_UA", 1)
    a, b = german.scores
    assert (a.name, a.level, a.domains) == ("A", "segment", ("edu", "edu", "news"))
    assert a.items == ("cs-de_DE_#_edu_#_d1:1", "cs-de_DE_#_edu_#_d1:2", "cs-de_DE_#_news_#_d2:1")
    np.testing.assert_array_equal(a.values, [[1, 2.5, 3]])
    np.testing.assert_array_equal(b.values, [[np.nan, 0.5, 4]])


def test_files_of_several_systems_belong_together(tmp_path):
    paths = [
        write(tmp_path, [line(A=[1, 2])], "x.jsonl"),
        write(tmp_path, [line(A=[3, 4]), line("d2", A=[5])], "y.jsonl"),
    ]
    (campaign,) = read(*paths)
    (table,) = campaign.scores
    assert table.systems == ("x", "y")
    np.testing.assert_array_equal(table.values, [[1, 2, np.nan], [3, 4, 5]])
    testset = TestSet({"x": ("a", "b"), "y": ("c", "d")}, items=table.items[1::-1], lp="cs-de_DE")
    (table,) = load_scores(paths, testset).tables
    np.testing.assert_array_equal(table.values, [[2, 1], [4, 3]])


@pytest.mark.warns("faulty rows? skipped")
def test_single_faulty_lines_are_skipped_and_counted(tmp_path):
    good = [line(f"d{i}", A=[i]) for i in range(200)]
    for bad in (line("x", A=["one"]), line("x", A=[1], B=[1, 2]), line("x"), line(""), good[0], line("x", A=3)):
        (campaign,) = read(write(tmp_path, [*good, bad, line("last", A=[1])]))
        (note,) = (note for note in campaign.notes if note.kind is NoteKind.SKIPPED)
        assert (note.count, note.line, campaign.segments) == (1, 201, 201)
    with pytest.raises(InputError):
        read(write(tmp_path, [line("x", A=["one"]), *good[:3]]))


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA is not set")
def test_an_official_file():
    first, second = read(archives.unpacked("formats") / "wmt25/automatic_scores-NLLB.first300.jsonl")
    assert [(c.lp, c.segments, len(c.scores)) for c in (first, second)] == [("cs-de_DE", 457, 5), ("cs-uk_UA", 67, 5)]
