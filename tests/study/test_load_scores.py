from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from assay import Note, load_campaign, load_scores, read, score
from assay.data.formats.mtme import Mtme
from assay.data.formats.score import score_text
from assay.errors import ConfigError, InputError, UnknownNameError
from assay.reports import document, renderer
from assay.types import NoteKind, TestSet
from tests.campaigns_with_metrics import campaign, metric


@pytest.fixture
def place(tmp_path, monkeypatch):
    mine = metric("mine", 0.0)
    (tmp_path / "mine.sys.score").write_text(score_text(mine), encoding="utf-8")
    (tmp_path / "error.sys.score").write_text(score_text(replace(mine, values=-mine.values)), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(place, name, text):
    (place / name).write_text(text, encoding="utf-8")
    return place / name


TESTSET = TestSet(outputs={"x": ("a", "b"), "y": ("c", "d")}, references={"refA": ("a", "b")})


def test_scores_for_campaigns(place):
    loaded = load_scores("mine.sys.score", [campaign()])
    assert [table.name for table in loaded["de-en"]] == ["mine"]
    assert (list(loaded), len(loaded), loaded.notes) == (["de-en"], 1, ())
    assert [t.name for t in load_scores({"own": place / "mine.sys.score"}, campaign()).tables] == ["own"]
    assert load_scores([], [campaign()]).tables == ()


@pytest.mark.warns("higher scores count as better")
def test_the_direction(place):
    loaded = load_scores(["error.sys.score", ("e", "error.sys.score")], [campaign()], lower_is_better=["e"])
    assert [(table.name, table.higher_is_better) for table in loaded.tables] == [("error", True), ("e", False)]
    suspects = ("metricx", "TER", "MetricX-24-XXL", "metricx_xxl", "wmt23-metricx-refA", "TER-Moses")
    for name, count in (*((name, 1) for name in suspects), ("comet", 0), ("mine", 0), ("characters", 0)):
        notes = load_scores({name: "error.sys.score"}, campaign()).notes
        assert len([note for note in notes if "unless they are negated" in note.text]) == count
    assert load_scores({"ter": "error.sys.score"}, campaign(), lower_is_better="ter").notes == ()
    with pytest.raises(UnknownNameError, match="no external scores are called 'errer'") as caught:
        load_scores("error.sys.score", campaign(), lower_is_better=["errer"])
    assert caught.value.hint == "did you mean 'error'?"
    with pytest.raises(UnknownNameError) as caught:
        load_scores([], campaign(), lower_is_better="e")
    assert caught.value.hint is not None


def test_the_language_pair(place):
    with pytest.raises(ConfigError, match=r"mine.sys.score does not name its language pair"):
        load_scores("mine.sys.score", [campaign(), campaign("en-de")])
    table = write(place, "t.csv", "lp,system,score\nde-en,a,1\nfr-en,a,1\n")
    loaded = load_scores(table, [campaign(), campaign("en-de")])
    assert list(loaded) == ["de-en"]
    assert Note(NoteKind.EXCLUDED, "the scores for fr-en are not used", str(table)) in loaded.notes
    with pytest.raises(InputError, match="these scores belong to the language pair fr-en, not to de-en"):
        load_scores(write(place, "h.csv", "lp,system,score\nfr-en,a,1\n"), [campaign()])


def test_another_name_of_the_test_set(place):
    """Submissions say `generaltest2023` where the folder is called `wmt23`."""
    rows = "testset,lp,system,score\ngeneraltest2023,de-en,a,1\ngeneraltest2023,de-en,b,2\n"
    ours = replace(campaign(), name="wmt23")
    path = write(place, "t.csv", rows)
    for aliases in ((), ("general",)):
        with pytest.raises(InputError, match="belong to the test set generaltest2023, not to wmt23") as caught:
            load_scores(path, [ours], testset_name=aliases)
        assert caught.value.hint == 'if this is another name of wmt23, say so: testset_name="generaltest2023"'
    loaded = load_scores(path, [ours], testset_name="generaltest2023")
    assert loaded["de-en"][0].values.tolist() == [[1], [2]]
    both = write(place, "both.csv", f"{rows}challenge,de-en,a,5\nchallenge,fr-en,a,6\n")
    loaded = load_scores(both, [ours], testset_name="generaltest2023")
    assert loaded["de-en"][0].values.tolist() == [[1], [2]]
    text = "the scores for challenge de-en, challenge fr-en are not used"
    assert Note(NoteKind.EXCLUDED, text, str(both)) in loaded.notes
    with pytest.raises(ConfigError, match="testset_name has no effect"):
        load_scores([], [ours], testset_name="generaltest2023")


def test_a_copy_of_a_stored_metric_is_noted(place):
    ours = campaign()
    stored = next(table for table in ours.metrics if table.level == "system")
    rows = "".join(f"{name} {value[0]}\n" for name, value in zip(stored.systems, stored.values, strict=True))
    loaded = load_scores({"new": write(place, "new.sys.score", rows)}, [ours])
    (note,) = [note for note in loaded.notes if note.kind is NoteKind.DUPLICATE]
    assert note.text.startswith("exactly the same system scores under different names: ")
    assert note.text.endswith("new-src")


def test_partial_matches_are_noted(place):
    table = write(place, "part.csv", "system,segment,score\nx,1,1\nz,1,3\nz,2,4\n")
    loaded = load_scores(table, TESTSET)
    assert loaded.notes == (
        Note(NoteKind.MISSING, "no scores of y", str(table), 1),
        Note(NoteKind.EXCLUDED, "scores of unknown systems are not used: z", str(table), 1),
        Note(NoteKind.MISSING, "part has no score in 1 of 4 cells", str(table), 1),
    )


def test_excluded_systems_are_not_unknown(place):
    table = write(place, "all.csv", "system,segment,score\nx,1,1\nx,2,2\ny,1,3\ny,2,4\n")
    whole = load_campaign(write(place, "t.csv", "system,segment,output\nx,1,a\nx,2,b\ny,1,c\ny,2,d\n"))
    loaded = load_scores(table, TESTSET.with_systems(("x",)), campaign=whole)
    assert loaded.notes == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lp,system,segment,score\nja-ko,x,1,1\nja-ko,x,2,2\n", "belong to the language pair ja-ko, not to en-de"),
        ("dataset,system,segment,score\nwmt12,x,1,1\nwmt12,x,2,2\n", "belong to the test set wmt12, not to t"),
        ("system,segment,score\nX,1,1\nX,2,2\n", "these are scores of X, but the systems are x, y"),
        ("system,segment,output,score\nx,1,b,1\nx,2,a,2\n", "belong to another output of 'x': segment 1 differs"),
        ("system,score\nx,1\n", "this file has no segment scores"),
    ],
)
def test_scores_of_something_else(place, text, message):
    testset = replace(TESTSET, lp="en-de", name="t")
    with pytest.raises(InputError, match=message):
        load_scores(write(place, "s.csv", text), testset)


