from __future__ import annotations

import numpy as np
import pytest

from assay.data.formats import find_format, read_campaigns
from assay.data.formats.mqm_averages import MqmAverages
from assay.errors import InputError
from assay.human.mqm import find_weights, mqm_ratings
from assay.human.scoring import segment_scores
from tests import archives
from tests.data.judged import read, refused

MEANS = "system mqm_avg_score seg_id\nA\t-1.500000 1\nA\t-0.000000 2\nB\tNone 1\nB\t-5 2\n"


def test_means(tmp_path):
    (campaign,) = read(tmp_path, "mqm-averages", MEANS, "mqm_newstest2021_ende.avg_seg_scores.tsv")
    assert (campaign.name, campaign.lp, campaign.segments) == ("newstest2021", "en-de", 2)
    (table,) = campaign.scores
    assert (table.name, table.level, table.protocol, table.higher_is_better) == ("mqm", "segment", "MQM", True)
    np.testing.assert_array_equal(table.values, [[-1.5, 0], [np.nan, -5]])
    assert find_format(tmp_path / "mqm_newstest2021_ende.avg_seg_scores.tsv") == MqmAverages()
    (campaign,) = read(tmp_path, "mqm-averages", MEANS.replace("mqm", "psqm"), "a.avg_seg_scores.tsv")
    assert (campaign.name, campaign.lp, campaign.scores[0].protocol) == ("a", "", "pSQM")


def test_penalties_need_a_direction(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text(MEANS.replace("-", ""), encoding="utf-8")
    with pytest.raises(InputError, match="the segment scores 'mqm' are positive") as caught:
        read_campaigns(path)
    assert caught.value.hint == 'if lower is better: input_format="mqm-averages:better=lower"'
    (campaign,) = read_campaigns(path, input_format="mqm-averages:better=lower")
    assert not campaign.scores[0].higher_is_better


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("seg_id", "id", 1, "unrecognised header"),
        (MEANS, "system mqm_avg_score seg_id\n", None, "no scores"),
        ("A\t-1.5", "-1.5", 2, "2 fields, expected a system, a score and a segment"),
        ("-5 2", "-5 1", 5, "duplicate score 'mqm'"),
        ("-5 2", "x 2", 5, "the score is not a number"),
    ],
)
def test_damaged_twins(tmp_path, old, new, line, message):
    assert message in refused(tmp_path, "mqm-averages", MEANS.replace(old, new, 1), "a.tsv", line)


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA is not set")
def test_published_means_are_those_of_the_ratings():
    folder = archives.unpacked("formats") / "google-mqm"
    (rated,) = read_campaigns(folder / "mqm_ted_ende.tsv")
    (means,) = read_campaigns(folder / "mqm_ted_ende.avg_seg_scores.tsv")
    names = tuple("ref-A" if name == "ref" else name for name in rated.systems)
    scored = mqm_ratings(rated.judgements[0], find_weights(None, rated.judgements[0]))
    ours = segment_scores(scored, segments=means.segments, systems=rated.systems)
    np.testing.assert_allclose(ours.values, means.scores[0].take(names).values, atol=1e-6)
