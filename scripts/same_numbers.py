"""Check that a change of the code keeps every number: record the output of many commands before and after, and compare.

ASSAY_DATA=ARCHIVES PYTHONPATH=src python -m scripts.same_numbers record FOLDER [--only GLOB]
python -m scripts.same_numbers compare BEFORE AFTER [--only GLOB] [--keys FILE] [--multiset GLOB] [--limit N]

`record` runs the commands of same_numbers.txt with the `assay` that PYTHONPATH names, on the sample campaign and the
WMT archives in $ASSAY_DATA. It writes one file per command: the command, the exit code and the standard output.

`compare` reports numbers that changed, were lost or are new, then truth values, keys and text that changed. Numbers
are compared as they are written. Text that moved to another place, such as the names of two systems that changed
places, makes the numbers beside it wrong. The exit code is 1 if a number or an exit code differs, text moved, or a
command is missing.

Key changes that are intended belong in same_numbers_keys.tsv (or another file, --keys): the old path, the new path and,
optionally, a pattern of the commands concerned. `*` stands for any key, `[]` for any index and `**` for any path, in
both columns in the same order; what is below a path moves with it:

    metrics[]/pairs[]/noticed <tab> metrics[]/pairs[]/p_noticed
    **/reason                 <tab> **/why                       <tab> compare-*

An empty new path declares that keys were removed, an empty old path that they were added; their numbers are counted as
not compared. If a tree was restructured, --multiset compares the sorted numbers of a command regardless of their keys
and order, which does not notice numbers that changed places.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import Any

from scripts import archives

LIST = Path(__file__).with_suffix(".txt")
KEYS = Path(__file__).with_name("same_numbers_keys.tsv")
TEST_SETS = (
    *("wmt12", "wmt13", "wmt14", "wmt15", "wmt16", "wmt17", "wmt19", "wmt20"),
    *("wmt21.flores", "wmt21.news", "wmt21.tedtalks", "wmt22", "wmt24", "wmt25"),
)
MODULES = ("compat.sacrebleu",)
"""Modules with a command line of their own."""
SUFFIX = ".out"
EXIT_CODE = "exit code "
WIDTH = 400
"""Longer lines are cut in reports, such as those of HTML pages."""


# Commands


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the list."""

    name: str
    arguments: tuple[str, ...]
    output: str = ""
    """The file that keeps its output as an input of later commands; empty: none."""

    @property
    def call(self) -> tuple[str, ...]:
        """The module that runs it, and the arguments."""
        first, *rest = self.arguments
        return (f"assay.{first}", *rest) if first in MODULES else ("assay", *self.arguments)

    @property
    def is_input(self) -> bool:
        """Whether later commands may need what it writes."""
        return bool(self.output) or "--save" in self.arguments


DEMO = Command("demo", ("demo", "sample"))


def commands(pattern: str) -> list[Command]:
    """The commands of the list whose names match, and those that they may need."""
    lines = [line for line in LIST.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    listed = [_command(*line.split(maxsplit=1)) for line in lines]
    if repeated := [name for name, count in Counter(command.name for command in listed).items() if count > 1]:
        sys.exit(f"{LIST.name} has several commands with the same name: {', '.join(repeated)}")
    return [command for command in listed if command.is_input or fnmatchcase(command.name, pattern)]


def _command(name: str, line: str) -> Command:
    arguments, _, output = line.partition(" > ")
    return Command(name, tuple(shlex.split(arguments)), output.strip())


# Recording


def record(folder: Path, pattern: str) -> None:
    """Run the commands one by one in a temporary folder, and write a file for each."""
    if archives.folder() is None:
        sys.exit("ASSAY_DATA must name the folder of the WMT archives")
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"*{SUFFIX}"):
        old.unlink()
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        for name in TEST_SETS:
            (work / name).symlink_to(archives.unpacked(name))
        environment = _environment(work)
        _show_package(work, environment)
        _record_one(DEMO, folder, work, environment)
        write_inputs(work / "sample" / "en-de", work / "inputs")
        chosen = commands(pattern)
        failed = [command.name for command in chosen if _record_one(command, folder, work, environment)]
    print(f"{len(chosen) + 1} commands in {time.perf_counter() - start:.0f} s", file=sys.stderr)
    print(f"exit code not 0: {', '.join(failed) or 'none'}", file=sys.stderr)


