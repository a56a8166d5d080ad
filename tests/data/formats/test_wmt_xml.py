from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.data.formats import find_format
from assay.data.formats.mtme import read_pair
from assay.data.formats.wmt_xml import WmtXml
from assay.errors import AssayError, ConfigError, EmptyInputError, InputError
from assay.types import Campaign, NoteKind, TestSet
from tests import archives

FILE = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="toytest2022">
  <collection id="general">
    <doc origlang="en" id="paper.1" domain="news">
      <src lang="en">
        <p>
          <seg id="1">Rain &amp; wind</seg>
          <seg id="2">It rained.</seg>
        </p>
        <p>
          <seg id="3">Nobody minded.</seg>
        </p>
      </src>
      <ref lang="de" translator="A"><p><seg id="1">Regen &amp; Wind</seg>
        <seg id="2">Es regnete.</seg></p><p><seg id="3">Keinen störte es.</seg></p></ref>
      <ref lang="de" translator="B"><p><seg id="1">Wind und Regen</seg>
        <seg id="2">Regen fiel.</seg></p><p><seg id="3">Es war allen gleich.</seg></p></ref>
      <hyp system="Online-W" language="de"><p><seg id="1">Regen</seg>
        <seg id="2">Es hat geregnet.</seg></p><p><seg id="3"></seg></p></hyp>
      <hyp system="JDEx" lang="de"><p><seg id="1">Regen, Wind</seg>
        <seg id="2">Es regnete .</seg></p><p><seg id="3">Niemand</seg></p></hyp>
    </doc>
    <doc origlang="de" id="chat.7" testsuite="idioms">
      <src lang="en"><p><seg id="2">Bye!</seg><seg id="1">Hi!</seg></p></src>
      <ref lang="de" translator="A"><p><seg id="1">Hallo!</seg><seg id="2">Tschüss!</seg></p></ref>
      <supplemental type="prompt"><p><seg id="1">Be polite.</seg></p></supplemental>
      <hyp system="JDEx" lang="de"><p><seg id="1">He!</seg><seg id="2">Ade!</seg></p></hyp>
    </doc>
  </collection>
