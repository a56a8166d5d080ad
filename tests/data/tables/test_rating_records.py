from __future__ import annotations

import json

import pytest

from assay.data.tables.rating_records import LAYOUTS, RatingLayout
from assay.errors import InputError
from tests.data.formats.test_ratings import ALL, APPRAISE


def layout_with(key):
    return next(layout for layout in LAYOUTS if key in layout.keys)


def test_no_layout_matches_another():
    for one in LAYOUTS:
        assert [other for other in LAYOUTS if other.keys <= one.keys] == [one]


def test_a_record_of_a_whole_document_has_no_segment():
    record = {
        "annotator": "u",
        "target_id": "A",
        "score": 5,
        "mqm_annotations": [],
        "item_id": 4,
        "document_id": "d",
        "is_complete_document": True,
        "source_language": "eng",
        "target_language": "deu",
    }
    (rating,) = layout_with("mqm_annotations").read(record, "f", 1)
    assert (rating.segment, rating.document, rating.lp, rating.source, rating.kind) == (-1, "d", "en-de", None, "TGT")


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: min(layout.keys))
def test_keys_alone_are_not_enough(layout: RatingLayout):
    with pytest.raises(InputError):
        list(layout.read(dict.fromkeys(layout.keys), "f", 1))


class Watched(dict):
    """A record that knows what was asked of it."""

    def __init__(self, given):
        super().__init__(given)
        self.asked = set()

    def get(self, key, default=None):
        self.asked.add(key)
        return super().get(key, default)

    def __getitem__(self, key):
        self.asked.add(key)
        return super().__getitem__(key)


@pytest.mark.parametrize("text", [*ALL.values(), APPRAISE], ids=[*ALL, "APPRAISE"])
def test_a_layout_declares_the_keys_it_reads(text):
    asked = set()
    for line in text.splitlines():
        record = Watched(json.loads(line))
        (layout,) = [layout for layout in LAYOUTS if layout.keys <= record.keys()]
        list(layout.read(record, "f", 1))
        asked |= record.asked
    assert asked == layout.keys | layout.others
