from __future__ import annotations

from dataclasses import replace

import pytest

from assay import Runtime, annotate, load, load_campaign, load_campaigns, score
from assay.errors import ConfigError, InputError
from assay.types import TestSet
from tests.annotators.made_up_annotator import MadeUpAnnotator, register


@pytest.fixture(autouse=True)
def _annotator(monkeypatch):
    register(monkeypatch)


def texts():
    outputs = {"x": ("The cat", "", None), "y": ("a cat", "the", "cat")}
    return TestSet(outputs=outputs, references={"ref": ("The cat",) * 3}, lp="de-en")


def test_layers():
    annotated = annotate(texts(), annotator="made-up")
    assert {name: tuple(column) for name, column in annotated.annotations["lemma"].items()} == {
        "ref": ("the cat",) * 3,
        "x": ("the cat", "", None),
        "y": ("a cat", "the", "cat"),
    }
    assert tuple(annotated.annotations["dependencies"]["y"]) == ("0:dep 1:dep", "0:dep", "0:dep")
    assert annotated.annotators == dict.fromkeys(annotated.annotations, "made-up-1+en")
    assert MadeUpAnnotator.annotated == ["The cat", "a cat", "the", "cat"]  # each text once


def test_white_space_alone_has_no_words():
    """natasha fails on such texts; no annotator sees them."""
    blank = TestSet(outputs={"x": (" ", "\u00a0", "\u3000\t", "a")}, lp="en-ru")
    assert tuple(annotate(blank, annotator="made-up").annotations["tokens"]["x"]) == ("", "", "", "a")
    assert MadeUpAnnotator.annotated == ["a"]


@pytest.mark.parametrize("language", ["DE", "deu", "German", "de-AT"])
def test_spellings_of_a_language(language):
    assert set(annotate(texts(), annotator="made-up", language=language).annotators.values()) == {"made-up-1+de"}


def test_what_is_not_a_language():
    with pytest.raises(ConfigError, match="'germna' is not a language"):
        annotate(texts(), annotator="made-up", language="germna")


def test_the_program_is_part_of_signatures():
    run = score(annotate(texts(), annotator="made-up"), metrics=["hwcm", "chrf"], resamples=0)
    signatures = [str(run["hwcm"].statistics.signature), str(run["hwcm"].segment_signature)]
    signatures += [str(scores.signature) for scores in run["hwcm"].aggregations.values()]
    for signature in signatures:
        assert "|dependencies.annotator:made-up-1+en|tokens.annotator:made-up-1+en|refs:1" in signature
    assert "made-up" not in str(run["chrf"].aggregations["corpus"].signature)


def test_files(tmp_path):
    annotate(texts(), annotator="made-up", output=tmp_path / "parses" / "de-en")
    assert sorted(path.name for path in (tmp_path / "parses" / "de-en").iterdir()) == [
        *("ref.conllu", "x.conllu", "y.conllu"),
    ]
    plain = texts()
    outputs = {name: list(column) for name, column in plain.outputs.items()}
    read = load(
        outputs=outputs, references={"ref": list(plain.references["ref"])}, annotations=tmp_path / "parses/de-en"
    )
    assert read.annotations == annotate(texts(), annotator="made-up").annotations
    annotate(texts(), annotator="made-up", output=tmp_path / "parses" / "de-en")  # what it wrote, it can replace


def test_files_of_the_user_are_kept(tmp_path):
    (tmp_path / "x.conllu").write_text("# generator = UDPipe 2\n", encoding="utf-8")
    with pytest.raises(InputError, match="already exists") as caught:
        annotate(texts(), annotator="made-up", output=tmp_path)
    assert caught.value.hint == 'choose another folder, output="FOLDER", or replace it with force=True'
    with pytest.raises(ConfigError, match="unknown annotator 'made'"):
        annotate(texts(), annotator="made", output=tmp_path)
    assert MadeUpAnnotator.annotated == []
    annotate(texts(), annotator="made-up", output={"x": tmp_path / "x.conllu"}, force=True)
    mark, generator = (tmp_path / "x.conllu").read_text(encoding="utf-8").split("\n")[:2]
    assert mark.startswith("# assay annotate ")
    assert generator == "# generator = made-up 1"


