from __future__ import annotations

from assay import list_downloads


def test_names_and_licences():
    downloads = {download.name: download for download in list_downloads()}
    assert downloads["mt-metrics-eval-v2"].urls[0].startswith("https://")
    assert all(download.licence and download.description for download in downloads.values())
    assert downloads["mt-metrics-eval-v2"].option == "--data"
    wmt23 = downloads["wmt23"]
    assert (wmt23.option, wmt23.cite) == ("--test-set", ("https://aclanthology.org/2023.wmt-1.1",))
    assert "en-de" in wmt23.pairs
    assert len(wmt23.urls) == 1
