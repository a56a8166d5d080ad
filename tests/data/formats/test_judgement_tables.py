from __future__ import annotations

import pytest

from assay import rank, read
from assay.data.formats import find_format
from assay.data.formats.judgement_tables import JudgementTable
from tests.data.tables.test_judgement_tables import TABLES


@pytest.mark.parametrize("text", TABLES)
def test_a_table_outside_the_folder_of_its_test_set(tmp_path, text):
    path = tmp_path / "cs-en.rr.tsv"
    path.write_text(text, encoding="utf-8")
    assert find_format(path) == JudgementTable()
    (campaign,) = read(path)
    assert (campaign.name, campaign.lp) == ("", "cs-en")
    (judged,) = campaign.judgements
    assert judged.name == "rr"
    assert campaign.systems == judged.systems


def test_rankings_are_ranked(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text("judge\tsegment\tsystem1\trank1\tsystem2\trank2\n" + "j\t1\tA\t1\tB\t2\n" * 20, encoding="utf-8")
    (campaign,) = read(path)
    assert [ranked.system for ranked in rank(campaign, resamples=10)] == ["A", "B"]
    (note,) = campaign.notes
    assert note.text == (
        "no language pair in the name of the file (LP.NAME.tsv, such as en-de.esa.tsv); these are the judgements "
        "'mine' of an unknown one"
    )