def test_corrections_are_kept(tmp_path):
    annotate(texts(), annotator="made-up", output=tmp_path)
    file = tmp_path / "x.conllu"
    corrected = file.read_text(encoding="utf-8").replace("NOUN", "PROPN", 1)
    file.write_text(corrected, encoding="utf-8")
    with pytest.raises(InputError, match=r"x\.conllu: was changed after Assay wrote it") as caught:
        annotate(texts(), annotator="made-up", output=tmp_path)
    assert "force=True" in caught.value.hint
    assert file.read_text(encoding="utf-8") == corrected
    annotate(texts(), annotator="made-up", output=tmp_path, force=True)
    assert "PROPN" not in file.read_text(encoding="utf-8")


@pytest.mark.warns("looks like")
def test_texts_in_another_language():
    japanese = TestSet(outputs={"x": ("これは日本語の文章です。英語ではありません。" * 4,) * 4, "y": ("The cat",) * 4})
    notes = annotate(japanese, annotator="made-up", language="en").notes
    assert [(note.severity, str(note)) for note in notes] == [
        ("warning", "x: looks like Japanese, but was annotated as English (en)")
    ]
    assert annotate(japanese, annotator="made-up", language="ja").notes == ()


def test_the_cache_knows_texts_program_and_model(tmp_path):
    runtime = Runtime(cache=tmp_path)
    first = annotate(texts(), annotator="made-up", runtime=runtime)
    assert len(MadeUpAnnotator.annotated) == 4
    assert annotate(texts(), annotator="made-up", runtime=runtime) == first
    assert len(MadeUpAnnotator.annotated) == 4
    annotate(texts(), annotator="made-up", language="fr", runtime=runtime)
    assert len(MadeUpAnnotator.annotated) == 8
    annotate(texts(), annotator="made-up:tag=VERB", runtime=runtime)
    assert len(MadeUpAnnotator.annotated) == 12


def test_layers_of_another_program_are_replaced():
    """Its words may be others, so that its tags would not belong to ours."""
    tags = {"x": ("A B", "", None), "source": ("C",) * 3}
    layers = {"pos": tags, "alignment": {"x": ("0-0", "", None)}}
    before = replace(texts(), sources=("s",) * 3, annotations=layers, annotators={"pos": "theirs"})
    annotated = annotate(before, annotator="made-up")
    assert tuple(annotated.annotations["pos"]["x"]) == ("NOUN NOUN", "", None)
    assert tuple(annotated.annotations["pos"]["source"]) == ("C",) * 3
    assert annotated.annotators["pos"] == "made-up-1+en+theirs"  # of the source
    assert annotated.annotators["lemma"] == "made-up-1+en"
    assert tuple(annotated.annotations["alignment"]["x"]) == ("0-0", "", None)


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"\xff\xfe" + content,
        lambda content: content[: len(content) // 2],
        lambda content: content[: content.rindex(b"2\tcat")],  # without the last word
        lambda content: content.replace(b"\t0\t", b"\t9\t"),
        lambda content: content.replace(b"NOUN", b"VERB"),
        lambda content: b"",
    ],
)
def test_damaged_files_of_the_cache_are_made_again(tmp_path, damage):
    runtime = Runtime(cache=tmp_path)
    first = annotate(texts(), annotator="made-up", runtime=runtime)
    files = {path: path.read_bytes() for path in (tmp_path / "annotations").iterdir()}
    for path, content in files.items():
        path.write_bytes(damage(content))
    assert annotate(texts(), annotator="made-up", runtime=runtime) == first
    assert {path: path.read_bytes() for path in (tmp_path / "annotations").iterdir()} == files


