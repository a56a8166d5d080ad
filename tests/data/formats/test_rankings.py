from __future__ import annotations

import numpy as np
import pytest

from assay.data.formats import find_format
from assay.data.formats.rankings import RankingFile
from tests.data.flat import read_or_refused
from tests.data.judged import read, refused

# The form of WMT12 to WMT14, as in keisks/wmt-trueskill.
FIVE = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,system2Id,"
    "system3Number,system3Id,system4Number,system4Id,system5Number,system5Id,"
    "system1rank,system2rank,system3rank,system4rank,system5rank\n"
    "French,English,556,-1,556,researcher_31,-1,nt.a,-1,nt.b,-1,nt.c,-1,nt.d,-1,nt.e,2,2,3,-1,1\n"
    'Czech,English,1,-1,1,turker_4,-1,"nt.x,nt.y",-1,nt.z,-1,,-1,,-1,,1,5,,,\n'
    "French,English,2,-1,2,researcher_4,-1,nt.a,-1,nt.c,-1,nt.b,-1,nt.e,-1,nt.d,-1,-1,-1,-1,-1\n"
)
# The form of WMT15 and WMT16: pairs that were taken from rankings, as in cfedermann/wmt16.
PAIRS = """srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID
deu,eng,1020,1020,judge5,nt.syntax.de-en,4,nt.pbmt.de-en,3,181
deu,eng,1020,1020,judge5,nt.syntax.de-en,4,nt.A.de-en+nt.B.de-en,1,181
deu,eng,1020,1020,judge5,nt.pbmt.de-en,3,nt.A.de-en+nt.B.de-en,1,181
deu,eng,3,3,judge5,nt.A.de-en,1,nt.pbmt.de-en,1,182
"""


def test_five_systems_a_row_and_several_pairs(tmp_path):
    french, czech = read(tmp_path, "rankings", FIVE, "wmt13.csv")
    assert (french.name, french.lp, french.segments) == ("wmt13", "fr-en", 556)
    (rankings,) = french.judgements
    assert rankings.systems == french.systems == ("nt.a", "nt.b", "nt.c", "nt.d", "nt.e")
    assert rankings.judges == ("researcher_31", "researcher_4")
    np.testing.assert_array_equal(rankings.segment, [555, 1])
    np.testing.assert_array_equal(rankings.ranks, [[2, 2, 3, 0, 1], [0, 0, 0, 0, 0]])
    (rankings,) = czech.judgements
    assert rankings.systems == ("nt.x", "nt.y", "nt.z")
    np.testing.assert_array_equal(rankings.ranks, [[1, 1, 5]])
    assert find_format(tmp_path / "wmt13.csv") == RankingFile()


def test_pairs_are_put_together_to_the_rankings_they_were_taken_from(tmp_path):
    (campaign,) = read(tmp_path, "rankings", PAIRS, "wmt16.deu-eng.csv")
    assert (campaign.name, campaign.lp, campaign.testset) == ("wmt16.deu-eng", "de-en", None)
    (rankings,) = campaign.judgements
    assert rankings.systems == ("nt.syntax.de-en", "nt.pbmt.de-en", "nt.A.de-en", "nt.B.de-en")
    np.testing.assert_array_equal(rankings.ranks, [[4, 3, 1, 1], [0, 1, 1, 0]])
    np.testing.assert_array_equal(rankings.segment, [1019, 2])


