from __future__ import annotations

import copy
import dataclasses
import pickle
import sys

import pytest

from assay import _core, load
from assay.errors import (
    AlignmentError,
    ConfigError,
    DecodeError,
    EmptyInputError,
    InputError,
    NameClashError,
    UnknownNameError,
    UnsafeNameError,
)
from assay.types import TestSet, check_names


def test_a_testset_is_frozen():
    testset = TestSet(outputs={"x": ("a",)})
    with pytest.raises(dataclasses.FrozenInstanceError):
        testset.lp = "en-de"
    with pytest.raises(TypeError):
        testset.outputs["y"] = ("b",)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"outputs": {}}, EmptyInputError, "no system output"),
        ({"outputs": {"x": ()}}, EmptyInputError, "output 'x' has no segments"),
        ({"outputs": {"x": ("a",), "y": ("a", "b")}}, AlignmentError, "output 'x' has 1 segment, output 'y' has 2"),
        (
            {"outputs": {"x": ("a", "b")}, "references": {"r": ("a",)}},
            AlignmentError,
            "reference 'r' has 1 segment, output 'x' has 2",
        ),
        ({"outputs": {"x": ("a",)}, "documents": ("d", "d")}, AlignmentError, "documents has 2"),
        ({"outputs": {" ": ("a",)}}, UnsafeNameError, "a system has no name"),
        ({"outputs": {"../x": ("a",)}}, UnsafeNameError, "it contains '/'"),
        ({"outputs": {"a\u202eb": ("a",)}}, UnsafeNameError, "u202e"),
        ({"outputs": {"x" * 201: ("a",)}}, UnsafeNameError, "too long"),
        ({"outputs": {"..": ("a",)}}, UnsafeNameError, "refers to a folder"),
        ({"outputs": {"é": ("a",), "e\u0301": ("a",)}}, NameClashError, "different code points"),
        (
            {"outputs": {"x y": ("a",), " x  y": ("a",)}},
            NameClashError,
            r"called ' x  y' (the other is 'x y', with other",
        ),
        ({"outputs": {"x": ("a", "b\ud800")}}, DecodeError, "output 'x', segment 2: a lone surrogate"),
        ({"outputs": {"x": ("a",)}, "lp": "german"}, ConfigError, "'german' is not a language pair"),
    ],
)
def test_what_a_testset_refuses(arguments, error, message):
    with pytest.raises(error, match=message.replace("(", r"\(")):
        TestSet(**arguments)


def test_columns_may_be_lists_and_testsets_pickled():
    testset = TestSet(outputs={"x": ["a", "b"]}, references={"r": ["a", "b"]}, sources=["s", "t"])
    assert testset.outputs["x"] == ("a", "b")
    assert pickle.loads(pickle.dumps(testset)) == testset
    assert copy.deepcopy(testset) == testset


def test_take_keeps_every_column():
    testset = load(
        outputs={"x": ["a", "b", "c"]},
        references=["d", None, "f"],
        sources=["g", "h", "i"],
        documents=["1", "1", "2"],
        domains=["n", "n", "m"],
        lp="en-de",
    )
    part = testset.take([2, 0])
    assert part.outputs["x"] == ("c", "a")
    assert part.references["ref"] == ("f", "d")
    assert (part.sources, part.documents, part.domains) == (("i", "g"), ("2", "1"), ("m", "n"))
    assert part.target == "de"


@pytest.mark.parametrize(
    ("lp", "pair", "target"),
    [
        *(("en-zh_TW", "en-zh", "zh"), ("CS_cz-EN", "cs-en", "en"), (None, None, None)),
        *(("eng-deu_Latn", "en-de", "de"), ("en-cz", "en-cs", "cs"), ("en-liv", "en-liv", "liv")),
    ],
)
def test_languages_without_scripts_and_regions(lp, pair, target):
    testset = TestSet(outputs={"x": ["a"]}, references={"r": ["b"]}, lp=lp)
    assert (testset.language_pair, testset.target) == (pair, target)


def test_representation_is_short():
    testset = TestSet(outputs={"x": ("a",)}, references={"r": ("b",)}, lp="en-de")
    assert repr(testset) == "TestSet(en-de, 1 segment; systems x; references r)"


