"""The texts to judge, a JSON list of [source, output]: `python -m bench.judge.texts wmt25 en-is_IS COUNT FILE`.

Needs the WMT archives in $ASSAY_DATA.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path


def from_archive(name: str, lp: str, count: int) -> list[tuple[str, str]]:
    """Distinct outputs of a campaign, drawn at random."""
    from scripts import archives

    root = archives.unpacked(name)
    sources = archives.lines(root / "sources" / f"{lp}.txt")
    outputs = [archives.lines(path) for path in sorted((root / "system-outputs" / lp).iterdir())]
    pairs = sorted({pair for column in outputs for pair in zip(sources, column, strict=True) if pair[1].strip()})
    return random.Random(1).sample(pairs, count)


if __name__ == "__main__":
    campaign, pair, number, path = sys.argv[1:]
    Path(path).write_text(json.dumps(from_archive(campaign, pair, int(number))), encoding="utf-8")
