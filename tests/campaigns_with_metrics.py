"""Small campaigns with texts, people and metrics."""

from __future__ import annotations

import numpy as np

from assay.types import Campaign, ScoreTable, TestSet

SYSTEMS = ("a", "b", "c", "d", "e", "far", "refA", "refB")
QUALITY = np.array([1.0, 2.0, 3.0, 4.0, 5.0, -40.0, 6.0, 7.0])
SEGMENTS = 6


def metric(name, noise, *, level="system", references=("refA",), systems=SYSTEMS, seed=1, **changes):
    random = np.random.Generator(np.random.PCG64(seed))
    values = QUALITY[:, np.newaxis] + noise * random.normal(size=(len(SYSTEMS), 1 if level == "system" else SEGMENTS))
    table = ScoreTable(name, level, SYSTEMS, values, references=references, **changes)
    return table.take(systems) if systems != SYSTEMS else table


def human(level="system", name="da", seed=9):
    table = metric(name, 0.5, level=level, references=(), seed=seed)
    return ScoreTable(name, level, SYSTEMS, 45 + table.values, protocol="DA")


def campaign(lp="de-en", **changes):
    texts = {name: tuple(f"word{k} of {name}" for k in range(SEGMENTS)) for name in SYSTEMS}
    fields = {
        "name": "wmt99",
        "lp": lp,
        "segments": SEGMENTS,
        "systems": SYSTEMS,
        "references": ("refA", "refB"),
        "testset": TestSet(outputs=texts, references={n: texts[n] for n in ("refA", "refB")}, lp=lp, name="wmt99"),
        "scores": (
            human(),
            human("segment"),
            metric("good", 0.1),
            metric("good", 0.2, level="segment"),
            metric("good", 0.3, references=("refB",)),
            metric("fair", 2.0, references=("refA", "refB")),
            metric("poor", 9.0, references=(), level="segment"),
        ),
    }
    return Campaign(**fields | changes)
