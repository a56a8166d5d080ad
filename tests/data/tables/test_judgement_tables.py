from __future__ import annotations

import collections
import math

import numpy as np
import pytest

from assay.data.tables.judgement_tables import read_judgement_table
from assay.errors import InputError
from assay.types import ErrorSpan, NoteKind, Rankings, Ratings
from tests import archives
from tests.data.flat import read_or_refused

RANKS = """judge\tsegment\tsystem1\trank1\tsystem2\trank2\tsystem3\trank3
judge7\t2061\ta,b\t3\tc\t1\td\t-1
judge7\t1
judge8\t1\tc\t2\ta\t2
"""
PAIRS = "segment\tbetter\tworse\n970\tb\ta\n970\tb\ta\n1\ta\tc\n"
CROWD = (
    "worker\tsystem\tsegment\ttype\tz\nM0580\ta\t1011\tREF\t0.5397\nM0580\tb\t7\tSYSTEM\t-1\nM1\tb\t7\tREPEAT\tNone\n"
)
LINES = "annotator\tsystem\titem\ttype\tscore\neng03\ta\t239\tBAD\t16\neng03\tb\t1\tTGT\t33\n"
DOCUMENTS = """annotator\tsystem\tdocument\titem\tis_document_score\tscore
eng1\ta\tshop_29#3-13\t0\tFalse\t97
eng1\ta\tshop_29#3-13\t13\tTrue\t90
eng2\tb\tshop_30\t0\tFalse\t75
eng1\ta\tshop_29#3-13\t0\tFalse\t97
"""
ITEMS = "system\titem\traw\tz\tn\na\tbn-hi-0.1_1\t52\t-1.2\t1\nb\tbn-hi-0.2_2\t93\t2.0\t1\n"
ESA = """system\tdocument\tsegment\tdomain\tannotator\twave\tcounted\tscore\tstart\tend\tminor\tmajor\terrors
a\td1\t2\tnews\tAnnotator1\t0-1\t0\t60\t100\t101.5\t0\t0\t[]
a\td1\t2\tnews\tAnnotator1\t0-1\t1\t80\t102\t103.5\t1\t0\t[{"start_i":21,"end_i":37,"severity":"minor"}]
a\td1\t2\tnews\tAnnotator1\t2\t1\t87.5\t200\t201\t0\t1\t[{"start_i":"missing","end_i":"missing","severity":"major"}]
b\td2\t3\tsocial\tAnnotator2\t2\t1\t0\t300\t301\t0\t0\t[]
"""
TABLES = (RANKS, PAIRS, CROWD, LINES, DOCUMENTS, ITEMS, ESA)


def read(folder, text, **options):
    path = folder / "xx-yy.some.tsv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_judgement_table(path, "some", **options)


def test_esa_ratings(tmp_path):
    notes = []
    ratings = read(tmp_path, ESA, notes=notes)
    assert (ratings.protocol, ratings.systems, ratings.raters) == ("ESA", ("a", "b"), ("Annotator1", "Annotator2"))
    assert ratings.score.tolist() == [80, 87.5, 0]
    assert ratings.segment.tolist() == [1, 1, 2]
    assert ratings.time.tolist() == [103.5, 201, 301]
    assert (ratings.wave, ratings.domain) == (("0-1", "2", "2"), ("news", "news", "social"))
    assert ratings.errors[0] == (ErrorSpan("", "minor", 21, 38),)
    assert ratings.errors[1:] == ((ErrorSpan("missing", "major"),), ())
    (replaced,) = (note for note in notes if note.kind == NoteKind.EXCLUDED)
    assert replaced.text == "1 rating left out: the same person rated the output again (0 in the column counted)"


def test_esa_ratings_for_quality_control(tmp_path):
    """As in WMT25: what all raters of a language pair rated is no ordinary output."""
    text = ESA.replace("\t2\t1\t", "\tcontrol\t1\t")
    assert read(tmp_path, text).kind == ("TGT", "CHK", "CHK")
    assert read(tmp_path, ESA).kind == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("200\t201", "202\t201", "line 4: the rating ends before it starts: 202 to 201"),
        ("200\t201", "noon\t201", "line 4: the time is not a number: 'noon'"),
    ],
)
def test_esa_rows_that_contradict_themselves(tmp_path, old, new, message):
    assert old in ESA
    with pytest.raises(InputError, match=message):
        read(tmp_path, ESA.replace(old, new))


