"""Large tasks that no other tool does in the same way: CPU time or memory, and its limit."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import assay
from assay.types.runtime import Runtime
from bench import scale
from bench.harness import Limited, Measured, timed
from tests.archives import texts, unpacked

METRICS, SYSTEMS, SEGMENTS = 100, 30, 10_000
COMPARED_SEGMENTS = 2_000
_REPLACED = 0.3  # of the segments of a made-up system, by outputs of others


def results() -> Iterator[Measured]:
    """All tasks on one thread."""
    yield from scale.added_memory()
    with tempfile.TemporaryDirectory() as folder:
        yield from map(timed, _tasks(Path(folder)))
    loading, table = loading_and_table()
    yield loading
    yield table


def _tasks(folder: Path) -> Iterator[Limited]:
    names = {"assay": assay, "one_thread": Runtime(threads=1)}
    yield Limited(
        f"all pairs of {SYSTEMS} systems by BLEU and chrF, 10,000 swaps, {COMPARED_SEGMENTS:,} segments",
        'assay.compare(testset, ["bleu", "chrf"], all_pairs=True, runtime=one_thread)',
        names | {"testset": made_up_systems()},
        20,
        5,
    )
    yield Limited(
        "TrueSkill of WMT16 en-cs, 1,000 draws",
        'assay.rank(campaign, method="trueskill", resamples=1000, runtime=one_thread)',
        names | {"campaign": assay.load_campaign(unpacked("wmt16"), lp="en-cs")},
        12,
        6,
    )
    yield Limited(
        "acc-star of all metrics of WMT22 zh-en, 1,000 draws",
        'assay.meta([campaign], gold="mqm", level="segment", statistics="acc-star", resamples=1000,'
        " runtime=one_thread)",
        names | {"campaign": assay.load_campaign(unpacked("wmt22"), lp="zh-en")},
        20,
        8,
    )
    write_scores(folder / "large")
    yield Limited(
        f"loading {METRICS} metrics x {SYSTEMS} systems x {SEGMENTS:,} segments",
        'assay.load_campaign(folder, lp="en-de")',
        names | {"folder": folder / "large"},
        4,
        2,
    )


def loading_and_table() -> tuple[Measured, Measured]:
    """A language pair with all of its data, and its table."""
    folder = unpacked("wmt22")
    names = {"assay": assay, "folder": folder, "campaign": assay.load_campaign(folder, lp="zh-en")}
    loading = timed(
        Limited(
            "loading WMT22 zh-en with its texts, 64 metric files and 10 human scores",
            'assay.load_campaign(folder, lp="zh-en")',
            names,
            2,
        ),
        rounds=3,
    )
    table = timed(
        Limited(
            "its full meta-evaluation table against MQM, without intervals",
            '(assay.meta([campaign], gold="mqm", resamples=0), assay.meta([campaign], gold="mqm", level="segment",'
            ' statistics=["kendall", "acc-star"], resamples=0))',
            names,
            2,
        ),
        rounds=3,
    )
    return loading, table


def made_up_systems() -> assay.TestSet:
    """Systems made of the outputs of WMT22 en-de."""
    references, outputs = texts("wmt22", "en-de", ("refA",))
    systems = mixed_outputs([column[:COMPARED_SEGMENTS] for column in outputs.values()], SYSTEMS)
    return assay.load(outputs=systems, references={"refA": references["refA"][:COMPARED_SEGMENTS]})


def mixed_outputs(columns: Sequence[Sequence[str]], count: int) -> dict[str, list[str]]:
    """Systems that mix real outputs, so that no two are the same."""
    generator = random.Random(1)

    def mixed(own: Sequence[str]) -> list[str]:
        return [generator.choice(columns)[i] if generator.random() < _REPLACED else own[i] for i in range(len(own))]

    return {f"system{k + 1}": mixed(columns[k % len(columns)]) for k in range(count)}


def write_scores(folder: Path) -> None:
    """A campaign in the layout of mt-metrics-eval, with short texts. All metrics have the same scores: one file."""
    generator = random.Random(2)
    systems = [f"system{k + 1}" for k in range(SYSTEMS)]
    lines = [f"segment {i + 1}\n" for i in range(SEGMENTS)]
    for name in ("sources/en-de.txt", "references/en-de.refA.txt", *(f"system-outputs/en-de/{s}.txt" for s in systems)):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(lines), encoding="utf-8")
    scores = folder / "metric-scores" / "en-de"
    scores.mkdir(parents=True)
    rows = (f"{system}\t{generator.uniform(0, 100):.4f}\n" for system in systems for _ in range(SEGMENTS))
    first = scores / "metric1-refA.seg.score"
    first.write_text("".join(rows), encoding="utf-8")
    for k in range(1, METRICS):
        os.link(first, scores / f"metric{k + 1}-refA.seg.score")
