from __future__ import annotations

from pathlib import Path

import assay
from assay.types import ErrorSpan
from tests.data.formats.marked_errors import ERROR, only

HEADER = (
    "doc_id\tsegment_id\tsource_lang\ttarget_lang\tset_id\tsystem_id\tsource_segment\thypothesis_segment\t"
    "reference_segment\tdomain_name\tmethod\tstart_indices\tend_indices\terror_types\n"
)


def wmt25(segment: int, errors: str, *, system: str = "A", document: str = "d1") -> str:
    return f"{document}\t{segment}\ten\tis_IS\tofficial\t{system}\tsrc\tThe cat sat\tref\tnews\tESA\t{errors}\n"


def test_wmt25_segments_are_numbered_through_the_documents(tmp_path: Path) -> None:
    rows = [wmt25(7, "4\t7\tmajor"), wmt25(8, "missing\tmissing\tminor"), wmt25(9, "-1\t-1\tno-error", document="d2")]
    campaign, predicted = only(tmp_path / "GemSpanEval.tsv", HEADER + "".join(rows))
    assert (campaign.lp, predicted.name) == ("en-is_IS", "GemSpanEval")
    assert campaign.testset is not None
    assert campaign.testset.items == ("d1:0", "d1:1", "d2:0")
    assert predicted.errors == ((ERROR,), (ErrorSpan("missing", "minor"),), ())
    (judged,) = assay.read(tmp_path / "GemSpanEval.tsv", input_format="wmt-mteval-spans:human=yes")
    assert judged.judgements[0].protocol == "ESA"
