"""CharacTER and EED of WMT19 as published, on the texts: 61 systems of four language pairs."""

from __future__ import annotations

import numpy as np
import pytest

from assay import load, score
from tests import archives

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA does not name the folder of the WMT archives"),
]


def scores(lp, name, spec):
    """Published scores, lower is better, and ours, of all systems."""
    folder = archives.unpacked("wmt19")
    lines = archives.lines(folder / "metric-scores" / lp / f"{name}-ref.sys.score")
    published = {system: -float(value) for system, value in (line.split("\t") for line in lines)}
    outputs = {system: folder / "system-outputs" / lp / f"{system}.txt" for system in published}
    testset = load(outputs=outputs, references=folder / "references" / f"{lp}.ref.txt", lp=lp)
    found = score(testset, spec, resamples=0, agg="segment")[spec].segment_mean
    return np.array(list(published.values())), np.array([found[system] for system in published])


@pytest.mark.filterwarnings("ignore::assay.AssayWarning")
@pytest.mark.parametrize("lp", ["de-en", "en-de", "en-zh", "gu-en"])
def test_eed(lp):
    """The stored scores have ten digits, and were computed in single precision."""
    published, found = scores(lp, "EED", "eed:flavour=wmt19")
    np.testing.assert_allclose(found, published, rtol=0, atol=1e-9)


@pytest.mark.filterwarnings("ignore::assay.AssayWarning")
@pytest.mark.parametrize("lp", ["de-en", "en-de", "en-zh", "gu-en"])
def test_character(lp):
    published, found = scores(lp, "CharacTER", "character:flavour=rwth")
    np.testing.assert_allclose(found, published, rtol=0, atol=0.51e-10)
