from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from assay.errors import ConfigError
from assay.metaeval.computed_metrics import Aggregations, _row_names, computed_metrics
from assay.study.meta import meta
from assay.study.score import score
from assay.types import TestSet
from assay.types.runtime import Runtime
from tests.campaigns_with_metrics import campaign
from tests.judges.scripted import part, scripted

SPEC = "bleu:tok=char"


def texts():
    return campaign().select_texts(references=["refA"], keep_references=True)


def texts_with_sources():
    testset = texts()
    return dataclasses.replace(testset, sources=next(iter(testset.references.values())))


def computed(testset, *names, level="system", **options):
    metrics, notes = computed_metrics(testset, [SPEC], Aggregations(names, **options), Runtime(), level=level)
    return {metric.name: metric for metric in metrics}, [str(note) for note in notes]


@pytest.mark.parametrize("size", [None, 3, 6])
def test_scores_are_those_of_score(size):
    found, notes = computed(texts(), "corpus", "segment", "bootstrap", size=size, seed=7)
    run = score(texts(), SPEC, agg="corpus,segment,bootstrap", size=size, seed=7).metrics[SPEC]
    for name, metric in zip(("corpus", "segment", "bootstrap"), found.values(), strict=True):
        expected = [run.aggregations[name][system] for system in metric.system.systems]
        assert metric.system.values[:, 0].tolist() == expected
    assert list(found) == [SPEC, f"m-{SPEC}", f"x-{SPEC}"]
    assert any(note.startswith(f"{SPEC}: computed as bleu|") for note in notes)
    assert f"|agg:bootstrap|resamples:1000|size:{size or 'all'}|seed:7|" in " ".join(notes)


def test_scores_over_some_cells():
    """Every system over its own segments."""
    (metric,) = computed(texts(), "corpus")[0].values()
    systems = ("a", "far", "nobody")
    mask = np.array([[True] * 3 + [False] * 3, [False] * 5 + [True], [True] * 6])
    found = metric.aggregate(systems, mask)
    for name, value, segments in (("a", found[0], np.arange(3)), ("far", found[1], np.array([5]))):
        assert value == score(texts().take(segments), SPEC, agg="corpus").metrics[SPEC].corpus[name]
    assert np.isnan(found[2])
    assert np.isnan(metric.aggregate(("a",), np.zeros((1, 6), dtype=bool))).all()


def test_segments_without_an_output_of_some_system_do_not_count():
    outputs = {name: list(column) for name, column in texts().outputs.items()}
    outputs["b"][2] = None
    gappy = dataclasses.replace(texts(), outputs=outputs)
    (metric,) = computed(gappy, "corpus")[0].values()
    expected = score(gappy, SPEC, agg="corpus").metrics[SPEC].corpus
    assert metric.system.values[:, 0].tolist() == [expected[name] for name in metric.system.systems]
    assert metric.aggregate(("a",), np.ones((1, 6), dtype=bool))[0] == expected["a"]


def test_without_a_choice_the_aggregation_is_that_of_the_metric():
    found, notes = computed_metrics(texts(), ["sentbleu", "bleu"], Aggregations(), Runtime(), level="system")
    assert [metric.name for metric in found] == ["sentbleu", "bleu"]
    aggregations = [note.text.partition("|agg:")[2].partition("|")[0] for note in notes if "|agg:" in note.text]
    assert aggregations == ["segment", "corpus"]
    (metric,), notes = computed_metrics(texts(), ["bleu"], Aggregations(), Runtime(), level="segment")
    assert metric.system is None
    assert "|effective_order:yes|" in notes[-1].text


def test_invalid_choices():
    with pytest.raises(ConfigError, match="unknown aggregation 'mean'"):
        Aggregations(("mean",))
    with pytest.raises(ConfigError, match="size has no effect"):
        Aggregations(("corpus",), size=3)


def test_segment_means_have_intervals_over_segments():
    """They are means of segment scores, whatever computes them; corpus scores are not."""
    made = campaign()
    texts = {name: tuple(f"{'long ' * k * k} word{k} of {name}" for k in range(made.segments)) for name in made.systems}
    references = {name: texts[name] for name in made.references}
    made = campaign(testset=TestSet(outputs=texts, references=references, lp=made.lp, name=made.name))
    ci = {"cells": "common", "ci": "segments", "outliers": "keep", "random_metrics": 0}
    table = meta([made], metrics="chrf", agg="corpus,segment", **ci)
    found = {row["metric"]: row for row in table.rows() if row["lp"] == "de-en"}
    of_means = next(row for name, row in found.items() if name.startswith("m-chrf"))
    of_corpus = next(row for name, row in found.items() if name.startswith("chrf"))
    assert of_means["low"] < of_means["value"] < of_means["high"]
    assert of_corpus["low"] is None


def test_names_have_no_folders(tmp_path):
    """A name with a slash could not be that of a score table."""
    path = tmp_path / "words.vec"
    path.write_text("a 1 2\nb 2 1\n")
    metrics, _ = computed_metrics(texts(), [f"ebleu:vectors={path}"], Aggregations(), Runtime(), level="system")
    assert [metric.name for metric in metrics] == ["ebleu:vectors=words.vec"]


def test_names_have_the_hosts_of_servers():
    """An address is no path, its end says nothing; but no name may have a slash."""
    spec = "judge:model=org/name,endpoint=http://127.0.0.1:8000/v1,prompt=prompts/mine.txt"
    expected = "judge:model=name,endpoint=127.0.0.1:8000,prompt=mine.txt"
    assert _row_names([spec]) == {spec: expected}


def test_names_of_servers_on_the_same_host_differ():
    specs = [f"judge:endpoint={url}" for url in ("http://h:1/a/v1", "http://h:1/b/v1", "https://h:1/b/v1")]
    names = list(_row_names(specs).values())
    assert len(set(names)) == 3
    assert not any("/" in name for name in names)


def test_a_judge_stands_like_any_metric(monkeypatch):
    """Its specification has the address of a server, in which the slashes are no names of files."""
    scripted(monkeypatch, lambda prompt, *_: str(len(part(prompt, "candidate"))))
    spec = "judge:protocol=da,model=m,endpoint=http://127.0.0.1:8000/v1"
    for level in ("system", "segment"):
        metrics, _ = computed_metrics(texts_with_sources(), [spec], Aggregations(), Runtime(), level=level)
        assert metrics[0].name.startswith("judge:protocol=da,model=m,endpoint=127.0.0.1:8000")


def test_files_of_the_same_name_have_rows_of_different_names(tmp_path):
    specs = []
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "words.vec").write_text("a 1 2\nb 2 1\n")
        specs.append(f"ebleu:vectors={tmp_path / folder / 'words.vec'}")
    metrics, _ = computed_metrics(texts(), specs, Aggregations(), Runtime(), level="segment")
    assert [metric.name for metric in metrics] == ["ebleu:vectors=old-words.vec", "ebleu:vectors=new-words.vec"]