@pytest.mark.parametrize(("old", "new"), [("103.5\t1\t0", "103.5\t2\t0"), ("103.5\t1\t0", "103.5\t1\t1")])
def test_esa_rows_whose_numbers_contradict_their_errors_are_counted(tmp_path, old, new):
    notes = []
    assert len(read(tmp_path, ESA.replace(old, new), notes=notes)) == 3
    (note,) = (note for note in notes if note.severity == "warning")
    assert (note.count, note.line) == (1, 3)
    assert note.text == "1 rating with other numbers of minor and major errors than in the list of errors"


def test_rankings(tmp_path):
    rankings = read(tmp_path, RANKS)
    assert isinstance(rankings, Rankings)
    assert (rankings.name, rankings.systems, rankings.judges) == ("some", ("a", "b", "c", "d"), ("judge7", "judge8"))
    np.testing.assert_array_equal(rankings.ranks, [[3, 3, 1, 0], [0, 0, 0, 0], [2, 0, 2, 0]])
    np.testing.assert_array_equal(rankings.segment, [2060, 0, 0])
    assert rankings.digest


def test_pairs_are_rankings_of_two(tmp_path):
    rankings = read(tmp_path, PAIRS)
    assert (rankings.systems, rankings.judges) == (("b", "a", "c"), ("unknown",))
    np.testing.assert_array_equal(rankings.ranks, [[1, 2, 0], [1, 2, 0], [0, 1, 2]])
    np.testing.assert_array_equal(rankings.segment, [969, 969, 0])


def test_ratings(tmp_path):
    ratings = read(tmp_path, CROWD)
    assert isinstance(ratings, Ratings)
    assert (ratings.protocol, ratings.kind) == ("DA-z", ("REF", "TGT", "REPEAT"))
    np.testing.assert_array_equal(ratings.score, [0.5397, -1, math.nan])
    ratings = read(tmp_path, LINES)
    assert (ratings.protocol, ratings.kind, ratings.segment.tolist()) == ("DA+SQM", ("BAD", "TGT"), [238, 0])
    ratings = read(tmp_path, DOCUMENTS)
    assert ratings.items == ("shop_29#3-13:0", "shop_30:0")
    assert (ratings.segment.tolist(), ratings.document[2]) == ([0, -1, 1, 0], "shop_30")
    ratings = read(tmp_path, ITEMS)
    assert (ratings.protocol, ratings.score.tolist(), ratings.items[1]) == ("DA", [52, 93], "bn-hi-0.2_2")
    ratings = read(tmp_path, ITEMS, standardised=True)
    assert (ratings.protocol, ratings.score.tolist()) == ("DA-z", [-1.2, 2.0])


@pytest.mark.parametrize(
    ("text", "old", "new", "line", "message"),
    [
        (PAIRS, PAIRS, "", None, "empty file"),
        (PAIRS, PAIRS, "segment\tbetter\tworse\n", None, "no judgements"),
        (PAIRS, "worse", "worst", 1, "unrecognised header of a judgement table"),
        (PAIRS, "1\ta\tc", "1\ta", 4, "2 fields, but the header has 3"),
        (PAIRS, "1\ta\tc", "1\tc\tc", 4, "invalid preference of 'c' over 'c'"),
        (PAIRS, "1\ta\tc", "1\t\tc", 4, "invalid preference of '' over 'c'"),
        (PAIRS, "\n1\ta\tc", "\n0\ta\tc", 4, "the segment '0' must be a positive integer"),
        (PAIRS, "\n1\ta\tc", "\n١\ta\tc", 4, "must be a positive integer"),
        (PAIRS, "\tc\n", "\tc/d\n", None, "cannot be the name of a system"),
        (RANKS, "\tc\t1\t", "\tc\t0\t", 2, "the rank '0'"),
        (RANKS, "\tc\t1\t", "\tb\t1\t", 2, "two different ranks for 'b' in one ranking"),
        (RANKS, "\ta,b\t", "\ta,\t", 2, "a system has no name"),
        (RANKS, "judge7\t1\n", "\t1\n", 3, "the judge has no name"),
        (RANKS, "judge7\t1\n", "judge7\t999999999\n", None, "segments are numbered up to 999,999,999"),
        (RANKS, "judge7\t1\n", "judge7\n", 3, "1 field; expected a judge"),
        (CROWD, "M1\t", " \t", 4, "the judge has no name"),
        (RANKS, "judge7\t1\n", "judge7\t1\ta\n", 3, "3 fields"),
        (RANKS, "d\t-1", "d\t-1\te\t1", 2, "10 fields"),
        (CROWD, "-1\n", "1e400\n", 3, "too large"),
        (CROWD, "-1\n", "0,5\n", 3, "is not a number"),
        (LINES, "\t1\tTGT", "\tone\tTGT", 3, "the item 'one' must be"),
        (DOCUMENTS, "True", "yes", 3, "is_document_score must be True or False, not 'yes'"),
        (ESA, "0-1\t1\t80", "0-1\tyes\t80", 3, "counted must be 0 or 1, not 'yes'"),
        (ESA, "\t80\t", "\t101\t", 3, "101"),
        (ESA, '"end_i":37', '"end_i":', 3, "JSON"),
        (ESA, "Annotator2", " ", 5, "the judge has no name"),
        (ITEMS, "52\t-1.2\t1", "52\t-1.2\t3", 2, "a mean of 3 ratings"),
        (ITEMS, "a\tbn", "\tbn", None, "a system has no name"),
    ],
)
def test_damaged_twins(tmp_path, text, old, new, line, message):
    assert old in text
    with pytest.raises(InputError) as caught:
        read(tmp_path, text.replace(old, new, 1))
    assert message in str(caught.value)
    assert (caught.value.path, caught.value.line) == (str(tmp_path / "xx-yy.some.tsv"), line)


