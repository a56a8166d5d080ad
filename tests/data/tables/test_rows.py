from __future__ import annotations

import math
from dataclasses import replace

import pytest

from assay.data.tables.rows import EVERY_SYSTEM, Row, ScoreKind, campaigns_from_rows
from assay.errors import AlignmentError, EmptyInputError, InputError, NameClashError, UnsafeNameError
from assay.types import Note, NoteKind


def read(*rows, **options):
    return campaigns_from_rows(rows, path="a.tsv", **options)


def test_a_campaign_for_each_test_set_and_language_pair():
    rows = [
        Row(2, "wmt", "en-de", "1", outputs={"A": "x"}),
        Row(3, "wmt", "en-cs", "1", outputs={"A": "y"}),
        Row(4, "wmt", "en-de", "2", outputs={"A": "z"}),
    ]
    german, czech = read(*rows)
    assert (german.name, german.lp, german.segments) == ("wmt", "en-de", 2)
    assert german.testset.outputs == {"A": ("x", "z")}
    assert (german.testset.name, german.testset.lp) == ("wmt", "en-de")
    assert czech.testset.outputs == {"A": ("y",)}


def test_segments_stand_in_the_order_of_their_numbers():
    (campaign,) = read(*(Row(i, segment=str(i), outputs={"A": str(i)}) for i in (10, 9, 11)))
    assert campaign.testset.outputs == {"A": ("9", "10", "11")}
    assert campaign.notes == ()


def test_segments_with_names_stand_in_the_order_of_appearance():
    (campaign,) = read(*(Row(i, segment=name, outputs={"A": name}) for i, name in enumerate(("b#10", "b#9", "a"))))
    assert campaign.testset.outputs == {"A": ("b#10", "b#9", "a")}


def test_a_number_too_long_for_a_number_is_a_name():
    names = ("9" * 5000, "1")
    (campaign,) = read(*(Row(i, segment=name, outputs={"A": name}) for i, name in enumerate(names)))
    assert campaign.testset.outputs == {"A": names}


def test_numbers_that_are_left_out_are_noted():
    (campaign,) = read(*(Row(int(i), segment=i, outputs={"A": i}) for i in ("1", "2", "5")))
    assert campaign.segments == 3
    assert campaign.notes == (
        Note(NoteKind.MISSING, "segments are numbered 1 to 5, but only 3 are present", "a.tsv", 2),
    )


def test_segments_are_counted_by_system():
    rows = [Row(2, system=s, source=f"src {i}", outputs={s: f"{s}{i}"}) for s in "BA" for i in range(2)]
    (campaign,) = read(*rows)
    assert campaign.testset.outputs == {"B": ("B0", "B1"), "A": ("A0", "A1")}
    assert campaign.testset.sources == ("src 0", "src 1")
    (same,) = read(*(Row(row.line, source=row.source, outputs=row.outputs) for row in rows))
    assert same.testset.outputs == campaign.testset.outputs


def test_rows_about_every_system_are_counted_whatever_is_missing():
    rows = [
        Row(2, system=EVERY_SYSTEM, outputs={"A": None, "B": "b0"}),
        Row(3, system=EVERY_SYSTEM, outputs={"A": None, "B": None}),
        Row(4, system=EVERY_SYSTEM, outputs={"A": "a2", "B": None}),
    ]
    (campaign,) = read(*rows)
    assert list(campaign.testset.outputs.items()) == [("A", (None, None, "a2")), ("B", ("b0", None, None))]


def test_a_missing_row_is_a_gap_and_an_empty_output_is_not():
    (campaign,) = read(
        Row(2, segment="1", outputs={"A": ""}),
        Row(3, segment="2", outputs={"A": "x"}),
        Row(4, segment="1", outputs={"B": "y"}),
    )
    assert campaign.testset.outputs == {"A": ("", "x"), "B": ("y", None)}


