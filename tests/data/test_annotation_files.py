from __future__ import annotations

import pytest

from assay.data.annotation_files import check_folder, columns_to_annotate, with_annotations
from assay.errors import AlignmentError, InputError, NameClashError
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
    assert read.annotators == dict.fromkeys(("tokens", "lemma", "pos", "dependencies"), "a-1+b-2")


def test_layers_that_the_test_set_has_are_kept(tmp_path):
    own = testset(annotations={"tags": {"x": ("N",)}})
    assert with_annotations(own, {}) == own


def test_a_file_with_too_many_lines(tmp_path):
    (tmp_path / "x.de.sempos").write_text("a|b\n\n", encoding="utf-8")
    with pytest.raises(AlignmentError, match=r"has 2 lines, but there are 1 segments"):
        with_annotations(testset(), {"x": tmp_path / "x.de"})


def test_a_system_and_a_reference_of_one_name():
    same = TestSet(outputs={"ref": ("a",), "x": ("b",)}, references={"ref": ("a",)})
    assert list(columns_to_annotate(same)) == ["ref", "x"]
    other = TestSet(outputs={"ref": ("b",)}, references={"ref": ("a",)})
    with pytest.raises(NameClashError, match="a system and a reference are called 'ref', but their texts differ"):
        columns_to_annotate(other)


def test_a_folder_that_does_not_exist(tmp_path):
    assert check_folder(tmp_path) == tmp_path
    with pytest.raises(InputError, match="no such folder"):
        check_folder(tmp_path / "x")