def _environment(work: Path) -> dict[str, str]:
    """Only PYTHONPATH decides which package runs; caches and data of the user are not used."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")}
    paths = environment.get("PYTHONPATH", "").split(os.pathsep)
    environment["PYTHONPATH"] = os.pathsep.join(str(Path(path).resolve()) for path in paths if path)
    return environment | {"ASSAY_CACHE": str(work / "cache"), "ASSAY_HOME": str(work / "home"), "ASSAY_OFFLINE": "1"}


def _show_package(work: Path, environment: Mapping[str, str]) -> None:
    code = "import assay; print(assay.__file__)"
    path = subprocess.check_output([sys.executable, "-c", code], cwd=work, env=environment, text=True)  # noqa: S603
    print(f"package: {path.strip()}", file=sys.stderr)


def _record_one(command: Command, folder: Path, work: Path, environment: Mapping[str, str]) -> int:
    """Run a command and write its file. Error messages are kept where there is no other output."""
    start = time.perf_counter()
    line = [sys.executable, "-m", *command.call]
    done = subprocess.run(line, cwd=work, env=environment, capture_output=True, check=False)  # noqa: S603
    if command.output:
        (work / command.output).write_bytes(done.stdout)
    head = f"$ assay {shlex.join(command.arguments)}\n{EXIT_CODE}{done.returncode}\n\n"
    (folder / f"{command.name}{SUFFIX}").write_bytes(head.encode() + (done.stdout or done.stderr))
    print(f"{time.perf_counter() - start:6.1f} s  {done.returncode}  {command.name}", file=sys.stderr, flush=True)
    return done.returncode


# Inputs made from the sample campaign

METRIC = '''
def overlap(output: str, reference: str) -> float:
    """Share of the words of the output that the reference has, in per cent."""
    words = output.split()
    return 100 * sum(word in reference.split() for word in words) / max(len(words), 1)


def rare(output: str, reference: str) -> float:
    """The same, undefined where the reference is short."""
    return overlap(output, reference) if len(reference) > 60 else float("nan")
'''


def write_inputs(sample: Path, folder: Path) -> None:
    """Texts with annotations, word vectors, external scores, labels, a metric, and files with errors."""
    folder.mkdir()
    texts = {path.stem: _lines(path) for path in sorted((sample / "systems").iterdir())}
    reference = _lines(sample / "refA.de")
    for name, lines in {"ref": reference, "base": texts["elm"], "new": texts["alder"]}.items():
        _write(folder / f"{name}.de", lines)
        _write(folder / f"{name}.de.conllu", [row for line in lines for row in _conllu(line)])
        _write(folder / f"{name}.de.sempos", (" ".join(f"{word}|n" for word in line.split()) for line in lines))
    words = sorted({word for line in reference for word in line.split()})
    vectors = (f"{word} {i % 7} {i % 5} 1" for i, word in enumerate(words))
    _write(folder / "words.vec", [f"{len(words)} 3", *vectors])
    pairs = ((name, line, other) for name in texts for line, other in zip(texts[name], reference, strict=True))
    _write(folder / "errors.seg.score", (f"{name}\t{abs(len(line) - len(other))}" for name, line, other in pairs))
    _write(folder / "labels.tsv", ["topic", *("long" if len(line) > 60 else "short" for line in reference)])
    _write(folder / "short.de", texts["alder"][:-3])
    _write(folder / "odd.de", ["", "", *reference[2:60], *texts["elm"][60:-1], "\ufffd"])
    (folder / "my_metric.py").write_text(METRIC, encoding="utf-8")


def _conllu(line: str) -> Iterator[str]:
    """Every word is a noun and the head of the next."""
    yield f"# text = {line}"
    for i, word in enumerate(line.split()):
        yield f"{i + 1}\t{word}\t{word}\tNOUN\t_\t_\t{i}\t{'dep' if i else 'root'}\t_\t_"
    yield ""


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


# Trees of values


class Number(str):
    """A number as it is written."""

    __slots__ = ()


Value = Number | str | bool | None
Leaves = dict[str, Value]
"""Values by path, such as `/metrics[0]/pairs[2]/p`."""

_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
_INDEX = re.compile(r"\[\d+\]")
LINES = "[]"
"""The key of the lines of a text."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A file that `record` wrote."""

    arguments: tuple[str, ...]
    exit_code: str
    text: str

    @classmethod
    def read(cls, path: Path) -> Recorded:
        """Read a file."""
        line, exit_code, _, text = path.read_bytes().decode("utf-8").split("\n", 3)
        return cls(tuple(shlex.split(line)[2:]), exit_code.removeprefix(EXIT_CODE), text)

    def leaves(self) -> Leaves:
        """The values of the output; other formats than those for programs have one value per line."""
        formats = [
            after for before, after in zip(self.arguments, self.arguments[1:], strict=False) if before == "--format"
        ]
        try:
            return dict(_leaves(_tree(self.text, formats[-1] if formats else "")))
        except ValueError:  # an error message
            return dict(_leaves(_split(self.text)))


