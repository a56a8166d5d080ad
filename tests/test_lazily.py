from __future__ import annotations

import subprocess
import sys

import pytest

import assay.results
import assay.types
from assay.lazily import exporter


@pytest.mark.parametrize("package", [assay, assay.results, assay.types])
def test_every_name_has_its_home(package):
    assert set(package.__all__) <= set(dir(package))
    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'nothing'"):
        _ = package.nothing


def test_a_name_is_looked_up_once():
    namespace = {"__name__": "assay"}
    find, names = exporter(namespace, {"exporter": "lazily"})
    assert "exporter" in names()
    assert find("exporter") is exporter is namespace["exporter"]


def test_scoring_does_not_wait_for_what_it_does_not_need():
    code = "import sys; from assay.results import Run; from assay.types import TestSet; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "assay.results.scores" in found
    assert not {"assay.results.meta", "assay.results.robustness", "assay.types.campaign"} & set(found)
