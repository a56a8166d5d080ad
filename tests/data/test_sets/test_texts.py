from __future__ import annotations

import json
from pathlib import Path

import pytest
from sacrebleu.dataset.fake_sgml import FakeSGMLDataset
from sacrebleu.dataset.tsv import TSVDataset
from sacrebleu.dataset.wmt_xml import WMTXMLDataset

from assay.data.archives.catalogue import Source
from assay.data.test_sets.catalogue import Pair, Place
from assay.data.test_sets.texts import read_segments
from assay.errors import AlignmentError, InputError, UnknownNameError
from tests import archives

SOURCE_SGML = """<srcset setid="newstest" srclang="any">
<DOC docid="one" genre="news" origlang="en">
<p>
<seg id="1">A   dog &amp; a cat.</seg>
<seg id="2"> Two\u00a0lines </seg>
</p>
</DOC>
<doc sysid="ref" docid="two" genre="blog" origlang="en">
<hl>
<seg id="1">Three</seg>
</hl>
</doc>
</srcset>
"""
REFERENCE_SGML = SOURCE_SGML.replace("A   dog", "Ein Hund").replace("Three", "Drei")
XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="wmttest"><collection id="general">
<doc origlang="en" id="d1" domain="news">
  <src lang="en"><p><seg id="1">One  &amp; two</seg><seg id="2">Three</seg></p></src>
  <ref lang="de" translator="refA"><p><seg id="1">Eins &amp;  zwei</seg><seg id="2">Drei</seg></p></ref>
  <ref lang="de" translator="refB"><p><seg id="1">Ein und zwei</seg><seg id="2">Die Drei</seg></p></ref>
</doc>
<doc origlang="en" id="d2" domain="social">
  <src lang="en"><p><seg id="1">No reference</seg></p></src>
</doc>
<doc origlang="en" id="d3" testsuite="hard">
  <src lang="en"><p><seg id="1">Suite</seg></p></src>
  <ref lang="de" translator="refA"><p><seg id="1">Suite</seg></p></ref>
