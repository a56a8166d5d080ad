from __future__ import annotations

import pytest

import assay
from assay.comparison.contrasts import ContrastOptions
from assay.errors import ConfigError
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


def test_labels_from_a_file(tmp_path):
    labels = tmp_path / "labels.tsv"
    labels.write_text("origin\n" + "".join(f"{'de' if i % 2 else 'en'}\n" for i in range(len(examples.testset()))))
    found = assay.compare(examples.testset(), "bleu", by="origin", labels=labels, resamples=50)
    assert {group.group for group in found.contrasts[0].groups} == {"origin:de", "origin:en"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": "x.tsv"}, "labels has no effect without by"),
        ({"examples": -1}, "examples must not be negative"),
        ({"ngrams": -1}, "ngrams must not be negative"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ConfigError, match=message):
        ContrastOptions(**options)


def test_all_pairs_have_no_contrasts():
    with pytest.raises(ConfigError, match="not all pairs"):
        assay.compare(examples.testset(), "bleu", all_pairs=True, examples=1)
