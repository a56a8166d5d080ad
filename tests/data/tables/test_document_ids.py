from __future__ import annotations

import pytest

from assay.data.tables.document_ids import DocumentId, ItemId, document_id, parse_document_id, parse_item_id


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


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "official_###_eng_Latn_###_deu_Latn_###_news_###_d1_###_0",
            ("", "eng_Latn-deu_Latn", "news", "news_###_d1", "news_###_d1_###_0"),
        ),
        ("en_###_zh_CN_###_social_###_d1_###_3", ("", "en-zh_CN", "social", "social_###_d1", "social_###_d1_###_3")),
        ("challenge_###_en_###_de_###_aces_###_7", ("challenge", "en-de", "", "aces", "aces_###_7")),
        ("challenge_###_en_###_de_###_a_###_b_###_c_###_7", ("challenge", "en-de", "a", "a_###_b_###_c", None)),
        ("official_###_eng_Latn_###_deu_Latn_###_7", None),
        ("eng_Latn_###_deu_Latn_###__###_7", None),
        ("x_###_y_###_news_###_d1_###_7", None),
        ("official", None),
        ("", None),
    ],
)
def test_parts_of_segments(text, parts):
    if parts is not None:
        *known, name = parts
        parts = ItemId(*known, name or f"{known[-1]}_###_7")
    assert parse_item_id(text) == parts
