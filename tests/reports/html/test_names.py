from __future__ import annotations

from assay.reports.html.names import breakable


def test_long_names_break_where_their_parts_meet():
    assert breakable("JDExploreAcademy") == "JDExplore<wbr>Academy"
    assert breakable("big-en_de.beam5:v2") == "big-<wbr>en_<wbr>de.<wbr>beam5:<wbr>v2"
    assert breakable("Online-B") == "Online-B"
    assert breakable("<b>-onlineSystem") == "&lt;b&gt;-<wbr>online<wbr>System"
