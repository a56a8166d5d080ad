from __future__ import annotations

from assay.reports import document
from assay.reports.table import Table
from assay.results import Download, DownloadList


def test_addresses_are_not_in_the_table():
    downloads = DownloadList((Download("wmt", "WMT.", "none stated", ("https://x",), "--data"),))
    assert (
        Table().render(document(downloads))
        == "name  option  description  licence\nwmt   --data  WMT.         none stated\n"
    )
    assert document(downloads).rows[0]["urls"] == "https://x"
