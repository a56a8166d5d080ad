from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.data.formats import list_campaigns, read_campaign, read_campaigns
from assay.data.joined import align_items, join_campaigns
from assay.errors import AlignmentError, InputError, NameClashError
from assay.types import Campaign, ErrorSpan, NoteKind, Rankings, Ratings, ScoreTable, TestSet

ONE = Ratings(
    "esa",
    "ESA",
    ("r1", "unknown"),
    ("A", "B"),
    [0, 0, 1],
    [0, 1, 1],
    [0, 1, 1],
    [10, 20, 30],
    errors=((ErrorSpan("", "minor"),), (), ()),
    time=[1.0, 2.0, np.nan],
    origin="one.csv",
    digest="1",
)
TWO = Ratings(
    "esa",
    "ESA",
    ("unknown", "r1"),
    ("B", "C"),
    [1, 0, 1],
    [0, 0, 1],
    [1, 1, 4],
    [20, 30, 40],
    kind=("TGT", "TGT", "BAD"),
    time=[2.0, np.nan, 4.0],
    origin="two.csv",
    digest="2",
)


def campaign(*judgements, scores=(), testset=None, segments=5, name="t"):
    systems = ("A", "B", "C") if testset is None else testset.systems
    return Campaign(name, "en-de", segments, systems, (), testset, scores, judgements)


def test_ratings_of_two_files_are_one():
    joined = join_campaigns([campaign(ONE), campaign(TWO)], "t")
    (ratings,) = joined.judgements
    assert (ratings.raters, ratings.systems) == (("r1", "unknown"), ("A", "B", "C"))
    assert (ratings.origin, len(ratings.digest)) == ("one.csv, two.csv", 32)
    # r1's rating of B in segment 1 is in both files; those of raters without a name may be by two people
    np.testing.assert_array_equal(ratings.rater, [0, 0, 1, 1, 0])
    np.testing.assert_array_equal(ratings.system, [0, 1, 1, 1, 2])
    np.testing.assert_array_equal(ratings.segment, [0, 1, 1, 1, 4])
    np.testing.assert_array_equal(ratings.score, [10, 20, 30, 30, 40])
    np.testing.assert_array_equal(ratings.time, [1, 2, np.nan, np.nan, 4])
    assert ratings.kind == ("TGT",) * 4 + ("BAD",)
    assert ratings.wave == ("1",) * 3 + ("2",) * 2
    assert ratings.errors == ((ErrorSpan("", "minor"),), (), (), None, None)  # nobody marked errors in the second file
    assert [(note.kind, note.count, note.text) for note in joined.notes] == [
        (NoteKind.DUPLICATE, 1, "1 rating in more than one file counted once"),
        (NoteKind.PROVENANCE, 2, "'esa' joins the judgements of 2 files: one.csv, two.csv"),
    ]


def test_a_file_without_waves_is_a_wave_of_its_own():
    joined = join_campaigns([campaign(ONE), campaign(replace(TWO, wave=("1",) * len(TWO)))], "t")
    assert joined.judgements[0].wave == ("2",) * len(ONE) + ("1",) * (len(joined.judgements[0]) - len(ONE))


def test_ratings_that_differ_in_anything_are_two():
    other = replace(TWO, score=TWO.score + 0.5)
    assert len(join_campaigns([campaign(ONE), campaign(other)], "t").judgements[0]) == 6
    earlier = replace(TWO, time=None)
    assert len(join_campaigns([campaign(ONE), campaign(earlier)], "t").judgements[0]) == 6


def test_the_same_file_twice_counts_once():
    joined = join_campaigns([campaign(ONE), campaign(replace(ONE, origin="copy.csv"))], "t")
    assert len(joined.judgements[0]) == 3
    assert [str(note) for note in joined.notes] == [
        "copy.csv: the same contents as one.csv; 3 judgements counted once",
        "'esa' joins the judgements of 2 files: one.csv, copy.csv",
    ]


def test_named_items_are_renumbered():
    one = replace(ONE, items=("x", "y"))
    two = replace(TWO, items=("a", "y", "b", "c", "d"))
    (ratings,) = join_campaigns([campaign(one), campaign(two)], "t").judgements
    assert [ratings.items[segment] for segment in ratings.segment] == ["x", "y", "y", "y", "d"]


def test_what_cannot_be_joined():
    with pytest.raises(InputError, match="number their segments in one file and name them in another"):
        join_campaigns([campaign(ONE), campaign(replace(TWO, items=tuple("abcde")))], "t")
    with pytest.raises(InputError, match="better if higher in one file"):
        join_campaigns([campaign(ONE), campaign(replace(TWO, higher_is_better=False))], "t")
    mqm = replace(TWO, protocol="MQM")
    names = [judged.name for judged in join_campaigns([campaign(ONE), campaign(mqm)], "t").judgements]
    assert names == ["esa-esa", "esa-mqm"]


