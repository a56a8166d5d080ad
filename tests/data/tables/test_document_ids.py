from __future__ import annotations

import pytest

from assay.data.tables.document_ids import DocumentId, document_id, parse_document_id


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("cs-uk_UA_#_edu_#_edu02176", ("cs-uk_UA", "edu", "edu02176")),
        ("en-sr_Cyrl_RS_#_news_#_a_#_b", ("en-sr_Cyrl_RS", "news", "a_#_b")),
        ("WMT26_###_news_###_eng_Latn_###_isl_Latn_###_b.com.au.3", ("eng_Latn-isl_Latn", "news", "b.com.au.3")),
        ("doc 1", None),
        ("x_#_edu_#_1", None),
        ("", None),
    ],
)
def test_parts(text, parts):
    assert parse_document_id(text) == (None if parts is None else DocumentId(*parts))


def test_there_and_back():
    assert parse_document_id(document_id("en-de_DE", "news", "x")) == DocumentId("en-de_DE", "news", "x")
