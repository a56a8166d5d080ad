from __future__ import annotations

import pytest

from assay.data.formats import read_campaigns
from assay.data.tables.misspelt import misspelt
from assay.errors import InputError

MQM = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
ERROR = "A\td\t1\t1\tr\tHi.\tHallo.\tStyle\tminor\n"


def test_only_almost_equal_names_are_misspelt():
    known = ["system", "reference", "lp", "seg_id"]
    assert misspelt(["systm", "Referense", "lpp", "sys_id", "system1", ""], known) == {
        "systm": "system",
        "Referense": "reference",
    }
    assert misspelt(["rtaer", "rate"], ["rater"]) == {"rtaer": "rater", "rate": "rater"}
    assert misspelt(["rated", "trace"], ["rater"]) == {}


@pytest.mark.parametrize(
    ("name", "text", "unknown", "known"),
    [
        ("t.tsv", "systm\tsegment\toutput\nA\t1\thi\n", "systm", "system"),
        ("t.tsv", "system\tsegment\toutput\treferense\nA\t1\thi\tho\n", "referense", "reference"),
        ("t.jsonl", '{"systm": "A", "segment": 1, "output": "hi"}\n', "systm", "system"),
        ("t.tsv", "system\tsegment\tscor\nA\t1\t2\n", "scor", "score"),
        ("t.csv", "rtaer,system,segment,human:ESA\nx,A,1,2\n", "rtaer", "rater"),
        ("t.csv", "annotater,system,segment,score\nx,A,1,2\n", "annotater", "annotator"),
        ("t.csv", "rater,knid,system,segment,score\nx,BAD,A,1,2\n", "knid", "kind"),
        ("mqm_ende.tsv", MQM.replace("severity", "severty") + ERROR, "severty", "severity"),
        ("mqm_ende.tsv", MQM.replace("system", "sytem") + ERROR, "sytem", "system"),
    ],
)
def test_a_misspelt_column_is_named(tmp_path, name, text, unknown, known):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=f"unknown column '{unknown}'") as caught:
        read_campaigns(path)
    assert f"did you mean '{known}'?" in caught.value.hint
