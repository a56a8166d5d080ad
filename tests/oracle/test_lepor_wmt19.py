"""hLEPOR as its authors submitted it to WMT19 (hLEPORa_baseline), on the texts: 70 systems of six language pairs."""

from __future__ import annotations

import pytest

from assay import load, score
from tests import archives

pytestmark = pytest.mark.skipif(
    archives.folder() is None, reason="ASSAY_DATA does not name the folder of the WMT archives"
)

SPEC = "hlepor:weights=2:1:3"


@pytest.mark.filterwarnings("ignore:hlepor. punctuation is attached:assay.AssayWarning")  # as it was published
@pytest.mark.parametrize("lp", ["de-cs", "de-fr", "en-gu", "en-kk", "kk-en", "zh-en"])
def test_published_scores(lp):
    folder = archives.unpacked("wmt19")
    rows = (
        line.split("\t") for line in archives.lines(folder / "metric-scores" / lp / "hLEPORa_baseline-ref.sys.score")
    )
    published = {system: float(value) for system, value in rows}
    outputs = {system: folder / "system-outputs" / lp / f"{system}.txt" for system in published}
    testset = load(outputs=outputs, references=folder / "references" / f"{lp}.ref.txt", lp=lp)
    found = score(testset, SPEC, resamples=0, agg="segment")[SPEC].segment_mean
    assert {system: found[system] for system in published} == pytest.approx(published, abs=0.51e-10)