def test_a_segment_that_nothing_is_said_of_is_there():
    (campaign,) = read(Row(2, segment="1", outputs={"A": "x"}), Row(3, segment="2"))
    assert campaign.testset.outputs == {"A": ("x", None)}


def test_names_stand_in_the_order_in_which_they_are_told_even_of_gaps():
    (campaign,) = read(
        Row(2, segment="1", references={"b": None, "a": "x", "none": None}, outputs={"A": "o"}),
        Row(3, segment="2", references={"b": "y", "a": None}, outputs={"A": "o"}),
    )
    assert list(campaign.testset.references.items()) == [("b", (None, "y")), ("a", ("x", None))]
    assert campaign.references == ("b", "a")


def test_scores():
    kinds = {"z": ScoreKind("DA-z", "DA-z", rater="r"), "b": ScoreKind("BLEU", None, ("refA",), None, False)}
    (campaign,) = read(
        Row(2, segment="1", outputs={"A": "o"}, scores={("A", "b"): 1.0}),
        Row(3, segment="2", scores={("B", "z"): 2.0, ("B", "b"): 3.0, ("B", "plain"): math.nan}, system="B"),
        digest="d",
        kinds=kinds,
    )
    human, metric, plain = campaign.scores
    assert (human.name, human.protocol, human.rater, human.systems, human.level) == (
        "DA-z",
        "DA-z",
        "r",
        ("B",),
        "segment",
    )
    assert (metric.name, metric.references, metric.higher_is_better) == ("BLEU", ("refA",), False)
    assert (metric.systems, metric.origin, metric.digest) == (("A", "B"), "a.tsv", "d")
    assert human.gaps == 1
    assert metric.values[0, 0] == 1.0
    assert metric.values[1, 1] == 3.0
    assert plain.gaps == 2
    assert campaign.systems == ("A", "B")


def test_scores_without_segment_are_those_of_systems():
    rows = [
        Row(2, segment="1", outputs={"A": "o"}),
        *(Row(3, scores={(s, "m"): 1.0}) for s in "AB"),
        Row(5, system="C"),
    ]
    (campaign,) = read(*rows)
    (table,) = campaign.scores
    assert (table.level, table.systems, table.values.tolist()) == ("system", ("A", "B"), [[1.0], [1.0]])
    assert campaign.systems == ("A", "B", "C")
    (alone,) = read(*rows[1:])
    assert (alone.segments, alone.testset, alone.scores[0].level) == (0, None, "system")


def test_scores_of_counted_segments_without_texts_keep_their_place():
    (campaign,) = read(
        Row(2, system="A", scores={("A", "m"): 1.0}), Row(3, system="A", outputs={"A": "x"}, scores={("A", "m"): 2.0})
    )
    assert campaign.testset.outputs == {"A": (None, "x")}
    assert campaign.scores[0].values.tolist() == [[1.0, 2.0]]


def test_numbers_of_rows_taken_for_segments_are_noted():
    (campaign,) = read(*(Row(i, segment=str(i), outputs={"AABB"[i]: "x"}) for i in range(4)))
    (note,) = campaign.notes
    assert (note.kind, note.where) == (NoteKind.SUSPECT, "a.tsv")
    assert note.text.startswith("no segment has outputs of two systems; if the column 'segment' numbers rows")
    (campaign,) = read(*(Row(i, segment=str(i % 3), outputs={"AABB"[i]: "x"}) for i in range(4)))
    assert campaign.notes == ()


def test_texts_that_no_output_needs_are_noted():
    (campaign,) = read(Row(2, segment="1", source="s", document="d", scores={("A", "m"): 1.0}))
    assert campaign.testset is None
    assert campaign.notes == (Note(NoteKind.UNREAD, "no outputs, so not used: source, document", "a.tsv", 2),)