def test_fingerprint_sees_every_change():
    def make(**changes):
        return TestSet(**{"outputs": {"x": ("a", "b")}, "references": {"r": ("a", "b")}, **changes}).record.fingerprint

    seen = [
        make(),
        make(outputs={"x": ("ab", "")}),
        make(outputs={"x": ("a\x00\x02b", "c")}),
        make(outputs={"x": ("a", "b\x00\x02c")}),
        make(outputs={"x": ("a", None)}),
        make(outputs={"y": ("a", "b")}),
        make(references={"r": ("b", "a")}),
        make(sources=("a", "b")),
    ]
    assert make() == seen[0]
    assert len(set(seen)) == len(seen)


def test_reference_count():
    def count(**references):
        return TestSet(outputs={"x": ("a", "b")}, references=references).reference_count

    assert count() == "0"
    assert count(a=("a", "b"), b=("a", "b")) == "2"
    assert count(a=("a", "b"), b=("a", None)) == "var"
    assert count(a=(None, "b"), b=("a", None)) == "1"


def test_scorable():
    testset = TestSet(
        outputs={"x": ("a", None, "c"), "y": ("a", "b", "c")},
        references={"r": (None, "b", "c"), "s": (None, None, "c")},
        sources=("a", "b", None),
    )
    assert testset.scorable(frozenset({"reference"})).tolist() == [[False, False, True], [False, True, True]]
    assert testset.scorable(frozenset({"source"})).tolist() == [[True, False, False], [True, True, False]]
    assert not TestSet(outputs={"x": ("a",)}).scorable(frozenset({"reference"})).any()


def test_references_among_the_systems_and_some_of_the_systems():
    testset = TestSet(outputs={"x": ("a",), "refA": ("b",), "y": ("c",)}, references={"refA": ("b",)}, name="wmt")
    assert testset.reference_systems == ("refA",)
    assert testset.with_systems(["y", "x"]).systems == ("y", "x")
    assert testset.with_systems(["y"]).record.name == "wmt"
    assert repr(testset).startswith("TestSet(wmt unknown languages, 1 segment")


def test_lower_case_is_pythons():
    """Every code point between letters, final sigmas, and the one that becomes two; at every width of a string."""
    points = [chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c <= 0xDFFF]
    lines = ["".join(points[i : i + 61]) for i in range(0, len(points), 61)]
    lines += [f"A{c}b" for c in points[:0x3000]]
    lines += ["ΑΣ ΑΣ. Σ ΣΑ", "İ", "É", "K", "ẞ", "", "ÀÞ×ß"]
    found = TestSet(outputs={"x": (*lines, None)}).texts(_core.lower)[1][0]
    assert found == (*(line.lower() for line in lines), None)
    assert [len(line) for line in found[:-1]] == [len(line.lower()) for line in lines]


TAGS = {"pos": {"source": ("N", None, "V"), "refA": ("N", "N", None), "x": ("N", "V", "N"), "y": (None, "V", "N")}}


def annotated(**changes):
    fields = {
        "outputs": {"x": ("a", "b", "c"), "y": ("a", "b", "c")},
        "references": {"refA": ("a", "b", "c"), "refB": ("a", "b", "c")},
        "sources": ("d", "e", "f"),
        "annotations": TAGS,
    }
    return TestSet(**fields | changes)


def test_annotations_follow_their_columns():
    testset = annotated()
    assert repr(testset).endswith("references refA, refB; annotations pos)")
    assert testset.take([2, 0]).annotations["pos"]["x"] == ("N", "N")
    assert list(testset.with_systems(["y"]).annotations["pos"]) == ["source", "refA", "y"]
    assert list(testset.with_references(["refB"]).annotations["pos"]) == ["source", "x", "y"]
    assert testset.with_references(["refB"]).references == {"refB": ("a", "b", "c")}
    assert pickle.loads(pickle.dumps(testset)) == testset


def test_annotations_change_the_fingerprint_only_where_they_are():
    plain = annotated(annotations={})
    assert list(plain.record.digests) == [
        *("output 'x'", "output 'y'", "reference 'refA'", "reference 'refB'", "sources"),
    ]
    other = annotated(annotations={"pos": {"x": ("N", "V", "V")}})
    assert len({t.record.fingerprint for t in (plain, annotated(), other)}) == 3
    assert "annotation 'pos' of 'x'" in annotated().record.digests