def _tree(text: str, name: str) -> Any:
    match name:
        case "json":
            return _parse(text)
        case "jsonl":
            return [_parse(line) for line in _split(text)]
        case "tsv":
            return _rows([line.split("\t") for line in _split(text)])
        case "csv":
            return _rows(list(csv.reader(io.StringIO(text, newline=""))))
    return _split(text)


def _parse(text: str) -> Any:
    return json.loads(text, parse_float=Number, parse_int=Number, parse_constant=Number)


def _split(text: str) -> list[str]:
    """Lines: other line separators may stand in texts."""
    return text.removesuffix("\n").split("\n") if text else []


def _rows(table: list[list[str]]) -> list[dict[str, Value]]:
    return [dict(zip(table[0], map(_cell, row), strict=True)) for row in table[1:]]


def _cell(text: str) -> Value:
    return Number(text) if _NUMBER.fullmatch(text) else text or None


def _leaves(tree: Any, path: str = "") -> Iterator[tuple[str, Value]]:
    """Values with their paths; null stands for an empty list or mapping."""
    if isinstance(tree, dict) and tree:
        for key, value in tree.items():
            yield from _leaves(value, f"{path}/{key}")
    elif isinstance(tree, list) and tree:
        for i, value in enumerate(tree):
            yield from _leaves(value, f"{path}[{i}]")
    else:
        yield path, None if isinstance(tree, dict | list) else tree


def key_of(path: str) -> str:
    """The path without the numbers of its indices."""
    return _INDEX.sub("[]", path)


# Intended changes of keys

_WILDCARD = re.compile(r"(\*\*|\*|\[\])")
_REGEX = {"**": "(.*)", "*": "([^/]*?)", "[]": r"(\[\d+\])"}


@dataclass(frozen=True, slots=True)
class KeyChange:
    """A row of the table of keys."""

    old: str
    new: str
    commands: str = "*"

    def __post_init__(self) -> None:
        counts = {len(_WILDCARD.findall(pattern)) for pattern in (self.old, self.new) if pattern}
        if len(counts) != 1:
            sys.exit(f"old and new path need the same number of wildcards: {self.old!r}, {self.new!r}")

    def before(self, path: str) -> str | None:
        """The new path of a value that was recorded before the change; None if it was removed."""
        found = _match(self.old, path)
        if found is None:
            return path
        *wildcards, rest = found
        parts = iter(wildcards)
        return _WILDCARD.sub(lambda _: next(parts), _rooted(self.new)) + rest if self.new else None

    def after(self, path: str) -> str | None:
        """The path of a value that was recorded after the change; None if it was added."""
        return None if not self.old and _match(self.new, path) is not None else path


def _rooted(pattern: str) -> str:
    return pattern if pattern.startswith(("**", "[", "/")) else f"/{pattern}"


