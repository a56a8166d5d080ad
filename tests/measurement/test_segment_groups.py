from __future__ import annotations

import numpy as np
import pytest

from assay import load
from assay.errors import ConfigError, NameClashError
from assay.measurement.segment_groups import (
    are_known_documents,
    error_ratios,
    groups_by_label,
    groups_of,
    is_known_document,
    is_placeholder,
)

TESTSET = load(
    outputs={"x": ["o"] * 6},
    references=["a", "bb", "ccc", "dddd", "eeeee", None],
    sources=["s" * 9] * 6,
    documents=["d2", "d1", "d2", None, "d1", "d1"],
)


def found(*groupings):
    return {group.name: group.segments.tolist() for group in groups_of(TESTSET, groupings)}


def test_documents_in_order_of_appearance():
    assert list(found("document").items()) == [
        ("document:d2", [0, 2]),
        ("document:d1", [1, 4, 5]),
        ("document:(none)", [3]),
    ]


def test_length_buckets_cover_everything_once():
    """Lengths 1 2 3 4 5 and, where the reference is absent, the source's 9: quartiles start at 1, 2, 4 and 5."""
    assert found("length") == {
        "length:1 character": [0],
        "length:2–3 characters": [1, 2],
        "length:4 characters": [3],
        "length:5–9 characters": [4, 5],
    }


def test_several_groupings_follow_each_other():
    assert list(found("length", "document"))[:1] == ["length:1 character"]
    assert len(found("length", "document")) == 7


def test_equal_lengths_share_a_bucket():
    testset = load(outputs={"x": ["o"] * 3}, references=["ab"] * 3)
    assert [(group.name, len(group.segments)) for group in groups_of(testset, ["length"])] == [
        ("length:2 characters", 3)
    ]


def test_what_is_not_there_cannot_group():
    with pytest.raises(ConfigError, match="the test set has no domains"):
        found("domain")


def test_any_labels():
    groups = groups_by_label("topic", ("b", None, "a", "b"))
    assert [(group.name, group.segments.tolist()) for group in groups] == [
        ("topic:b", [0, 3]),
        ("topic:(none)", [1]),
        ("topic:a", [2]),
    ]


def test_groupings_of_a_file_of_labels():
    labels = {"topic": ("x", "y", "x", "x", "y", "y")}
    groups = groups_of(TESTSET, ["topic", "document"], labels)
    assert [(group.name, len(group.segments)) for group in groups][:3] == [
        ("topic:x", 3),
        ("topic:y", 3),
        ("document:d2", 2),
    ]
    with pytest.raises(ConfigError, match="unknown grouping 'topics'"):
        groups_of(TESTSET, ["topics"], labels)
    with pytest.raises(NameClashError, match="cannot be called 'domain'"):
        groups_of(TESTSET, ["domain"], {"domain": labels["topic"]})


def test_a_column_of_labels_that_is_called_after_its_file():
    testset = load(outputs=["a", "b"], references=["a", "b"])
    with pytest.raises(ConfigError) as caught:
        groups_of(testset, ["domain"], {"domains": ("news", "chat")})
    assert caught.value.hint == "give domains, or name a column of the labels: domains"


def test_standard_errors_with_documents_as_units():
    """Against the variance of sums of documents, computed one by one."""
    random = np.random.Generator(np.random.PCG64(1))
    values, documents = random.normal(size=(2, 30)), tuple("abcde"[k % 5] for k in range(30))
    values[0, 3], values[1] = np.nan, 4.0
    errors = values[0] - np.nanmean(values[0])
    sums = [np.nansum([e for e, name in zip(errors, documents, strict=True) if name == each]) for each in "abcde"]
    ratios = error_ratios(values, documents)
    assert ratios[0] == pytest.approx(np.sqrt(np.square(sums).sum() / np.nansum(errors**2)))
    assert np.isnan(ratios[1]), "a constant has no error"
    assert are_known_documents(documents)
    assert not are_known_documents(("a", None, "a"))
    assert not are_known_documents(("a", "a"))
    assert not are_known_documents(("a", "b"))


@pytest.mark.parametrize("name", ["unknown", "Unknown-17", "unknown.3", "none", "none_2", "no-doc", "no document 4"])
def test_placeholders_are_no_documents(name):
    assert is_placeholder(name)
    assert not is_known_document(name)
    assert not are_known_documents((name, name, "a"))


@pytest.mark.parametrize("name", ["unknown-pleasures", "nonesuch", "7", "news.17", "no-doctor"])
def test_names_of_documents(name):
    assert is_known_document(name)
    assert not is_placeholder(name)


def test_no_name_is_no_document():
    assert not is_known_document("")
    assert not is_known_document(None)
