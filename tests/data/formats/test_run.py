from __future__ import annotations

import pytest

from assay import load, read, score
from assay.errors import InputError
from assay.reports import document, renderer
from assay.types import NoteKind

TESTSET = load(
    outputs={"=a": ["x y z w", "b c"], "c-3.5": ["x y", "b"]}, references={"refA": ["x y z w", "b c"]}, lp="en-de"
)
RUN = score(TESTSET, ["bleu:tok=intl", "ter"], resamples=0)


def write(tmp_path, form, **options):
    path = tmp_path / f"run.{form}"
    path.write_text(renderer.create(form).render(document(RUN, **options)), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl", "json"])
def test_segment_scores_come_back(tmp_path, form):
    (campaign,) = read(write(tmp_path, form, segments=True))
    assert (campaign.name, campaign.lp, campaign.segments, campaign.systems) == ("", "", 2, ("=a", "c-3.5"))
    for table in campaign.scores:
        expected = RUN.metrics[table.name].segments
        assert [list(row) for row in table.values] == [list(expected[name]) for name in table.systems]
    assert [table.name for table in campaign.scores] == ["bleu:tok=intl", "ter"]
    assert [(note.kind, note.count) for note in campaign.notes] == [(NoteKind.UNREAD, 8)]


@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl", "json"])
def test_a_run_without_segment_scores(tmp_path, form):
    with pytest.raises(InputError, match="no segment scores") as raised:
        read(write(tmp_path, form))
    assert "--segments" in raised.value.hint


def test_flaws(tmp_path):
    good = write(tmp_path, "tsv", segments=True).read_text(encoding="utf-8")
    for flaw, message in (("a\tb\n", "2 fields, expected 12"), (good.splitlines()[-1] + "\n", "duplicate score")):
        path = tmp_path / "bad.tsv"
        path.write_text(good + flaw, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            read(path)
    path = tmp_path / "bad.json"
    path.write_text('{"version": 3, "inputs": {}, "rows": [], "segment_scores": [1]}', encoding="utf-8")
    with pytest.raises(InputError, match="segment_scores must be objects"):
        read(path)