@pytest.mark.parametrize("text", TABLES)
def test_any_bytes_are_read_or_refused(tmp_path, text):
    read_or_refused(lambda raw: read(tmp_path, raw), text, examples=25)


def manifest():
    """(campaign, pair, name): how many judgements there are, by the bundle's own list."""
    folder = archives.folder()
    lines = archives.lines(folder / "MANIFEST.tsv")[1:] if folder is not None else []
    for line in lines:
        campaign, pair, *_, judgements = line.split("\t")
        for entry in judgements.split():
            if ":" in entry:
                name, count = entry.rsplit(":", 1)
                yield campaign, pair, name, int(count)


needs_archives = pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA does not name the WMT archives")


@needs_archives
@pytest.mark.parametrize("campaign", ["wmt12", "wmt13", "wmt15", "wmt16", "wmt19", "wmt21.flores", "wmt22"])
def test_every_table_of_the_bundle_has_as_many_rows_as_its_manifest_says(campaign):
    expected = {(pair, name): count for found, pair, name, count in manifest() if found == campaign}
    folder = archives.unpacked(campaign) / "judgements"
    found = {}
    for path in sorted(folder.glob("*.tsv")):
        pair, name = path.name.removesuffix(".tsv").split(".", 1)
        found[pair, name] = len(read_judgement_table(path, name))
    assert found == expected


@needs_archives
def test_ordinary_and_repeated_items_average_to_the_official_scores():
    folder = archives.unpacked("wmt22")
    ratings = read_judgement_table(folder / "judgements" / "cs-en.wmt-z.tsv", "wmt-z")
    kinds = np.array(ratings.kind)
    cells = collections.defaultdict(list)
    for row in np.flatnonzero((kinds == "TGT") | (kinds == "REPEAT")):
        cells[ratings.systems[ratings.system[row]], int(ratings.segment[row])].append(ratings.score[row])
    segments = collections.Counter()
    for line in archives.lines(folder / "human-scores" / "cs-en.wmt-z.seg.score"):
        system, score = line.split("\t")
        given = cells.get((system, segments[system]))
        segments[system] += 1
        assert (given is None) == (score == "None")
        if given is not None:
            assert np.mean(given) == pytest.approx(float(score), abs=1e-4)  # six digits are kept


def test_what_was_changed_and_what_is_missing_is_noted(tmp_path):
    notes = []
    read(tmp_path, b"\xef\xbb\xbf" + RANKS.replace("\n", "\r\n").encode(), notes=notes)
    assert [note.text for note in notes] == [
        "removed a byte order mark",
        "removed carriage returns at the end of 4 of 4 lines",
        "1 of 6 judged outputs without a rank",
        "1 of 3 rankings without any rank",
    ]
    notes = []
    read(tmp_path, CROWD, notes=notes)
    assert [note.text for note in notes] == ["1 of 3 ratings without a score"]
    for table in (PAIRS, LINES, DOCUMENTS, ITEMS):
        notes = []
        read(tmp_path, table, notes=notes)
        assert notes == []


def test_cells_as_a_spreadsheet_writes_them(tmp_path):
    notes = []
    rankings = read(tmp_path, RANKS.replace("a,b", '"a,b"'), notes=notes)
    assert rankings.systems == ("a", "b", "c", "d")
    assert "removed spreadsheet quotation marks around cells, first in line 2" in notes[0].text


@pytest.mark.parametrize(
    ("text", "good"), [(LINES, "\t33\n"), (DOCUMENTS, "\t75\n"), (ITEMS, "\t52\t")], ids=["lines", "documents", "items"]
)
def test_scores_beyond_the_scale_are_refused(tmp_path, text, good):
    with pytest.raises(InputError, match="the score 950 must be between 0 and 100"):
        read(tmp_path, text.replace(good, good.replace(good.strip(), "950")))
