from __future__ import annotations

from assay import list_downloads


def test_names_and_licences():
    downloads = {download.name: download for download in list_downloads()}
    assert downloads["mt-metrics-eval-v2"].urls[0].startswith("https://")
    assert all(download.licence and download.description for download in downloads.values())
