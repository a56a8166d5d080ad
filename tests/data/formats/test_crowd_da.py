from __future__ import annotations

import numpy as np
import pytest

from assay.data.formats import find_format, read_campaigns
from assay.data.formats.crowd_da import CrowdDa
from assay.human.scoring import segment_scores, without_controls
from assay.types import NoteKind
from tests import archives
from tests.data.flat import read_or_refused
from tests.data.judged import read, refused

JUDGEMENTS = """HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time
H1\tw1\tis\ten\tad\t162\tA.0\t7\tSYSTEM\t2\t-1.5\t3153.0
H1\tw1\tis\ten\tad\t162\tB.1\t7\tBAD_REF\t3\t-2.5\t3153.0
H2\tw2\tis\ten\tad\t163\tA.0\t7\tREPEAT\t2\t0.5\t3153.0
"""
SEGMENTS = "SYS SID RAW.SCR Z.SCR N \nA.0 2 53.5 -0.5 2 \nB.1 1 60 0.25 1 \n"
SYSTEMS = "RAW.SCR Z.SCR N SYS N.ALL \n53.5 -0.5 1 A.0 2 \n60 0.25 1 B.1 1 \n"
MATRIX = " A.0 B.1\nA.0 - 0.18***\nB.1 -0.18 -\n"


def test_judgements(tmp_path):
    (campaign,) = read(tmp_path, "crowd-da", JUDGEMENTS, "ad-isen-good-stnd-redup.csv")
    assert (campaign.lp, campaign.segments, campaign.systems) == ("is-en", 3, ("A.0", "B.1"))
    (ratings,) = campaign.judgements
    assert (ratings.name, ratings.protocol, ratings.raters) == ("wmt-z", "DA-z", ("w1", "w2"))
    assert ratings.kind == ("TGT", "BAD_REF", "REPEAT")
    np.testing.assert_array_equal(ratings.segment, [1, 2, 1])
    np.testing.assert_array_equal(ratings.score, [-1.5, -2.5, 0.5])
    assert "HITId, Input.item, hit, rid, time" in campaign.notes[0].text
    (raw,) = read(tmp_path, "crowd-da", JUDGEMENTS.replace("\t-", "\t"), "ad-isen-good-raw.csv")
    assert (raw.judgements[0].name, raw.judgements[0].protocol) == ("wmt-raw", "DA")
    assert find_format(tmp_path / "ad-isen-good-raw.csv") == CrowdDa()
    message = refused(tmp_path, "crowd-da", JUDGEMENTS, "ad-isen-good-raw.csv", line=2)
    assert "the score -1.5 must be between 0 and 100 (DA)" in message


def test_means(tmp_path):
    (campaign,) = read(tmp_path, "crowd-da", SEGMENTS, "ad-seg-scores-is-en.csv")
    assert (campaign.lp, campaign.segments) == ("is-en", 2)
    raw, z = campaign.scores
    assert [(t.name, t.level, t.protocol) for t in (raw, z)] == [
        ("wmt-raw", "segment", "DA"),
        ("wmt-z", "segment", "DA-z"),
    ]
    np.testing.assert_array_equal(z.values, [[np.nan, -0.5], [0.25, np.nan]])
    assert find_format(tmp_path / "ad-seg-scores-is-en.csv") == CrowdDa()
    (campaign,) = read(tmp_path, "crowd-da", SYSTEMS, "systems.csv")
    assert (campaign.lp, campaign.segments, [t.level for t in campaign.scores]) == ("", 0, ["system"] * 2)
    np.testing.assert_array_equal(campaign.scores[0].values, [[53.5], [60]])


def test_matrices_are_recognised_and_refused(tmp_path):
    assert "a matrix of differences or p-values" in refused(tmp_path, "crowd-da", MATRIX, "m.csv", 1)
    assert find_format(tmp_path / "m.csv") == CrowdDa()


@pytest.mark.parametrize(
    ("text", "old", "new", "line", "message"),
    [
        (JUDGEMENTS, "score time", "score", 1, "unrecognised header"),
        (JUDGEMENTS, "\t-1.5\t", "\tgood\t", 2, "the score is not a number: 'good'"),
        (JUDGEMENTS, "\t-1.5\t", "\t", 2, "11 fields, but the header has 12"),
        (JUDGEMENTS, "SYSTEM\t2", "SYSTEM\t0", 2, "the segment '0' must be"),
        (SEGMENTS, "A.0 2 53.5", "A.0 2", 2, "4 fields, but the header has 5"),
        (SEGMENTS, "B.1 1", "A.0 2", 3, "duplicate score 'wmt-raw'"),
        (SEGMENTS, "B.1 1", "B.1 x", 3, "the segment 'x' must be"),
        (SYSTEMS, "A.0", "B.1", 3, "duplicate score"),
        (SYSTEMS, SYSTEMS, "RAW.SCR Z.SCR N SYS N.ALL\n", None, "no scores"),
    ],
)
def test_damaged_twins(tmp_path, text, old, new, line, message):
    assert message in refused(tmp_path, "crowd-da", text.replace(old, new, 1), "a.csv", line)


def test_a_faulty_row_among_many_is_skipped(tmp_path):
    rows = "".join(f"A.0 {segment} 50 0 1\n" for segment in range(1, 100))
    (campaign,) = read(tmp_path, "crowd-da", f"SYS SID RAW.SCR Z.SCR N\n{rows}A.0 x 50 0 1\n", "a.csv")
    assert [(note.kind, note.count) for note in campaign.notes] == [(NoteKind.SKIPPED, 1)]


def test_any_bytes_are_read_or_refused(tmp_path):
    read_or_refused(lambda raw: read(tmp_path, "crowd-da", raw, "stnd.csv"), JUDGEMENTS, SEGMENTS, examples=50)


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA is not set")
def test_published_means_agree_with_each_other_and_with_the_judgements():
    folder = archives.unpacked("formats") / "crowd-da"
    for lp in ("is-en", "iu-en"):
        (segments,) = read_campaigns(folder / f"ad-seg-scores-{lp}.csv")
        (systems,) = read_campaigns(folder / f"ad-sys-scores-{lp}.csv")
        for by_segment, by_system in zip(segments.scores, systems.scores, strict=True):
            means = np.nanmean(by_segment.take(by_system.systems).values, axis=1)
            np.testing.assert_allclose(means, by_system.values[:, 0], rtol=1e-12)
    (judged,) = read_campaigns(folder / "ad-isen-good-stnd-redup.csv")
    (segments,) = read_campaigns(folder / "ad-seg-scores-is-en.csv")
    z = segments.find("wmt-z", "segment")
    means = segment_scores(without_controls(judged.judgements[0])[0], segments=1000, systems=z.systems)
    np.testing.assert_allclose(means.values, z.values, rtol=1e-9, atol=1e-12)


def test_types_in_any_case_and_no_others(tmp_path):
    (campaign,) = read(
        tmp_path, "crowd-da", JUDGEMENTS.replace("SYSTEM", "system").replace("BAD_", "bad_"), "ad-stnd.csv"
    )
    assert campaign.judgements[0].kind == ("TGT", "BAD_REF", "REPEAT")
    message = refused(tmp_path, "crowd-da", JUDGEMENTS.replace("SYSTEM", "SYSTM"), "ad-stnd.csv", line=2)
    assert "unknown kind of item 'SYSTM'" in message
