"""The files of the WMT general task since 2025. The texts are made up; the fields are those of the public files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import assay
from assay.data.formats import find_format
from assay.data.formats.wmt_genmt import WmtGenmt
from tests import archives
from tests.data.flat import read_or_refused
from tests.data.judged import read, refused

PAIRS = (("eng_Latn", "deu_Latn"), ("ces_Latn", "ukr_Cyrl"))


def name_of(source: str, target: str, domain: str, number: int) -> str:
    return f"WMT26_###_{domain}_###_{source}_###_{target}_###_d{number}"


def lines(*records: dict[str, object]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def document(source: str, target: str, domain: str, number: int, refs: dict[str, object]) -> dict[str, object]:
    return {
        "doc_id": name_of(source, target, domain, number),
        "domain": domain,
        "src_lang": source,
        "tgt_lang": target,
        "src_text": f"Source {source} {number}.",
        "video": {"id": "v", "path": "v.mp4"} if domain == "speech" else None,
        "screenshot": None,
        "gold_transcript": "What was said." if domain == "speech" else None,
        "prompt_instruction": "Translate this.",
        "evaluation_instruction": "Formal.",
        "refs": refs,
    }


DOCUMENTS = lines(
    document(*PAIRS[0], "news", 0, {"refA": {"ref": "Verweis 0."}, "refPE": "Bearbeitet 0."}),
    document(*PAIRS[0], "speech", 1, {"refA": {"ref": "Verweis 1."}}),
    document(*PAIRS[1], "news", 0, {}),
)
OUTPUTS = lines(
    *(
        {"doc_id": name_of(*pair, domain, number), "hypothesis": f"Ausgabe {number}.", "metadata": {"tokens": 3}}
        for pair, domain, number in ((PAIRS[0], "news", 0), (PAIRS[0], "speech", 1), (PAIRS[1], "news", 0))
    )
)


def write(folder: Path, *systems: str, documents: str = DOCUMENTS) -> list[Path]:
    paths = [folder / "wmt26-genmt.jsonl", *(folder / f"{system}.jsonl" for system in systems)]
    for path, text in zip(paths, [documents, *[OUTPUTS] * len(systems)], strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_a_test_set_with_the_outputs_of_two_systems(tmp_path: Path) -> None:
    german, ukrainian = assay.read(*write(tmp_path, "GPT 5.5", "HW-TSC"))
    assert (german.lp, german.systems, german.references) == (
        "eng_Latn-deu_Latn",
        ("GPT 5.5", "HW-TSC"),
        ("refA", "refPE"),
    )
    texts = german.testset
    assert texts is not None
    assert list(texts.references["refA"]) == ["Verweis 0.", "Verweis 1."]
    assert list(texts.references["refPE"]) == ["Bearbeitet 0.", None]
    assert list(texts.sources or ()) == ["Source eng_Latn 0.", "Source eng_Latn 1."]
    assert list(texts.domains or ()) == ["news", "speech"]
    assert texts.items[0] == name_of(*PAIRS[0], "news", 0)
    assert (ukrainian.lp, ukrainian.segments, ukrainian.references) == ("ces_Latn-ukr_Cyrl", 1, ())


def test_instructions_and_transcripts_stay_beside_the_sources(tmp_path: Path) -> None:
    german, _ = assay.read(*write(tmp_path, "A"))
    assert german.testset is not None
    layers = {name: list(columns["source"]) for name, columns in german.testset.annotations.items()}
    assert layers == {
        "prompt_instruction": ["Translate this."] * 2,
        "evaluation_instruction": ["Formal."] * 2,
        "gold_transcript": [None, "What was said."],
    }
    texts = [note.text for note in german.notes]
    assert "unused fields: video, screenshot" in texts
    assert "unused fields: metadata" in texts


def test_without_outputs_the_pairs_are_listed(tmp_path: Path) -> None:
    (path,) = write(tmp_path)
    german, ukrainian = assay.read(path)
    assert (german.segments, german.systems, german.references, german.testset) == (2, (), ("refA", "refPE"), None)
    assert ukrainian.segments == 1
    assert any("no outputs, so not used" in note.text for note in german.notes)


def test_documents_that_only_one_side_has_are_counted(tmp_path: Path) -> None:
    documents, *_ = write(tmp_path, "A")
    shortened = DOCUMENTS.split("\n", 1)[1]
    more = lines(document(*PAIRS[0], "news", 7, {}))
    documents.write_text(shortened + more, encoding="utf-8")
    german, _ = assay.read(documents, tmp_path / "A.jsonl")
    texts = " ".join(note.text for note in german.notes)
    assert "1 output of documents that the test set lacks" in texts
    assert "1 document without an output not used" in texts
    assert german.testset is not None
    assert list(german.testset.sources or ()) == [None, "Source eng_Latn 1."]


def test_which_format(tmp_path: Path) -> None:
    for path in write(tmp_path, "A"):
        assert find_format(path) == WmtGenmt()
    table = tmp_path / "table.jsonl"
    table.write_text(lines({"doc_id": "d1", "system": "A", "segment": 1, "hypothesis": "x"}), encoding="utf-8")
    assert find_format(table) != WmtGenmt()


def test_fields_say_the_language_pair_if_the_identifier_does_not(tmp_path: Path) -> None:
    text = lines({"doc_id": "d1", "src_lang": "en", "tgt_lang": "zh_CN", "domain": "x", "src_text": "a", "refs": None})
    (campaign,) = read(tmp_path, "wmt-genmt", text, "a.jsonl")
    assert (campaign.lp, campaign.segments) == ("en-zh_CN", 1)


@pytest.mark.parametrize(
    ("text", "old", "new", "line", "message"),
    [
        (DOCUMENTS, DOCUMENTS, "", None, "empty file"),
        (DOCUMENTS, '"refs": {}', '"refs": []', 3, "'refs' must be an object of texts by name, not list"),
        (DOCUMENTS, '{"ref": "Verweis 1."}', '{"ref": 5}', 2, "the reference 'refA' must be text, not int"),
        (DOCUMENTS, '"src_text": "Source ces_Latn 0."', '"src_text": null', 3, "no src_text"),
        (DOCUMENTS, '"src_text": "Source ces_Latn 0."', '"src_text": 1', 3, "'src_text' must be text, not int"),
        (DOCUMENTS, "ces_Latn_###_ukr_Cyrl", "x_###_y", 3, ""),
        (DOCUMENTS, "speech_###_eng_Latn_###_deu_Latn_###_d1", "news_###_eng_Latn_###_deu_Latn_###_d0", 2, "differs"),
        (OUTPUTS, '"hypothesis": "Ausgabe 1."', '"hypothesis": 1', 2, "'hypothesis' must be text, not int"),
        (OUTPUTS, '"hypothesis": "Ausgabe 1."', '"output": "x"', 2, "no hypothesis, which other lines have"),
        (OUTPUTS, '"doc_id": "WMT26_###_speech', '"doc": "WMT26_###_speech', 2, "no doc_id"),
        (OUTPUTS, "speech_###_eng_Latn_###_deu_Latn_###_d1", "news_###_eng_Latn_###_deu_Latn_###_d0", 2, "duplicate"),
        (OUTPUTS, "speech_###_eng_Latn_###_deu_Latn_###_d1", "d1", 2, "no language pair"),
    ],
)
def test_damaged_twins(tmp_path: Path, text: str, old: str, new: str, line: int | None, message: str) -> None:
    damaged = text.replace(old, new, 1)
    assert damaged != text
    if not message:  # the fields still say the pair
        assert read(tmp_path, "wmt-genmt", damaged, "a.jsonl")[1].lp == "ces_Latn-ukr_Cyrl"
        return
    assert message in refused(tmp_path, "wmt-genmt", damaged, "a.jsonl", line)


def test_any_bytes_are_read_or_refused(tmp_path: Path) -> None:
    read_or_refused(lambda raw: read(tmp_path, "wmt-genmt", raw, "a.jsonl"), DOCUMENTS, OUTPUTS, examples=60)


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA is not set")
def test_public_submissions() -> None:
    """The first lines of AMI's file are into Icelandic; SRPOL names itself in every line."""
    folder = archives.unpacked("formats")
    (icelandic,) = assay.read(folder / "wmt26" / "AMI.first150.jsonl")
    assert (icelandic.lp, icelandic.segments, icelandic.systems) == ("eng_Latn-isl_Latn", 150, ("AMI.first150",))
    (german,) = assay.read(folder / "wmt25" / "SRPOL.first250.jsonl")
    assert (german.lp, german.segments, german.systems) == ("cs-de_DE", 250, ("SRPOL",))
    assert german.testset is not None
    assert set(german.testset.domains or ()) == {"dialogue", "edu", "news", "social", "speech"}