</doc>
</collection></dataset>
"""


def pair(*files: Path, columns: tuple[int | None, ...] = (), lp: str = "en-de") -> tuple[Pair, dict[Place, Path]]:
    places = [
        Place(Source(file.name, "", (), "", ""), "", columns[i] if columns else None) for i, file in enumerate(files)
    ]
    references = dict(zip(("ref",) if len(files) == 2 else ("refA", "refB"), places[1:], strict=False))
    return Pair(lp, places[0], references, ()), dict(zip(places, files, strict=True))


def write(folder: Path, **texts: str) -> list[Path]:
    for name, text in texts.items():
        (folder / name.replace("_", ".")).write_text(text, "utf-8")
    return [folder / name.replace("_", ".") for name in texts]


def theirs(kind: type, folder: Path, members: list[str], **options: object) -> dict[str, list[str]]:
    """The texts as sacreBLEU extracts them from the same files, by field."""
    dataset = kind("mine", data=[], md5=[], description="", citation="", langpairs={"en-de": members}, **options)
    dataset._rawdir, dataset._outdir = str(folder), str(folder)
    dataset.process_to_text("en-de")
    return {
        name: Path(path).read_text("utf-8").splitlines()
        for name, path in zip(dataset.fieldnames("en-de"), dataset.get_files("en-de"), strict=True)
    }


def test_sgml_as_sacrebleu_reads_it(tmp_path):
    files = write(tmp_path, src_en_sgm=SOURCE_SGML, ref_de_sgm=REFERENCE_SGML)
    segments, _ = read_segments("sgml", *pair(*files))
    expected = theirs(FakeSGMLDataset, tmp_path, [file.name for file in files])
    assert [segment.source for segment in segments] == expected["src"] == ["A dog &amp; a cat.", "Two lines", "Three"]
    assert [segment.references["ref"] for segment in segments] == expected["ref"]
    assert [segment.document for segment in segments] == ["one", "one", "two"]
    assert [segment.domain for segment in segments] == ["news", "news", "blog"]


def test_xml_as_sacrebleu_reads_it(tmp_path):
    (file,) = write(tmp_path, test_xml=XML)
    segments, _ = read_segments("wmt-xml", *pair(file))
    expected = theirs(WMTXMLDataset, tmp_path, [file.name], refs=["refA"])
    assert [segment.source for segment in segments] == expected["src"] == ["One & two", "Three"]
    for name in ("refA", "refB"):
        assert [segment.references[name] for segment in segments] == expected[f"ref:{name}"]
    assert [segment.document for segment in segments] == expected["docid"] == ["d1", "d1"]


def test_tables_as_sacrebleu_reads_them(tmp_path):
    (file,) = write(tmp_path, table_tsv="1\t7\tOne\tEins\n2\t7\tTwo words\t\n")
    segments, _ = read_segments("tsv", *pair(file, file, columns=(2, 3)))
    expected = theirs(TSVDataset, tmp_path, [f"2:{file.name}", f"3:{file.name}"])
    assert [segment.source for segment in segments] == expected["src"]
    assert [segment.references["ref"] for segment in segments] == expected["ref"] == ["Eins", ""]
    with pytest.raises(InputError, match=r"table\.tsv, line 1: has only 4 columns"):
        read_segments("tsv", *pair(file, file, columns=(2, 7)))


def test_references_in_plain_text_beside_sgml(tmp_path):
    files = write(tmp_path, src_en_sgm=SOURCE_SGML, ar_ref="Eins\nZwei\nDrei\n")
    segments, _ = read_segments("sgml", *pair(*files))
    assert [segment.references["ref"] for segment in segments] == ["Eins", "Zwei", "Drei"]


def test_different_lengths(tmp_path):
    files = write(tmp_path, a_en="One\nTwo\n", a_de="Eins\n")
    with pytest.raises(AlignmentError, match=r"a\.de: 1 segment, but .*a\.en has 2"):
        read_segments("lines", *pair(*files))


def test_bad_sources_of_wmt24pp(tmp_path):
    lines = [
        {"source": "Hi", "target": "Hallo", "document_id": "d", "domain": "news", "is_bad_source": False},
        {"source": "guid", "target": "guid", "document_id": "c", "domain": "canary", "is_bad_source": True},
    ]
    (file,) = write(tmp_path, en_jsonl="".join(json.dumps(line) + "\n" for line in lines))
    segments, notes = read_segments("wmt24pp", *pair(file))
    assert [(s.source, s.references["ref"], s.document, s.domain) for s in segments] == [("Hi", "Hallo", "d", "news")]
    assert "left out 1 segment" in str(notes[0])
    file.write_text('{"source": "Hi"}\n')
    with pytest.raises(InputError, match=r"en\.jsonl, line 1: has no field 'target'"):
        read_segments("wmt24pp", *pair(file))


def test_flores_is_matched_by_number(tmp_path):
    def lines(*texts: tuple[int, str]) -> str:
        return "".join(json.dumps({"id": i, "text": text, "url": "u", "domain": "d"}) + "\n" for i, text in texts)

    files = write(tmp_path, en_jsonl=lines((1, "One"), (2, "Two")), de_jsonl=lines((2, "Zwei"), (1, "Eins")))
    segments, _ = read_segments("flores", *pair(*files))
    assert [(segment.source, segment.references["ref"]) for segment in segments] == [("One", "Eins"), ("Two", "Zwei")]
    files[1].write_text(lines((1, "Eins")))
    with pytest.raises(AlignmentError, match="has no segment 2"):
        read_segments("flores", *pair(*files))


def test_paragraphs_of_the_general_task(tmp_path):
    def document(name: str, target: str, text: str, refs: object) -> str:
        fields = {"src_lang": "en", "tgt_lang": target, "doc_id": name, "domain": "news", "src_text": text}
        return json.dumps({**fields, "refs": refs}) + "\n"

    (file,) = write(
        tmp_path,
        g_jsonl=document("d1", "de_DE", "One\n\nTwo\nlines", {"refA": {"ref": "Eins\n\nZwei\nZeilen"}})
        + document("d2", "de_DE", "Three", {"refA": "Drei\n\nVier"})
        + document("d3", "cs_CZ", "<p>One</p>\n<p>Two</p>", {}),
    )
    segments, notes = read_segments("genmt", *pair(file))
    assert [segment.source for segment in segments] == ["One", "Two lines", "Three"]
    assert [segment.references.get("refA") for segment in segments] == ["Eins", "Zwei Zeilen", None]
    assert "no reference for 1 document" in str(notes[0])
    tagged, _ = read_segments("genmt", *pair(file, lp="en-cs_CZ"))
    assert [(segment.source, segment.references) for segment in tagged] == [("<p>One</p>", {}), ("<p>Two</p>", {})]
    with pytest.raises(UnknownNameError, match="has no language pair 'en-fr'"):
        read_segments("genmt", *pair(file, lp="en-fr"))


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA is not set")
def test_real_files_as_sacrebleu_reads_them(tmp_path):
    folder = archives.unpacked("formats")

    def linked(*files: Path) -> Path:
        target = tmp_path / files[0].name.partition(".")[2]
        target.mkdir()
        for file in files:
            (target / file.name).symlink_to(file.resolve())
        return target

    for lp in ("newstest2021.ru-en", "wmttest2022.en-hr", "wmttest2022.en-liv", "wmttest2022.ru-sah"):
        file = folder / "xml" / f"{lp}.all.xml"
        segments, _ = read_segments("wmt-xml", *pair(file))
        expected = theirs(WMTXMLDataset, linked(file), [file.name], refs=["A"])
        assert len(segments) == len(expected["src"])
        assert all(segment.source == text for segment, text in zip(segments, expected["src"], strict=True))
        for field in (field for field in expected if field.startswith("ref")):
            name = field.removeprefix("ref:")
            name = f"ref{name}" if len(name) == 1 else name
            texts = zip(segments, expected[field], strict=True)
            assert all((segment.references.get(name) or "") == text for segment, text in texts)
    source, reference = (folder / "sgml" / f"newstest2019-ende-{side}.sgm" for side in ("src.en", "ref.de"))
    segments, _ = read_segments("sgml", *pair(source, reference))
    expected = theirs(FakeSGMLDataset, linked(source, reference), [source.name, reference.name])
    assert [segment.source for segment in segments] == expected["src"]
    assert [segment.references["ref"] for segment in segments] == expected["ref"]
    assert [segment.document for segment in segments] == expected["docid"]
