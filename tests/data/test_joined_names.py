"""Files that name their segments, such as one file per system."""

from __future__ import annotations

import json

import pytest

from assay import check, convert, load_campaign, read
from assay.errors import AlignmentError
from tests import archives


def write(tmp_path, name, rows):
    path = tmp_path / f"{name}.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def row(document, text, **others):
    return {"doc_id": f"en-de_DE_#_news_#_{document}", "hypothesis": text} | others


def test_outputs_of_several_systems_become_one_test_set(tmp_path):
    paths = [
        write(tmp_path, "GPT-3.5", [row("a", "A"), row("b", "B"), row("c", "x") | {"doc_id": "en-cs_CZ_#_edu_#_c"}]),
        write(tmp_path, "y", [row("b", "b\n\nbb"), row("d", "d")]),
    ]
    german, czech = read(*paths)
    names = tuple(f"en-de_DE_#_news_#_{name}" for name in "abd")
    assert (german.lp, german.testset.items, german.testset.documents) == ("en-de_DE", names, names)
    assert german.testset.domains == ("news",) * 3
    assert dict(german.testset.outputs) == {"GPT-3.5": ("A", "B", None), "y": (None, "b\n\nbb", "d")}
    assert (czech.lp, czech.systems) == ("en-cs_CZ", ("GPT-3.5",))
    convert(paths, tmp_path / "all.jsonl.gz")
    again = read(tmp_path / "all.jsonl.gz")
    assert [campaign.testset.items for campaign in again] == [german.testset.items, czech.testset.items]
    assert again[0].testset.outputs == german.testset.outputs


def test_contradictions_are_errors(tmp_path):
    first = write(tmp_path, "x", [row("a", "A", source="s")])
    with pytest.raises(AlignmentError, match=r"^the files have different texts of the source, first in segment 1"):
        read(first, write(tmp_path, "y", [row("a", "A", source="t")]))
    with pytest.raises(AlignmentError, match="different texts of the outputs of 'x'"):
        read(first, write(tmp_path, "y", [row("a", "B", system="x")]))


def test_files_given_together_are_one_test_set(tmp_path):
    """Reading, converting and checking join files as ranking does."""
    (tmp_path / "a.tsv").write_text("segment\toutput\n1\ta\n", encoding="utf-8")
    (tmp_path / "b.tsv").write_text("segment\toutput\n1\tb\n", encoding="utf-8")
    (campaign,) = read(tmp_path / "a.tsv", tmp_path / "b.tsv")
    assert campaign.testset.outputs == {"a": ("a",), "b": ("b",)}
    for rater in ("r1", "r2"):
        row = f"{rater},A,1,TGT,eng,deu,50,1.5,2.5\n"
        (tmp_path / f"{rater}.csv").write_text(row, encoding="utf-8")
    paths = [tmp_path / "r1.csv", tmp_path / "r2.csv"]
    (written,) = convert(paths, tmp_path / "out.judgements.jsonl")
    (ratings,) = read(tmp_path / "out.judgements.jsonl")[0].judgements
    assert ratings.raters == written.judgements[0].raters == load_campaign(*paths).judgements[0].raters == ("r1", "r2")


def test_files_that_contradict_each_other(tmp_path):
    for name, text in {"a": "x", "b": "y"}.items():
        (tmp_path / f"{name}.tsv").write_text(f"system\tsegment\toutput\nA\t1\t{text}\n", encoding="utf-8")
    paths = [tmp_path / "a.tsv", tmp_path / "b.tsv"]
    with pytest.raises(AlignmentError, match="different texts of the outputs of 'A'"):
        read(*paths)
    (error,) = [finding for finding in check(paths).findings if finding.severity == "error"]
    assert error.hint == "give files of one test set only"


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA is not set")
def test_official_files():
    folder = archives.unpacked("formats")
    campaigns = read(*sorted((folder / "wmt25").glob("*.first250.jsonl")), *sorted((folder / "wmt26").glob("*.jsonl")))
    assert {c.lp: (c.segments, c.systems) for c in campaigns} == {
        "cs-uk_UA": (230, ("CUNI-SFT.first250",)),
        "en-cs_CZ": (20, ("CUNI-SFT.first250",)),
        "cs-de_DE": (250, ("SRPOL",)),
        "eng_Latn-isl_Latn": (150, ("AMI.first150",)),
        "ces_Latn-ukr_Cyrl": (150, ("HW-TSC.first150",)),
    }
    assert all(campaign.testset.items and campaign.testset.domains for campaign in campaigns)
