"""Run the commands of scripts/coverage_items.tsv, one for each item of the five papers, and write docs/coverage.md.

python -m scripts.coverage [--reuse]

They run in a folder with the WMT archives of $ASSAY_DATA, as `wmt`, and with small files. An item works if its command
ends well and prints what is expected. What is expected of a reproduction are rows, whose verdicts say how they ended.
Of the resources in build/resources, they have vectors and METEOR's files: with encoders, the reproduction of eBLEU
would take half an hour. Anything else that goes wrong ends the script. What the commands print is kept in
build/coverage; with --reuse, only those that are not there are run.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
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

from assay.results.reproduction import UNAVAILABLE, VERDICTS
from assay.sample import write
from scripts import archives, resources

__all__ = ["AND", "OUTCOMES", "Item", "Number", "Outcome", "Run", "items", "outcome", "page", "patterns"]

ITEMS = Path(__file__).with_name("coverage_items.tsv")
PAGE = Path(__file__).parents[1] / "docs" / "coverage.md"
KEPT = Path(__file__).parents[1] / "build" / "coverage"
TEST_SETS = ("wmt12", "wmt13", "wmt19", "wmt20", "wmt21.flores", "wmt21.news", "wmt22")
RESOURCES = ("wink-en.json", "meteor-1.5")
RATINGS = "formats/esa-wmt24/esa_generalMT2024_wave2.en-hi.csv"
DIFFERS, OTHER_DATA, PARTLY = "works, differs", "works, other data", "partly"
OUTCOMES = ("works", DIFFERS, OTHER_DATA, PARTLY, *UNAVAILABLE)
_CODES = {3: "needs data", 4: "needs model"}
AND = " && "
_OTHER = "other data: "
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
    """Regular expressions of lines of the output, or of rows of a reproduction, joined by ` && `; empty: no command."""
    remark: str
    """Begins with `partly: ` if something of the item is missing, and with `other data: ` if it is of other data."""


class Number(NamedTuple):
    """A row of a reproduction."""

    name: str
    """Where it is in the paper, and what it is: `Table 2, BLEU, cut-off at 0.5`."""
    verdict: str
    stands_for: int
    """How many numbers of the paper."""


class Run(NamedTuple):
    """How a command ended."""

    code: int
    lines: tuple[str, ...]
    """For a reproduction: its remarks, and the captions of its figures."""
    numbers: tuple[Number, ...] = ()


class Outcome(NamedTuple):
    """What became of an item."""

    name: str
    """One of `OUTCOMES`."""
    verdicts: tuple[tuple[str, int], ...] = ()
    """Those of the rows of a reproduction that the item is about, with the count of numbers."""

    @property
    def text(self) -> str:
        """For the page."""
        counts = ", ".join(f"{verdict} {count}" for verdict, count in self.verdicts)
        return f"{self.name} ({counts})" if counts else self.name


def items() -> list[Item]:
    """The items of all papers."""
    with ITEMS.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Item(*row) for row in list(rows)[1:]]


def patterns(item: Item) -> list[str]:
    """Each of them must be found."""
    return item.expected.split(AND)


def outcome(item: Item, run: Run | None) -> Outcome:
    """An error if the command does not do what the table says."""
    if run is None or (run.code == _UNKNOWN and not item.expected):
        return Outcome("not computed")
    if run.code in _CODES:
        return Outcome(_CODES[run.code])
    if run.code == _UNKNOWN and any(_ANNOTATIONS in line for line in run.lines):
        return Outcome("needs data")
    names = [number.name for number in run.numbers]
    for pattern in patterns(item):
        if run.code or not any(re.search(pattern, line) for line in (*names, *run.lines)):
            end = "\n".join(run.lines[-5:])
            raise ValueError(
                f"{item.paper}, {item.item}: {item.command}\nended with {run.code}; expected: {pattern}\n{end}"
            )
    numbers = [each for each in run.numbers if any(re.search(pattern, each.name) for pattern in patterns(item))]
    verdicts: Counter[str] = Counter()
    for number in numbers:
        verdicts[number.verdict] += max(number.stands_for, 1)
    counts = tuple((verdict, verdicts[verdict]) for verdict in VERDICTS if verdict in verdicts)
    return Outcome(_name(item, verdicts), counts)


def _name(item: Item, verdicts: Counter[str]) -> str:
    if verdicts and verdicts.keys() <= set(UNAVAILABLE):
        return verdicts.most_common(1)[0][0]
    if item.remark.startswith(f"{PARTLY}: "):
        return PARTLY
    if item.remark.startswith(_OTHER):
        return OTHER_DATA
    if verdicts["differs"] or verdicts["width differs"]:
        return DIFFERS
    return OTHER_DATA if verdicts["other data"] else "works"


def page(found: Sequence[tuple[Item, Outcome]]) -> Iterator[str]:
    """The lines of the page."""
    yield "# What Assay has of five papers\n"
    yield "<!-- written by scripts/coverage.py (make coverage) from scripts/coverage_items.tsv -->\n"
    yield (
        f"The papers that Assay is built on have {len(found)} items: methods, metrics, data, tables, figures, claims "
        "and recommendations, each counted once for each paper that has it. There is a row for each item, with the "
        "command for it, and each command was run; the table counts rows.\n"
    )
    yield "- *works*: the command printed what is expected; a reproduction's numbers met the paper's where it has them."
    yield "- *works, differs*: it computes the numbers of the paper, and some of them have another value."
    yield "- *works, other data*: it computes them on other test sets or systems, so that they need not agree."
    yield (
        "- *tried*: for a claim, in place of *works*: what it is about was computed, as above. Whether the claim holds "
        "is another question: see the verdicts and the [reproductions](reproduction.md)."
    )
    yield "- *partly*: something of the item is missing, and the row says what."
    yield "- *needs data*, *needs model*: the command stopped for want of them, or says so in all its rows."
    yield "- *not computed*: Assay does not have it.\n"
    yield (
        "In brackets are the [verdicts](reproduction.md) of the numbers that the item is about; a number that several "
        "tables have counts for each of them. "
        "`wmt` is a folder of test sets in the layout of mt-metrics-eval (`assay data fetch mt-metrics-eval-v2`); the "
        "commands were run on a part of it, without WMT23, encoders, learned models and annotations by a parser, and "
        "on semantic roles that are made up. With encoders or annotations, the [page of "
        "reproductions](reproduction.md) has more numbers.\n"
    )
    yield f"| paper | items | {' | '.join(OUTCOMES)} |\n|---|--:|{'--:|' * len(OUTCOMES)}"
    papers = dict.fromkeys(item.paper for item, _ in found)
    for paper in papers:
        yield _counts(f"[{paper}](#{anchor(paper)})", [each.name for item, each in found if item.paper == paper])
    yield _counts("all", [each.name for _, each in found])
    for paper in papers:
        yield f"\n## {paper}\n"
        yield "| item | | command |\n|---|---|---|"
        for item, outcome in found:
            if item.paper == paper:
                remark = item.remark.removeprefix(f"{PARTLY}: ").removeprefix(_OTHER)
                remark = f": {_cell(remark)}" if remark else ""
                command = f"`{_cell(item.command)}`" if item.command else "–"
                yield f"| {_cell(item.item)} | {_shown(item, outcome)}{remark} | {command} |"


def _shown(item: Item, outcome: Outcome) -> str:
    """The outcome, which says of a claim that it was tried: beside one, `works` would read as if it held."""
    return re.sub("^works", "tried", outcome.text) if item.item.startswith("Claim") else outcome.text


def _counts(label: str, names: Sequence[str]) -> str:
    counts = Counter(names)
    return f"| {label} | {len(names)} | {' | '.join(str(counts[name]) for name in OUTCOMES)} |"


def anchor(heading: str) -> str:
    """The anchor that a renderer makes of a heading."""
    return heading.lower().replace(" ", "-")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def run_command(command: str, folder: Path, *, reuse: bool = False) -> Run:
    """Run a command of Assay in a folder, or several, and keep what is printed and drawn; or take what was kept."""
    if command.startswith("assay reproduce "):
        command += " --format json"
    kept = KEPT / f"{hashlib.sha256(command.encode()).hexdigest()[:16]}.json"
    if not (reuse and kept.exists()):
        lines: list[str] = []
        code = 0
        for each in command.split(AND):
            done = _run(shlex.split(each)[1:], folder)
            code = code or done.returncode
            lines += (done.stdout + done.stderr).splitlines()
        KEPT.mkdir(parents=True, exist_ok=True)
        run = {"command": command, "code": code, "lines": [*lines, *_drawn(command, folder)]}
        kept.write_text(json.dumps(run, ensure_ascii=False), encoding="utf-8")
    run = json.loads(kept.read_text(encoding="utf-8"))
    return parsed(run["code"], run["lines"])


def _run(arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    settings = {"COLUMNS": "200", "PYTHONWARNINGS": "ignore", "ASSAY_RESOURCES": str(folder / "resources")}
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "assay", *arguments],
        cwd=folder,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def _drawn(command: str, folder: Path) -> Iterator[str]:
    """The texts of the figures that a command draws."""
    for name in re.findall(r" -o (\S+\.svg)", command):
        if (folder / name).exists():
            yield from re.findall(r"<text[^>]*>([^<]+)", (folder / name).read_text(encoding="utf-8"))


def parsed(code: int, lines: Sequence[str]) -> Run:
    """The rows of a reproduction; the lines of anything else."""
    text = "\n".join(lines)
    found = json.JSONDecoder().raw_decode(text)[0] if not code and text.startswith("{") else {}
    if "rows" not in found or "paper" not in found:
        return Run(code, tuple(lines))
    numbers = tuple(
        Number(", ".join(filter(None, (row["where"], row["quantity"]))), row["verdict"], row["count"])
        for row in found["rows"]
    )
    captions = [figure["caption"] for figure in found["figures"].values()]
    recommended = [f"{each['recommended']} {each['found']}" for each in found["recommendations"]]
    settings = [f"{name}: {value}" for name, value in found["settings"].items()]
    shown = (*settings, *found["remarks"], *found["tables"].values(), *captions, *recommended)
    return Run(code, shown, numbers)


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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reuse", action="store_true", help="run only commands whose output is not in build/coverage")
    reuse = parser.parse_args().reuse
    table = items()
    runs: dict[str, Run | None] = {"": None}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        commands = list(dict.fromkeys(item.command for item in table if item.command))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            done = pool.map(lambda each: run_command(each, folder, reuse=reuse), commands)
            for command, run in zip(commands, done, strict=True):
                runs[command] = run
                print(f"{run.code} {command}", file=sys.stderr)
    found, problems = [], []
    for item in table:
        try:
            found.append((item, outcome(item, runs[item.command])))
        except (ValueError, re.error) as error:
            problems.append(str(error))
            continue
        if found[-1][1].name in (PARTLY, *UNAVAILABLE) and not item.remark:
            problems.append(f"{item.paper}, {item.item}: {found[-1][1].text}, and the table does not say what")
    if problems:
        sys.exit("\n\n".join(problems))
    PAGE.write_text("\n".join(page(found)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