</dataset>
"""


def read(tmp_path: Path, text: str) -> Campaign:
    path = tmp_path / "toy.xml"
    path.write_bytes(text.encode())
    (campaign,) = WmtXml(testsuites="yes").read(path)
    return campaign


def columns(testset: TestSet) -> dict[str, tuple[str | None, ...]]:
    return dict(testset.columns())


def test_a_file_in_the_form_of_wmt22(tmp_path: Path) -> None:
    campaign = read(tmp_path, FILE)
    testset = campaign.testset
    assert testset is not None
    assert (campaign.name, campaign.lp, campaign.segments) == ("toytest2022", "en-de", 5)
    assert campaign.systems == ("Online-W", "JDEx")
    assert campaign.references == ("refA", "refB")
    assert testset.sources == ("Rain & wind", "It rained.", "Nobody minded.", "Hi!", "Bye!")
    assert testset.documents == ("paper.1",) * 3 + ("chat.7",) * 2
    assert testset.domains == ("news",) * 3 + ("general",) * 2
    assert testset.references["refA"][3:] == ("Hallo!", "Tschüss!")
    assert testset.references["refB"][3:] == (None, None)
    assert testset.outputs["Online-W"] == ("Regen", "Es hat geregnet.", "", None, None)
    assert testset.outputs["JDEx"][3:] == ("He!", "Ade!")
    assert find_format(tmp_path / "toy.xml") == WmtXml()


def test_what_is_missing_or_not_kept_is_counted(tmp_path: Path) -> None:
    notes = [note.text for note in read(tmp_path, FILE).notes]
    assert "the output of 'Online-W' is missing in 1 of 2 documents (2 segments)" in notes
    assert "reference 'refB' is missing in 1 of 2 documents (2 segments)" in notes
    assert "the original languages of documents are not used (de: 1, en: 1)" in notes
    assert "other elements are not used (supplemental: 1)" in notes


def test_test_suites_are_left_out_unless_asked_for(tmp_path: Path) -> None:
    (tmp_path / "toy.xml").write_text(FILE, encoding="utf-8")
    (campaign,) = WmtXml().read(tmp_path / "toy.xml")
    assert (campaign.segments, set(campaign.testset.documents or ())) == (3, {"paper.1"})  # type: ignore[union-attr]
    (note,) = (note for note in campaign.notes if note.kind is NoteKind.EXCLUDED)
    assert (note.count, "wmt-xml:testsuites=yes" in note.text) == (2, True)
    only = FILE.replace('id="paper.1"', 'id="paper.1" testsuite="x"')
    (tmp_path / "toy.xml").write_text(only, encoding="utf-8")
    with pytest.raises(EmptyInputError, match="only documents of test suites"):
        WmtXml().read(tmp_path / "toy.xml")


def test_official_oddities_are_noted(tmp_path: Path) -> None:
    empty = '<doc id="none"><src lang="en"><p/></src><hyp system="JDEx" lang="de"><p/></hyp></doc></collection>'
    text = FILE.replace("</collection>", empty).replace('system="JDEx" lang="de"', 'system="JDEx" lang="e"')
    campaign = read(tmp_path, text)
    assert (campaign.lp, campaign.segments) == ("en-de", 5)
    notes = {(note.kind, note.count) for note in campaign.notes}
    assert {(NoteKind.CHANGED, 3), (NoteKind.MISSING, 1)} <= notes


SOURCE = re.sub("<(ref|hyp) .*?</(ref|hyp)>", "", FILE, flags=re.DOTALL)
REFERENCE = re.sub("<hyp .*?</hyp>", "", FILE, flags=re.DOTALL)
OUTPUTS = re.sub("<ref .*?</ref>", "", FILE, flags=re.DOTALL)


def test_sources_references_and_outputs_in_several_files(tmp_path: Path) -> None:
    whole = read(tmp_path, FILE)
    paths = []
    for name, text in {"src": SOURCE, "ref": REFERENCE, "hyp": OUTPUTS}.items():
        paths.append(tmp_path / f"{name}.xml")
        paths[-1].write_text(text, encoding="utf-8")
    (campaign,) = WmtXml(testsuites="yes").read_together(paths)
    assert columns(campaign.testset) == columns(whole.testset)  # type: ignore[arg-type]
    with pytest.raises(EmptyInputError, match="no system output") as caught:
        WmtXml().read(paths[0])
    assert "together" in str(caught.value.hint)
    paths[1].write_text(REFERENCE.replace("Nobody minded", "No one minded"), encoding="utf-8")
    with pytest.raises(InputError, match=r"the source of document 'paper.1' is not the one in .*hyp.xml"):
        WmtXml().read_together(paths)
    paths[1].write_text(REFERENCE.replace('lang="de"', 'lang="fr"'), encoding="utf-8")
    with pytest.raises(InputError, match=r"ref.xml: no system output"):
        WmtXml().read_together(paths)


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA is not set")
def test_official_files() -> None:
    folder = archives.unpacked("formats") / "xml"
    for option, segments in (("no", 1000), ("yes", 1843)):
        (campaign,) = WmtXml(testsuites=option).read(folder / "newstest2021.ru-en.all.xml")  # type: ignore[arg-type]
        assert (campaign.lp, campaign.segments) == ("ru-en", segments)
    pairs = {lp: WmtXml().read(folder / f"wmttest2022.{lp}.all.xml")[0] for lp in ("en-hr", "en-liv", "ru-sah")}
    assert {lp: (c.lp, c.segments) for lp, c in pairs.items()} == {
        "en-hr": ("en-hr", 1671),
        "en-liv": ("en-liv", 420),
        "ru-sah": ("ru-sah", 1123),
    }
    paths = [folder / f"sample-{name}.xml" for name in ("src", "src-ref", "hyp")]
    (campaign,) = WmtXml().read_together(paths)
    assert (campaign.references, len(campaign.systems)) == (("refA",), 1)


def test_names_of_references(tmp_path: Path) -> None:
    text = FILE.replace('translator="A"', 'translator="refA"').replace(' translator="B"', "")
    assert read(tmp_path, text).references == ("refA", "ref")


def test_languages(tmp_path: Path) -> None:
    assert read(tmp_path, FILE.replace('="de">', '="zh-CN">').replace('lang="de" ', 'lang="zh-CN" ')).lp == "en-zh_CN"
    unknown = read(tmp_path, FILE.replace(' lang="en"', ""))
    assert unknown.lp == ""
    assert any("unknown language pair" in note.text for note in unknown.notes)


def test_compressed(tmp_path: Path) -> None:
    campaign = read(tmp_path, FILE)
    WmtXml().write([campaign], tmp_path / "again.xml.gz")
    first = (tmp_path / "again.xml.gz").read_bytes()
    WmtXml().write([campaign], tmp_path / "again.xml.gz")
    assert (tmp_path / "again.xml.gz").read_bytes() == first
    (again,) = WmtXml().read(tmp_path / "again.xml.gz")
    assert again.testset is not None
    assert columns(again.testset) == columns(campaign.testset)  # type: ignore[arg-type]


TEXT = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff") | st.sampled_from("\r\n\t")
)


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=4), TEXT.filter(bool))
@settings(max_examples=60, deadline=None)
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]], label: str) -> None:
    path = tmp_path_factory.mktemp("xml") / "x.xml"
    sources, references, outputs = zip(*rows, strict=True)
    testset = TestSet(
        outputs={"a & <b>": (*outputs, "x"), 'c"': (None,) * len(rows) + ("y",)},
        references={"refA": (*references, "r"), "ref": (*references, "r")},
        sources=(*sources, "s"),
        documents=(label,) * len(rows) + (label + "2",),
        domains=(label,) * len(rows) + (None,),
        lp="en-zh_CN",
        name="toy",
    )
    WmtXml().write([Campaign("toy", "en-zh_CN", len(testset), testset.systems, ("refA", "ref"), testset)], path)
    (again,) = WmtXml().read(path)
    assert again.testset is not None
    assert columns(again.testset) == columns(testset)
    assert (again.testset.lp, again.testset.name) == (testset.lp, testset.name)


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA is not set")
def test_the_texts_of_wmt21_come_back(tmp_path: Path) -> None:
    campaign = read_pair(archives.unpacked("wmt21.tedtalks"), "zh-en")
    assert campaign.testset is not None
    WmtXml().write([replace(campaign, scores=(), judgements=())], tmp_path / "ted.xml")
    (again,) = WmtXml().read(tmp_path / "ted.xml")
    assert again.testset is not None
    assert columns(again.testset) == columns(campaign.testset)
    with pytest.raises(ConfigError, match="cannot hold scores or judgements"):
        WmtXml().write([campaign], tmp_path / "ted.xml")


def test_what_cannot_be_written(tmp_path: Path) -> None:
    campaign = read(tmp_path, FILE)
    testset = campaign.testset
    assert testset is not None

    def write(**changes: object) -> None:
        parts = {"outputs": testset.outputs, "sources": testset.sources, "lp": "en-de", "name": "toy"}
        changed = TestSet(**(parts | changes))  # type: ignore[arg-type]
        systems = tuple(changed.outputs)
        WmtXml().write([Campaign("toy", "en-de", len(changed), systems, (), changed)], tmp_path / "out.xml")

    with pytest.raises(ConfigError, match="one test set"):
        WmtXml().write([campaign, campaign], tmp_path / "out.xml")
    with pytest.raises(ConfigError, match="needs sources"):
        write(sources=None)
    with pytest.raises(InputError, match=r"segment 4 of <hyp system=\"Online-W\" lang=\"de\"> is missing"):
        write()
    with pytest.raises(InputError, match="segment 3 has no document, or its document is not contiguous"):
        write(outputs={"a": ("x",) * 5}, documents=("1", "2", "1", "1", "1"))
    with pytest.raises(InputError, match="has two domains"):
        write(outputs={"a": ("x",) * 5}, documents=("1",) * 5, domains=("a", "a", "a", "a", "b"))
    with pytest.raises(InputError, match=r"cannot hold the character U\+0001"):
        write(outputs={"a": ("x\x01",) * 5})
    with pytest.raises(ConfigError, match="'A' would be read as 'refA'"):
        write(outputs={"a": ("x",) * 5}, references={"A": ("x",) * 5})
    assert not (tmp_path / "out.xml").exists()


DAMAGED = {
    "two references of a translator": (
        'translator="B"',
        'translator="A"',
        "line 16: reference 'refA' occurs twice",
    ),
    "two outputs of a system": ("JDEx", "Online-W", "line 20: the output of 'Online-W' occurs twice"),
    "two sources": ('<hyp system="Online-W" language="de">', "<src>", "mismatched tag|the source occurs twice"),
    "two documents": ("chat.7", "paper.1", "line 23: duplicate document 'paper.1', first in line 4"),
    "no id of a document": ('id="chat.7" ', "", "line 23: the document has no id"),
    "one segment twice": ('<seg id="2">It', '<seg id="1">It', "line 8: duplicate segment 1 in the source"),
    "one segment less": (
        '<seg id="3">Keinen störte es.</seg>',
        "",
        "line 14: reference 'refA' of document 'paper.1' has 2",
    ),
    "one segment more": (
        "Ade!</seg>",
        'Ade!</seg><seg id="3">x</seg>',
        "line 27: .* has 3 segments, but the source has 2",
    ),
    "another segment": ('<seg id="2">Ade', '<seg id="5">Ade', "line 27: .*; segment 5 is not in the source"),
    "a segment 0": (
        '<seg id="2">Ade',
        '<seg id="0">Ade',
        "line 27: the id of a segment '0' must be a positive integer",
    ),
    "a segment without id": ('<seg id="2">Ade', "<seg>Ade", "line 27: the id of a segment ''"),
    "no system": (' system="JDEx"', "", "line 20: a system has no name"),
    "an unsafe system": ("JDEx", "../x", "line 20: '../x' cannot be the name of a system"),
    "another language": (
        '<ref lang="de" translator="B"',
        '<ref lang="fr" translator="B"',
        "line 16: the target language is 'fr' here, but",
    ),
    "a tag inside a text": ("Rain &amp; wind", "Rain <b>and</b>", "line 7: unexpected element <b> inside a segment"),
    "text outside": ("<p>", "stray<p>", "line 6: text outside segments: 'stray'"),
    "an output outside": (
        "</doc>\n  </c",
        '</doc><hyp system="x"/>\n  </c',
        "unexpected element <hyp> inside <collection>",
    ),
    "another root": ("dataset", "mteval", "line 2: unexpected element <mteval> as the root"),
    "an ampersand": ("&amp;", "&", "line 7: invalid XML"),
    "cut off": (FILE[FILE.index("chat.7") :], "", "invalid XML"),
    "no source": ("src", "other", "document 'paper.1' has no source"),
    "no output": ("hyp", "other", "no system output"),
    "an undeclared entity": ("&amp;", "&nbsp;", "line 7: invalid XML: undefined entity"),
    "an entity from outside": (
        "<dataset",
        '<!DOCTYPE dataset SYSTEM "http://localhost/x.dtd"><dataset',
        "unknown entity 'amp2'",
    ),
    "entities of its own": (
        "<dataset",
        '<!DOCTYPE dataset [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]><dataset',
        "line 2: declarations in the DOCTYPE",
    ),
    "nested deeply": ("<supplemental", "<a>" * 10_000, "nested more than 64 levels deep"),
    "not UTF-8": ("ü", "\udcfc", "line 25: .* is not UTF-8"),
    "another encoding": ("Regen fiel", "\x00", "is NUL"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged(tmp_path: Path, case: str) -> None:
    good, bad, message = DAMAGED[case]
    text = FILE.replace("&amp;", "&amp2;") if "amp2" in message else FILE
    path = tmp_path / "toy.xml"
    path.write_bytes(text.replace(good, bad).encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=message) as caught:
        WmtXml().read(path)
    assert str(path) in str(caught.value)


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
@settings(max_examples=100, deadline=None)
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "x.xml"
    path.write_bytes(data)
    with pytest.raises(AssayError):
        WmtXml().read(path)


@given(
    st.integers(0, len(FILE)), st.integers(0, 30), st.sampled_from(["", "<", ">", "&", '"', "</seg>", "<p>", "é", "0"])
)
@settings(max_examples=300, deadline=None)
def test_any_change(tmp_path_factory: pytest.TempPathFactory, at: int, length: int, bad: str) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "x.xml"
    path.write_bytes((FILE[:at] + bad + FILE[at + length :]).encode())
    try:
        (campaign,) = WmtXml().read(path)
    except InputError:
        return
    assert campaign.testset is not None
    assert len(campaign.testset) == campaign.segments
