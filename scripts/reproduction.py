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
from assay.reports import document, renderer
from assay.reproduction import PAPERS
from assay.results import Reproduction, Result
from assay.results.reproduction import VERDICTS
from tests import archives

PAGE = Path(__file__).parents[1] / "docs" / "reproduction.md"
NOT_AT_HAND = ("wmt23",)
SACREBLEU_HOURS = 97
"""CPU hours of the aggregation study with sacreBLEU as the paper ran it."""


def main() -> None:
    """Write the page."""
    results, seconds = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for name in {name for paper in PAPERS.values() for name in paper.test_sets if name not in NOT_AT_HAND}:
            (Path(folder) / name).symlink_to(archives.unpacked(name))
        for paper in PAPERS:
            start = time.process_time()
            results[paper] = reproduce(paper, data=folder, as_published=paper == "aggregation")
            seconds[paper] = time.process_time() - start
            print(results[paper], f"{seconds[paper]:.0f} s of CPU time", file=sys.stderr)
    PAGE.write_text("\n".join(page(results, seconds)) + "\n", encoding="utf-8")


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
            yield f"| [{paper}](#{paper}) | {_cell(each.recommended)} | {_cell(each.found)} |"
    yield "\n## What cannot be run\n"
    for paper, result in results.items():
        yield from _not_run(paper, result)
    for paper, result in results.items():
        yield f"\n## {paper}\n"
        yield _markdown(replace(result, recommendations=()))
        for name, caption in result.tables.items():
            yield f"\n<details><summary>{caption}</summary>\n\n{_markdown(result.results[name])}\n\n</details>"


def _not_run(paper: str, result: Reproduction) -> Iterator[str]:
    missing: dict[str, list[str]] = {}
    for number in result:
        if number.verdict == "no data":
            missing.setdefault(number.reason, []).append(f"{number.where}, {number.quantity}")
    for reason, quantities in missing.items():
        yield f"- {paper}: {'; '.join(quantities)}. Why: {reason}."


def _markdown(result: Result) -> str:
    return str(renderer.create("md").render(document(result))).rstrip()


def _counts(results: Mapping[str, Reproduction], seconds: Mapping[str, float]) -> Iterator[str]:
    yield f"| command | paper | published | {' | '.join(VERDICTS)} | CPU time |"
    yield "|---|---|" + "--:|" * (len(VERDICTS) + 2)
    for paper, result in results.items():
        counts = " | ".join(map(str, (result.published, *result.counts.values())))
        yield f"| [`{paper}`](#{paper}) | {PAPERS[paper].title} | {counts} | {seconds[paper]:.0f} s |"
    totals = [sum(result.counts[verdict] for result in results.values()) for verdict in VERDICTS]
    published = sum(result.published for result in results.values())
    yield f"| all | | {' | '.join(map(str, (published, *totals)))} | {sum(seconds.values()):.0f} s |\n"
    yield "*published*: all numbers of the paper's tables, and the claims of its text. " + " ".join(
        f"*{verdict}*: {meaning}." for verdict, meaning in VERDICTS.items()
    )
    yield "The page is made with `--as-published`, which adds the rows of transposed references to `aggregation`.\n"


def _cost(result: Reproduction, seconds: float) -> Iterator[str]:
    systems = next(each.ours.value for each in result if each.quantity.startswith("systems"))
    ratio = SACREBLEU_HOURS * 3600 / seconds
    yield (
        "With sacreBLEU, the study of aggregations as the paper ran it (492 systems of WMT23, 1,000 resamples of 1,000 "
        f"segments) was estimated at {SACREBLEU_HOURS} hours of CPU time. Ours takes {seconds:.0f} s, about "
        f"{round(ratio, -3):,.0f} times less, for {systems:.0f} systems of other years, including samples of segments "
        "and correlations with people.\n"
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")


if __name__ == "__main__":
    main()
