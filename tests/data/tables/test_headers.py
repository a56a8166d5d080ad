from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data.tables.headers import (
    header_of_kind,
    is_known,
    kind_of_header,
    meaning_of,
    protocol_called,
    system_of_header,
    word_of,
)
from assay.data.tables.rows import ScoreKind
from assay.types import PROTOCOLS
from tests.data.flat import NAMES, shown


@given(
    st.builds(
        ScoreKind,
        NAMES | st.sampled_from(PROTOCOLS),
        st.none() | st.sampled_from(PROTOCOLS),
        st.lists(NAMES, unique_by=shown, max_size=2).map(tuple),
        st.none() | st.text(st.characters(codec="utf-8"), min_size=1, max_size=4),
        st.booleans(),
    )
)
def test_a_kind_of_score_is_written_and_read_back(kind):
    header = header_of_kind(kind)
    assert kind_of_header(header) == kind
    assert not {"\t", "\n", "\0"} & set(header)


def test_a_misspelt_protocol_is_refused():
    for name, protocol in (("ESAA", "ESA"), ("mmq", "MQM"), ("DA+SQMM", "DA+SQM")):
        with pytest.raises(ValueError, match=f"did you mean human:{re.escape(protocol)}"):
            kind_of_header(f"human:{name}")
    for name in ("ESA2", "SQM", "adequacy", "ESAAI", "round-1"):
        assert kind_of_header(f"human:{name}").protocol == "other"
    kind = ScoreKind("ESAA", "other")
    assert header_of_kind(kind) == "human:ESAA:protocol=other"
    assert kind_of_header(header_of_kind(kind)) == kind


def test_a_score_may_name_its_system():
    assert meaning_of("score:COMET/online A:better=lower", "t") == (
        "score of",
        ("online A", ScoreKind("COMET", higher_is_better=False)),
    )
    assert meaning_of("human:esa/A", "t") == ("score of", ("A", ScoreKind("esa", "ESA")))
    assert system_of_header("score:a%3Ab/c%25") == "c%"
    assert system_of_header("score:a") is None
    assert system_of_header("output:a/b") is None


def test_what_names_mean():
    assert meaning_of("Model Name", "t") == ("field", "system")
    assert meaning_of("ref:x", "t") == ("reference", "x")
    assert meaning_of("colour", "t") is None
    assert is_known("score:")
    assert not is_known("colour")
    assert word_of(" Seg-ID: 3") == "seg_id"
    assert (protocol_called("Da"), protocol_called("x")) == ("DA", None)
