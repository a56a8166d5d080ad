"""A metric is a value; running it is another thing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from assay import load, score
from assay.contracts import Metric
from assay.metrics import metric
from assay.registry import options_of
from assay.types.runtime import Runtime

TESTSET = load(outputs={"x": ["a b c", "d"], "y": ["a", "d e"]}, references=["a b", "d"])
SEEN: list[Runtime] = []


@dataclass(frozen=True)
class Neural(Metric):
    """Reads all settings of the runtime, as a neural metric does."""

    scale: float = 1.0

    @property
    def columns(self):
        return ("score", "count")

    def statistics(self, testset, runtime):
        SEEN.append(runtime)
        size = runtime.batch_size or len(testset)
        if runtime.cache is not None:
            (runtime.cache / f"{runtime.device}.txt").write_text("embeddings", encoding="utf-8")
        rows = []
        for column in testset.outputs.values():
            batches = [column[i : i + size] for i in range(0, len(column), size)]
            rows.append([(self.scale * len(text), 1.0) for batch in batches for text in batch])
        return np.array(rows)

    def score(self, totals):
        return totals[..., 0] / totals[..., 1]


@pytest.fixture
def registered(monkeypatch):
    metric.names()
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    metric("neural")(Neural)


def runtimes(folder: Path) -> list[Runtime]:
    return [
        Runtime(threads=1),
        Runtime(threads=3, device="cuda:0", batch_size=1),
        Runtime(device="cpu", batch_size=4096, cache=folder),
        Runtime(device="cuda", cache=folder, progress=lambda task, done, total: None),
    ]


def test_the_runtime_reaches_the_metric_and_leaves_no_trace(registered, tmp_path):
    SEEN.clear()
    runs = [score(TESTSET, "neural:scale=2", resamples=10, runtime=runtime) for runtime in runtimes(tmp_path)]
    assert [(r.device, r.batch_size, r.cache) for r in SEEN[::2]] == [  # the second time for a few segments
        ("auto", None, None),
        ("cuda:0", 1, None),
        ("cpu", 4096, tmp_path),
        ("cuda", None, tmp_path),
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cpu.txt", "cuda.txt"]
    first = runs[0].to_dict(segments=True)
    for run in runs[1:]:
        assert str(run["neural:scale=2"].signature) == str(runs[0]["neural:scale=2"].signature)
        assert run.to_dict(segments=True) == first


def test_it_is_no_part_of_the_metric(registered, tmp_path):
    used, unused = Neural(scale=2), Neural(scale=2)
    for runtime in runtimes(tmp_path):
        used.statistics(TESTSET, runtime)
    assert (used, hash(used), metric.spec(used)) == (unused, hash(unused), "neural:scale=2")
    assert options_of(used) == [("scale", 2)]
    assert metric.create(metric.spec(used)) == unused


def test_no_metric_has_an_option_of_the_runtime():
    settings = {"threads", "device", "batch_size", "cache", "progress"}
    for name in metric.names():
        assert not settings & {option for option, _ in options_of(metric.create(name))}
