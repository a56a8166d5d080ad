"""Submissions to a metrics task, checked against its test sets: what an organiser asks of each before using it.

A submission is the files of one folder, or the files that are given without one: scores of one metric by system, by
segment or both, in any form of the WMT tasks, and a text file that says the team and whether it is the primary one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from assay.data.formats import detect_format, find_format, has_suffix, read_campaigns
from assay.data.tables.skipped import LENIENT
from assay.data.text_files import read_lines, shown_path
from assay.errors import EmptyInputError, InputError, nearest, option_name, spelled
from assay.lazily import numpy as np
from assay.study.load_campaign import load_campaigns
from assay.types import Campaign, Note, NoteKind, ScoreTable, present
from assay.types.arrays import FloatArray
from assay.types.metric_names import ALL, UNKNOWN, metric_label
from assay.types.note import listed, plural
from assay.types.runtime import Runtime
from assay.types.score_checks import identical_metrics

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["check_submissions"]

_ABOUT_SUFFIXES = (".toml", ".yaml", ".yml", ".md")
_ABOUT_NAMES = re.compile(r"readme|metadata", re.IGNORECASE)
_FACT = re.compile(r"""^\s*[-*"']*(?P<key>[\w ]+?)["'*]*\s*[:=]\s*["']?(?P<value>[^"',]+?)["']?,?\s*$""")
_TEAM = ("team", "team name", "team_name")
_STATUS = ("submission", "submission type", "submission_type", "type", "status")
_STATUSES = {"primary": "primary", "secondary": "contrastive", "contrastive": "contrastive", "baseline": "baseline"}
_REFERENCE_FREE = re.compile(r"-(src|qe)$", re.IGNORECASE)


class _Scores(NamedTuple):
    """A table of a file, and the test set that it is about."""

    path: Path
    campaign: Campaign
    table: ScoreTable


@dataclass(slots=True)
class _Submission:
    origin: str
    scores: list[_Scores] = field(default_factory=list)
    team: str | None = None
    status: str | None = None
    faults: list[Note] = field(default_factory=list)

    @property
    def metric(self) -> str:
        """The name of the metric; of several, the first."""
        return next((scores.table.name for scores in self.scores), "")

    @property
    def label(self) -> str:
        """The metric and the team, as far as they are known."""
        return f"{self.metric} ({self.team})" if self.team else self.metric or self.origin


def check_submissions(
    paths: Sequence[Path],
    task_data: str | Path,
    *,
    lp: str | None,
    reading: tuple[str | None, str],
    runtime: Runtime,
) -> Iterator[Note]:
    """What is wrong with submissions to the task, each by itself and among each other.

    `reading` is the format and the columns of the files, where the user names them.
    """
    task = load_campaigns(task_data, lps=() if lp is None else (lp,), runtime=runtime)
    read = partial(_read, lp=lp, input_format=reading[0], columns=reading[1])
    groups = list(_groups(paths))
    submissions = [read(origin, files) for origin, files in runtime.track(groups, lambda group: f"checking {group[0]}")]
    for submission in submissions:
        yield from submission.faults
        yield from _one_metric(submission)
        yield from _about(submission)
        yield from _references(submission)
        yield from _test_sets(submission, task)
        yield from _levels(submission)
    yield from _statuses(submissions)
    yield from _duplicates(submissions, task)


def _groups(paths: Sequence[Path]) -> Iterator[tuple[str, list[Path]]]:
    """The files of each submission, and what to call it."""
    files = [path for path in paths if not path.is_dir()]
    if files:
        yield shown_path(files[0]) if len(files) == 1 else shown_path(files[0].parent), files
    for folder in (path for path in paths if path.is_dir()):
        inside = sorted(each for each in folder.rglob("*") if each.is_file() and each.name[0] not in "._")
        if not inside:
            raise EmptyInputError("the folder has no files", path=shown_path(folder))
        yield shown_path(folder), inside


def _read(origin: str, files: Iterable[Path], *, lp: str | None, input_format: str | None, columns: str) -> _Submission:
    submission = _Submission(origin)
    for path in files:
        if has_suffix(path, _ABOUT_SUFFIXES) or _ABOUT_NAMES.search(path.name):
            _read_about(submission, path)
            continue
        try:
            if input_format is None and not columns and detect_format(path) is None:
                find_format(path)  # raises for tables
                raise InputError("not the scores of a metric in a known form", path=shown_path(path))
            campaigns = read_campaigns(path, input_format=input_format, columns=columns)
        except InputError as error:
            where = error.path or shown_path(path)
            submission.faults.append(
                Note(NoteKind.UNREAD, error.problem, where, severity="error", line=error.line, hint=error.hint)
            )
            continue
        submission.faults += _faults(path, campaigns)
        wanted = [replace(each, lp=each.lp or lp or "") for each in campaigns if lp is None or each.lp in ("", lp)]
        if not all(campaign.lp for campaign in wanted):
            hint = spelled(f"name it: {option_name('lp', 'SRC-TGT')}")
            text = "the file does not say its language pair"
            submission.faults.append(Note(NoteKind.MISSING, text, shown_path(path), severity="error", hint=hint))
            continue
        submission.scores += [_Scores(path, campaign, table) for campaign in wanted for table in campaign.metrics]
    status = {part.lower() for path in files for part in path.parts[:-1]} & set(_STATUSES)
    if submission.status is None and len(status) == 1:
        submission.status = _STATUSES[status.pop()]
    return submission


def _faults(path: Path, campaigns: Sequence[Campaign]) -> Iterator[Note]:
    """Rows that were skipped, and files without scores of a metric."""
    notes = dict.fromkeys(note for campaign in campaigns for note in campaign.notes if note.kind in LENIENT)
    for note in notes:
        yield replace(note.at(shown_path(path)), severity="error")
    if not any(campaign.metrics or campaign.predictions for campaign in campaigns):
        yield Note(NoteKind.MISSING, "no scores of a metric", shown_path(path), severity="error")


def _read_about(submission: _Submission, path: Path) -> None:
    """The team and the status in a file of `key: value`, `key = value` or JSON."""
    lines, _ = read_lines(path)
    for number, text in enumerate(lines, 1):
        fact = _FACT.match(text)
        key, value = ("", "") if fact is None else (fact["key"].strip().lower(), fact["value"].strip())
        if key in _TEAM:
            submission.team = submission.team or value
        elif key in _STATUS:
            if value.lower() in _STATUSES:
                submission.status = _STATUSES[value.lower()]
            else:
                text = f"the submission is '{value}', neither primary nor contrastive"
                submission.faults.append(Note(NoteKind.SUSPECT, text, shown_path(path), severity="error", line=number))


def _about(submission: _Submission) -> Iterator[Note]:
    missing = [
        what
        for what, value in (("the team", submission.team), ("primary or contrastive", submission.status))
        if value is None
    ]
    if missing:
        hint = "add a file README.txt with the lines 'team: NAME' and 'submission: primary'"
        text = f"nothing says {' nor '.join(missing)}"
        yield Note(NoteKind.MISSING, text, submission.origin, severity="warning", hint=hint)


def _one_metric(submission: _Submission) -> Iterator[Note]:
    first: dict[str, Path] = {}
    for path, _, table in submission.scores:
        first.setdefault(table.name, path)
    if len(first) > 1:
        text = f"{plural(len(first), 'name')} of metrics in one submission: {listed(first)}"
        path = list(first.values())[1]
        yield Note(
            NoteKind.SUSPECT,
            text,
            shown_path(path),
            count=len(first),
            severity="error",
            line=_line_with(path, list(first)[1]),
        )


def _references(submission: _Submission) -> Iterator[Note]:
    """A metric has a reference everywhere or nowhere, and its name does not say otherwise."""
    with_reference = [each for each in submission.scores if each.table.references]
    without = [each for each in submission.scores if not each.table.references]
    if with_reference and without:
        free, based = without[0], with_reference[0]
        text = (
            f"scores with a reference ({', '.join(based.table.references)}: {_about_table(based)}) and without "
            f"({_about_table(free)}) in one submission"
        )
        yield Note(NoteKind.SUSPECT, text, shown_path(based.path), severity="error")
    if with_reference and _REFERENCE_FREE.search(submission.metric):
        path, _, table = with_reference[0]
        text = f"the name {table.name} is that of a metric without a reference, but the scores name one"
        line = _line_with(path, table.references[0])
        yield Note(
            NoteKind.SUSPECT, f"{text}: {', '.join(table.references)}", shown_path(path), severity="error", line=line
        )


def _about_table(scores: _Scores) -> str:
    return f"{scores.campaign.lp} by {scores.table.level}"


def _test_sets(submission: _Submission, task: Sequence[Campaign]) -> Iterator[Note]:
    """Each table against its test set; and the test sets without scores."""
    known, names = {(each.name, each.lp): each for each in task}, {each.name for each in task}
    found: set[tuple[str, str]] = set()
    unknown: dict[tuple[str, str], _Scores] = {}
    for scores in submission.scores:
        name, lp = scores.campaign.name, scores.campaign.lp
        expected = known.get((name, lp)) or (known.get((next(iter(names)), lp)) if len(names) == 1 else None)
        if expected is None and not name:
            expected = next((each for each in task if each.lp == lp), None)
        if expected is None:
            unknown.setdefault((name, lp), scores)
        else:
            found.add((expected.name, expected.lp))
            yield from _against(scores, expected)
    yield from _unknown_test_sets(unknown, task)
    absent = [f"{each.name} {each.lp}".strip() for each in task if (each.name, each.lp) not in found]
    if absent and submission.scores:
        text = f"no scores for {plural(len(absent), 'test set')}: {listed(absent)}"
        yield Note(NoteKind.MISSING, text, submission.origin, count=len(absent))


def _unknown_test_sets(unknown: Mapping[tuple[str, str], _Scores], task: Sequence[Campaign]) -> Iterator[Note]:
    """Test sets that the task does not have, one finding for each file."""
    by_file: dict[Path, list[tuple[str, str]]] = {}
    for name_and_pair, scores in unknown.items():
        by_file.setdefault(scores.path, []).append(name_and_pair)
    for path, absent in by_file.items():
        name, lp = absent[0]
        is_pair_known = any(each.lp == lp for each in task)
        hint = f"the task has {listed(dict.fromkeys(each.name if is_pair_known else each.lp for each in task))}"
        text = f"the task has no test set {listed(' '.join(filter(None, each)) for each in absent)}"
        line = _line_with(path, name if is_pair_known else lp, lp)
        yield Note(NoteKind.SUSPECT, text, shown_path(path), count=len(absent), severity="error", line=line, hint=hint)


def _against(scores: _Scores, expected: Campaign) -> Iterator[Note]:
    """The systems, references and counts of a table against those of the test set."""
    path, _, table = scores
    where, place = shown_path(path), f"{expected.lp}, {table.level} scores"
    required = [name for name in expected.systems if name not in expected.references]
    missing = [name for name in required if name not in table.systems]
    if missing:
        text = f"{place}: no scores of {plural(len(missing), 'system')}: {listed(missing)}"
        yield Note(NoteKind.MISSING, text, where, count=len(missing), severity="error")
    extra = [name for name in table.systems if name not in (*expected.systems, *expected.references)]
    if extra:
        text = f"{place}: {plural(len(extra), 'unknown system')}: {listed(extra)}"
        line, hint = _line_with(path, extra[0], expected.lp), _similar(extra[0], required)
        yield Note(NoteKind.SUSPECT, text, where, count=len(extra), severity="error", line=line, hint=hint)
    unknown = [name for name in table.references if name not in (*expected.references, ALL, UNKNOWN)]
    if unknown:
        text = f"{place}: the test set has no reference {', '.join(unknown)}"
        hint = f"references: {', '.join(expected.references) or 'none'}"
        yield Note(
            NoteKind.SUSPECT,
            text,
            where,
            count=len(unknown),
            severity="error",
            line=_line_with(path, unknown[0], expected.lp),
            hint=hint,
        )
    yield from _counts(scores, expected, required)


def _similar(name: str, names: Sequence[str]) -> str | None:
    hint = nearest(name, names)
    return hint if hint and hint.startswith("did you mean") else None


def _counts(scores: _Scores, expected: Campaign, required: Sequence[str]) -> Iterator[Note]:
    path, _, table = scores
    where, place = shown_path(path), f"{expected.lp}, {table.level} scores"
    if table.level == "segment" and table.values.shape[1] > expected.segments:
        text = f"{place}: {table.values.shape[1]:,} segments, but the test set has {expected.segments:,}"
        yield Note(NoteKind.SUSPECT, text, where, count=table.values.shape[1] - expected.segments, severity="error")
        return
    gaps = {
        name: np.flatnonzero(_gaps(row, expected, name, table.level))
        for name, row in zip(table.systems, table.values, strict=True)
        if name in required
    }
    short = {name: places for name, places in gaps.items() if places.size}
    if short:
        first, places = next(iter(short.items()))
        item = table.items[places[0]] if places[0] < len(table.items) else f"{places[0] + 1:,}"
        at = f", the first for {table.level} {item}" if table.level != "system" else ""
        count = sum(each.size for each in short.values())
        text = f"{place}: {plural(count, 'score')} missing, of {listed(short)}{at}"
        yield Note(
            NoteKind.MISSING, text, where, count=count, severity="error", line=_line_with(path, first, expected.lp)
        )
    known = table.values[~np.isnan(table.values)]
    if known.size > 1 and known.min() == known.max():
        yield Note(
            NoteKind.SUSPECT, f"{place}: all scores are {known[0]:g}", where, count=known.size, severity="warning"
        )


def _gaps(scores: FloatArray, expected: Campaign, system: str, level: str) -> npt.NDArray[np.bool_]:
    """Where a system has no score although it should: at all segments of which it has an output."""
    if level != "segment":
        return np.isnan(scores)
    absent = np.ones(expected.segments, dtype=bool)
    absent[: len(scores)] = np.isnan(scores)
    outputs = {} if expected.testset is None else expected.testset.outputs
    return absent & present(outputs[system]) if system in outputs else absent


def _levels(submission: _Submission) -> Iterator[Note]:
    """Language pairs of which there are scores by system and of which by segment."""
    pairs: dict[str, dict[str, None]] = {"system": {}, "segment": {}}
    for _, campaign, table in submission.scores:
        pairs.setdefault(table.level, {})[campaign.lp] = None
    for level, other in (("system", "segment"), ("segment", "system")):
        only = [lp for lp in pairs[level] if lp not in pairs[other]]
        if pairs[other] and only:
            text = f"scores by {level} but not by {other}: {listed(only)}"
            yield Note(NoteKind.MISSING, text, submission.origin, count=len(only), severity="error")


def _statuses(submissions: Sequence[_Submission]) -> Iterator[Note]:
    """A team has one primary submission."""
    primary: dict[str, list[_Submission]] = {}
    for submission in submissions:
        if submission.team and submission.status == "primary":
            primary.setdefault(submission.team, []).append(submission)
    for team, several in primary.items():
        if len({each.metric for each in several}) > 1:
            text = f"{plural(len(several), 'primary submission')} of {team}: {listed(each.metric for each in several)}"
            yield Note(NoteKind.DUPLICATE, text, several[1].origin, count=len(several), severity="error")


def _duplicates(submissions: Sequence[_Submission], task: Sequence[Campaign]) -> Iterator[Note]:
    """The same scores under another name, in another submission or stored with the test sets."""
    for one, other in combinations(submissions, 2):
        same = _same(one.scores, [(each.campaign.lp, each.table) for each in other.scores])
        if same:
            text = f"exactly the scores of {other.label}, in {plural(len(same), 'table')}: {listed(same)}"
            yield Note(NoteKind.DUPLICATE, text, one.origin, count=len(same), severity="error")
    for submission in submissions:
        stored = [(each.lp, table) for each in task for table in each.metrics]
        same = _same(submission.scores, stored)
        if same:
            text = f"exactly scores that are stored with the test set: {listed(same)}"
            yield Note(NoteKind.DUPLICATE, text, submission.origin, count=len(same), severity="warning")


def _same(scores: Iterable[_Scores], others: Sequence[tuple[str, ScoreTable]]) -> list[str]:
    """Where a table has the same scores as another of the language pair, and the name of the other."""
    found = []
    for _, campaign, table in scores:
        own = replace(table, name="submission", references=(), items=())
        for lp, other in others:
            if lp == campaign.lp and other.level == table.level and _shared(own, other):
                label = metric_label(other.name, other.references)
                found.append(f"{lp} by {table.level} ({label})")
                break
    return found


def _shared(own: ScoreTable, other: ScoreTable) -> bool:
    """Whether two tables have the same scores of the systems that both have."""
    systems = [name for name in own.systems if name in other.systems]
    if len(systems) < 2 or own.values.shape[1] != other.values.shape[1]:
        return False
    pair = [replace(table.take(systems), name=name, items=()) for name, table in (("a", own), ("b", other))]
    return any(identical_metrics(pair))


def _line_with(path: Path, name: str, lp: str = "") -> int | None:
    """The first line in which a name is a field; if any of them has the language pair, the first of those."""
    lines, _ = read_lines(path)
    own: int | None = None
    for number, text in enumerate(lines, 1):
        fields = set(re.split(r'[\t ,;:"]+', text))
        if name in fields:
            own = own or number
            if lp in fields or set(lp.split("-")) <= fields:
                return number
    return own