def test_the_origin_is_noted_if_it_cannot_be_checked(place):
    table = write(place, "s.csv", "lp,system,segment,score\nja-ko,x,1,1\nja-ko,x,2,2\n")
    text = "according to the file, these scores belong to the language pair ja-ko"
    assert Note(NoteKind.PROVENANCE, text, str(table)) in load_scores(table, TESTSET).notes


def test_stored_scores_by_name(place):
    Mtme().write([campaign()], place / "data")
    stored = load_campaign(place / "data")
    testset = stored.testset.with_systems(("a", "b"))
    (table,) = load_scores("good", testset, campaign=stored).tables
    assert (table.name, table.references) == ("good", ("refA",))
    (table,) = load_scores({"mine": "good-refA"}, testset, campaign=stored).tables
    assert table.name == "mine"
    assert np.array_equal(table.values, stored.find("good", "segment").values, equal_nan=True)
    with pytest.raises(UnknownNameError, match="'goof' is neither a file nor a metric with segment scores in wmt99"):
        load_scores("goof", testset, campaign=stored)
    with pytest.raises(UnknownNameError, match="'good' was not computed with these references") as caught:
        load_scores("good", replace(testset, references={}), campaign=stored)
    assert caught.value.hint == "available: good-refA"


def test_one_score_per_line(place):
    one, two = write(place, "one.txt", "1\n2\n"), write(place, "y", "3\nNone\n")
    (table,) = load_scores({"comet/x": one, "comet/y": two}, TESTSET).tables
    assert (table.name, table.systems, table.values.tolist()[0]) == ("comet", ("x", "y"), [1, 2])
    (table,) = load_scores(two, TESTSET).tables  # called like a system
    assert (table.name, table.systems) == ("y", ("y",))
    (table,) = load_scores({"comet": one}, TESTSET.with_systems(["x"])).tables
    assert (table.name, table.systems) == ("comet", ("x",))
    with pytest.raises(InputError, match="this file does not name its system") as caught:
        load_scores({"comet": one}, TESTSET)
    assert f"--scores comet/x={one}" in caught.value.hint
    with pytest.raises(InputError, match="these are scores of z, but the systems are x, y"):
        load_scores({"comet/z": one}, TESTSET)


def test_the_scores_of_one_system_of_a_file(place):
    path = write(place, "m.seg.score", "x\t1\nx\t2\ny\t3\ny\t4\n")
    (table,) = load_scores({"m/y": path}, TESTSET).tables
    assert (table.systems, table.values.tolist()) == (("y",), [[3, 4]])
    with pytest.raises(UnknownNameError, match="no scores of system 'z'"):
        load_scores({"m/z": path}, TESTSET)
    only = write(place, "n.seg.score", "other\t1\nother\t2\n")
    assert load_scores({"n/x": only}, TESTSET).tables[0].systems == ("x",)


