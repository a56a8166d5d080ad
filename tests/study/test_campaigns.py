"""All of the WMT archives load, with the counts of their manifest."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from assay import load_campaign, read, score
from assay.errors import InputError
from assay.study.campaigns import load_campaigns
from assay.study.selecting import choose
from tests import archives


@pytest.fixture
def data():
    if archives.folder() is None:
        pytest.skip("ASSAY_DATA does not name the folder of the WMT archives")
    return archives.unpacked("wmt22").parent


def manifest():
    place = archives.folder()
    if place is None:
        return [pytest.param({}, marks=pytest.mark.skip("ASSAY_DATA does not name the folder of the WMT archives"))]
    with (place / "MANIFEST.tsv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    return [pytest.param(row, id=f"{row['test set']}-{row['pair']}") for row in rows]


@pytest.mark.parametrize("row", manifest())
def test_the_counts_of_the_manifest(row):
    name, lp = row["test set"], row["pair"]
    campaign = load_campaign(archives.unpacked(name).parent, name, lp)
    testset, segment_scores = campaign.testset, [t for t in campaign.human if t.level == "segment"]
    expected_segments = int(row["segments"])
    assert expected_segments in (0, campaign.segments)
    assert int(row["outputs"]) == (0 if testset is None else len(testset.outputs))
    assert int(row["references"]) == (0 if testset is None else len(testset.references))
    names = {t.name for t in campaign.human if t.level == "system"}
    assert names == set(row["human scores (sys)"].replace(",", " ").split()) - {"-"}
    filled = {f"{t.name}:{int((~np.isnan(t.values)).sum())}" for t in segment_scores}
    assert filled == set(row["human scores (seg: filled cells)"].split()) - {"-"}
    assert int(row["metrics sys"]) == sum(t.level == "system" for t in campaign.metrics)
    assert int(row["metrics seg"]) == sum(t.level == "segment" for t in campaign.metrics)
    judged = {f"{j.name}:{len(j)}" for j in campaign.judgements}
    assert judged == set(row["judgements"].split()) - {"-"}


def test_stored_scores_take_part_and_ours_are_the_same(data):
    """The organisers' stored BLEU and chrF by segment are those we compute, to the rounding of six digits."""
    campaign = load_campaign(data, "wmt22", "zh-en")
    testset = choose(campaign, references=["refA"])
    stored = campaign.find("chrF", "segment", references=("refA",))
    run = score(testset, ["chrf", stored], resamples=0)
    for system in ("Online-W", "HuaweiTSC"):
        assert np.allclose(run["chrF"].segments[system], run["chrf"].segments[system], rtol=2e-5, atol=1e-4)
    assert any("left out: refB (a reference)" in note for note in run.notes)


def test_what_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    with pytest.raises(InputError, match="there is no test set 'wmt22'") as caught:
        load_campaign(None, "wmt22", "zh-en")
    assert "assay data import" in caught.value.hint
    (tmp_path / "home/wmt21/system-outputs").mkdir(parents=True)
    with pytest.raises(InputError) as caught:
        load_campaign(None, "wmt22", "zh-en")
    assert caught.value.hint == "did you mean 'wmt21'?"
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "absent")
    (tmp_path / "x.bin").write_bytes(b"just words")
    with pytest.raises(InputError, match="of no known format"):
        read(tmp_path / "x.bin")


def test_all_language_pairs_of_a_test_set(tmp_path):
    for lp in ("de-en", "en-de"):
        place = tmp_path / "mt-metrics-eval-v2" / "wmt99" / "human-scores" / f"{lp}.wmt.sys.score"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("a\t1\nb\t2\n", encoding="utf-8")
    seen = []
    found = load_campaigns(tmp_path, "wmt99", progress=lambda *step: seen.append(step))
    assert [campaign.lp for campaign in found] == ["de-en", "en-de"]
    assert seen == [("reading de-en", 0, 2), ("reading en-de", 1, 2)]
    with pytest.raises(InputError, match="there is no test set 'wmt98'"):
        load_campaigns(tmp_path, "wmt98")
