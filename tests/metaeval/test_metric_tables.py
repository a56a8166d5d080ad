from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from assay.errors import InputError, NameClashError, UnknownNameError
from assay.metaeval.metric_tables import (
    MetricOptions,
    campaign_metrics,
    find_references,
    metric_tables,
    with_common_names,
)
from assay.study.meta import meta
from assay.types import ScoreTable
from assay.types.runtime import Runtime
from tests.campaigns_with_metrics import SYSTEMS, campaign, human, metric


def levels(metrics):
    return {metric.name: [table.level for table in metric.tables] for metric in metrics}


def test_metrics_with_other_references_are_others():
    assert levels(metric_tables(campaign())) == {
        "fair-all": ["system"],
        "good-refA": ["system", "segment"],
        "good-refB": ["system"],
        "poor-src": ["segment"],
    }
    stored = campaign(testset=None, scores=(human(), metric("m", 1.0, references=("all",))))
    (only,) = metric_tables(stored)
    assert (only.name, only.system.references) == ("m-all", ("refA", "refB"))
    several = campaign(references=("refA", "refB", "refC"), scores=(metric("m", 1.0, references=("refA", "refB")),))
    assert list(levels(metric_tables(several))) == ["m-refA.refB"]


def test_one_reference_may_be_chosen():
    references = find_references(campaign(), ("refZ", "refB"))
    assert references == ("refB",)
    assert list(levels(metric_tables(campaign(), references=references))) == ["good", "poor-src"]
    with pytest.raises(UnknownNameError, match="has no reference refZ"):
        find_references(campaign(), ("refZ",))


def test_all_references_may_be_chosen():
    assert find_references(campaign(), ("refZ", "all")) == ("refA", "refB")
    assert list(levels(metric_tables(campaign(), references=("refA", "refB")))) == ["fair", "poor-src"]
    single = campaign(references=("refA",))
    assert find_references(single, ("all",)) == ("refA",)
    assert find_references(single, ()) is None


def test_external_scores():
    external = [metric("mine-refA", 1.0, references=()), metric("yours-all", 1.0, references=(), level="segment")]
    external += [metric("theirs", 1.0, references=()), metric("free-src", 1.0, references=())]
    found = {each.name: each for each in metric_tables(campaign(), external=external)}
    assert found["mine-refA"].system.references == ("refA",)
    assert found["yours-all"].segment.references == ("refA", "refB")
    assert found["theirs"].system.references == found["free-src"].system.references == ()
    documents = dataclasses.replace(external[0], name="documents", level="document", items=("d1",))
    assert "documents" not in levels(metric_tables(campaign(), external=[documents]))
    with pytest.raises(NameClashError, match="two system-level scores called 'good-refA'"):
        metric_tables(campaign(), external=[metric("good-refA", 1.0)])


def test_domain_scores_are_ignored():
    by_segment = metric("m", 1.0, level="segment")
    by_domain = dataclasses.replace(by_segment, level="domain", items=tuple("abcdef"))
    judged = campaign(scores=(human(), by_domain, by_segment, dataclasses.replace(by_domain, name="lonely")))
    assert levels(metric_tables(judged)) == {"m-refA": ["segment"]}
    assert [row.metric for row in meta([judged], random_metrics=0)] == ["m-refA"]


def computed(chosen, specs, references=(), **options):
    metrics, notes = campaign_metrics(
        chosen,
        MetricOptions.from_names(specs, references),
        runtime=Runtime(),
        **{"level": "system", **options},
    )
    return {metric.name: metric for metric in metrics}, notes


def test_metrics_are_computed_from_the_texts():
    found, _ = computed(campaign(), ("chrf", "bleu", "chrf"))
    assert found["chrf-refA"].segment.values.shape == (7, 6)
    assert found["chrf-refA"].system.references == ("refA",)
    assert "refA" not in found["bleu-refA"].system.systems
    assert "refB" in found["bleu-refA"].system.systems
    assert computed(campaign(), ("chrf",), ("refB",))[0]["chrf"].system.references == ("refB",)
    assert computed(campaign(), ("chrf",), level="segment")[0]["chrf-refA"].system is None
    with pytest.raises(InputError, match="wmt99 de-en has no texts to compute chrf from"):
        computed(campaign(testset=None), ("chrf",))


