from __future__ import annotations

from assay.reports.html.names import breakable, whole


def test_long_names_break_where_their_parts_meet():
    assert breakable("JDExploreAcademyEnsemble") == "JDExplore<wbr>Academy<wbr>Ensemble"
    assert breakable("very-big-en_de.beam5:v2") == "very-<wbr>big-<wbr>en_<wbr>de.<wbr>beam5:<wbr>v2"
    assert breakable("Online-B") == '<span class="whole">Online-B</span>'
    assert breakable("onlineB") == "onlineB"
    assert breakable("<b>-onlineSystemOfTeam") == "&lt;b&gt;-<wbr>online<wbr>System<wbr>Of<wbr>Team"


def test_short_words_of_a_heading_stay_whole():
    assert whole("Agreement in zh-en, <b>") == 'Agreement in <span class="whole">zh-en,</span> &lt;b&gt;'
    assert whole("from -0.5 to [-1, 2] for a-1") == 'from −0.5 to [−1, 2] for <span class="whole">a-1</span>'
    assert whole(whole("in zh-en")) == whole("in zh-en"), "not twice"
