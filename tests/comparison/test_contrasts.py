from __future__ import annotations

from dataclasses import replace

import pytest

import assay
from assay.comparison.contrasts import ContrastOptions
from assay.errors import AssayError, ConfigError
from assay.reports import document
from assay.reports.table import Table
from assay.results import Examples, GroupDifferences, NgramDifferences, WordGroups
from tests.store import examples

OPTIONS = {"examples": 2, "by": "domain", "ngrams": 3, "words": True, "resamples": 50}


def test_contrasts_of_every_pair_and_metric():
    found = assay.compare(examples.testset(), "bleu,chrf", **OPTIONS)
    kinds = [type(contrast) for contrast in found.contrasts]
    pairs = len(found.metrics[0].pairs)
    assert kinds.count(Examples) == kinds.count(GroupDifferences) == 2 * pairs
    assert kinds.count(NgramDifferences) == kinds.count(WordGroups) == pairs
    assert [(e.first, e.second) for e in found.examples[:2]] == [("birch", "alder")] * 2
    tree = found.to_dict()
    assert tree["contrasts"][0]["kind"] == "Examples"
    text = Table().render(document(found))
    assert "Segments in which birch and alder differ most by bleu" in text
    assert "domain:news" in text


def test_better_by_is_not_the_difference_of_the_scores():
    tree = assay.compare(examples.testset(), "ter", agg="corpus", examples=1, by="domain", resamples=50).to_dict()
    best, groups = tree["contrasts"][0]["best"][0], tree["contrasts"][1]["groups"]
    assert best["better_by"] == best["second_score"] - best["first_score"] > 0
    assert all(group["better_by"] == group["second_score"] - group["first_score"] for group in groups)
    assert "difference" not in best.keys() | groups[0].keys()


def test_labels_from_a_file(tmp_path):
    labels = tmp_path / "labels.tsv"
    labels.write_text("origin\n" + "".join(f"{'de' if i % 2 else 'en'}\n" for i in range(len(examples.testset()))))
    found = assay.compare(examples.testset(), "bleu", by="origin", labels=labels, resamples=50)
    assert {group.group for group in found.contrasts[0].groups} == {"origin:de", "origin:en"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"examples": -1}, "examples must not be negative"),
        ({"ngrams": -1}, "ngrams must not be negative"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ConfigError, match=message):
        ContrastOptions(**options)


def test_notes_and_settings_reach_the_comparison():
    sample = examples.testset()
    outputs = {name: list(column) for name, column in sample.outputs.items()}
    outputs["birch"][:3] = [None] * 3
    gaps = replace(sample, outputs={name: tuple(column) for name, column in outputs.items()})
    found = assay.compare(gaps, "bleu", examples=1, ngrams=1, words=True, resamples=50)
    tree = found.to_dict()
    assert all(
        contrast["settings"]["tok"] == "intl" for contrast in tree["contrasts"] if contrast["kind"] != "Examples"
    )
    lacking = [(n.where, n.count) for n in found.notes if "which lack an output or" in n.text]
    assert lacking == [("bleu, birch and alder", 3), ("birch and alder", 3)]
    assert "tok:intl|case:mixed|order:1-4" in Table().render(document(found))


@pytest.mark.parametrize("options", [{"by": "mood"}, {"by": "mood", "labels": __file__}, {"labels": __file__}])
def test_groups_are_checked_before_anything_is_scored(options):
    def fail(*_):
        raise AssertionError("nothing should be scored")

    with pytest.raises(AssayError, match=r"unknown grouping|lines|no effect without by"):
        assay.compare(examples.testset(), "bleu", runtime=assay.Runtime(progress=fail), **options)


def test_all_pairs_have_no_contrasts():
    with pytest.raises(ConfigError, match="not all pairs"):
        assay.compare(examples.testset(), "bleu", all_pairs=True, examples=1)
