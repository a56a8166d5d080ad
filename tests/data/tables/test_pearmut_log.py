from __future__ import annotations

import pytest

from assay.data.tables.pearmut_log import Log, pair_in, split_name
from assay.data.tables.pearmut_spans import TOKENS
from assay.errors import InputError

ENTRY = {"annotation": [{"A": {"score": 5}}], "item": [{"tgt": {"A": "x"}}], "item_i": 1}


@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("ces_Latn---deu_Latn v3", "ces_Latn-deu_Latn"),
        ("wmt25_#_en-cs_CZ", "en-cs_CZ"),
        ("cs-de_DE_#_edu_#_e1_#_0", "cs-de_DE"),
        ("en-sr_Cyrl_RS_#_news", "en-sr_Cyrl_RS"),
        ("my-campaign 6", ""),
        ("qq-zz", ""),
        ("test", ""),
    ],
)
def test_language_pairs_in_names(name: str, pair: str) -> None:
    assert pair_in(name) == pair


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("social_###_116_###_0", ("social_###_116", "social")),
        ("cs-de_DE_#_edu_#_e1_#_0", ("cs-de_DE_#_edu_#_e1", "edu")),
        ("first item", ("", "")),
        ("13:0", ("", "")),
    ],
)
def test_documents_and_domains_in_names(name: str, parts: tuple[str, str]) -> None:
    assert split_name(name) == parts


def test_a_reset_voids_what_the_rater_did_before() -> None:
    log = Log("f", TOKENS)
    for rater in ("a", "b", "a"):
        log.add({**ENTRY, "user_id": rater}, 1)
    log.add({"user_id": "a", "annotation": "__RESET__"}, 4)
    log.add({**ENTRY, "user_id": "a"}, 5)
    assert [(entry.rater, entry.ratings[0].line) for entry in log.entries] == [("b", 1), ("a", 5)]
    assert [note.text for note in log.notes()] == ["2 documents not counted: Pearmut reset a"]


def test_failed_checks_by_rater() -> None:
    log = Log("f", TOKENS)
    for rater, checks in (("a", [True, False]), ("b", [True]), ("a", [False]), ("c", [])):
        log.add({**ENTRY, "user_id": rater, "validations": checks}, 1)
    assert log.failed == {"a": (2, 3), "b": (0, 1)}
    assert [note.text for note in log.notes()] == ["2 of 4 attention checks passed; failed: a 2 of 3"]
    with pytest.raises(InputError, match="validations must be a list"):
        log.add({**ENTRY, "user_id": "a", "validations": ["yes"]}, 1)
