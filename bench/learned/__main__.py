"""Make the checkpoint, run what is asked for, and print the tables of docs/methods/learned-metrics.md, "On a GPU".

python -m bench.learned FOLDER --texts CAMPAIGN --tokenizer TOKENIZER.json --official PACKAGES [--runs RUN…]

FOLDER keeps the checkpoint, which is made once, and the results, so that runs can be spread over several calls.
PACKAGES is a folder with unbabel-comet 2.2.7 and what it needs (`pip install --target`), besides torch.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from bench.learned import tables

ROOT = Path(__file__).parents[2]
RUNS: dict[str, dict[str, Any]] = {
    "ours-fp32": {"by": "ours", "precision": "fp32", "rounds": 2, "cached": False},
    "ours-fp16": {"by": "ours", "precision": "fp16", "rounds": 5, "cached": False},
    "ours-bf16": {"by": "ours", "precision": "bf16", "rounds": 5, "cached": False},
    "ours-again": {"by": "ours", "precision": "fp16", "rounds": 3, "cached": True},
    "comet-score": {"by": "official", "do": "comet-score", "precision": "fp16"},
    "predict-fp16": {"by": "official", "do": "predict", "precision": "fp16", "batch_size": None, "in_one_call": False},
    "predict-fp16-at-once": {
        "by": "official",
        "do": "predict",
        "precision": "fp16",
        "batch_size": None,
        "in_one_call": True,
    },
    "predict-fp32-16": {"by": "official", "do": "predict", "precision": "fp32", "batch_size": 16, "in_one_call": False},
    "predict-fp32": {"by": "official", "do": "predict", "precision": "fp32", "batch_size": None, "in_one_call": False},
}
"""A batch size of None: as many tokens in a batch, with padding, as in ours."""


def main() -> int:
    """Run, and print the results of all runs so far. A run that fails does not keep the others from running."""
    arguments = _arguments()
    folder: Path = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    common = {
        "model": str((folder / "model").resolve()),
        "texts": str(arguments.texts.resolve()),
        "tokenizer": str(arguments.tokenizer.resolve()),
        "is_tiny": arguments.tiny,
        "device": "cpu" if arguments.tiny else "cuda",
    }
    if not (folder / "model" / "hparams.yaml").exists():
        _in_process("make", {"by": "official", "do": "make", **common}, folder, arguments.official)
    failed = []
    for name in arguments.runs:
        try:
            result = _measure(name, RUNS[name] | common, folder, arguments.official)
        except (RuntimeError, FileNotFoundError) as error:  # one that failed, or that it needs
            failed.append(name)
            print(error, flush=True)
        else:
            print(name, {key: value for key, value in result.items() if key != "scores"}, flush=True)
    print(tables.all_of({name: _read(folder, name) for name in RUNS if _path(folder, name).exists()}))
    return int(bool(failed))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.learned")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--official", type=Path, required=True)
    parser.add_argument("--runs", nargs="+", choices=RUNS, default=list(RUNS))
    parser.add_argument("--tiny", action="store_true", help="a tiny network on the CPU")
    return parser.parse_args()


def _measure(name: str, task: dict[str, Any], folder: Path, official: Path) -> dict[str, Any]:
    if task.get("batch_size", 0) is None:
        ours = _read(folder, f"ours-{task['precision']}")
        search = task | {"do": "batch-size", "tokens": ours["tokens"] / ours["batches"]}
        task |= _in_process(f"{name}-batch-size", search, folder, official)
    return _in_process(name, task, folder, official)


def _in_process(name: str, task: dict[str, Any], folder: Path, official: Path) -> dict[str, Any]:
    """Run a task with its own packages; the whole process includes imports and loading, but no repetitions."""
    task_file, result_file = folder / f"{name}.task.json", _path(folder, name)
    result_file.unlink(missing_ok=True)  # of an earlier run
    task_file.write_text(json.dumps(task), encoding="utf-8")
    first = ROOT / "src" if task["by"] == "ours" else official.resolve()
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(first), str(ROOT)]), "HF_HUB_OFFLINE": "1"}
    environment.pop("ASSAY_CACHE", None)
    start = time.perf_counter()
    command = [sys.executable, "-m", f"bench.learned.{task['by']}", str(task_file), str(result_file)]
    log = folder / f"{name}.log"
    with log.open("w", encoding="utf-8") as output:
        code = subprocess.run(command, check=False, env=environment, stdout=output, stderr=output).returncode
    if code:
        raise RuntimeError(f"{name} failed:\n{log.read_text(encoding='utf-8')[-4000:]}")
    elapsed = time.perf_counter() - start
    result = _read(folder, name)
    result |= {"whole": elapsed - result.get("extra", 0.0), "precision": task.get("precision")}
    result_file.write_text(json.dumps(result), encoding="utf-8")
    return result


def _path(folder: Path, name: str) -> Path:
    return folder / f"{name}.json"


def _read(folder: Path, name: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(_path(folder, name).read_text(encoding="utf-8"))
    return result


if __name__ == "__main__":
    sys.exit(main())
