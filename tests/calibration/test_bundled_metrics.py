"""The calibration that comes with Assay has the metrics that `scripts/bundle_calibration.py` would write."""

from __future__ import annotations

from scripts.bundle_calibration import PAIRS, STORED, TARGET, lexical_metrics


def test_the_script_and_the_files_have_the_same_metrics() -> None:
    names = {*lexical_metrics(), *STORED}
    assert {file.stem for file in TARGET.iterdir()} == names
    assert {file.stem for file in PAIRS.iterdir()} == {"preferences", *(f"scores-{name}" for name in names)}