def test_rankings_of_two_files_are_one():
    one = Rankings("rr", ("A", "B"), ("j",), [0], [0], [[1, 2]], "one", "1")
    two = Rankings("rr", ("C", "B"), ("k",), [0], [3], [[1, 0]], "two", "2", [[1, 2]])
    (rankings,) = join_campaigns([campaign(one), campaign(two)], "t").judgements
    assert (rankings.systems, rankings.judges) == (("A", "B", "C"), ("j", "k"))
    np.testing.assert_array_equal(rankings.ranks, [[1, 2, 0], [0, 0, 1]])
    np.testing.assert_array_equal(rankings.output, [[1, 2, 0], [0, 2, 1]])
    np.testing.assert_array_equal(rankings.segment, [0, 3])


def test_scores_are_padded_and_must_not_clash():
    table = ScoreTable("BLEU", "segment", ("A",), [[1.0, 2.0]], "b.score", "b")
    joined = join_campaigns([campaign(scores=(table,), segments=2), campaign(ONE)], "t")
    np.testing.assert_array_equal(joined.scores[0].values, [[1, 2, np.nan, np.nan, np.nan]])
    same = join_campaigns([campaign(scores=(table,), segments=2)] * 2, "t")
    assert len(same.scores) == 1
    with pytest.raises(NameClashError, match=r"are in b\.score too"):
        join_campaigns([campaign(scores=(replace(table, digest=d),), segments=2) for d in "xy"], "t")


def test_texts_fill_each_others_gaps():
    one = TestSet(outputs={"A": ("a", None)}, sources=("s", None), lp="en-de")
    two = TestSet(outputs={"A": ("a", "b", "c"), "B": (None, "e", "f")}, lp="en-de")
    joined = join_campaigns([campaign(testset=one, segments=2), campaign(testset=two, segments=3)], "t")
    assert joined.testset.outputs == {"A": ("a", "b", "c"), "B": (None, "e", "f")}
    assert (joined.testset.sources, joined.segments) == (("s", None, None), 3)
    other = TestSet(outputs={"A": ("x", "b", "c")}, lp="en-de")
    with pytest.raises(
        AlignmentError, match="t: the files have different texts of the outputs of 'A', first in segment 1"
    ):
        join_campaigns([campaign(testset=one, segments=2), campaign(testset=other, segments=3)], "t")


def test_items_are_aligned_with_texts_that_have_names():
    ratings = Ratings("da", "DA", ("r",), ("A",), [0, 0, 0], [0, 0, 0], [1, 0, -1], [1, 2, 3], items=("x", "y"))
    testset = TestSet(outputs={"A": ("a", "b", "c")}, items=("z", "y", "x"))
    notes = []
    aligned = align_items(ratings, testset, notes)
    assert (aligned.items, notes) == ((), [])
    np.testing.assert_array_equal(aligned.segment, [1, 2, -1])
    unaligned = align_items(ratings, replace(testset, items=("z", "y", "w")), notes)
    assert (unaligned.items, [note.count for note in notes]) == (("x", "y"), [1])
    assert align_items(ratings, replace(testset, items=()), notes) is ratings


def test_texts_are_matched_by_name():
    one = TestSet(outputs={"A": ("a", "b")}, items=("x", "y"))
    two = TestSet(outputs={"A": ("c", "b"), "B": ("d", "e")}, items=("z", "y"))
    scores = ScoreTable("BLEU", "segment", ("A", "B"), [[1.0, 2.0], [3.0, 4.0]], domains=("news", "chat"))
    ratings = Ratings("da", "DA", ("r",), ("B",), [0, 0], [0, 0], [0, 1], [30, 20])  # of z and y
    joined = join_campaigns(
        [campaign(testset=one, segments=2), campaign(ratings, scores=(scores,), testset=two, segments=2)], "t"
    )
    assert joined.testset.items == ("x", "y", "z")
    assert joined.testset.outputs == {"A": ("a", "b", "c"), "B": (None, "e", "d")}
    np.testing.assert_array_equal(joined.scores[0].values, [[np.nan, 2, 1], [np.nan, 4, 3]])
    assert (joined.scores[0].domains, joined.scores[0].items) == (("", "chat", "news"), ())
    np.testing.assert_array_equal(joined.judgements[0].segment, [2, 1])
    assert joined.judgements[0].items == ()
    with pytest.raises(InputError, match="some files name their segments"):
        join_campaigns([campaign(testset=one, segments=2), campaign(testset=replace(two, items=()), segments=2)], "t")
    named = replace(scores, items=("p", "q"))
    with pytest.raises(AlignmentError, match=r"for other segments.*\n.*give only files of the same segments"):
        join_campaigns([campaign(testset=one, segments=2), campaign(scores=(named,), segments=2)], "t")


