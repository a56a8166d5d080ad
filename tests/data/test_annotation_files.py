from __future__ import annotations

import gzip

import pytest

from assay.data.annotation_files import (
    annotatable_columns,
    annotation_paths,
    check_folder,
    file_of_layer,
    has_annotations,
    in_its_file,
    missing_error,
    with_annotations,
    with_annotations_in,
)
from assay.errors import AlignmentError, AnnotationError, InputError, NameClashError
from assay.types import TestSet

CONLLU = "# generator = {}\n1\tHund\tHund\tNOUN\t_\t_\t0\troot\t_\t_\n"


def testset(**more):
    return TestSet(outputs={"x": ("Hund",)}, references={"ref": ("Hund",)}, sources=("dog",), **more)


testset.__test__ = False


def test_layers_of_files(tmp_path):
    (tmp_path / "x.de.conllu").write_text(CONLLU.format("a 1"), encoding="utf-8")
    (tmp_path / "x.de.alignment").write_text("0-0\n", encoding="utf-8")
    (tmp_path / "ref.de.conllu").write_text(CONLLU.format("b 2"), encoding="utf-8")
    (tmp_path / "ref.de.pos").write_text("NN\n", encoding="utf-8")
    read = with_annotations(testset(), {name: tmp_path / f"{name}.de" for name in ("x", "ref", "source")})
    assert {layer: {k: tuple(v) for k, v in columns.items()} for layer, columns in read.annotations.items()} == {
        "tokens": {"ref": ("Hund",), "x": ("Hund",)},
        "lemma": {"ref": ("Hund",), "x": ("Hund",)},
        "pos": {"ref": ("NN",), "x": ("NOUN",)},
        "dependencies": {"ref": ("0:root",), "x": ("0:root",)},
        "alignment": {"x": ("0-0",)},
    }
    assert read.annotators == {
        **dict.fromkeys(("tokens", "lemma", "dependencies"), "a-1+b-2"),
        "pos": "a-1+unnamed",  # the tags of the reference are not those of its CoNLL-U file
        "alignment": "unnamed",
    }


def test_a_folder(tmp_path):
    (tmp_path / "x.conllu").write_text(CONLLU.format("a 1"), encoding="utf-8")
    (tmp_path / "source.alignment").write_text("0-0\n", encoding="utf-8")
    read = with_annotations_in(testset(), tmp_path)
    assert {layer: list(columns) for layer, columns in read.annotations.items()} == {
        **{layer: ["x"] for layer in ("tokens", "lemma", "pos", "dependencies")},
        "alignment": ["source"],
    }


def test_layers_that_the_test_set_has_are_kept(tmp_path):
    own = testset(annotations={"tags": {"x": ("N",)}})
    assert with_annotations(own, {}) == own


def test_a_file_with_too_many_lines(tmp_path):
    (tmp_path / "x.de.sempos").write_text("a|b\n\n", encoding="utf-8")
    with pytest.raises(AlignmentError, match="has 2 lines, but there are 1 segment\n"):
        with_annotations(testset(), {"x": tmp_path / "x.de"})


def test_a_system_and_a_reference_of_one_name():
    same = TestSet(outputs={"ref": ("a",), "x": ("b",)}, references={"ref": ("a",)})
    assert list(annotatable_columns(same)) == ["ref", "x"]
    other = TestSet(outputs={"ref": ("b",)}, references={"ref": ("a",)})
    with pytest.raises(NameClashError, match="a system and a reference are called 'ref', but their texts differ"):
        annotatable_columns(other)


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        ({"outputs": {"source": ("b",)}}, "system"),
        ({"outputs": {"x": ("b",)}, "references": {"source": ("a",)}}, "reference"),
    ],
)
def test_a_column_with_the_name_of_the_sources(columns, kind):
    with pytest.raises(NameClashError, match=f"a {kind} is called 'source', which is the name of the sources"):
        annotatable_columns(TestSet(sources=("s",), **columns))


def test_a_folder_that_does_not_exist(tmp_path):
    assert check_folder(tmp_path) == tmp_path
    with pytest.raises(InputError, match="no such folder"):
        check_folder(tmp_path / "x")
    (tmp_path / "x").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="x: is not a folder"):
        check_folder(tmp_path / "x")


