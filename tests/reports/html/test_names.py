from __future__ import annotations

from assay.reports.html.names import breakable, whole


def test_long_names_break_where_their_parts_meet():
    assert breakable("JDExploreAcademy") == "JDExplore<wbr>Academy"
    assert breakable("big-en_de.beam5:v2") == "big-<wbr>en_<wbr>de.<wbr>beam5:<wbr>v2"
    assert breakable("Online-B") == '<span class="whole">Online-B</span>'
    assert breakable("onlineB") == "onlineB"
    assert breakable("<b>-onlineSystem") == "&lt;b&gt;-<wbr>online<wbr>System"


def test_short_words_of_a_heading_stay_whole():
    assert whole("Agreement in zh-en, <b>") == 'Agreement in <span class="whole">zh-en,</span> &lt;b&gt;'
    assert whole(whole("in zh-en")) == whole("in zh-en"), "not twice"
