"""Score made-up texts with the official programs of learned metrics, on checkpoints with random weights.

python -m scripts.official_scores [FOLDER]        (default: build/official; `make test-neural` runs it)

Run it with an environment that has these programs (tests/oracle-constraints.txt). For each checkpoint it writes a
folder with `model/` (in the official format, made by the official classes), `texts.json` and `scores.json`, with which
the tests compare Assay's own scores, and `made_by.json`. A folder is made again when these scripts or the versions of
the programs change.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from scripts.official_scores import bleurt, comet, metricx
from scripts.official_scores.texts import SEGMENTS

FOLDER = Path(__file__).parents[2] / "build" / "official"
RESOURCES = Path(__file__).parents[2] / "build" / "resources"
PROGRAMS = ("unbabel-comet", "bleurt-pytorch", "transformers", "tokenizers", "sentencepiece", "torch")

CHECKPOINTS: dict[str, Callable[[Path, Path], dict[str, Any]]] = {
    **comet.CHECKPOINTS,
    **bleurt.CHECKPOINTS,
    **metricx.CHECKPOINTS,
}
"""By name, a function that writes a checkpoint into a folder, given that of the resources, and returns scores."""


def main(folder: Path = FOLDER) -> None:
    """Make what is missing or was made by something else."""
    makers = _makers()
    for name, make in CHECKPOINTS.items():
        target = folder / name
        if _read(target / "made_by.json") == makers:
            continue
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        scores = make(target / "model", RESOURCES)
        _write(target / "texts.json", SEGMENTS)
        _write(target / "scores.json", scores)
        _write(target / "made_by.json", makers)  # the last one: the folder is complete
        print(f"{name}: {len(scores['scores'])} scores")


def _makers() -> dict[str, str]:
    """The digest of these scripts, and the versions of the programs."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    return {"scripts": digest, **{name: metadata.version(name) for name in PROGRAMS}}


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def _write(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(*(Path(argument).resolve() for argument in sys.argv[1:]))
