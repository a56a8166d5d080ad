from __future__ import annotations

import pytest

from assay import compare, load
from assay.results import GroupDifferences


def texts(domains=("one", "two", "three")):
    outputs = {"base": ["a b", "a b", "x y"], "new": ["a b", "a c", "a b"], "third": ["q", "a b", "a b"]}
    return load(outputs=outputs, references=["a b"] * 3, domains=domains)


def test_without_groups_in_the_comparison_they_are_means_by_domain():
    """The same as those of a comparison that was asked for groups."""
    found = compare(texts(), ["chrf", "ter"], baseline="base", resamples=10)
    asked = compare(texts(), ["chrf", "ter"], baseline="base", by="domain", resamples=10)
    made = found.parts("new", "base")
    assert [each.metric for each in made] == ["chrf", "ter"]
    for each, held in zip(made, asked.contrasts_of(GroupDifferences, "new", "base"), strict=True):
        expected = [group for group in held.groups if group.aggregation == "segment"]
        assert [group.label for group in each.groups] == [group.label for group in expected]
        assert [group.better_by for group in each.groups] == pytest.approx([group.better_by for group in expected])


def test_groups_of_the_comparison_come_first():
    found = compare(texts(), ["chrf"], baseline="base", by="domain", resamples=10)
    assert found.parts("new", "base") == found.contrasts_of(GroupDifferences, "new", "base")
    assert not found.domains


@pytest.mark.parametrize("domains", [None, ("one", "one", "one")])
def test_nothing_if_there_is_only_one_part(domains):
    assert compare(texts(domains), ["chrf"], resamples=10).parts("new", "base") == ()
