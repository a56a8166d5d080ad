"""Run every comparison, print the table, and write docs/benchmarks.md and build/bench.json."""

from __future__ import annotations

import datetime
import itertools
import json
import os
import platform
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import assay  # noqa: E402
from assay.study.meta import meta  # noqa: E402
from bench import (  # noqa: E402
    agreement,
    commands,
    drop_in,
    edits,
    kernels,
    limits,
    metric_tests,
    ngrams,
    paired,
    peers,
    resampling,
    scale,
    viewer,
)
from bench.harness import Result, run  # noqa: E402
from tests.archives import unpacked  # noqa: E402

ROOT = Path(__file__).parents[1]
MEMORY_LIMIT_MB = 100
LOADING_LIMIT_S = 2
GROWTH_LIMIT = 1.2  # per segment, from 10,000 segments to a million

PAGE = """# Speed

The ratio is the other tool's CPU time divided by Assay's; higher is better. Both tools run alternately in one process,
on one thread, from Python lists of strings to scores; times are medians. Every run checks that both give the same
numbers (scores to 1e-9; fastchrf, which computes in single precision, to 1e-3; intervals to 10 %, because the tools
draw different resamples). Commands are timed as whole processes. A score with its interval is Assay's
`score(…, agg="corpus")` and sacreBLEU's `corpus_score(…, n_bootstrap=1000)`; other scores are without intervals.
Data: WMT22 en-de and WMT19 en-zh; for 100,000 segments, all systems of WMT17, WMT19 and WMT22 en-de. *Minimum* and
*target* are the project's own goals. `make bench` generates this page.

{machine}

| task | tool | tool ms | Assay ms | ratio | minimum | target |
|---|---|--:|--:|--:|--:|--:|
{rows}

Additional memory for scoring 100,000 segments, after loading the texts: {memory} (limit: {limit} MB).

{growth}

Large tasks, on one thread:

| task | CPU seconds | limit | target |
|---|--:|--:|--:|
{limited}

Loading WMT22 zh-en with its texts, 64 metric files and 10 human scores: LOADING.
Computing its full meta-evaluation table against MQM, with and without outliers, with Pearson at system level, Kendall
and acc-star at segment level, other human scores and random metrics, without intervals: TABLE.

Tests between metrics: all 435 pairs of 30 metrics on 15 systems and 2,000 segments, with 1,000 resamples on one thread.
mt-metrics-eval would take about 20 minutes (Pearson), 36 hours (acc-star), days (Kendall by item) and 5 hours (soft
pairwise accuracy).

| statistic and test | CPU s | limit | target |
|---|--:|--:|--:|
{tests}

Segment viewer of a report with 10,000 segments of 10 systems under three metrics, in Chromium: elapsed time from a
change of a control until the browser shows the new page of 50 segments.

| change | ms | limit | target |
|---|--:|--:|--:|
{viewed}
"""


def main() -> int:
    """Return exit code 1 if a minimum or a limit is missed."""
    results: list[Result] = []
    groups = (agreement, kernels, resampling, paired, drop_in, ngrams, edits, peers, scale)
    timed = map(run, itertools.chain.from_iterable(group.cases() for group in groups))
    for result in itertools.chain(commands.results(), timed):
        results.append(result)
        print(
            f"{result.name:<62}{result.peer:>10} {result.peer_ms:>12,.1f} {result.our_ms:>8.2f}"
            f" {result.ratio:>10,.1f}x  minimum {result.minimum:g} target {result.target:g}: {result.verdict}",
            flush=True,
        )
    memory = {spec: scale.added_memory(spec) for spec in ("bleu", "chrf")}
    print("added memory, MB:", memory)
    growth = resampling.growth()
    print("microseconds per segment:", growth)
    loading = min(seconds_to_load() for _ in range(3))
    table = min(seconds_for_the_table() for _ in range(3))
    print("loading WMT22 zh-en, s:", loading, "its table, s:", table)
    limited = []
    for measured in limits.results():
        limited.append(measured)
        print(
            f"{measured.name:<75}{measured.seconds:>7.2f} s  limit {measured.limit:g}: {measured.verdict}", flush=True
        )
    tests = list(metric_tests.timings())
    print(*(f"{test.name}: {test.seconds:.2f} s" for test in tests), sep="\n")
    viewed = list(viewer.timings())
    print(*(f"viewer, {view.name}: {view.milliseconds:.0f} ms" for view in viewed), sep="\n")
    write(results, memory, growth, limited, loading, table, tests, viewed)
    missed = "MISSED" in [*(r.verdict for r in results), *(measured.verdict for measured in limited)]
    slow = (
        missed
        or any(each.is_missed for each in tests)
        or any(each.is_missed for each in viewed)
        or loading > LOADING_LIMIT_S
        or table > loading
    )
    grows = growth[1_000_000] > GROWTH_LIMIT * growth[10_000]
    return int(slow or grows or max(memory.values()) > MEMORY_LIMIT_MB)