def test_the_scores_of_a_run_have_their_direction(place):
    run = score(TESTSET, ["bleu", "ter"], resamples=0)
    path = write(place, "run.tsv", renderer.create("tsv").render(document(run, segments=True)))
    loaded = load_scores(path, TESTSET)
    assert {table.name: table.higher_is_better for table in loaded.tables} == {"bleu": True, "ter": False}
    (table,) = load_scores({"ter": path}, TESTSET).tables
    assert table.values.tolist() == [run.metrics["ter"].segments[name].tolist() for name in table.systems]
    with pytest.raises(UnknownNameError, match="several metrics, none of them called 'tre'"):
        load_scores({"tre": path}, TESTSET)


def test_segments_with_names_are_matched_by_name(place):
    named = replace(TESTSET, items=("doc1", "doc2"))
    path = write(place, "m.tsv", "system\tsegment\tscore\nx\tdoc2\t2\nx\tdoc9\t9\nx\tdoc1\t1\ny\tdoc1\t4\n")
    loaded = load_scores(path, named)
    np.testing.assert_array_equal(loaded.tables[0].values, [[1, 2], [4, np.nan]])
    assert (loaded.tables[0].items, [n.count for n in loaded.notes if n.kind is NoteKind.EXCLUDED]) == ((), [1])
    with pytest.raises(InputError, match="no segment of these scores is in the test set"):
        load_scores(path, replace(TESTSET, items=("a", "b")))


def test_a_comet_file_has_any_name(place):
    text = '[{"src": "s", "mt": "a", "COMET": 0.5}, {"src": "t", "mt": "b", "COMET": 0.25}]'
    for name in ("x.json", "x", "x.out"):
        (table,) = load_scores(write(place, name, text), replace(TESTSET, name="wmt22")).tables
        assert (table.name, table.systems, table.values.tolist()) == ("COMET", ("x",), [[0.5, 0.25]])
    text = f'{{"out/GPT-3.5": {text}, "out/Claude-3.5-Sonnet": {text}}}'
    assert read(write(place, "c", text))[0].systems == ("GPT-3.5", "Claude-3.5-Sonnet")


def test_files_that_are_complete_together_lack_nothing(place):
    for name in ("x", "y"):
        write(place, f"{name}.txt", "1\n2\n")
    together = load_scores([("m/x", "x.txt"), ("m/y", "y.txt")], TESTSET)
    assert together.notes == ()
    (note,) = load_scores([("m/x", "x.txt")], TESTSET).notes
    assert (note.kind, note.where, note.text) == (NoteKind.MISSING, "x.txt", "no scores of y")


@pytest.mark.parametrize(("scores", "hint"), [("1\n", "a score is missing"), ("1\n2\n3\n", "more scores than")])
def test_files_of_one_metric_that_differ_in_length_are_named(place, scores, hint):
    write(place, "x.txt", "1\n2\n")
    write(place, "y.txt", scores)
    count = scores.count("\n")
    with pytest.raises(
        InputError, match=rf"y\.txt: {count} scores? per system, but the test set has 2 segments"
    ) as caught:
        load_scores([("m/x", "x.txt"), ("m/y", "y.txt")], TESTSET)
    assert hint in str(caught.value.hint)


def test_names_of_metrics_that_differ_in_spaces_are_refused(place):
    for name in ("x", "y"):
        write(place, f"{name}.txt", "1\n2\n")
    with pytest.raises(InputError, match=r"two metrics are called 'm ' \(the other is 'm', with other spaces\)"):
        load_scores([("m/x", "x.txt"), ("m /y", "y.txt")], TESTSET)


def test_scores_of_segments_without_a_segment_have_a_hint(place):
    path = write(place, "m.tsv", "system\tcomet\nx\t0.1\nx\t0.2\n")
    with pytest.raises(InputError, match=r"line 3: duplicate score .score:comet. of system") as caught:
        load_scores(path, TESTSET)
    assert "column 'segment'" in str(caught.value.hint)


SCORED = TestSet(
    outputs={"x": ("a ", "b", "c"), "y": ("d", "e", "f")},
    references={"refB": ("a", "b", "c")},
    sources=("A", "B", "C"),
)


def comet(place, output, **columns):
    """COMET's JSON as a list, which does not name its system; texts are stripped."""
    texts = {"src": "ABC", "mt": output, "ref": "abc", **columns}
    rows = [
        dict(zip((*texts, "COMET"), row, strict=True)) for row in zip(*texts.values(), (0.1, 0.2, 0.3), strict=True)
    ]
    return write(place, "list.json", json.dumps(rows))


