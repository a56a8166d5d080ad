"""Run the five papers on the WMT archives in $ASSAY_DATA and write docs/reproduction.md.

python -m scripts.reproduction [PAPER...]

With names of papers, only these are run, and the others stay on the page as they are. Metrics of WMT13 that need
annotations are computed if `python -m scripts.annotate_wmt13` has made them.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay import reproduce
from assay.files.resources import resource_folder
from assay.reports import document, renderer
from assay.reproduction import PAPERS
from assay.results import Reproduction, Result
from assay.results.reproduction import UNAVAILABLE, VERDICTS
from scripts import annotate_wmt13, archives

PAGE = Path(__file__).parents[1] / "docs" / "reproduction.md"
OTHERS = {
    "tangled": ("wmt20", "wmt21.news", "wmt22"),
    "aggregation": ("wmt17", "wmt21.news", "wmt22"),
    "wmt13": ("wmt12",),
}
"""Test sets beside those of the paper, which stand in for what is not at hand, or which metrics are learnt from."""
SACREBLEU_HOURS = 97
"""CPU hours of the aggregation study with sacreBLEU as the paper ran it."""


def main(papers: Sequence[str]) -> None:
    """Write the page."""
    chosen = [paper for paper in PAPERS if paper in papers or not papers]
    if unknown := set(papers) - PAPERS.keys():
        sys.exit(f"unknown: {', '.join(unknown)}; available: {', '.join(PAPERS)}")
    results, seconds = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for paper in chosen:
            data = Path(folder) / paper
            link_test_sets(data, paper)
            start = time.process_time()
            results[paper] = reproduce(paper, data=data, **_options(paper))
            seconds[paper] = time.process_time() - start
            print(f"{paper}: {seconds[paper]:.0f} s of CPU time", file=sys.stderr)
    previous = PAGE.read_text(encoding="utf-8") if papers else ""
    text = "\n".join(page(results, seconds, previous))
    name = re.escape(Path(folder).name).replace("_", r"\\?_")  # tables may escape it
    text = re.sub(rf"\S*/{name}", "DATA", text)  # notes may shorten the path
    resources = resource_folder()
    for place in (resources, os.path.relpath(resources)):
        text = re.sub(rf"…?{re.escape(str(place))}", "RESOURCES", text)
    text = text.replace(str(Path.home()), "~")
    PAGE.write_text(f"{text}\n", encoding="utf-8")


def link_test_sets(data: Path, paper: str) -> None:
    """Link the test sets of a paper into a folder: its own and the others, as far as their archives are at hand."""
    data.mkdir(parents=True)
    for name in (*PAPERS[paper].test_sets, *OTHERS.get(paper, ())):
        if archives.is_there(name):
            (data / name).symlink_to(archives.unpacked(name))


def _options(paper: str) -> dict[str, Any]:
    if paper == "wmt13" and annotate_wmt13.FOLDER.is_dir():
        return {"annotations": annotate_wmt13.FOLDER}
    return {"as_published": True} if paper == "aggregation" else {}


@dataclass(frozen=True)
class _Part:
    """What the page has of a paper."""

    counts: str
    cost: str
    recommendations: list[str]
    not_run: list[str]
    section: str


def page(results: Mapping[str, Reproduction], seconds: Mapping[str, float], previous: str = "") -> Iterator[str]:
    """The lines of the page; papers without a result stay as they are on the previous one."""
    parts = {
        paper: _new_part(paper, results[paper], seconds[paper]) if paper in results else _previous_part(paper, previous)
        for paper in PAPERS
    }
    yield "# Five papers, run again\n"
    yield "<!-- written by scripts/reproduction.py (make reproduction) -->\n"
    yield (
        "Assay is built on these papers. Each is one command, made of public functions only, which computes the "
        "paper's numbers again and says why they differ where they do: `assay reproduce PAPER --data FOLDER`. With "
        "`-o FOLDER` it also writes every result and the paper's figures, and `-o FILE.html` makes one page of all.\n"
    )
    yield from _counts([part.counts for part in parts.values()])
    yield from (part.cost for part in parts.values() if part.cost)
    yield "## What the papers recommend, and what these data say\n"
    yield "| paper | recommends or concludes | these data |\n|---|---|---|"
    for part in parts.values():
        yield from part.recommendations
    yield "\n## What cannot be run\n"
    for part in parts.values():
        yield from part.not_run
    for part in parts.values():
        yield part.section


def _new_part(paper: str, result: Reproduction, seconds: float) -> _Part:
    counts = " | ".join(map(str, (result.published, *result.counts.values())))
    return _Part(
        f"| [`{paper}`](#{paper}) | {PAPERS[paper].title} | {counts} | {seconds:.0f} s |",
        _cost(result, seconds) if paper == "aggregation" else "",
        [f"| [{paper}](#{paper}) | {_cell(x.recommended)} | {_cell(x.found)} |" for x in result.recommendations],
        list(_not_run(paper, result)),
        "\n".join(_section(paper, result)),
    )


def _previous_part(paper: str, previous: str) -> _Part:
    lines = previous.splitlines()
    section = re.search(rf"^(\n## {paper}\n.*?)\n(?=\n## |\Z)", previous, re.M | re.S)
    if section is None:
        raise ValueError(f"{PAGE} has no section {paper}")
    return _Part(
        next(line for line in lines if line.startswith(f"| [`{paper}`]")),
        next(line for line in lines if line.startswith("With sacreBLEU")) + "\n" if paper == "aggregation" else "",
        [line for line in lines if line.startswith(f"| [{paper}]")],
        [line for line in lines if line.startswith(f"- {paper}, ")],
        section[1],
    )


def _section(paper: str, result: Reproduction) -> Iterator[str]:
    yield f"\n## {paper}\n"
    yield _markdown(replace(result, recommendations=()))
    for name, caption in result.tables.items():
        yield f"\n<details><summary>{caption}</summary>\n\n{_markdown(result.results[name])}\n\n</details>"


def _not_run(paper: str, result: Reproduction) -> Iterator[str]:
    missing: dict[tuple[str, str], list[str]] = {}
    for number in result:
        if number.verdict in UNAVAILABLE:
            missing.setdefault((number.verdict, number.reason), []).append(f"{number.where}, {number.quantity}")
    for (verdict, reason), quantities in missing.items():
        yield f"- {paper}, {verdict}: {'; '.join(quantities)}. Why: {reason}."


def _markdown(result: Result) -> str:
    return str(renderer.create("md").render(document(result))).rstrip()


def _counts(rows: Sequence[str]) -> Iterator[str]:
    yield f"| command | paper | published | {' | '.join(VERDICTS)} | CPU time |"
    yield "|---|---|" + "--:|" * (len(VERDICTS) + 2)
    yield from rows
    columns = zip(*(row.strip("| s").split(" | ")[2:] for row in rows), strict=True)
    yield f"| all | | {' | '.join(str(sum(map(int, column))) for column in columns)} s |\n"
    yield (
        "*published*: the numbers of the paper's tables, and the claims of its text. Not counted, because their digits "
        "are not at hand: the correlations of Tables 1 to 5 of `tangled`, and the numbers of extracted pairs of ru-en "
        "and out of English of `wmt13`. Nor are the points of figures, and the skewness, for which "
        "`aggregation` has rows and the paper no digits. "
    ) + " ".join(f"*{verdict}*: {meaning}." for verdict, meaning in VERDICTS.items())
    yield "The page is made with `--as-published`, which adds the rows of transposed references to `aggregation`.\n"


def _cost(result: Reproduction, seconds: float) -> str:
    systems = next(each.ours.value for each in result if each.quantity.startswith("systems"))
    ratio = SACREBLEU_HOURS * 3600 / seconds
    return (
        "With sacreBLEU, the study of aggregations as the paper ran it (492 systems of WMT23, 1,000 resamples of 1,000 "
        f"segments) was estimated at {SACREBLEU_HOURS} hours of CPU time. Ours takes {seconds:.0f} s, about "
        f"{round(ratio, -3):,.0f} times less, for {systems:.0f} systems of other years, including samples of segments "
        "and correlations with people.\n"
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")


if __name__ == "__main__":
    main(sys.argv[1:])
