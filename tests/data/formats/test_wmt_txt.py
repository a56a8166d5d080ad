from __future__ import annotations

import pytest

from assay import check, load_campaign, read
from assay.data.formats import find_format
from assay.data.formats.wmt_txt import WmtTxt
from assay.errors import InputError, NameClashError
from assay.types import NoteKind
from tests import archives

FILES = {
    "src.de": "eins\nzwei\n",
    "ref.A.en": "one\ntwo\n",
    "ref.student.en": "1\n2\n",
    "hyp.GPT-3.5.en": "an one\ntwo\n",
    "hyp.b.en": "ein\nzwo\n",
}


@pytest.fixture(params=["", "system-outputs/de-en/"])
def folder(tmp_path, request):
    for name, text in FILES.items():
        path = tmp_path / ("" if name.startswith(("src", "ref")) else request.param) / f"generaltest2022.de-en.{name}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_texts_of_a_folder(folder):
    campaign = load_campaign(folder)
    assert find_format(folder) == WmtTxt()
    assert (campaign.name, campaign.lp, campaign.segments) == ("generaltest2022", "de-en", 2)
    assert campaign.systems == ("GPT-3.5", "b")
    assert campaign.references == ("refA", "student")
    assert campaign.testset.sources == ("eins", "zwei")
    assert all(column.is_utf8 for _, column in campaign.testset.columns())
    assert campaign.notes == ()


def test_other_files_are_named(folder):
    (folder / "README.md").write_text("hello", encoding="utf-8")
    (note,) = read(folder)[0].notes
    assert (note.kind, "README.md" in note.text, note.count) == (NoteKind.UNREAD, True, 1)
    assert any("README.md" in finding.text for finding in check(folder).findings)


def test_flaws(folder):
    text = next(folder.rglob("*.hyp.b.en"))
    text.write_text("one\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"hyp.b.en: 1 line, but .* has 2"):
        read(folder)
    text.write_text("ein\nzwo\n", encoding="utf-8")
    text.rename(text.with_name("generaltest2022.de-en.hyp.GPT-3.5.en.txt"))
    with pytest.raises(NameClashError, match="the same text twice"):
        read(folder)
    for path in folder.rglob("*.hyp.*"):
        path.unlink()
    with pytest.raises(InputError, match="no system outputs"):
        read(folder, input_format="wmt-txt")


def test_language_pairs_are_listed_without_reading(folder):
    (folder / "generaltest2022.en-de.hyp.b.de").write_bytes(b"\xff\n")
    assert load_campaign(folder, lp="de-en").lp == "de-en"
    assert [stored.lp for stored in WmtTxt().contents(folder)] == ["de-en", "en-de"]


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA is not set")
def test_official_files():
    campaign = load_campaign(archives.unpacked("formats") / "txt-layout")
    assert (campaign.name, campaign.lp, campaign.segments) == ("generaltest2022", "sah-ru", 1123)
    assert (campaign.systems, campaign.references) == (("Lan-Bridge", "Online-G"), ("refA",))