def seconds_to_load() -> float:
    """CPU time of loading a language pair with all of its data."""
    folder = unpacked("wmt22").parent
    start = time.process_time()
    assay.load_campaign(folder / "wmt22", lp="zh-en")
    return time.process_time() - start


def seconds_for_the_table() -> float:
    """CPU time of comparing all metrics of a language pair with human scores."""
    campaign = assay.load_campaign(unpacked("wmt22"), lp="zh-en")
    start = time.process_time()
    meta([campaign], gold="mqm", resamples=0)
    meta([campaign], gold="mqm", level="segment", statistics=["kendall", "acc-star"], resamples=0)
    return time.process_time() - start


def write(
    results: list[Result],
    memory: dict[str, float],
    growth: dict[int, float],
    limited: list[limits.Measured],
    loading: float,
    table: float,
    tests: list[metric_tests.Timing],
    viewed: list[viewer.Timing],
) -> None:
    """Write docs/benchmarks.md, and the figures as JSON."""
    rows = "\n".join(
        f"| {r.name} | {r.peer} | {r.peer_ms:,.1f} | {r.our_ms:,.2f} | **{r.ratio:,.1f}** "
        f"| {r.minimum:,g} | {r.target:,g} |"
        for r in results
    )
    spent = ", ".join(f"{spec} {megabytes:.0f} MB" for spec, megabytes in memory.items())
    costs = ", ".join(f"{cost:.2f} µs at {size:,} segments" for size, cost in growth.items())
    grown = f"CPU time per segment of corpus BLEU with its interval of 1,000 resamples: {costs}."
    tasks = "\n".join(f"| {m.name} | {m.seconds:.1f} | {m.limit:g} | {m.target:g} |" for m in limited)
    timed = "\n".join(f"| {test.name} | {test.seconds:.2f} | {test.limit:g} | {test.target:g} |" for test in tests)
    views = "\n".join(
        f"| {view.name} | {view.milliseconds:.0f} | {view.limit:g} | {view.target:g} |" for view in viewed
    )
    page = PAGE.format(
        machine=machine(),
        rows=rows,
        memory=spent,
        limit=MEMORY_LIMIT_MB,
        growth=grown,
        limited=tasks,
        tests=timed,
        viewed=views,
    )
    page = page.replace("LOADING", f"{loading:.2f} s of CPU (limit: {LOADING_LIMIT_S} s)")
    page = page.replace("TABLE", f"{table:.2f} s (limit: less than loading)")
    (ROOT / "docs" / "benchmarks.md").write_text(page, encoding="utf-8")
    (ROOT / "build").mkdir(exist_ok=True)
    figures = {"results": [vars(r) | {"ratio": r.ratio} for r in results], "memory_mb": memory, "loading_s": loading}
    figures["microseconds_per_segment"] = growth
    figures["table_s"] = table
    figures["limited"] = [vars(m) for m in limited]
    figures["metric_tests"] = [vars(test) for test in tests]
    figures["viewer"] = [vars(view) for view in viewed]
    (ROOT / "build" / "bench.json").write_text(json.dumps(figures, indent=1), encoding="utf-8")


def machine() -> str:
    """Date, processor and package versions."""
    models = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    processor = models[0].partition(":")[2].strip() if models else platform.processor()
    packages = ("assay", "numpy", "scipy", "sacrebleu", "nltk", "bleuscore", "fastchrf", "jiwer")
    return (
        f"Measured on {datetime.date.today():%Y-%m-%d}: {processor}, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}, {', '.join(filter(None, map(_package, packages)))}."
    )


def _package(name: str) -> str | None:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return None


if __name__ == "__main__":
    sys.exit(main())
