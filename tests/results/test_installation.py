from __future__ import annotations

import json

from assay.results import Download, DownloadList, Installation


def test_facts():
    installation = Installation({"assay": "1.0"})
    assert list(installation.rows()) == [{"name": "assay", "value": "1.0"}]
    assert installation.to_dict()["installation"] == {"assay": "1.0"}
    assert (installation["assay"], repr(installation)) == ("1.0", "Installation(assay: 1.0)")


def test_downloads():
    downloads = DownloadList((Download("wmt", "WMT.", "none stated", ("https://x", "https://y"), "--data"),))
    (row,) = downloads.rows()
    assert list(row) == [column.name for column in downloads.file_columns()]
    assert row["urls"] == "https://x https://y"
    assert json.loads(json.dumps(downloads.to_dict()))["downloads"][0]["urls"] == ["https://x", "https://y"]
    assert (len(downloads), [each.name for each in downloads], repr(downloads)) == (1, ["wmt"], "DownloadList(wmt)")