def test_cells_with_a_layer():
    """All annotated sides must have a value: the source, one of the references, and the output itself."""
    needs = frozenset({"pos"})
    assert annotated().scorable(needs).tolist() == [[True, False, False], [False, False, False]]
    only_outputs = annotated(annotations={"pos": {"x": ("N", None, "V")}})
    assert only_outputs.scorable(needs).tolist() == [[True, False, True], [False] * 3]
    only_references = annotated(annotations={"pos": {"refA": ("N", None, None), "refB": ("N", "N", None)}})
    assert only_references.scorable(needs).tolist() == [[True, True, False]] * 2
    assert not annotated(annotations={}).scorable(needs).any()


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"annotations": {"pos": {"x": ("N",)}}}, AlignmentError, "annotation 'pos' of 'x' has 1 segment"),
        ({"annotations": {"pos": {"z": ("N",) * 3}}}, InputError, "'pos': the test set has no column 'z'"),
        ({"annotations": {"pos": {"source": ("N",) * 3}}, "sources": None}, InputError, "no column 'source'"),
        ({"annotations": {"reference": {"x": ("N",) * 3}}}, NameClashError, "layer cannot be called 'reference'"),
        ({"annotations": {"a/b": {"x": ("N",) * 3}}}, UnsafeNameError, "it contains '/'"),
        ({"annotations": {"pos": {"x": ("N", 3, None)}}}, DecodeError, "annotation 'pos' of 'x', segment 2: int"),
        (
            {"annotations": {"pos": {}}, "outputs": {"source": ("a", "b", "c")}},
            NameClashError,
            "'source' means the sources",
        ),
    ],
)
def test_what_annotations_refuse(changes, error, message):
    with pytest.raises(error, match=message):
        annotated(**changes)


def test_segments_can_have_names():
    named = TestSet(outputs={"a": ("x", "y", "z")}, items=("d#1", "d#2", "e#1"))
    assert named.take([2, 0]).items == ("e#1", "d#1")
    assert named.take([0, 0]).items == ()
    with pytest.raises(AlignmentError, match="3 segments, but names for 1"):
        dataclasses.replace(named, items=("d#1",))
    with pytest.raises(NameClashError, match="two segments have the same name"):
        dataclasses.replace(named, items=("d", "d", "e"))


def test_the_output_of_a_system():
    testset = load(outputs={"base": ["x"], "new": ["y"]})
    assert testset.output("new") == ("y",)
    with pytest.raises(UnknownNameError, match="no system is called 'bas'") as caught:
        testset.output("bas")
    assert caught.value.hint == "did you mean 'base'?"


def test_why_a_name_cannot_be_used():
    with pytest.raises(NameClashError, match=r"^two systems are called 'base'\n"):
        check_names("system", ["base", "base"])
    with pytest.raises(NameClashError, match=r"called 'e\u0301' \(written with different code points\)"):
        check_names("system", ["\u00e9", "e\u0301"])
    with pytest.raises(UnsafeNameError, match="the name of a system must be a string, not 1"):
        load(outputs={1: ["a"]}, references=["a"])
    with pytest.raises(UnsafeNameError, match="a system has no name"):
        check_names("system", [" "])


def test_part():
    texts = ("a", "b", None, "d")
    whole = TestSet(
        outputs={"s": texts},
        references={"r": texts[::-1]},
        sources=texts,
        documents=("x", "x", "y", "y"),
        items=("1", "2", "3", "4"),
        annotations={"pos": {"s": texts}},
    )
    part = whole.part(1, 3)
    assert part == whole.take([1, 2])
    assert (part.outputs["s"], part.documents, part.items) == (("b", None), ("x", "y"), ("2", "3"))


def test_the_texts_of_a_layer():
    testset = TestSet(
        outputs={"x": ["a"], "y": ["b"]}, references={"A": ["c"]}, annotations={"pos": {"x": ["N"], "A": ["V"]}}
    )
    references, outputs = testset.layer_texts("pos")
    assert [list(column) for column in (*references, *outputs)] == [["V"], ["N"], [None]]
    assert [list(column) for column in testset.layer_texts("lemma")[1]] == [[None], [None]]