def test_carriage_returns_of_csv_are_its_standard(tmp_path):
    (plain,) = read(tmp_path, "rankings", PAIRS, "a.csv")
    (campaign,) = read(tmp_path, "rankings", PAIRS.replace("\n", "\r\n"), "a.csv")
    assert campaign.notes == plain.notes


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (PAIRS, "", None, "empty file"),
        (PAIRS, PAIRS.partition("\n")[0], None, "no rankings"),
        ("srclang,", "language,", 1, "missing columns: srclang"),
        ("srcIndex,segmentId", "a,b", 1, "missing columns: srcindex or segmentid"),
        ("system2rank", "system3rank", 1, "missing columns: system2rank, system3id"),
        ("system2rank", "system1rank", 1, "duplicate column"),
        ("pbmt.de-en,3,181", "pbmt.de-en,3", 2, "9 fields, but the header has 10"),
        (
            "eng,1020,1020,judge5,nt.syntax.de-en,4,nt.pbmt",
            "eng,0,0,judge5,nt.syntax.de-en,4,nt.pbmt",
            2,
            "must be a positive integer",
        ),
        ("pbmt.de-en,3,181", "pbmt.de-en,0,181", 2, "the rank '0' must be an integer from 1 to 127"),
        ("pbmt.de-en,3,181", "pbmt.de-en,1.5,181", 2, "the rank '1.5'"),
        ("pbmt.de-en,3,181", "pbmt.de-en,128,181", 2, "the rank '128'"),
        ("pbmt.de-en,3,181", "pbmt.de-en,,181", 2, "the rank ''"),
        ("pbmt.de-en,3,181", "pbmt.de-en,3,", 2, "the row has no rankingID"),
        ("nt.syntax.de-en,4,nt.A", ",4,nt.A", 3, "a system has no name"),
        (
            "nt.A.de-en+nt.B.de-en,1,181\ndeu,eng,1020,1020,judge5,nt.pbmt",
            "nt.A++nt.B,1,181\n\nx",
            3,
            "a system has no name",
        ),
        ("syntax.de-en,4,nt.A", "syntax.de-en,5,nt.A", 3, "two different ranks for 'nt.syntax.de-en' in one ranking"),
        ("nt.A.de-en,1,nt.pbmt", "nt.A.de-en,1,nt.A", 5, None),
        ("nt.A.de-en,1,nt.pbmt.de-en,1", "nt.A.de-en,1,nt.A.de-en,2", 5, "two different ranks for 'nt.A.de-en'"),
        (
            "eng,3,3,judge5,nt.A.de-en,1,nt.pbmt.de-en,1,182",
            "eng,3,3,judge5,a,1,b,1,181",
            5,
            "a different judge or segment",
        ),
        ("deu,eng,3,3", "Klingon!,eng,3,3", 5, "'Klingon!' is not a language"),
        ("deu,eng,3,3", '"deu,eng,3,3', 5, "invalid CSV"),
        ("deu,eng,3,3", "\ndeu,eng,3,3", 5, "1 field, but the header has 10"),
        ("nt.syntax.de-en", "nt/syntax", None, "it contains '/'"),
    ],
)
def test_damaged_twins(tmp_path, old, new, line, message):
    text = PAIRS.replace(old, new)
    assert text != PAIRS
    if message is None:  # the same rank twice says nothing new
        assert read(tmp_path, "rankings", text, "a.csv")
    else:
        assert message in refused(tmp_path, "rankings", text, "a.csv", line)


def test_thousands_of_systems_are_no_systems(tmp_path):
    header = PAIRS.partition("\n")[0]
    rows = [f"de,en,1,1,j,a{i},1,b{i},2,{i}" for i in range(1001)]
    assert "too many systems: 2,002" in refused(tmp_path, "rankings", "\n".join([header, *rows]), "a.csv")


def test_any_bytes_are_read_or_refused(tmp_path):
    read_or_refused(lambda raw: read(tmp_path, "rankings", raw, "a.csv"), FIVE, PAIRS, examples=60)


def test_what_is_not_read_and_what_is_missing_is_noted(tmp_path):
    french, czech = read(tmp_path, "rankings", "\ufeff" + FIVE.replace("\n", "\r\n"), "wmt13.csv")
    told = [
        "removed a byte order mark",
        "unused columns: documentId",
    ]
    assert [note.text for note in czech.notes] == told
    gaps = ["6 of 10 judged outputs without a rank", "1 of 2 rankings without any rank"]
    assert [note.text for note in french.notes] == [*told, *gaps]
    assert read(tmp_path, "rankings", PAIRS, "wmt16.csv")[0].notes == ()


def test_a_system_without_its_rank_is_not_lost_in_silence(tmp_path):
    message = refused(tmp_path, "rankings", PAIRS.replace("system2rank", "system2rnk"), "a.csv", 1)
    assert "missing columns: system2rank" in message
    five = PAIRS.replace("system2rank,", "system2rank,system3Id,system3rnk,", 1)
    assert "missing columns: system3rank" in refused(tmp_path, "rankings", five, "a.csv", 1)
    assert "missing columns: system3rank" in refused(
        tmp_path, "rankings", five.replace("3Id,system3rnk", "3"), "a.csv", 1
    )
