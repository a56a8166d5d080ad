"""Score made-up texts with the official programs of learned metrics, on checkpoints with random weights.

python -m scripts.official_scores [FOLDER]        (default: build/official; `make test-neural` runs it)

Run it with an environment that has these programs (tests/oracle-constraints.txt). For each checkpoint it writes a
folder with `model/` (in the official format, made by the official classes), `texts.json` and `scores.json`, with which
the tests compare Assay's own scores.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripts.official_scores import bleurt, comet, metricx
from scripts.official_scores.texts import SEGMENTS

FOLDER = Path(__file__).parents[2] / "build" / "official"
RESOURCES = Path(__file__).parents[2] / "build" / "resources"

CHECKPOINTS: dict[str, Callable[[Path, Path], dict[str, Any]]] = {
    **comet.CHECKPOINTS,
    **bleurt.CHECKPOINTS,
    **metricx.CHECKPOINTS,
}
"""By name, a function that writes a checkpoint into a folder, given that of the resources, and returns scores."""


def main() -> None:
    """Make what is missing. A folder is complete when it has its scores."""
    folder = (Path(sys.argv[1]) if sys.argv[1:] else FOLDER).resolve()
    for name, make in CHECKPOINTS.items():
        target = folder / name
        if (target / "scores.json").exists():
            continue
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        scores = make(target / "model", RESOURCES)
        (target / "texts.json").write_text(json.dumps(SEGMENTS, ensure_ascii=False, indent=1), encoding="utf-8")
        (target / "scores.json").write_text(json.dumps(scores, indent=1), encoding="utf-8")
        print(f"{name}: {len(scores['scores'])} scores")


if __name__ == "__main__":
    main()
