from __future__ import annotations

import tarfile

import pytest

from assay import import_data, load_campaign
from assay.data.formats.mtme import Mtme
from assay.errors import InputError
from assay.types.runtime import Runtime
from tests.campaigns_with_metrics import campaign


def test_an_archive_becomes_a_test_set(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    Mtme().write([campaign()], tmp_path / "data")
    archive = tmp_path / "wmt99.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(tmp_path / "data/wmt99", "wmt99")
    steps = []
    runtime = Runtime(progress=lambda *step: steps.append(step))
    assert import_data(archive, runtime=runtime) == (tmp_path / "home/wmt99",)
    assert steps
    assert import_data([str(archive)]) == (tmp_path / "home/wmt99",)
    assert load_campaign("wmt99").lp == "de-en"
    changed = next((tmp_path / "home/wmt99/references").iterdir())
    changed.write_text("changed\n", encoding="utf-8")
    with pytest.raises(InputError, match="has changed since it was imported"):
        import_data(archive)
