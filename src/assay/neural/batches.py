"""Compute many inputs in batches: each distinct input once, inputs of similar length together.

Rounding depends on the batch that an input is in. The batches are therefore planned from all inputs before the first
one is computed, and the plan is cached with the results: a run that was killed computes its unfinished batches again
as a whole, and ends with the same bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing

import numpy as np

from assay.neural.cache import ResultCache, open_cache
from assay.neural.loaded import Batch, Results, load
from assay.neural.network import Ids, Network, Result
from assay.types.runtime import Runtime

__all__ = ["compute"]

_BATCH_TOKENS = {"cpu": 4096, "cuda": 32768}


def compute(network: Network, inputs: Sequence[Ids], runtime: Runtime) -> list[Result]:
    """The result of each input. Batches do not depend on the order of the inputs."""
    named = [name for name in runtime.devices if name != "auto"]
    devices = list(dict.fromkeys(map(network.device, named)))  # raises even if nothing is left to compute
    distinct = sorted(filter(None, set(inputs)), key=lambda ids: (-len(ids), ids))  # long ones need most memory
    with open_cache(runtime, f"{network.identity}-{network.version}") as cache:
        results = cache.find(distinct) if cache else {}
        if len(results) < len(distinct):
            devices = devices or [network.device("auto")]
            size = runtime.batch_size or min(_BATCH_TOKENS[device.partition(":")[0]] for device in devices)
            plan = _plan(distinct, results, size, cache)
            runtime.report("loading the model", 0, 1)
            with load(network, devices) as loaded, closing(loaded.compute(network, plan, runtime)) as batches:
                task, done, total = f"{network.task} (tokens)", 0, sum(map(_tokens, plan))
                runtime.report(task, done, total)
                for computed in batches:
                    results |= cache.add(computed) if cache else computed
                    done += _tokens(computed)
                    runtime.report(task, done, total)
            if cache:
                cache.remove_plan(distinct, size)
    empty = np.zeros((0, *next((result.shape[1:] for result in results.values()), (0,))), dtype=np.float32)
    return [results.get(ids, empty) for ids in inputs]


def _plan(distinct: list[Ids], results: Results, size: int, cache: ResultCache | None) -> list[Batch]:
    """The batches to compute: those of a run that was killed, if this is the same run, else new ones."""
    missing = {ids for ids in distinct if ids not in results}
    if cache:
        unfinished: list[Batch] = [batch for batch in cache.find_plan(distinct, size) if not missing.isdisjoint(batch)]
        if missing.issubset(ids for batch in unfinished for ids in batch):
            return unfinished
    plan = _alternate(list(_batches([ids for ids in distinct if ids in missing], size)))
    if cache:
        cache.add_plan(distinct, size, plan)
    return plan


def _alternate(batches: list[Batch]) -> list[Batch]:
    """The first one, the last, the second, the last but one …: progress is steady, although long inputs take longer.

    The first needs most memory, so a lack of it is noticed at once.
    """
    order = sorted(range(len(batches)), key=lambda i: min(2 * i, 2 * (len(batches) - i) - 1))
    return [batches[i] for i in order]


def _tokens(batch: Collection[Ids]) -> int:
    """The tokens of a batch with padding: what it costs. Texts would not do, since long ones take longer."""
    return len(batch) * max(map(len, batch))


def _batches(inputs: list[Ids], size: int) -> Iterator[Batch]:
    """Inputs sorted by falling length, as many as fit if all are padded to the first one's length; at least one."""
    first = 0
    while first < len(inputs):
        count = max(1, size // len(inputs[first]))
        yield inputs[first : first + count]
        first += count
