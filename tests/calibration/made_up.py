"""Made-up campaigns in which people judge every segment of every system."""

from __future__ import annotations

import numpy as np

from assay.types import Campaign, ScoreTable, TestSet

SEGMENTS = 40


def campaign(lp="de-en", name="wmt98", *, quality=(0.0, 0.1, 1.0, 2.0), seed=5, domains=False, gold="wmt-z"):
    """Systems of rising quality: the better ones have more words right, and higher human scores."""
    random = np.random.Generator(np.random.PCG64(seed))
    systems = tuple(f"s{k}" for k in range(len(quality)))
    reference = tuple(f"one two three four five six seven eight nine ten {k}" for k in range(SEGMENTS))
    outputs = {
        system: tuple(" ".join(_kept(text.split(), good, random)) for text in reference)
        for system, good in zip(systems, quality, strict=True)
    }
    values = np.array(quality)[:, np.newaxis] + random.normal(size=(len(systems), SEGMENTS))
    testset = TestSet(
        outputs=outputs,
        references={"ref": reference},
        lp=lp,
        name=name,
        domains=tuple("news" if k % 2 else "social" for k in range(SEGMENTS)) if domains else None,
    )
    human = ScoreTable(gold, "segment", systems, values, protocol="DA-z")
    stored = ScoreTable("Stored", "system", systems, np.array(quality)[:, np.newaxis], references=("ref",))
    return Campaign(name, lp, SEGMENTS, systems, ("ref",), testset, (human, stored))


def _kept(words, quality, random):
    chance = 0.5 + 0.2 * quality
    return [word if random.random() < chance else "wrong" for word in words]
