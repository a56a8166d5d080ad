from __future__ import annotations

import pytest

from assay.data.tables.rating_records import item_kind
from assay.errors import InputError


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("TGT", "TGT"),
        ("tgt", "TGT"),
        ("System", "TGT"),
        ("", "TGT"),
        ("bad", "BAD"),
        ("bad_ref", "BAD_ref"),
        ("BAD.1", "BAD.1"),
        ("HOTW-test", "HOTW-test"),
        ("repeat", "REPEAT"),
    ],
)
def test_known_kinds_in_any_case(text, kind):
    assert item_kind(text, path="f", line=1) == kind


@pytest.mark.parametrize("text", ["SYSTM", "reference", "badge", "foo"])
def test_an_unknown_kind_is_refused(text):
    with pytest.raises(InputError, match=f"f, line 7: unknown kind of item '{text}'"):
        item_kind(text, path="f", line=7)