OUTPUT = {"outputs": {"A": "x"}}
FLAWS = {
    "nothing": ([], EmptyInputError, "a.tsv: no rows"),
    "neither output nor score": ([Row(2, segment="1", source="s")], EmptyInputError, "no outputs and no scores"),
    "another source": (
        [Row(2, segment="1", source="s", **OUTPUT), Row(3, segment="1", source="t")],
        AlignmentError,
        "a.tsv, line 3: a different source for the same segment",
    ),
    "another reference": (
        [Row(2, segment="1", references={"r": "s"}), Row(3, segment="1", references={"r": ""})],
        AlignmentError,
        "line 3: a different reference 'r'",
    ),
    "segments count anew": (
        [Row(2, segment="1", document="a"), Row(3, segment="1", document="b")],
        AlignmentError,
        "number the segments consecutively",
    ),
    "output twice": ([Row(2, segment="1", **OUTPUT)] * 2, InputError, "duplicate output of system 'A'"),
    "score twice": (
        [Row(2, segment="1", scores={("A", "m"): 1.0})] * 2,
        InputError,
        "a.tsv, line 2: duplicate score 'm' of system 'A'",
    ),
    "system score twice": ([Row(2, scores={("A", "m"): 1.0})] * 2, InputError, "duplicate score 'm'"),
    "some segments named": (
        [Row(2, segment="1", **OUTPUT), Row(3, **OUTPUT)],
        InputError,
        "line 3: a text without a segment",
    ),
    "a document without segment": (
        [Row(2, document="d", scores={("A", "m"): 1.0})],
        InputError,
        "line 2: a row without a segment",
    ),
    "about nothing": (
        [Row(2, segment="1", **OUTPUT), Row(3)],
        InputError,
        "line 3: a row without a segment or a system",
    ),
    "a row too few": (
        [Row(2, **OUTPUT), Row(3, **OUTPUT), Row(4, outputs={"B": "x"})],
        AlignmentError,
        "1 row of system 'B', but 2 of 'A'",
    ),
    "one number twice": (
        [Row(2, segment="1", **OUTPUT), Row(3, segment="01", **OUTPUT)],
        NameClashError,
        "ambiguous segment numbers '1' and '01'",
    ),
    "name": ([Row(2, segment="1", outputs={"a/b": "x"})], UnsafeNameError, "a.tsv, line 2: 'a/b' cannot be the name"),
    "name of a reference": ([Row(2, segment="1", references={"": "x"})], UnsafeNameError, "a reference has no name"),
    "twins": (
        [Row(2, segment="1", outputs={"é": "x", "e\u0301": "y"})],
        NameClashError,
        "a.tsv: two systems are called",
    ),
    "language pair": ([Row(2, lp="german", segment="1", **OUTPUT)], InputError, "'german' is not a language pair"),
}


@pytest.mark.parametrize(("rows", "error", "message"), FLAWS.values(), ids=list(FLAWS))
def test_flaws(rows, error, message):
    with pytest.raises(error) as caught:
        read(*rows)
    assert message in str(caught.value)
    assert caught.value.path == "a.tsv"


def test_a_column_that_holds_no_names_of_systems_does_not_fill_the_memory():
    rows = (Row(i, segment=str(i), outputs={f"s{i}": ""}) for i in range(4000))
    with pytest.raises(InputError, match="4,000 systems and 4,000 segments, but only 4,000 rows"):
        read(*rows)


def test_exchanged_columns_are_suspected():
    rows = [Row(2 + i, segment=name, system=str(i), scores={(str(i), "m"): 1.0}) for i in range(3) for name in "ab"]
    (campaign,) = campaigns_from_rows(rows, path="t.tsv")
    assert [note.text for note in campaign.notes if "exchanged" in note.text]
    named = [replace(row, segment=str("ab".index(row.segment))) for row in rows]
    (campaign,) = campaigns_from_rows(named, path="t.tsv")
    assert not [note.text for note in campaign.notes if "exchanged" in note.text]