def metricx(place, output, **columns):
    texts = {"source": "ABC", "hypothesis": output, "reference": "abc", **columns}
    rows = (dict(zip((*texts, "prediction"), row, strict=True)) for row in zip(*texts.values(), (1, 2, 3), strict=True))
    return write(place, "list.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))


@pytest.mark.parametrize("scores", [comet, metricx])
def test_the_scores_of_a_list_belong_to_the_named_system(place, scores):
    (table,) = load_scores({"m/x": scores(place, "abc")}, SCORED).tables
    assert (table.systems, table.references) == (("x",), ("refB",))
    for output in ("def", "bac"):  # those of another system, and in another order
        with pytest.raises(InputError, match=r"these scores belong to another output of 'x': segment 1 differs"):
            load_scores({"m/x": scores(place, output)}, SCORED)
    with pytest.raises(
        InputError, match=r"list.jsonl?: this file does not name its system; the systems are x, y"
    ) as caught:
        load_scores({"m": scores(place, "abc")}, SCORED)
    assert "name the system: --scores m/x=" in caught.value.hint


@pytest.mark.warns("differ")
@pytest.mark.parametrize(("scores", "source", "reference"), [(comet, "src", "ref"), (metricx, "source", "reference")])
def test_sources_and_references_are_compared(place, scores, source, reference):
    with pytest.raises(InputError, match=r"these scores were computed from other sources: segment 2 differs"):
        load_scores({"m/x": scores(place, "abc", **{source: "AXC"})}, SCORED)
    loaded = load_scores({"m/x": scores(place, "abc", **{reference: "xyc"})}, SCORED)
    (note,) = (note for note in loaded.notes if note.kind is NoteKind.SUSPECT)
    assert "computed with another reference than refB: 2 of 3 segments differ, the first is 1" in note.text
    assert loaded.tables[0].references == ("unknown",)
    loaded = load_scores({"m/x": scores(place, "abc", **{reference: "abx"})}, SCORED)
    (note,) = (note for note in loaded.notes if note.kind is NoteKind.SUSPECT)
    assert (note.severity, note.count) == ("warning", 1)
    assert "another version of the reference refB: 1 of 3 segments differ, the first is 3" in note.text
    assert loaded.tables[0].references == ("refB",)


def test_a_reference_that_nothing_names_is_unknown(place):
    path = comet(place, "abc")
    (table,) = load_scores({"m/x": path}, replace(SCORED, references={})).tables
    assert table.references == ("unknown",)
    both = replace(SCORED, references={"refA": ("d", "e", "f"), "refB": ("a", "b", "c")})
    assert load_scores({"m/x": path}, both).tables[0].references == ("refB",)


def test_references_that_no_score_uses_are_not_compared(place):
    rows = "".join(f"x\t{i}\t{text}\t{text}\t?\t1\n" for i, text in enumerate("abc", 1))
    path = write(place, "x.tsv", f"system\tsegment\toutput\treference:refB\treference:other\tscore:M-refB\n{rows}")
    loaded = load_scores({"M": path}, SCORED)
    assert not [note for note in loaded.notes if note.kind is NoteKind.SUSPECT]


def test_empty_references_are_none(place):
    """As in files of quality estimation."""
    (table,) = load_scores({"m/x": metricx(place, "abc", reference=["", "", ""])}, SCORED).tables
    assert table.references == ()


@pytest.mark.warns("negated")
def test_metricx_scores_on_another_scale(place):
    path = write(place, "x.jsonl", "".join(f'{{"hypothesis": "{text}", "prediction": -1}}\n' for text in "abc"))
    (note,) = (note for note in load_scores(path, SCORED).notes if note.kind is NoteKind.SUSPECT)
    assert note.text == "3 of 3 scores are outside 0 to 25: negated, or on another scale?"


def test_named_segments_are_compared_by_name(place):
    named = replace(TESTSET, items=("doc1", "doc2"))
    path = write(place, "m.csv", "system,segment,output,score\nx,doc2,b,2\nx,doc1,a,1\n")
    assert load_scores(path, named).tables[0].values.tolist() == [[1, 2]]
    path = write(place, "m.csv", "system,segment,output,score\nx,doc2,a,2\nx,doc1,b,1\n")
    with pytest.raises(InputError, match="another output of 'x': segment 1 differs"):
        load_scores(path, named)


def test_texts_without_scores(place):
    path = write(place, "x.jsonl", '{"source": "s", "hypothesis": "a"}\n{"source": "t", "hypothesis": "b"}\n')
    with pytest.raises(InputError, match="this file has no segment scores") as caught:
        load_scores(path, TESTSET)
    assert "MetricX in the field prediction" in caught.value.hint