ROW = "{user},{system},{item},TGT,eng,deu,{score},{document},False,[],1.5,{end}\n"


def row(user, system, item, score, document="d", end="2.5"):
    return ROW.format(user=user, system=system, item=item, score=score, document=document, end=end)


def test_files_named_together_are_one_campaign(tmp_path):
    for name, text in {
        "wave1.csv": row("u1", "A", 1, 50) + row("u1", "B", 1, 60),
        "wave2.csv": row("u2", "A", 1, 70) + row("u1", "B", 1, 60),
        "texts.tsv": "dataset\tlp\tsystem\tsegment\toutput\nwmt\ten-de\tA\t1\tx\nwmt\ten-de\tA\t2\ty\n",
        "mqm_newstest2020_ende.tsv": "A\td\t1\t1\tr\ts\tt\tStyle\tMinor\n",
        "mqm_newstest2021_ende.tsv": "A\td\t1\t1\tr\ts\tu\tStyle\tMinor\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    waves = tmp_path / "wave1.csv", tmp_path / "wave2.csv"
    campaign = read_campaign(*waves)
    assert (campaign.name, campaign.lp, len(campaign.judgements[0])) == ("wave1, wave2", "en-de", 3)
    with_texts = read_campaign(*waves, tmp_path / "texts.tsv")
    assert (with_texts.name, len(with_texts.judgements[0]), len(with_texts.testset)) == ("wmt", 3, 2)
    years = tmp_path / "mqm_newstest2020_ende.tsv", tmp_path / "mqm_newstest2021_ende.tsv"
    assert [str(stored) for stored in list_campaigns(*years)] == ["newstest2020 en-de", "newstest2021 en-de"]
    assert [campaign.name for campaign in read_campaigns(*years, lps=("en-de",))] == ["newstest2020", "newstest2021"]
    apart = read_campaigns(*years, *waves)
    assert [campaign.name for campaign in apart] == ["newstest2020", "newstest2021", "wave1, wave2"]


@pytest.mark.parametrize("turned", [False, True])
def test_a_rating_without_its_errors_is_a_copy_of_the_one_with_them(turned):
    marked = replace(TWO, errors=((), (ErrorSpan("", "minor"),), ()), origin="three.csv", digest="3")
    both = (campaign(marked), campaign(TWO)) if turned else (campaign(TWO), campaign(marked))
    (ratings,) = join_campaigns(both, "t").judgements
    # the rating of a rater without a name may be by another person
    assert sorted(ratings.errors, key=str) == [(), (), (ErrorSpan("", "minor"),), None]


JUDGED = (
    '{"name": "esa", "protocol": "ESA", "rater": "r", "lp": "en-de", "system": "A", "segment": %d, "score": %d%s}\n'
)
CHALLENGE = ', "dataset": "challenge"'


def test_an_unnamed_test_set_of_a_file_stays_apart_from_a_named_one(tmp_path):
    texts = tmp_path / "texts.tsv"
    texts.write_text("lp\tsegment\tsource\toutput:A\nen-de\t1\tone\teins\nen-de\t2\ttwo\tzwei\n")
    mixed = tmp_path / "challenge.judgements.jsonl"  # the name of a file is not that of a test set
    mixed.write_text(JUDGED % (1, 10, "") + JUDGED % (1, 20, CHALLENGE))
    other = tmp_path / "other.judgements.jsonl"
    other.write_text(JUDGED % (2, 30, CHALLENGE) + JUDGED % (2, 40, ""))
    for paths in [(texts, mixed), (mixed, texts), (texts, mixed, other)]:
        found = {each.name: each for each in read_campaigns(*paths)}
        scores = {name: sorted(each.judgements[0].score) for name, each in found.items()}
        assert scores == ({"": [10, 40], "challenge": [20, 30]} if other in paths else {"": [10], "challenge": [20]})
        assert [name for name, each in found.items() if each.testset is not None] == [""]
        assert not [note for each in found.values() for note in each.notes if note.kind is NoteKind.DUPLICATE]


def test_a_file_without_a_test_set_still_belongs_to_the_only_one(tmp_path):
    named, nameless = tmp_path / "one.judgements.jsonl", tmp_path / "two.judgements.jsonl"
    named.write_text(JUDGED % (1, 10, CHALLENGE))
    nameless.write_text(JUDGED % (2, 20, ""))
    (found,) = read_campaigns(named, nameless)
    assert (found.name, sorted(found.judgements[0].score)) == ("challenge", [10, 20])
