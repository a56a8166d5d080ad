from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data.formats.score import Score
from assay.errors import ConfigError, InputError
from assay.types import Campaign


@given(st.binary(max_size=60))
def test_arbitrary_bytes(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("fuzz") / "m.seg.score"
    path.write_bytes(data)
    try:
        (campaign,) = Score().read(path)
    except InputError:
        return
    assert campaign.scores[0].values.size


def test_the_format_by_itself(tmp_path):
    path = tmp_path / "COMET.seg.score"
    path.write_text("a 1\na 2\n", encoding="utf-8")
    (campaign,) = Score().read(path)
    assert (campaign.segments, campaign.scores[0].name, campaign.scores[0].is_human) == (2, "COMET", False)
    Score().write([campaign], tmp_path / "copy.seg.score")
    assert (tmp_path / "copy.seg.score").read_text(encoding="utf-8") == "a\t1.0\na\t2.0\n"
    assert Score("MQM").read(path)[0].human
    with pytest.raises(ConfigError, match="does not end in a level"):
        Score().read(tmp_path / "COMET.score")
    with pytest.raises(ConfigError, match="tables to write: segment"):
        Score().write([campaign], tmp_path / "copy.sys.score")
    with pytest.raises(ConfigError, match="tables to write: none"):
        Score().write([Campaign("", "", 0, ("a",), (), None)], tmp_path / "copy.sys.score")


def test_a_mark_and_carriage_returns_are_noted(tmp_path):
    for name, text in (("m.seg.score", "x 1\nx 2\ny 3\ny 4"), ("n.domain.score", "news x 1\nchat x 2")):
        path = tmp_path / name
        path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
        (campaign,) = Score().read(path)
        assert campaign.systems[0] == "x"
        lines = text.count("\n") + 1
        assert [(note.text, note.count, note.where) for note in campaign.notes] == [
            ("removed a byte order mark", 1, str(path)),
            (f"removed carriage returns at the end of {lines - 1} of {lines} lines", lines - 1, str(path)),
        ]
