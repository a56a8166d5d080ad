from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.data.formats import find_format, read_campaigns
from assay.data.formats.sgml import Sgml, read_sgml
from assay.errors import AssayError, EmptyInputError, InputError
from assay.types import Campaign, NoteKind

SOURCE = """<srcset setid="toytest2014" srclang="any">
<doc sysid="ref" docid="paper.1" genre="news" origlang="en">
<hl>
<seg id="1">Rain &amp; wind</seg>
</hl>
<p>
<seg id="2">It rained.</seg>
<seg id="3">Nobody minded.</seg>
</p>
</doc>
<doc sysid="ref" docid="paper.2" genre="news" origlang="de">
<p>
<seg id="1">&lt;End&gt; &quot;of&quot; 3 < 4</seg>
</p>
</doc>
</srcset>
"""
REFERENCE = (
    SOURCE.replace("srcset", "refset")
    .replace('srclang="any"', 'srclang="any" trglang="de"')
    .replace("Rain &amp; wind", "Regen &amp; Wind")
)
OUTPUT = """<TSTSET SetID="toytest2014" SrcLang="en" TrgLang='de'>
<DOC docid=paper.1 genre=news sysid="base">
<hl><seg id=001> Regen
</seg></hl>
<p><SEG ID="3">Keinen störte es.</SEG></p>
</DOC>
<DOC docid = "paper.2" genre=news sysid="base">
<seg id=1 >Ende &apos; drei-
undvierzig
Uhr</seg></DOC></TSTSET>
"""
MTEVAL = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE mteval SYSTEM "ftp://jaguar.ncsl.nist.gov/mt/resources/mteval-xml-v1.3.dtd">
<mteval>
<tstset setid="toytest2014" srclang="English" trglang="German" sysid="one">
<doc docid="d" genre="nw"><title>unread</title><seg id="1">it&apos;s &#8364; &#x41;</seg><seg id="2"/></doc>
</tstset>
<tstset setid="toytest2014" srclang="English" trglang="German" sysid="two">
<doc docid="d" genre="nw"><p><seg id="2">b</seg><seg id="10">c</seg></p></doc>
</tstset>
</mteval>
"""


def write(tmp_path: Path, **files: str) -> list[Path]:
    paths = []
    for name, text in files.items():
        paths.append(tmp_path / f"{name}.sgm")
        paths[-1].write_bytes(text.encode())
    return paths


def read(tmp_path: Path, **files: str) -> Campaign:
    return read_sgml(write(tmp_path, **files))


def test_files_in_the_form_of_wmt14(tmp_path: Path) -> None:
    campaign = read(tmp_path, src=SOURCE, ref=REFERENCE, base=OUTPUT, other=OUTPUT.replace('"base"', '"other"'))
    testset = campaign.testset
    assert testset is not None
    assert (campaign.name, campaign.lp, campaign.segments) == ("toytest2014", "en-de", 4)
    assert testset.sources == ("Rain & wind", "It rained.", "Nobody minded.", '<End> "of" 3 < 4')
    assert testset.documents == ("paper.1",) * 3 + ("paper.2",)
    assert testset.domains == ("news",) * 4
    assert testset.references["ref"][0] == "Regen & Wind"
    assert campaign.systems == ("base", "other")
    assert testset.outputs["base"] == ("Regen", None, "Keinen störte es.", "Ende &apos; dreiundvierzig Uhr")
    notes = [*map(str, campaign.notes)]
    missing = "output 'base': 1 of 4 segments missing, first segment 2 of document 'paper.1'"
    assert f"{tmp_path}/src.sgm: {missing}" in notes
    assert f"{tmp_path}/base.sgm: lines joined in 1 segment" in notes


def test_the_order_of_files_does_not_matter(tmp_path: Path) -> None:
    paths = write(tmp_path, src=SOURCE, ref=REFERENCE, base=OUTPUT)
    forward, backward = read_sgml(paths), read_sgml(paths[::-1])
    assert forward.testset is not None
    assert backward.testset is not None
    assert dict(forward.testset.columns()) == dict(backward.testset.columns())
    (together,) = read_campaigns(*paths)
    assert together.segments == 4


def test_the_xml_of_mteval_with_several_systems(tmp_path: Path) -> None:
    (path,) = write(tmp_path, both=MTEVAL)
    assert find_format(path) == Sgml()
    (campaign,) = Sgml().read(path)
    testset = campaign.testset
    assert testset is not None
    assert campaign.lp == "en-de"
    assert testset.sources is None
    assert testset.outputs == {"one": ("it's € A", "", None), "two": (None, "b", "c")}
    assert testset.domains == ("nw",) * 3
    assert any("text outside segments not read (1 place)" in note.text for note in campaign.notes)


def test_names(tmp_path: Path) -> None:
    outputs = OUTPUT.replace(' sysid="base"', "")
    references = REFERENCE.replace("<refset", '<refset refid="refB"')
    campaign = read(tmp_path, ref=references, mysystem=outputs)
    assert campaign.systems == ("mysystem",)
    assert campaign.references == ("refB",)


def test_several_references_in_one_set(tmp_path: Path) -> None:
    docs = [f'<doc docid="d" sysid="{name}"><seg id="1">{name}</seg></doc>' for name in ("ahb", "ahc")]
    reference = f'<refset setid="s" srclang="zh" trglang="en">{"".join(docs)}</refset>'
    output = '<tstset setid="s" srclang="zh" trglang="en"><doc docid="d" sysid="x"><seg id="1">o</seg></doc></tstset>'
    campaign = read(tmp_path, ref=reference, out=output)
    assert campaign.testset is not None
    assert campaign.testset.references == {"ahb": ("ahb",), "ahc": ("ahc",)}


def test_only_outputs_stand_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    campaign = read(tmp_path, base=OUTPUT, other=OUTPUT.replace("base", "other").replace('ID="3"', 'ID="2"'))
    assert campaign.testset is not None
    assert campaign.testset.outputs["base"][:3] == ("Regen", None, "Keinen störte es.")


@pytest.mark.parametrize("alone", [SOURCE, REFERENCE])
def test_sources_or_references_alone(tmp_path: Path, alone: str) -> None:
    (path,) = write(tmp_path, alone=alone)
    with pytest.raises(EmptyInputError, match="no system output") as caught:
        Sgml().read(path)
    assert "src.sgm ref.sgm sys1.sgm" in str(caught.value.hint)


DAMAGED = {
    "one segment twice": ('ID="3"', "id=1", "line 5: duplicate output 'base' for segment 1 of document 'paper.1'"),
    "a segment too many": (
        'ID="3"',
        "id=4",
        "line 5: output 'base' has segment 4 of document 'paper.1', but no source does",
    ),
    "another document": ('"paper.2"', '"paper.3"', "line 8: output 'base' has segment 1 of document 'paper.3'"),
    "no number": (' ID="3"', "", "line 5: a segment of document 'paper.1' has no id"),
    "no document": ("docid=paper.1", "", "line 2: the document has no docid"),
    "an unsafe system": ('sysid="base"', 'sysid="../base"', "line 2: '../base' cannot be the name"),
    "an attribute twice": ("<seg id=001>", "<seg id=1 id=2>", "line 3: duplicate attribute id"),
    "a segment not closed": ("</SEG>", "", "line 6: unexpected </doc>; <seg> of line 5 is open"),
    "a segment in a segment": ("</seg></hl>", "", "line 5: unexpected <seg> inside <seg> of line 3"),
    "a segment outside": (
        '<DOC docid=paper.1 genre=news sysid="base">',
        "",
        "line 3: unexpected <seg> inside <tstset>",
    ),
    "a document outside": ("TSTSET", "P", "line 2: unexpected <doc> at the top level"),
    "a set not closed": ("</TSTSET>", "", "line 1: <tstset> is never closed; is the file truncated"),
    "a tag cut off": ("</DOC></TSTSET>\n", "</DOC", "line 10: the tag </doc has no >"),
    "another test set": (
        '"toytest2014"',
        '"toytest2015"',
        "line 1: the setid is 'toytest2015', but 'toytest2014' in .*src.sgm",
    ),
    "another language": ("TrgLang='de'", "TrgLang='fr'", "line 1: the trglang is 'fr', but 'de' in .*ref.sgm"),
    "not UTF-8": ("ö", "\udcf6", "line 5: .* is not UTF-8"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged(tmp_path: Path, case: str) -> None:
    good, bad, message = DAMAGED[case]
    assert good in OUTPUT
    paths = write(tmp_path, src=SOURCE, ref=REFERENCE)
    paths.append(tmp_path / "base.sgm")
    paths[-1].write_bytes(OUTPUT.replace(good, bad).encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=message):
        read_sgml(paths)


@pytest.mark.parametrize("reference", ["&#0;", "&#xD800;", "&#x110000;"])
def test_references_to_no_character(tmp_path: Path, reference: str) -> None:
    with pytest.raises(InputError, match="line 5: invalid character reference"):
        read(tmp_path, both=MTEVAL.replace("&#8364;", reference))


def test_hostile_files_are_read_in_linear_time(tmp_path: Path) -> None:
    for text in (
        "<seg" * 200_000,
        "<tstset " * 200_000,
        OUTPUT.replace("Regen", "<" * 1_000_000),
        '<doc a="' * 200_000,
    ):
        with pytest.raises(InputError):
            read(tmp_path, src=SOURCE, hostile=text.replace("base", "a/b"))


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
@settings(max_examples=100, deadline=None)
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "x.sgm"
    path.write_bytes(data)
    with pytest.raises(AssayError):
        Sgml().read(path)


PIECES = ["", "<", ">", "&#1;", '"', "=", "</seg>", "<seg id=2>", "<doc>", "é", "0", "\r\n", "\x00"]


@given(st.sampled_from([OUTPUT, MTEVAL]), st.integers(0, len(MTEVAL)), st.integers(0, 30), st.sampled_from(PIECES))
@settings(max_examples=300, deadline=None)
def test_any_change(tmp_path_factory: pytest.TempPathFactory, text: str, at: int, length: int, bad: str) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "x.sgm"
    path.write_bytes((text[:at] + bad + text[at + length :]).encode())
    try:
        (campaign,) = Sgml().read(path)
    except InputError:
        return
    assert campaign.testset is not None
    assert len(campaign.testset) == campaign.segments


def test_a_sysid_that_stands_twice(tmp_path: Path) -> None:
    output = OUTPUT.replace('sysid="base"', 'sysid="base" sysid="ref"')
    campaign = read(tmp_path, src=SOURCE, ref=REFERENCE, base=output)
    assert campaign.systems == ("base",)
    assert [note.count for note in campaign.notes if note.kind is NoteKind.SUSPECT] == [2]