def _match(pattern: str, path: str) -> tuple[str, ...] | None:
    """The text of each wildcard, and the rest of the path."""
    if not pattern:
        return None
    parts = _WILDCARD.split(_rooted(pattern))
    found = re.fullmatch("".join(_REGEX.get(part, re.escape(part)) for part in parts) + r"((?:[/\[].*)?)", path, re.S)
    return found.groups() if found else None


def read_keys(path: Path) -> list[KeyChange]:
    """The rows of a table of keys; lines that begin with # are comments."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip() and line[0] != "#"]
    return [KeyChange(*(field.strip() for field in line.split("\t"))) for line in lines]


def _changed(leaves: Leaves, changes: Sequence[KeyChange], side: str) -> Leaves:
    """The values under their new paths."""
    for change in changes:
        move = change.before if side == "before" else change.after
        moved = [(new, value) for path, value in leaves.items() if (new := move(path)) is not None]
        leaves = dict(moved)
        if len(leaves) < len(moved):
            sys.exit(f"several values have the same path after the key change {change.old!r} to {change.new!r}")
    return leaves


# Comparison


@dataclass(frozen=True, slots=True)
class Change:
    """A value that differs: before, after or both are there."""

    path: str
    before: Value
    after: Value

    def __str__(self) -> str:
        kind = "new" if self.before is None else "lost" if self.after is None else "changed"
        values = [str(value) for value in (self.before, self.after) if value is not None]
        return f"{kind:8}{self.path.lstrip('/')}: {' -> '.join(values)}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two outputs of a command differ."""

    compared: int
    """Numbers before."""
    numbers: list[Change]
    only_moved: bool
    """Numbers differ, but they are the same regardless of their keys."""
    moved: list[Change]
    """Text that both sides have, but in other places."""
    truth_values: list[Change]
    removed: set[str]
    added: set[str]
    renamed: set[tuple[str, str]]
    """Pairs of a removed and an added key with the same values."""
    text: dict[str, tuple[list[str], list[str]]]
    """By key: text that only one side has."""
    excluded: int = 0
    """Numbers under keys that are declared as removed or added."""


def compare_leaves(before: Leaves, after: Leaves, is_multiset: bool) -> Comparison:
    """Compare the values of two outputs."""
    numbers = [{path: value for path, value in side.items() if isinstance(value, Number)} for side in (before, after)]
    truth = [{path: value for path, value in side.items() if isinstance(value, bool)} for side in (before, after)]
    is_same = Counter(numbers[0].values()) == Counter(numbers[1].values())
    changes = _multiset_changes(*numbers) if is_multiset else _changes(*numbers)
    moved = [] if is_multiset else _moved_text(before, after)
    keys = [_by_key(before), _by_key(after)]
    removed, added = keys[0].keys() - keys[1].keys(), keys[1].keys() - keys[0].keys()
    return Comparison(
        compared=len(numbers[0]),
        numbers=changes,
        only_moved=bool(changes) and is_same,
        moved=moved,
        truth_values=_changes(*truth),
        removed=removed,
        added=added,
        renamed=set(_renamed({key: keys[0][key] for key in removed}, {key: keys[1][key] for key in added})),
        text={key: found for key in sorted(keys[0].keys() & keys[1].keys()) if any(found := _text(key, *keys))},
    )


def _changes(before: Mapping[str, Value], after: Mapping[str, Value]) -> list[Change]:
    paths = [*before, *(path for path in after if path not in before)]
    pairs = ((path, before.get(path), after.get(path)) for path in paths)
    return [Change(path, one, other) for path, one, other in pairs if one != other]


def _multiset_changes(before: Mapping[str, Value], after: Mapping[str, Value]) -> list[Change]:
    counts = Counter(before.values()), Counter(after.values())
    lost, new = counts[0] - counts[1], counts[1] - counts[0]
    return [
        *(Change("anywhere", value, None) for value in lost.elements()),
        *(Change("anywhere", None, value) for value in new.elements()),
    ]


def _by_key(leaves: Leaves) -> dict[str, list[Value]]:
    values = defaultdict(list)
    for path, value in leaves.items():
        values[key_of(path)].append(value)
    return dict(values)


