from __future__ import annotations

import csv
import re

import pytest

from assay.errors import InputError
from assay.sample import generate, write


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    return write(tmp_path_factory.mktemp("campaign") / "sample")


@pytest.mark.slow
def test_texts(pairs):
    for pair in pairs:
        campaign = generate(pair.name[-2:])
        for system in campaign.tokens:
            text = (pair / "systems" / f"{system}.{campaign.target}").read_text(encoding="utf-8")
            assert tuple(text.split("\n")[:-1]) == campaign.output(system)
        assert "synthetic" in (pair.parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_mqm_spans_can_be_taken_out(pairs):
    for pair in pairs:
        campaign = generate(pair.name[-2:])
        with (pair / "human/mqm.tsv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        assert len(rows) > 1000
        for row in rows:
            output = campaign.output(row["system"])[int(row["seg_id"]) - 1]
            assert re.sub("</?v>", "", row["target"]) == output
            assert row["target"].count("<v>") == (row["category"] != "No-error")


def test_rankings_and_assessments(pairs):
    with (pairs[0] / "human/rankings.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 200
    assert {row["system1rank"] for row in rows} <= set("12345")
    with (pairs[0] / "human/da.csv").open(encoding="utf-8") as file:
        kinds = [row[3] for row in csv.reader(file)]
    assert kinds.count("TGT") == 7 * 130 * 2
    assert 0 < kinds.count("BAD") < 200


def test_writing_again_is_fine_but_not_over_other_things(pairs, tmp_path):
    before = {p: p.read_bytes() for p in pairs[0].rglob("*") if p.is_file()}
    write(pairs[0].parent)
    assert {p: p.read_bytes() for p in pairs[0].rglob("*") if p.is_file()} == before
    (tmp_path / "x").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="exists and is not a sample"):
        write(tmp_path)
    with pytest.raises(InputError, match="exists and is not a sample"):
        write(tmp_path / "x")