def test_a_file_for_a_column_that_does_not_exist(tmp_path):
    with pytest.raises(ConfigError, match="output: no system or reference is called 'reff'") as caught:
        annotate(texts(), annotator="made-up", output={"reff": tmp_path / "ref.conllu"})
    assert caught.value.hint == "did you mean 'ref'?"


def test_a_compressed_annotation_is_kept(tmp_path):
    (tmp_path / "x.conllu.gz").touch()
    with pytest.raises(InputError, match=r"x\.conllu\.gz: is an annotation already"):
        annotate(texts(), annotator="made-up", output=tmp_path, force=True)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="cannot create the folder: "):
        annotate(texts(), annotator="made-up", output=tmp_path / "file" / "folder")


def test_progress():
    seen = []
    annotate(texts(), annotator="made-up", runtime=Runtime(progress=lambda *step: seen.append(step)))
    assert seen[0] == ("annotating ref", 0, 9)
    assert seen[-1] == ("annotating y", 9, 9)


def test_an_unknown_language():
    with pytest.raises(ConfigError, match="the language of the texts is not known") as caught:
        annotate(TestSet(outputs={"x": ("a",)}))
    assert caught.value.hint == 'give it: language="en"'


def test_files_beside_the_texts(tmp_path):
    for name in ("x.en", "ref.en", "src.de"):
        (tmp_path / name).write_text("The cat\n", encoding="utf-8")
    files = {"outputs": tmp_path / "x.en", "references": {"refA": tmp_path / "ref.en"}, "sources": tmp_path / "src.de"}
    targets = {"x": tmp_path / "x.en.conllu", "refA": tmp_path / "ref.en.conllu"}
    annotate(load(**files, lp="de-en"), annotator="made-up", output=targets)
    (tmp_path / "src.de.alignment").write_text("0-0\n", encoding="utf-8")
    read = load(**files, annotations=True)
    assert read.annotations["pos"] == {"refA": ("NOUN NOUN",), "x": ("NOUN NOUN",)}
    assert read.annotations["alignment"] == {"source": ("0-0",)}
    assert load(**files).annotations == {}


def test_annotations_in_memory():
    read = load(outputs={"x": ["a"]}, annotations={"pos": {"x": ["N"]}})
    assert read.annotations == {"pos": {"x": ("N",)}}
    with pytest.raises(InputError, match=r"annotations\['pos'\] is list, not named columns"):
        load(outputs={"x": ["a"]}, annotations={"pos": ["N"]})
    with pytest.raises(InputError, match="no such folder"):
        load(outputs={"x": ["a"]}, annotations="missing")


def test_campaigns(tmp_path):
    for name in ("system-outputs/de-en/x.txt", "references/de-en.refA.txt", "sources/de-en.txt"):
        (tmp_path / "wmt99" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "wmt99" / name).write_text("The cat\nran home\n", encoding="utf-8")
    campaign = load_campaign(tmp_path / "wmt99")
    annotate(campaign.select_texts(), annotator="made-up", output=tmp_path / "parses" / "de-en")
    (annotated,) = load_campaigns(tmp_path / "wmt99", annotations=tmp_path / "parses")
    assert set(annotated.testset.annotations["dependencies"]) == {"x", "refA"}
    chosen = annotated.select_texts(references=["refA"])
    assert score(chosen, metrics="hwcm", resamples=0)["hwcm"].aggregations["corpus"]["x"] == pytest.approx(0.5)
    with pytest.raises(InputError, match="parses/de-en: has no annotations of these texts") as caught:
        load_campaign(tmp_path / "wmt99", annotations=tmp_path / "parses" / "de-en")
    assert f"e.g. {tmp_path}/parses/de-en/de-en/x.conllu" in caught.value.hint


def test_a_folder_without_annotations_of_the_texts(tmp_path):
    (tmp_path / "x.en.conllu").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="has no annotations of these texts") as caught:
        load(outputs={"x": ["a"]}, annotations=tmp_path)
    assert f"e.g. {tmp_path}/x.conllu; the folder has x.en.conllu" in caught.value.hint
