from __future__ import annotations

import hashlib
import io
import json
import tarfile
from types import SimpleNamespace

import pytest

import assay
from assay.cli.group import _run
from assay.data.test_sets import catalogue
from assay.errors import AlignmentError, ChecksumError, ConfigError, FetchError, UnknownNameError
from tests.file_server import file_server

XML = """<dataset id="wmttest2023"><collection id="general">
<doc origlang="en" id="d1" domain="news">
  <src lang="en"><p><seg id="1">One dog barks loudly.</seg><seg id="2">Two cats sleep here.</seg></p></src>
  <ref lang="de" translator="refA"><p><seg id="1">Ein Hund bellt laut.</seg><seg id="2">Zwei Katzen.</seg></p></ref>
  <ref lang="de" translator="refB"><p><seg id="1">Ein Hund bellt.</seg><seg id="2">Zwei schlafen.</seg></p></ref>
</doc></collection></dataset>
"""
MEMBER = "wmt23-news-systems-v.0.1/xml/wmttest2023.en-de.all.xml"
FIRST, PLAIN = "wmt23/v.0.1.tar.gz", "ntrex-128/"


def tar(members: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, text in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return buffer.getvalue()


ARCHIVE = tar({MEMBER: XML})


@pytest.fixture
def server(tmp_path, monkeypatch):
    """The publishers, on this machine."""
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.delenv("ASSAY_OFFLINE", raising=False)
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    files = {
        "/wmt23.tar.gz": ARCHIVE,
        "/ntrex/newstest2019-src.eng.txt": b"One\nTwo\n",
        "/ntrex/newstest2019-ref.deu.txt": b"Eins\nZwei\n",
    }
    with file_server(files) as started:
        known = {
            FIRST: {"url": f"{started.url}/wmt23.tar.gz", "md5": hashlib.md5(ARCHIVE).hexdigest()},  # noqa: S324
            f"{PLAIN}*": {"url": f"{started.url}/ntrex/*"},
        }
        monkeypatch.setattr(catalogue, "_files", lambda: known)
        yield started


def test_a_test_set_is_downloaded_once(server, tmp_path):
    texts = assay.read_test_set("wmt23", lp="en-de")
    assert list(texts.sources) == ["One dog barks loudly.", "Two cats sleep here."]
    assert {name: list(column) for name, column in texts.references.items()} == {
        "refA": ["Ein Hund bellt laut.", "Zwei Katzen."]
    }
    assert list(texts.documents or ()) == ["d1", "d1"]
    assert "licence: no licence file; WMT asks for research use only" in str(texts.notes[0])
    assert list(map(str, assay.read_test_set("wmt23", lp="en-de").notes)) == [
        "wmt23: scored with refA; there is also refB"
    ]
    assert len(server.requests) == 1
    (tmp_path / "home" / "test-sets" / FIRST).unlink()  # the unpacked files are enough
    testset = assay.load_test_set("wmt23", lp="en-de", outputs={"new": ["Ein Hund.", "Katzen."]}, references="refB")
    assert (testset.name, list(testset.references), len(testset)) == ("wmt23", ["refB"], 2)


def test_a_reference_that_is_not_there(server):
    with pytest.raises(UnknownNameError, match=r"wmt23 en-de has no reference 'refX'[^?]*did you mean 'ref"):
        assay.read_test_set("wmt23", lp="en-de", references=["refX"])


def test_several_are_joined(server):
    both = assay.read_test_set(["ntrex-128", "ntrex-128"], lp="en-de")
    assert list(both.sources) == ["One", "Two", "One", "Two"]
    assert both.name == "ntrex-128,ntrex-128"
    with pytest.raises(ConfigError, match="different references: ntrex-128 has ref; wmt23 has refA"):
        assay.read_test_set(["ntrex-128", "wmt23"], lp="en-de")


def test_a_file_put_in_its_place_is_used(server, tmp_path):
    place = tmp_path / "home" / "test-sets" / FIRST
    server.files.clear()
    with pytest.raises(FetchError, match="404") as caught:
        assay.read_test_set("wmt23", lp="en-de")
    assert f"save it as {place}, and run the same command again" in str(caught.value)
    place.parent.mkdir(parents=True)
    place.write_bytes(ARCHIVE[:-1])
    with pytest.raises(ChecksumError, match="not the expected file: the MD5 is"):
        assay.read_test_set("wmt23", lp="en-de")
    place.write_bytes(ARCHIVE)
    assert len(assay.read_test_set("wmt23", lp="en-de")) == 2


def test_offline(server, monkeypatch):
    monkeypatch.setenv("ASSAY_OFFLINE", "1")
    with pytest.raises(FetchError, match=r"v\.0\.1\.tar\.gz of wmt23 was not downloaded: ASSAY_OFFLINE is set \(http"):
        assay.read_test_set("wmt23", lp="en-de")
    assert not server.requests


def test_another_file_leaves_nothing(server, tmp_path):
    server.files["/wmt23.tar.gz"] = tar({MEMBER: XML.replace("dog", "fox")})
    with pytest.raises(ChecksumError, match="the MD5 is"):
        assay.read_test_set("wmt23", lp="en-de")
    assert not (tmp_path / "home").exists()


def test_a_changed_file_is_found(server, tmp_path):
    assay.read_test_set("wmt23", lp="en-de")
    (tmp_path / "home" / "test-sets" / "wmt23" / "v.0.1" / MEMBER).write_text(XML.replace("dog", "fox"))
    with pytest.raises(FetchError, match="has changed since it was unpacked"):
        assay.read_test_set("wmt23", lp="en-de")


def test_outputs_of_another_length(server):
    with pytest.raises(AlignmentError, match=r"output 'new' has 1 segment[^!]*-t wmt23 -l en-de --echo src"):
        assay.load_test_set("wmt23", lp="en-de", outputs={"new": ["Ein Hund."]})


@pytest.fixture
def run(capsys):
    def call(*arguments):
        code = _run(list(arguments))
        captured = capsys.readouterr()
        return SimpleNamespace(code=code, out=captured.out, err=captured.err)

    return call


def test_as_sacrebleus_users_type_it(server, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "new.de").write_text("Ein Hund bellt laut.\nZwei Katzen.\n")
    (tmp_path / "base.de").write_text("Ein Hund bellt.\nKatzen.\n")
    scored = run("score", "-t", "wmt23", "-l", "en-de", "new.de", "--format", "json", "-m", "chrf")
    assert scored.code == 0
    assert json.loads(scored.out)["rows"][0]["value"] == pytest.approx(100)
    compared = run("compare", "-t", "wmt23", "-l", "en-de", "base.de", "new.de", "--ref", "refB")
    assert compared.code == 0
    assert "wmt23: scored with refB; there is also refA" in compared.err
    both = run("score", "-t", "wmt23", "-l", "en-de", "new.de", "--ref", "refA,refB", "-m", "chrf")
    assert "refs:2" in both.out
    assert "there is also" not in both.err


def test_echo(server, run):
    shown = run("score", "-t", "ntrex-128", "-l", "en-de", "--echo", "src")
    assert (shown.code, shown.out) == (0, "One\nTwo\n")
    assert "licence: CC BY-SA 4.0" in shown.err
    shown = run("score", "-t", "wmt23", "-l", "en-de", "--echo", "src,refB")
    assert shown.out == "One dog barks loudly.\tEin Hund bellt.\nTwo cats sleep here.\tZwei schlafen.\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--echo", "src"], "--echo needs --test-set"),
        (["-t", "wmt23", "--echo", "src", "new.de"], "it takes no system output"),
        (["-t", "wmt23", "new.de"], "which language pair? example: -t wmt23 -l en-de"),
        (["-t", "wmt23", "-l", "en-de"], "no system output was given; example: assay score -t wmt23 -l en-de new.txt"),
        (["-t", "wmt23", "-l", "en-de", "--src", "a.en", "new.de"], "--src cannot be combined with --test-set"),
        (["-t", "wmt23", "-l", "en-de", "--data", "wmt23"], "--data cannot be combined with --test-set"),
        (["-t", "wmt32", "-l", "en-de", "new.de"], "unknown test set 'wmt32'"),
    ],
)
def test_wrong_uses(server, run, arguments, message):
    outcome = run("score", *arguments)
    assert outcome.code == 2
    assert message in outcome.err


def test_fetch(server, run, tmp_path):
    folder = tmp_path / "home" / "test-sets"
    fetched = run("data", "fetch", "wmt23", "-l", "en-de")
    assert (fetched.code, fetched.out) == (0, f"{folder / 'wmt23'}\n")
    assert assay.fetch_data(["ntrex-128"], lps=["en-de"]) == (folder / "ntrex-128",)
    with pytest.raises(ConfigError, match="ntrex-128 has a file for each language: which language pair"):
        assay.fetch_data("ntrex-128")
    with pytest.raises(UnknownNameError, match="unknown test set"):
        assay.fetch_data("nowhere")
