from __future__ import annotations

import pytest

from assay.calibration.files import bundled
from assay.calibration.test_set_sizes import smallest_test_set


def test_the_smallest_of_several_campaigns() -> None:
    assert smallest_test_set({"wmt22": ("en-liv", "en-de"), "wmt20": ("cs-en",)}) == 420  # Livonian
    assert smallest_test_set({"wmt22": ("en-de",), "wmt98": ("de-en",)}) == 2037
    assert smallest_test_set({"wmt98": ("de-en",)}) is None


@pytest.mark.parametrize("metric", ["bleu", "XCOMET-XL"])
def test_every_population_of_the_bundled_calibration_has_a_size(metric: str) -> None:
    for curve in bundled((metric,)):
        for campaign, names in curve.population.lps.items():
            assert all(smallest_test_set({campaign: (lp,)}) for lp in names)
