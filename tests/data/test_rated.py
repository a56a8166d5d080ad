from __future__ import annotations

import json

import pytest

from assay.data.rated import READERS, Reader
from assay.errors import InputError
from tests.data.formats.test_ratings import ALL, APPRAISE


def reader(key):
    return next(found for found in READERS if key in found.keys)


def test_no_form_can_be_taken_for_another():
    for one in READERS:
        assert [other for other in READERS if other.keys <= one.keys] == [one]


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
    (rated,) = reader("mqm_annotations").read(record, "f", 1)
    assert (rated.segment, rated.document, rated.lp, rated.source, rated.kind) == (-1, "d", "en-de", None, "TGT")


def test_an_item_of_pearmut_without_a_name_goes_by_its_place():
    record = {"item": [{"tgt": {"A": "x"}}], "annotation": [{"A": {"score": 1}}], "user_id": "u", "item_i": 7}
    (rated,) = reader("annotation").read(record, "f", 1)
    assert (rated.segment, rated.score, rated.errors) == ("7:0", 1.0, ())


@pytest.mark.parametrize("form", READERS, ids=lambda form: min(form.keys))
def test_keys_alone_are_not_enough(form: Reader):
    with pytest.raises(InputError):
        list(form.read(dict.fromkeys(form.keys), "f", 1))


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
def test_what_a_form_reads_is_what_it_says(text):
    asked = set()
    for line in text.splitlines():
        record = Watched(json.loads(line))
        (form,) = [form for form in READERS if form.keys <= record.keys()]
        list(form.read(record, "f", 1))
        asked |= record.asked
    assert asked == form.keys | form.others