def test_names_are_of_stored_metrics_or_of_metrics_to_compute():
    options = MetricOptions.from_names(("chrf", "BLEU", "COMET-22", "COMET*", "bleu:tok=intl"))
    assert options.computed == ("chrf", "BLEU", "bleu:tok=intl")
    assert options.stored == ("COMET-22", "COMET*")
    assert MetricOptions.from_names(("chrf",)).stored == ("*",)


def test_a_name_that_is_stored_exactly_so_means_the_stored_scores():
    stored = campaign(scores=(human(), metric("BLEU", 1.0)))
    names = ("BLEU", "bleu", "BLEU-refA", "chrF")
    options = MetricOptions.from_names(names, campaigns=[stored])
    assert (options.stored, options.computed) == (("BLEU", "BLEU-refA"), ("bleu", "chrF"))
    assert [row.metric for row in meta([stored], metrics=["BLEU"])] == ["BLEU-refA"]
    assert {row.metric for row in meta([stored], metrics=["BLEU", "bleu"])} == {"BLEU-refA", "bleu-refA"}


def test_the_reference_that_stands_for_a_metric():
    """Names are kept where one covers all pairs, or where the short name is taken."""

    def names(*pairs):
        campaigns = {str(k): campaign(scores=(human(), *scores)) for k, scores in enumerate(pairs)}
        renamed, _ = with_common_names({k: metric_tables(each) for k, each in campaigns.items()}, campaigns)
        return [list(levels(metrics)) for metrics in renamed.values()]

    def version(name, *references):
        return metric(name, 1.0, references=references)

    on_a, on_b, on_both = version("m", "refA"), version("m", "refB"), version("m", "refA", "refB")
    assert names([on_a, on_b], [on_a]) == [["m-refA", "m-refB"], ["m-refA"]]
    assert names([on_a], [on_b]) == [["m"], ["m"]]
    assert names([on_a, on_both], [on_b]) == [["m", "m-all"], ["m"]]
    assert names([on_b, on_both], [on_a]) == [["m-all", "m-refB"], ["m"]]
    assert names([on_a, version("m")], [on_b, version("m")]) == [["m", "m-src"], ["m", "m-src"]]


@pytest.mark.filterwarnings("ignore:.*(names the reference refC):assay.AssayWarning")
def test_every_chosen_metric_has_a_row_or_a_note():
    names = ("chat", "news")
    by_domain = ScoreTable("lonely", "domain", SYSTEMS, np.ones((len(SYSTEMS), 2)), items=names, references=("refA",))
    unknown = metric("odd", 1.0, references=("refC",))
    made = campaign(scores=(*campaign().scores, by_domain, unknown))
    table = meta([made], gold="da", outliers="keep", resamples=0)
    assert [row.metric for row in table if row.metric.startswith(("lonely", "odd"))] == ["odd-refC"]
    assert "left out, because they have scores of domains or documents only: lonely-refA" in _texts(table)
    table = meta([made], gold="da", outliers="keep", resamples=0, references=["refA"])
    assert {row.metric for row in table} == {"good", "poor-src"}
    text = "left out, because they used other references than refA: fair-all, good-refB, odd-refC"
    assert text in _texts(table)
    table = meta(
        [campaign()], gold="da", outliers="keep", resamples=0, external={"de-en": [by_domain], "xx-en": [unknown]}
    )
    assert "left out, because they have scores of domains or documents only: lonely" in _texts(table)
    assert "scores of language pairs that are not compared are not used: xx-en" in _texts(table)


def _texts(table):
    return [note.text for note in table.notes]