def _renamed(removed: Mapping[str, list[Value]], added: Mapping[str, list[Value]]) -> Iterator[tuple[str, str]]:
    for old, values in removed.items():
        same = [new for new in added if added[new] == values and any(value is not None for value in values)]
        if same:
            yield old, max(same, key=lambda new: SequenceMatcher(None, old, new).ratio())


def _moved_text(before: Leaves, after: Leaves) -> list[Change]:
    """Changes of text that is elsewhere, under the same key; lines of tables for people may move."""
    texts = [{path: value for path, value in side.items() if _is_text(value)} for side in (before, after)]
    known = [{(key_of(path), value) for path, value in side.items()} for side in texts]
    shared = known[0] & known[1]
    both = [path for path in texts[0] if path in texts[1] and key_of(path) != LINES]
    pairs = ((path, texts[0][path], texts[1][path]) for path in both)
    return [
        Change(path, one, two)
        for path, one, two in pairs
        if one != two and {(key_of(path), v) for v in (one, two)} <= shared
    ]


def _text(key: str, *sides: Mapping[str, list[Value]]) -> tuple[list[str], list[str]]:
    before, after = (Counter(str(value) for value in side[key] if _is_text(value)) for side in sides)
    return list(before - after), list(after - before)


def _is_text(value: Value) -> bool:
    return isinstance(value, str) and not isinstance(value, Number)


# Report


@dataclass(frozen=True, slots=True)
class Options:
    """How to compare."""

    only: str
    keys: list[KeyChange]
    multiset: list[str]
    limit: int


def compare(before: Path, after: Path, options: Options) -> bool:
    """Print how two recordings differ; whether they have the same numbers."""
    first, second = _recorded(before, options.only), _recorded(after, options.only)
    missing = [name for name in first if name not in second]
    pairs = {name: (first[name], second[name]) for name in first if name in second}
    exits = [f"{name}: {a.exit_code} -> {b.exit_code}" for name, (a, b) in pairs.items() if a.exit_code != b.exit_code]
    compared = {name: _compare_one(name, *pair, options) for name, pair in pairs.items()}
    _print_section("Commands missing after", missing, options.limit)
    _print_section("Commands new after", [name for name in second if name not in first], options.limit)
    _print_section("Exit codes", exits, options.limit)
    _print_changes("Numbers", {name: found.numbers for name, found in compared.items()}, compared, options.limit)
    _print_changes("Text that moved", {name: found.moved for name, found in compared.items()}, {}, options.limit)
    _print_changes("Truth values", {name: found.truth_values for name, found in compared.items()}, {}, options.limit)
    _print_keys(compared, options.limit)
    _print_text(compared, options.limit)
    return _print_summary(compared) and not missing and not exits


def _recorded(folder: Path, pattern: str) -> dict[str, Recorded]:
    paths = {path.name.removesuffix(SUFFIX): path for path in sorted(folder.glob(f"*{SUFFIX}"))}
    if not paths:
        sys.exit(f"no recorded command in {folder}")
    return {name: Recorded.read(path) for name, path in paths.items() if fnmatchcase(name, pattern)}


def _compare_one(name: str, before: Recorded, after: Recorded, options: Options) -> Comparison:
    changes = [change for change in options.keys if fnmatchcase(name, change.commands)]
    is_multiset = any(fnmatchcase(name, pattern) for pattern in options.multiset)
    all_values = before.leaves(), after.leaves()
    values = _changed(all_values[0], changes, "before"), _changed(all_values[1], changes, "after")
    excluded = sum(map(_count_numbers, all_values)) - sum(map(_count_numbers, values))
    return replace(compare_leaves(*values, is_multiset), excluded=excluded)


def _count_numbers(leaves: Leaves) -> int:
    return sum(isinstance(value, Number) for value in leaves.values())


def _print_section(title: str, lines: Sequence[str], limit: int) -> None:
    if lines:
        print(f"\n{title}\n")
        _print_lines(lines, limit, "  ")


