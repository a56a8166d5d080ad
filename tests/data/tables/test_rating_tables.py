from __future__ import annotations

import numpy as np
import pytest

from assay import load_campaign, rank
from assay.errors import InputError
from assay.types import NoteKind


def write(tmp_path, text, name="t.csv"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / name


def test_a_table_of_ratings_can_be_ranked(tmp_path):
    rows = [f"{rater},{system},{k},{ord('Z') - ord(system)}\n" for rater in "ab" for system in "XY" for k in (1, 2)]
    campaign = load_campaign(write(tmp_path, "rater,system,segment,score\n" + "".join(rows)))
    (ratings,) = campaign.judgements
    assert (ratings.raters, ratings.systems, ratings.items, campaign.segments) == (("a", "b"), ("X", "Y"), (), 2)
    np.testing.assert_array_equal(ratings.segment, [0, 1] * 4)
    assert [entry.system for entry in rank(campaign, resamples=0)] == ["X", "Y"]


def test_names_domains_texts_and_missing_scores(tmp_path):
    text = "rater,lp,system,segment,human:DA,domain,output\nu,en-de,X,s1,50,news,a\nu,en-de,X,s2,,chat,b\n"
    campaign = load_campaign(write(tmp_path, text))
    (ratings,) = campaign.judgements
    assert (ratings.name, ratings.protocol, ratings.domain) == ("DA", "DA", ("news", "chat"))
    assert (campaign.testset.items, campaign.testset.outputs) == (("s1", "s2"), {"X": ("a", "b")})
    assert [note.count for note in campaign.notes if note.kind is NoteKind.MISSING] == [1]


def test_control_items_keep_their_kind(tmp_path):
    text = "worker\tsystem\tsegment\ttype\tz\na\tX\t1\tSYSTEM\t1\na\tX\t2\tBAD_REF\t-1\n"
    (ratings,) = load_campaign(write(tmp_path, text, "t.tsv")).judgements
    assert (ratings.protocol, ratings.kind) == ("DA-z", ("TGT", "BAD_REF"))


@pytest.mark.warns("faulty rows? skipped")
def test_faulty_ratings_are_skipped_or_refused(tmp_path):
    rows = "".join(f"a,X,{k},1\n" for k in range(1, 30))
    campaign = load_campaign(write(tmp_path, f"rater,system,segment,score\n{rows},X,30,1\n"))
    (note,) = campaign.notes
    assert (note.kind, note.line, "a rating needs a rater" in note.text) == (NoteKind.SKIPPED, 31, True)
    with pytest.raises(InputError, match="line 3: the segment 'b' must be a positive integer"):
        load_campaign(write(tmp_path, "rater,system,segment,score\na,X,1,1\na,X,b,1\n"))
    with pytest.raises(InputError, match="no ratings"):
        load_campaign(write(tmp_path, "rater,system,segment,score\n"))
