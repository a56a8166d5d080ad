"""Measure all groups or those named, keep the figures in build/bench.json, and write docs/benchmarks.md from them."""

from __future__ import annotations

import datetime
import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

from bench import growth_chart  # noqa: E402
from bench.groups import GROUPS, Group  # noqa: E402
from bench.growth import Point  # noqa: E402
from bench.harness import Measured, Result  # noqa: E402
from bench.page import Measurement, page, sections  # noqa: E402

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "build" / "bench.json"
PAGE = ROOT / "docs" / "benchmarks.md"
_ROWS = {kind.__name__: kind for kind in (Result, Measured, Point)}


def main(names: list[str]) -> int:
    """Return exit code 1 if a minimum or a limit is missed, 2 for an unknown group."""
    unknown = set(names) - {group.name for group in GROUPS}
    if unknown:
        print(f"unknown: {', '.join(unknown)}; available: {', '.join(group.name for group in GROUPS)}", file=sys.stderr)
        return 2
    chosen = [group for group in GROUPS if group.name in names or not names]
    measurements = read()
    for group in chosen:
        measured = measure(group)
        if not measured.rows:
            print(f"{group.name}: nothing was measured, because the other tools are not installed")
            continue
        measurements[group.name] = measured
        save(measurements)
    write(measurements)
    rows = (row for group in chosen if group.name in measurements for row in measurements[group.name].rows)
    return int(any(row.verdict == "MISSED" for row in rows))


def measure(group: Group) -> Measurement:
    """Run a group and print its rows as they come."""
    when = _when()
    rows = []
    for row in group.measure():
        rows.append(row)
        print(row, flush=True)
    return Measurement(when, _machine(), rows)


def save(measurements: Mapping[str, Measurement]) -> None:
    """Keep what was measured; after each group, so that nothing is lost if a later one fails."""
    figures = {
        name: {
            "when": measurement.when,
            "machine": measurement.machine,
            "rows": [{"kind": type(row).__name__, **vars(row)} for row in measurement.rows],
        }
        for name, measurement in measurements.items()
    }
    FIGURES.parent.mkdir(exist_ok=True)
    FIGURES.write_text(json.dumps({"groups": figures}, indent=1, ensure_ascii=False), encoding="utf-8")


def read() -> dict[str, Measurement]:
    """What was measured before."""
    if not FIGURES.exists():
        return {}
    figures = json.loads(FIGURES.read_text(encoding="utf-8")).get("groups", {})
    known = {group.name for group in GROUPS}
    return {
        name: Measurement(figure["when"], figure["machine"], [_ROWS[row.pop("kind")](**row) for row in figure["rows"]])
        for name, figure in figures.items()
        if name in known
    }


def write(measurements: Mapping[str, Measurement]) -> None:
    """The page and its chart. A group that build/bench.json lacks stays as it is on the page."""
    previous = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    known = sections(previous)
    missing = [group.name for group in GROUPS if group.name not in measurements and group.title not in known]
    if missing:
        print(f"{PAGE.relative_to(ROOT)} is as before, because these were never measured: {', '.join(missing)}")
        return
    if "growth" in measurements:
        points = [row for row in measurements["growth"].rows if isinstance(row, Point)]
        (ROOT / "docs" / "images" / "growth.svg").write_text(growth_chart.svg(points), encoding="utf-8")
    PAGE.write_text(page(measurements, previous), encoding="utf-8")


def _when() -> str:
    load = os.getloadavg()[0]
    return (
        f"Measured on {datetime.date.today():%Y-%m-%d}, source at {_commit()}; load of the machine before: {load:.1f}."
    )


def _commit() -> str:
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty=, with changes"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return described.stdout.strip()


def _machine() -> str:
    models = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    processor = models[0].partition(":")[2].strip() if models else platform.processor()
    packages = (
        "assay",
        "numpy",
        "scipy",
        "sacrebleu",
        "nltk",
        "bleuscore",
        "fastchrf",
        "jiwer",
        "cer",
        "torchmetrics",
        "mbrs",
    )
    installed = ", ".join(filter(None, map(_package, packages)))
    return f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}, {installed}"


def _package(name: str) -> str | None:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