def _print_lines(lines: Iterable[str], limit: int, indent: str) -> None:
    rest = iter(lines)
    for line in islice(rest, limit):
        print(f"{indent}{line if len(line) <= WIDTH else line[:WIDTH] + '…'}")
    if left := sum(1 for _ in rest):
        print(f"{indent}and {left} more")


def _print_changes(
    title: str, changes: Mapping[str, list[Change]], compared: Mapping[str, Comparison], limit: int
) -> None:
    """Changes by command and path."""
    if any(changes.values()):
        print(f"\n{title}")
    for name, found in changes.items():
        if found:
            moved = "; the same numbers in other places" if name in compared and compared[name].only_moved else ""
            print(f"\n  {name}: {_counts(found)}{moved}")
            _print_lines(map(str, found), limit, "    ")


def _counts(changes: Iterable[Change]) -> str:
    kinds = Counter(str(change).split()[0] for change in changes)
    return ", ".join(f"{kinds[kind]} {kind}" for kind in ("changed", "lost", "new"))


def _print_keys(compared: Mapping[str, Comparison], limit: int) -> None:
    """Keys with the commands concerned; removed and added keys with the same values may be renamed ones."""
    users = defaultdict(list)
    for name, found in compared.items():
        gone, come = ({pair[side] for pair in found.renamed} for side in (0, 1))
        for old, new in found.renamed:
            users[f"renamed? {old.lstrip('/')}\t{new.lstrip('/')}"].append(name)
        for key in found.removed - gone:
            users[f"removed  {key.lstrip('/')}"].append(name)
        for key in found.added - come:
            users[f"added    {key.lstrip('/')}"].append(name)
    _print_section("Keys", [f"{key}  ({_some(names)})" for key, names in sorted(users.items())], 10 * limit)


def _some(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def _print_text(compared: Mapping[str, Comparison], limit: int) -> None:
    """Text that changed, by key: a text that several commands print is shown once."""
    users: dict[str, list[str]] = defaultdict(list)
    lines: dict[str, dict[str, None]] = defaultdict(dict)
    for name, found in compared.items():
        for key, (before, after) in found.text.items():
            title = key.lstrip("/") if key != LINES else f"lines of {name}"
            users[title].append(name)
            lines[title].update(dict.fromkeys([*(f"- {text}" for text in before), *(f"+ {text}" for text in after)]))
    if users:
        print("\nText")
    for title, names in users.items():
        print(f"\n  {title}  ({_some(names)})")
        _print_lines(lines[title], limit, "    ")


def _print_summary(compared: Mapping[str, Comparison]) -> bool:
    numbers = [change for found in compared.values() for change in found.numbers]
    moved = sum(len(found.moved) for found in compared.values())
    total = sum(found.compared for found in compared.values())
    others = sum(bool(found.text or found.removed or found.added or found.truth_values) for found in compared.values())
    print(f"\ncommands: {len(compared)}, numbers: {total:,}: {_counts(numbers)}; texts that moved: {moved}")
    if excluded := sum(found.excluded for found in compared.values()):
        print(f"not compared, because keys are declared as removed or added: {excluded:,} numbers")
    print(f"commands with other changes of text, keys or truth values: {others}")
    return not numbers and not moved


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording = verbs.add_parser("record", help="run the commands and keep their outputs")
    recording.add_argument("folder", type=Path)
    comparing = verbs.add_parser("compare", help="show how two recordings differ")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--keys", type=Path, default=KEYS, help="TSV file with the intended changes of keys")
    comparing.add_argument("--multiset", metavar="GLOB", action="append", default=[], help="commands with another tree")
    comparing.add_argument("--limit", metavar="N", type=int, default=20, help="lines to show of a list [default: 20]")
    for verb in (recording, comparing):
        verb.add_argument("--only", metavar="GLOB", default="*", help="only commands whose names match")
    given = parser.parse_args(arguments)
    if given.verb == "record":
        record(given.folder, given.only)
        return 0
    options = Options(given.only, read_keys(given.keys), given.multiset, given.limit)
    return 0 if compare(given.before, given.after, options) else 1


if __name__ == "__main__":
    sys.exit(main())