def test_a_folder_without_annotations_of_the_texts(tmp_path):
    assert not has_annotations(testset(), tmp_path)
    (tmp_path / "x.de.conllu").write_text("", encoding="utf-8")
    assert not has_annotations(testset(), tmp_path)
    error = missing_error(testset(), tmp_path / "en-de", tmp_path)
    assert f"{tmp_path}: has no annotations of these texts" in str(error)
    assert error.hint.endswith(f"e.g. {tmp_path}/en-de/x.conllu; the folder has x.de.conllu")
    (tmp_path / "ref.sempos").write_text("", encoding="utf-8")
    assert has_annotations(testset(), tmp_path)


def test_what_is_not_a_file(tmp_path):
    (tmp_path / "x.conllu").symlink_to("missing.conllu")
    with pytest.raises(InputError, match=r"x.conllu: is a link to missing.conllu, which does not exist"):
        with_annotations_in(testset(), tmp_path)
    (tmp_path / "x.conllu").unlink()
    (tmp_path / "x.conllu").mkdir()
    with pytest.raises(InputError, match=r"x.conllu: is a folder, not a file with annotations"):
        with_annotations_in(testset(), tmp_path)


def test_layers_of_one_column_have_the_same_number_of_values(tmp_path):
    (tmp_path / "x.conllu").write_text(CONLLU.format("a 1"), encoding="utf-8")
    (tmp_path / "x.pos").write_text("NN VB\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"x.pos, line 1: 2 values of the layer 'pos', but 1 of 'tokens'"):
        with_annotations_in(testset(), tmp_path)


def test_compressed_files(tmp_path):
    (tmp_path / "x.conllu.gz").write_bytes(gzip.compress(CONLLU.format("a 1").encode()))
    assert has_annotations(testset(), tmp_path)
    assert tuple(with_annotations_in(testset(), tmp_path).annotations["lemma"]["x"]) == ("Hund",)
    (tmp_path / "x.conllu").write_text(CONLLU.format("a 2"), encoding="utf-8")
    with pytest.raises(InputError, match=r"x\.conllu: there is also .*x\.conllu\.gz"):
        with_annotations_in(testset(), tmp_path)


def test_different_programs_are_a_warning(tmp_path):
    (tmp_path / "x.conllu").write_text(CONLLU.format("a 1"), encoding="utf-8")
    (tmp_path / "ref.conllu").write_text(CONLLU.format("a 1"), encoding="utf-8")
    assert with_annotations_in(testset(), tmp_path).notes == ()
    (tmp_path / "ref.conllu").write_text(CONLLU.format("b 2"), encoding="utf-8")
    (note,) = with_annotations_in(testset(), tmp_path).notes
    assert note.severity == "warning"
    assert "annotated by different programs or models (ref by b-2; x by a-1)" in note.text


def test_the_file_of_a_layer(tmp_path):
    """The one that was read, or else the one that `assay annotate` or the user would write."""
    (tmp_path / "x.pos").write_text("NN\n", encoding="utf-8")
    read = with_annotations_in(testset(), tmp_path)
    assert file_of_layer(read, "x", "pos") == f"{tmp_path}/x.pos"
    assert file_of_layer(read, "x", "lemma") == f"{tmp_path}/x.conllu"
    assert file_of_layer(read, "ref", "sempos") == f"{tmp_path}/ref.sempos"
    assert file_of_layer(testset(), "x", "pos") is None


def test_an_error_of_a_metric_names_the_file(tmp_path):
    error = AnnotationError(0, "the pair 0-9", layer="alignment", column="x", hint="count from 0")
    assert in_its_file(error, testset()) is error
    (tmp_path / "x.alignment").write_text("0-9\n", encoding="utf-8")
    located = in_its_file(error, with_annotations_in(testset(), tmp_path))
    assert str(located) == f"{tmp_path}/x.alignment, line 1: the pair 0-9\ncount from 0"


def test_the_files_that_may_hold_annotations():
    assert {"x.de.conllu", "x.de.conllu.gz", "x.de.sempos", "x.de.pos"} <= set(annotation_paths("x.de"))
