"""Run the commands of scripts/coverage_items.tsv, one for each item of the five papers, and write docs/coverage.md.

python -m scripts.coverage

They run in a folder with the WMT archives of $ASSAY_DATA, as `wmt`, and with small files. An item works if its command
ends well and prints what is expected; a row of a reproduction that needs data or a model says so itself. Of the
resources in build/resources, they have vectors and METEOR's files: with encoders, the reproduction of eBLEU would take
half an hour. Anything else that goes wrong ends the script.
"""

from __future__ import annotations

import csv
import os
import re
import shlex
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from assay.results.reproduction import UNAVAILABLE
from assay.sample import write
from scripts import resources
from tests import archives

__all__ = ["OUTCOMES", "Item", "Run", "items", "outcome", "page"]

ITEMS = Path(__file__).with_name("coverage_items.tsv")
PAGE = Path(__file__).parents[1] / "docs" / "coverage.md"
TEST_SETS = ("wmt12", "wmt13", "wmt19", "wmt20", "wmt21.flores", "wmt21.news", "wmt22")
RESOURCES = ("wink-en.json", "meteor-1.5")
RATINGS = "formats/esa-wmt24/esa_generalMT2024_wave2.en-hi.csv"
OUTCOMES = ("works", *UNAVAILABLE)
_CODES = {3: "needs data", 4: "needs model"}
_UNKNOWN = 2  # the exit code of a metric or command that Assay does not have, and of annotations that are not given
_ANNOTATIONS = "needs the annotation layer"
_PAIR = (
    '{"source": "He left.", "good-translation": "Er ging fort.", "incorrect-translation": "Er ging.", '
    '"reference": "Er ging weg.", "phenomena": "omission", "langpair": "en-de"}\n'
)


class Item(NamedTuple):
    """What a paper has, the command for it, and what this prints."""

    paper: str
    item: str
    command: str
    """Empty: there is none, and the remark says why."""
    expected: str
    """A regular expression of a line of the output; empty: the command is not there yet."""
    remark: str


class Run(NamedTuple):
    """How a command ended."""

    code: int
    lines: tuple[str, ...]


def items() -> list[Item]:
    """The items of all papers."""
    with ITEMS.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Item(*row) for row in list(rows)[1:]]


def outcome(item: Item, run: Run | None) -> str:
    """One of `OUTCOMES`; an error if the command does not do what the table says."""
    if run is None or (run.code == _UNKNOWN and not item.expected):
        return "not computed"
    if run.code in _CODES:
        return _CODES[run.code]
    if run.code == _UNKNOWN and any(_ANNOTATIONS in line for line in run.lines):
        return "needs data"
    found = next((line for line in run.lines if re.search(item.expected, line)), None)
    if run.code or found is None:
        end = "\n".join(run.lines[-5:])
        raise ValueError(
            f"{item.paper}, {item.item}: {item.command}\nended with {run.code}; expected: {item.expected}\n{end}"
        )
    return next((verdict for verdict in UNAVAILABLE if verdict in found), "works")


