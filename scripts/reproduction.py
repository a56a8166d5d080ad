"""Run the five papers on the WMT archives in $ASSAY_DATA and write docs/reproduction.md.

python -m scripts.reproduction
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from assay import reproduce
from assay.charts import draw, render
from assay.reports import document, renderer
from assay.reproduction import PAPERS
from assay.results import Reproduction
from tests import archives

PAGE = Path(__file__).parents[1] / "docs" / "reproduction.md"
TEST_SETS = ("wmt13", "wmt17", "wmt19", "wmt20", "wmt21.news", "wmt22")
IMAGES = {"outliers": ("tangled", "figure-3-en-de"), "calibration": ("thresholds", "figure-2-bleu")}
"""Figures of the guides: the name in docs/images, the paper and its figure."""
SACREBLEU_HOURS = 97
"""CPU hours of the aggregation study with sacreBLEU as the paper ran it."""


def main() -> None:
    """Write the page."""
    results, seconds = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for name in TEST_SETS:
            (Path(folder) / name).symlink_to(archives.unpacked(name))
        for paper in PAPERS:
            start = time.process_time()
            results[paper] = reproduce(paper, data=folder, as_published=paper == "aggregation")
            seconds[paper] = time.process_time() - start
            print(results[paper], f"{seconds[paper]:.0f} s of CPU time", file=sys.stderr)
    PAGE.write_text("\n".join(page(results, seconds)) + "\n", encoding="utf-8")
    for name, (paper, number) in IMAGES.items():
        figure = results[paper].figures[number]
        chart = draw(figure.chart, *(results[paper].results[source] for source in figure.results))
        (PAGE.parent / "images" / f"{name}.svg").write_bytes(render(chart, "svg"))


def page(results: Mapping[str, Reproduction], seconds: Mapping[str, float]) -> Iterator[str]:
    """The lines of the page."""
    yield "# Five papers, run again\n"
    yield "<!-- written by scripts/reproduction.py (make reproduction) -->\n"
    yield (
        "Assay is built on these papers. Each is one command, made of public functions only, which computes the "
        "paper's numbers again and says why they differ where they do: `assay reproduce PAPER --data FOLDER`. With "
        "`-o FOLDER` it also writes every result and the paper's figures, and `-o FILE.html` makes one page of all.\n"
    )
    yield from _counts(results, seconds)
    yield from _cost(results["aggregation"], seconds["aggregation"])
    yield "## What the papers recommend, and what these data say\n"
    yield "| paper | recommends or concludes | these data |\n|---|---|---|"
    for paper, result in results.items():
        for each in result.recommendations:
            yield f"| [{paper}](#{paper}) | {_cell(each.paper)} | {_cell(each.data)} |"
    yield "\n## What cannot be run\n"
    for paper, result in results.items():
        missing: dict[str, list[str]] = {}
        for number in result:
            if number.verdict == "no data":
                missing.setdefault(number.reason, []).append(number.quantity)
        for reason, quantities in missing.items():
            yield f"- {paper}: {'; '.join(quantities)}. Why: {reason}."
    for paper, result in results.items():
        yield f"\n## {paper}\n"
        yield str(renderer.create("md").render(document(replace(result, recommendations=())))).rstrip()


def _counts(results: Mapping[str, Reproduction], seconds: Mapping[str, float]) -> Iterator[str]:
    verdicts = list(next(iter(results.values())).counts)
    yield f"| command | paper | numbers | {' | '.join(verdicts)} | CPU time |"
    yield "|---|---|" + "--:|" * (len(verdicts) + 2)
    for paper, result in results.items():
        counts = " | ".join(map(str, result.counts.values()))
        yield f"| [`{paper}`](#{paper}) | {PAPERS[paper]} | {len(result)} | {counts} | {seconds[paper]:.0f} s |"
    totals = [sum(result.counts[verdict] for result in results.values()) for verdict in verdicts]
    everything = sum(map(len, results.values()))
    yield f"| all | | {everything} | {' | '.join(map(str, totals))} | {sum(seconds.values()):.0f} s |\n"
    yield (
        "*met*: the same to the printed digits, or the published bound holds. *differs*: the note says why. *not "
        "comparable*: a claim in words, or a number of other data. *not published*: ours, beside the paper's. *no "
        "data*: it cannot be computed here.\n"
    )


def _cost(result: Reproduction, seconds: float) -> Iterator[str]:
    systems = next(each.ours.n for each in result)
    ratio = SACREBLEU_HOURS * 3600 / seconds
    yield (
        f"The study of aggregations was estimated at {SACREBLEU_HOURS} hours of CPU time with sacreBLEU, as the paper "
        f"ran it (492 systems of WMT23, 1,000 resamples of 1,000 segments). Here it took {seconds:.0f} s for "
        f"{systems} systems of other years, with samples of segments and correlations with people: a ratio of about "
        f"{round(ratio, -3):,.0f}, on other data.\n"
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")


if __name__ == "__main__":
    main()
