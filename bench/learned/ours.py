"""Score a campaign with Assay, in a process of its own: `python -m bench.learned.ours TASK RESULT`."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import assay
from bench.learned import campaign
from bench.learned.work import watched


def main(task: dict[str, Any]) -> dict[str, Any]:
    """Load the model with two segments. Then come the rounds, each of which tokenises and computes everything again."""
    texts = campaign.read(Path(task["texts"]))
    metric = f"comet:model={task['model']},precision={task['precision']}"
    with tempfile.TemporaryDirectory() as folder, watched() as work:
        runtime = assay.Runtime(device=task["device"], cache=Path(folder) if task["cached"] else None)
        _scores(texts.first(2), metric, runtime)  # loads the model
        loaded = time.perf_counter()
        if task["cached"]:
            _scores(texts, metric, runtime)
        filled = time.perf_counter()
        for _ in range(task["rounds"]):
            with work.measured():
                scores = _scores(texts, metric, runtime)
    cost = work.as_json()
    cost |= {name: cost[name] // task["rounds"] for name in ("texts", "tokens", "batches")}
    seconds = statistics.median(work.seconds)
    extra = filled - loaded + sum(work.seconds) - seconds
    times = {"seconds": seconds, "rounds": work.seconds, "extra": extra}
    return {"scores": scores, **times, **cost}


def _scores(texts: campaign.Campaign, metric: str, runtime: assay.Runtime) -> dict[str, list[float]]:
    testset = assay.load(outputs=texts.outputs, references={"ref": texts.reference}, sources=texts.source)
    result = assay.score(testset, metric, agg="segment", resamples=0, runtime=runtime)[metric]
    return {system: result.segments[system].tolist() for system in texts.outputs}


if __name__ == "__main__":
    measurement = main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    Path(sys.argv[2]).write_text(json.dumps(measurement), encoding="utf-8")
