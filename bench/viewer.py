"""The segment viewer of a report in Chromium: how long it takes to sort and to filter."""

from __future__ import annotations

import itertools
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import assay
from assay.results import Run
from assay.study.report import report
from bench.harness import Measured
from tests.archives import unpacked

SEGMENTS, SYSTEMS = 10_000, 10
LIMIT_MS, TARGET_MS = 300, 100
ROUNDS = 7
_ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
_ACTIONS: Mapping[str, tuple[str, tuple[str, str]]] = {
    "sort by difference": ("order", ("b", "a")),
    "sort by score": ("order", ("low", "high")),
    "filter by which system is better": ("show", ("a", "")),
    "filter by domain": ("[data-filter='0']", ("1", "")),
    "filter by score": ("high", ("40", "60")),
    "search in all texts": ("search", ("Haus", "und ")),
    "search for what no text has": ("search", ("no text has this", "nor this")),
    "another pair": ("b", ("4", "5")),
    "another metric": ("metric", ("1", "0")),
    "characters that differ": ("mark", ("characters", "words")),
}
"""What is changed, and the two values between which it alternates."""

_MEASURE = """([control, value]) => {
  const node = document.querySelector(control.startsWith("[") ? control : `[data-control=${control}]`);
  const start = performance.now();
  node.value = value;
  node.dispatchEvent(new Event("input", { bubbles: true }));
  document.querySelector("[data-part=list]").getBoundingClientRect();  // with the layout
  return performance.now() - start;
}"""


def timings() -> Iterator[Measured]:
    """Medians of each action; nothing where Chromium is missing."""
    executable = shutil.which("chromium")
    if executable is None:
        return
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        file = Path(folder) / "report.html"
        file.write_text(report(made_up_run()), encoding="utf-8")
        browser = started.chromium.launch(executable_path=executable, args=_ARGUMENTS)
        opened = browser.new_page(viewport={"width": 1400, "height": 900})
        opened.goto(file.as_uri())
        for name, (control, values) in _ACTIONS.items():
            rounds = itertools.islice(itertools.cycle(values), ROUNDS)
            median = statistics.median(opened.evaluate(_MEASURE, [control, value]) for value in rounds)
            yield Measured(name, median, "ms", LIMIT_MS, TARGET_MS, "")
            opened.evaluate("document.querySelector('[data-action=reset]').click()")
        browser.close()


def made_up_run() -> Run:
    """Scores of systems that have the outputs of WMT22 en-de several times over, in different orders."""
    campaign = assay.load_campaign(unpacked("wmt22"), lp="en-de")
    given = campaign.select_texts(references=["refA"], keep_references=True)
    repeated = given.take([place % len(given) for place in range(SEGMENTS)])
    columns = itertools.islice(itertools.cycle(repeated.outputs.values()), SYSTEMS)
    outputs = {f"system{k + 1}": column for k, column in enumerate(columns)}
    return assay.score(replace(repeated, outputs=outputs), ["bleu", "chrf", "ter"], resamples=0)
