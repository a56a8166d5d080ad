from __future__ import annotations

import pytest

from assay.results import Findings
from assay.results.private_paths import (
    command_without_private_paths,
    text_without_private_paths,
    without_private_paths,
)
from assay.types import Note, NoteKind
from tests.store.examples import example


@pytest.fixture(autouse=True)
def folders(monkeypatch, tmp_path):
    """A home folder, and a working folder in it."""
    here = tmp_path / "work"
    here.mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(here)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "shortened"),
    [
        ("{home}/work/x/a.de: bad", "x/a.de: bad"),
        ("see {home}/b.tsv, and /data/a/b/c.txt (large)", "see ~/b.tsv, and …/b/c.txt (large)"),
        ("{home}/work", "."),
        ("vectors=/data/a/v.vec:k=1", "vectors=…/a/v.vec:k=1"),
        ("{home}/work/my.py:same", "./my.py:same"),  # metrics in files need the ./
        ("/data/a/", "…/data/a"),
    ],
)
def test_paths_in_sentences(text, shortened, folders):
    assert text_without_private_paths(text.format(home=folders)) == shortened
    assert text_without_private_paths(shortened) == shortened


@pytest.mark.parametrize("text", ["and/or </seg> 1/2", "https://a.b/c/d", "/doc", "x/a.de", "../a/b.de", ""])
def test_what_is_no_private_path_stays(text):
    assert text_without_private_paths(text) == text


@pytest.mark.parametrize(
    ("command", "shortened"),
    [
        ("assay score --ref {home}/work/r.de {home}/a.de", "assay score --ref r.de ~/a.de"),
        ("assay score --ref={home}/r.de -o/data/x/y/z.html", "assay score --ref ~/r.de -o…/y/z.html"),
        ("assay score 'new={home}/my texts/a.de' 'b*'", "assay score new=~/'my texts/a.de' 'b*'"),
        ("assay score '/data/my texts/some more/a.de'", "assay score …/'some more/a.de'"),
        ("assay score 'x", "assay score 'x"),
    ],
)
def test_commands_can_be_repeated_from_the_same_folder(command, shortened, folders):
    assert command_without_private_paths(command.format(home=folders)) == shortened


def test_results():
    finding = Note(NoteKind.SUSPECT, "differs from /data/mine/texts/b.de", "/data/mine/texts/a.de", severity="error")
    short = without_private_paths(Findings(("/data/mine/texts/a.de",), (finding,)))
    assert short.files == ("…/texts/a.de",)
    assert (short.findings[0].where, short.findings[0].text) == ("…/texts/a.de", "differs from …/texts/b.de")


def test_results_without_paths_and_texts_stay():
    run = example("score")
    assert without_private_paths(run) is run