def page(found: Sequence[tuple[Item, str]]) -> Iterator[str]:
    """The lines of the page."""
    counts = Counter(outcome for _, outcome in found)
    yield "# What Assay has of five papers\n"
    yield "<!-- written by scripts/coverage.py (make coverage) from scripts/coverage_items.tsv -->\n"
    yield (
        "Every item of the papers that Assay is built on (methods, data, tables, figures, claims), and the command "
        "for it. Each command was run: *works* if it printed what is expected; *needs data* and *needs model* if it "
        "stopped for want of them or says so in its row; *not computed* if there is none. `wmt` is a folder of test "
        "sets in the layout of mt-metrics-eval (`assay data fetch mt-metrics-eval-v2`); the commands were run on a "
        "part of it, without WMT23, encoders and learned models, and on semantic roles that are made up. How close the "
        "numbers come is on the page of "
        "[reproductions](reproduction.md).\n"
    )
    yield f"| paper | {' | '.join(OUTCOMES)} |\n|---|{'--:|' * len(OUTCOMES)}"
    for paper in dict.fromkeys(item.paper for item, _ in found):
        own = Counter(outcome for item, outcome in found if item.paper == paper)
        yield f"| [{paper}](#{anchor(paper)}) | {' | '.join(str(own[name]) for name in OUTCOMES)} |"
    yield f"| all | {' | '.join(str(counts[name]) for name in OUTCOMES)} |"
    for paper in dict.fromkeys(item.paper for item, _ in found):
        yield f"\n## {paper}\n"
        yield "| item | | command |\n|---|---|---|"
        for item, outcome in found:
            if item.paper == paper:
                remark = f": {_cell(item.remark)}" if item.remark else ""
                command = f"`{_cell(item.command)}`" if item.command else "–"
                yield f"| {_cell(item.item)} | {outcome}{remark} | {command} |"


def anchor(heading: str) -> str:
    """The anchor that a renderer makes of a heading."""
    return heading.lower().replace(" ", "-")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def run_command(command: str, folder: Path) -> Run:
    """Run a command of Assay in a folder."""
    arguments = shlex.split(command)[1:]
    settings = {"COLUMNS": "200", "PYTHONWARNINGS": "ignore", "ASSAY_RESOURCES": str(folder / "resources")}
    environment = {**os.environ, **settings}
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "assay", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return Run(done.returncode, tuple((done.stdout + done.stderr).splitlines()))


def prepare(folder: Path) -> None:
    """The files that the commands name."""
    (folder / "wmt").mkdir()
    for name in TEST_SETS:
        (folder / "wmt" / name).symlink_to(archives.unpacked(name))
    (folder / "resources").mkdir()
    for name in RESOURCES:
        if (resources.FOLDER / name).exists():
            (folder / "resources" / name).symlink_to(resources.FOLDER / name)
    german, _ = write(folder / "sample")
    (folder / "ref.txt").write_bytes((german / "refA.de").read_bytes())
    (folder / "out.txt").write_bytes((german / "systems" / "elm.de").read_bytes())
    (folder / "roles").mkdir()
    for name in ("ref.txt", "out.txt"):  # with roles that are made up: a labeller is no part of Assay
        text = (folder / name).read_text(encoding="utf-8")
        counts = [len(line.split()) for line in text.splitlines()]
        (folder / "roles" / name).write_text(text, encoding="utf-8")
        (folder / "roles" / f"{name}.tokens").write_text(text, encoding="utf-8")
        roles = "".join("1:V 2:ARG1\n" if count > 1 else "1:V\n" for count in counts)
        (folder / "roles" / f"{name}.roles").write_text(roles, encoding="utf-8")
    (folder / "aces.jsonl").write_text(_PAIR, encoding="utf-8")
    data = archives.folder()
    if data is not None:
        with tarfile.open(data / "formats.tar.xz") as tar, tar.extractfile(RATINGS) as file:  # type: ignore[union-attr]
            (folder / "esa.csv").write_bytes(file.read())


def main() -> None:
    """Run every command once, and write the page."""
    table = items()
    runs: dict[str, Run | None] = {"": None}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        commands = list(dict.fromkeys(item.command for item in table if item.command))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for command, run in zip(commands, pool.map(lambda each: run_command(each, folder), commands), strict=True):
                runs[command] = run
                print(f"{run.code} {command}", file=sys.stderr)
    found, problems = [], []
    for item in table:
        try:
            found.append((item, outcome(item, runs[item.command])))
        except ValueError as error:
            problems.append(str(error))
            continue
        if found[-1][1] != "works" and not item.remark:
            problems.append(f"{item.paper}, {item.item}: {found[-1][1]}, and the table does not say what")
    if problems:
        sys.exit("\n\n".join(problems))
    PAGE.write_text("\n".join(page(found)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
