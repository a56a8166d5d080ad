"""Submissions to a metrics task, checked against its test sets: what an organiser asks of each before using it.

A submission is the files of one folder, or the files that are given without one: scores of one metric by system, by
segment or both, in any form of the WMT tasks, and a text file that says the team and whether it is the primary one. A
file that cannot be read is a finding, and the others are checked.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from assay.data.faults import error_note
from assay.data.formats import format_unless_text, has_suffix, read_campaigns
from assay.data.joined import align_items
from assay.data.tables.skipped import LENIENT
from assay.data.text_files import read_text, shown_path
from assay.errors import EmptyInputError, InputError, nearest, option_name, spelled
from assay.files.strict_json import parse_json
from assay.human.marks import mark_notes
from assay.lazily import numpy as np
from assay.study.load_campaign import load_campaigns
from assay.types import Campaign, Note, NoteKind, Ratings, ScoreTable, TestSet, present
from assay.types.arrays import FloatArray
from assay.types.metric_names import ALL, UNKNOWN, metric_label
from assay.types.note import listed, plural
from assay.types.runtime import Runtime
from assay.types.score_checks import identical_metrics

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["check_submissions"]

_ABOUT_SUFFIXES = (".toml", ".yaml", ".yml", ".md")
_ABOUT_NAME = re.compile(r"(readme|metadata)([^.]*|.*\.(txt|json|rst))", re.IGNORECASE)
_FACT = re.compile(r"""^\s*[-*"']*(?P<key>[\w ]+?)["'*]*\s*[:=]\s*["']?(?P<value>[^"',]+?)["']?,?\s*$""")
_TEAM = ("team", "team name", "team_name")
_STATUS = ("submission", "submission type", "submission_type", "status")
_STATUSES = {"primary": "primary", "secondary": "contrastive", "contrastive": "contrastive", "baseline": "baseline"}
_REFERENCE_FREE = re.compile(r"-(src|qe)$", re.IGNORECASE)


class _Scores(NamedTuple):
    """A table of a file, and the test set that it is about."""

    path: Path
    campaign: Campaign
    table: ScoreTable

    @property
    def line(self) -> int | None:
        """The first line of the table, if the reader knows it."""
        return min(self.table.lines.values(), default=None)


@dataclass(slots=True)
class _Submission:
    origin: str
    scores: list[_Scores] = field(default_factory=list)
    predictions: list[tuple[Path, Campaign]] = field(default_factory=list)
    """The campaigns of files with errors that the metric marked."""
    metadata: dict[str, tuple[str, Path]] = field(default_factory=dict)
    """What a file says of the submission, and which file does so first."""
    says_status: bool = False
    """Whether a file says something of the status that is none."""
    faults: list[Note] = field(default_factory=list)

    @property
    def team(self) -> str | None:
        """The name of the team, if a file says it."""
        return self.metadata[_TEAM[0]][0] if _TEAM[0] in self.metadata else None

    @property
    def status(self) -> str | None:
        """Whether it is the primary submission, if a file says it."""
        return self.metadata[_STATUS[0]][0] if _STATUS[0] in self.metadata else None

    def add_metadata(self, key: str, value: str, path: Path, line: int | None = None) -> None:
        """What a file says of the submission. Another file must not say something else."""
        known, first = self.metadata.setdefault(key, (value, path))
        if known != value:
            text = f"the {key} is {value} here, but {known} in {shown_path(first)}"
            self.faults.append(Note(NoteKind.SUSPECT, text, shown_path(path), severity="error", line=line))

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
    input_format: str | None,
    columns: str,
    runtime: Runtime,
) -> Iterator[Note]:
    """What is wrong with submissions to the task, each by itself and among each other."""
    task = load_campaigns(task_data, lps=() if lp is None else (lp,), runtime=runtime)
    read = partial(_read, lp=lp, input_format=input_format, columns=columns)
    submissions = [read(each) for each in runtime.track(list(_groups(paths)), lambda each: f"checking {each.origin}")]
    for submission in submissions:
        yield from submission.faults
        yield from _several_metrics(submission)
        yield from _missing_metadata(submission)
        yield from _mixed_references(submission)
        yield from _compared_test_sets(submission, task)
        yield from _span_faults(submission, task)
        yield from _missing_levels(submission)
    yield from _statuses(submissions)
    yield from _duplicates(submissions, task)


class _Files(NamedTuple):
    """The files of a submission."""

    origin: str
    """What to call the submission."""
    files: Sequence[Path]
    folders: set[str]
    """The names of their folder and of those in it, however the path to it is written."""


def _groups(paths: Sequence[Path]) -> Iterator[_Files]:
    """The files of each submission."""
    files = [path for path in paths if not path.is_dir()]
    if files:
        origin = shown_path(files[0]) if len(files) == 1 else shown_path(files[0].parent)
        yield _Files(origin, files, {path.resolve().parent.name for path in files})
    for folder in (path for path in paths if path.is_dir()):
        inside = sorted(each for each in folder.rglob("*") if each.is_file() and each.name[0] not in "._")
        if not inside:
            raise EmptyInputError("the folder has no files", path=shown_path(folder))
        below = {part for path in inside for part in path.relative_to(folder).parts[:-1]}
        yield _Files(shown_path(folder), inside, {folder.resolve().name, *below})


def _read(submitted: _Files, *, lp: str | None, input_format: str | None, columns: str) -> _Submission:
    submission = _Submission(submitted.origin)
    for path in submitted.files:
        try:
            if _has_metadata(path):
                _read_metadata(submission, path)
            else:
                _read_scores(submission, path, lp, input_format, columns)
        except InputError as error:
            submission.faults.append(error_note(error, shown_path(path)))
    is_faulty = any(fault.severity == "error" for fault in submission.faults)
    if not submission.scores and not submission.predictions and not is_faulty:
        text = f"no scores of a metric{f' for {lp}' if lp else ''}"
        submission.faults.append(Note(NoteKind.MISSING, text, submission.origin, severity="error"))
    status = {name.lower() for name in submitted.folders} & _STATUSES.keys()
    if submission.status is None and len(status) == 1:
        submission.add_metadata(_STATUS[0], _STATUSES[status.pop()], Path(submitted.origin))
    return submission


def _has_metadata(path: Path) -> bool:
    """Whether a file is about the submission: by its name, or as JSON that says the team or status."""
    if has_suffix(path, _ABOUT_SUFFIXES) or _ABOUT_NAME.fullmatch(path.name):
        return True
    if not has_suffix(path, (".json",)):
        return False
    return any(key in (*_TEAM, *_STATUS) for key, _, _ in _facts_in(path))


def _read_scores(submission: _Submission, path: Path, lp: str | None, input_format: str | None, columns: str) -> None:
    if format_unless_text(path, input_format, columns) is None:
        raise InputError("not the scores of a metric in a known form", path=shown_path(path))
    campaigns = read_campaigns(path, input_format=input_format, columns=columns)
    submission.faults += _faults(path, campaigns)
    wanted = [replace(each, lp=each.lp or lp or "") for each in campaigns if lp is None or each.lp in ("", lp)]
    if not all(campaign.lp for campaign in wanted):
        hint = spelled(f"name it: {option_name('lp', 'SRC-TGT')}")
        raise InputError("the file does not say its language pair", path=shown_path(path), hint=hint)
    submission.scores += [_Scores(path, campaign, table) for campaign in wanted for table in campaign.metrics]
    submission.predictions += [(path, campaign) for campaign in wanted if campaign.predictions]


def _faults(path: Path, campaigns: Sequence[Campaign]) -> Iterator[Note]:
    """Rows that were skipped, what else is doubtful, and files without scores of a metric."""
    for note in dict.fromkeys(note for campaign in campaigns for note in campaign.notes):
        if note.kind in LENIENT:
            yield replace(note.at(shown_path(path)), severity="error")
        elif note.kind is NoteKind.SUSPECT and note.severity != "note":
            yield note.at(shown_path(path))
    if not any(campaign.metrics or campaign.predictions for campaign in campaigns):
        yield Note(NoteKind.MISSING, "no scores of a metric", shown_path(path), severity="error")


def _read_metadata(submission: _Submission, path: Path) -> None:
    """The team and the status in a file of JSON, TOML, or lines like `key: value` or `key = value`."""
    for key, value, line in _facts_in(path):
        if key in _TEAM:
            submission.add_metadata(_TEAM[0], value, path, line)
        elif key in _STATUS and value.lower() in _STATUSES:
            submission.add_metadata(_STATUS[0], _STATUSES[value.lower()], path, line)
        elif key in _STATUS:
            submission.says_status = True
            text = f"the submission is '{value}', neither primary nor contrastive"
            submission.faults.append(Note(NoteKind.SUSPECT, text, shown_path(path), severity="error", line=line))


def _facts_in(path: Path) -> Iterator[tuple[str, str, int | None]]:
    """The keys in lower case, values and, where lines are read one by one, their numbers."""
    text, _ = read_text(path)
    if has_suffix(path, (".toml",)):
        try:
            yield from _named_texts(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise InputError(f"invalid TOML: {error}", path=shown_path(path)) from None
    elif has_suffix(path, (".json",)) or text.lstrip().startswith("{"):
        yield from _named_texts(parse_json(text, path=shown_path(path)))
    else:
        for number, line in enumerate(text.split("\n"), 1):
            if fact := _FACT.match(line.rstrip("\r")):
                yield fact["key"].strip().lower(), fact["value"].strip(), number


def _named_texts(tree: object) -> Iterator[tuple[str, str, None]]:
    """The texts in a tree of JSON or TOML, by key."""
    for key, value in tree.items() if isinstance(tree, dict) else ():
        if isinstance(value, str):
            yield str(key).strip().lower(), value.strip(), None
        else:
            yield from _named_texts(value)


def _missing_metadata(submission: _Submission) -> Iterator[Note]:
    missing = [
        what
        for what, value in (("the team", submission.team), ("primary or contrastive", submission.status))
        if value is None
    ]
    if submission.says_status and submission.status is None:
        missing.remove("primary or contrastive")  # what it says is a fault of its own
    if missing:
        hint = "add a file README.txt with the lines 'team: NAME' and 'submission: primary'"
        text = f"nothing says {' nor '.join(missing)}"
        yield Note(NoteKind.MISSING, text, submission.origin, severity="warning", hint=hint)


def _several_metrics(submission: _Submission) -> Iterator[Note]:
    first: dict[str, _Scores] = {}
    for scores in submission.scores:
        first.setdefault(scores.table.name, scores)
    if len(first) > 1:
        text = f"{plural(len(first), 'name')} of metrics in one submission: {listed(first)}"
        second = list(first.values())[1]
        yield _suspect(second, text, count=len(first), line=second.line)


def _mixed_references(submission: _Submission) -> Iterator[Note]:
    """A metric has a reference everywhere or nowhere, and its name does not say otherwise."""
    with_reference = [each for each in submission.scores if each.table.references]
    without = [each for each in submission.scores if not each.table.references]
    if with_reference and without:
        free, based = without[0], with_reference[0]
        text = (
            f"scores with a reference ({', '.join(based.table.references)}: {_about_table(based)}) and without "
            f"({_about_table(free)}) in one submission"
        )
        yield _suspect(based, text)
    if with_reference and _REFERENCE_FREE.search(submission.metric):
        named = ", ".join(with_reference[0].table.references)
        text = f"the name {submission.metric} is that of a metric without a reference, but the scores name one: {named}"
        yield _suspect(with_reference[0], text, line=with_reference[0].line)


def _about_table(scores: _Scores) -> str:
    return f"{scores.campaign.lp} by {scores.table.level}"


def _suspect(
    scores: _Scores, text: str, *, count: int | None = None, line: int | None = None, hint: str | None = None
) -> Note:
    return Note(NoteKind.SUSPECT, text, shown_path(scores.path), count, "error", line, hint)


def _compared_test_sets(submission: _Submission, task: Sequence[Campaign]) -> Iterator[Note]:
    """Each table against its test set; and the test sets without scores."""
    found: set[tuple[str, str]] = set()
    unknown: dict[tuple[str, str], _Scores] = {}
    renamed: dict[tuple[Path, str, str], None] = {}
    for scores in submission.scores:
        name, lp = scores.campaign.name, scores.campaign.lp
        expected = _expected(scores.campaign, task)
        if expected is None:
            unknown.setdefault((name, lp), scores)
        else:
            found.add((expected.name, expected.lp))
            if name and expected.name and name != expected.name:
                renamed[scores.path, name, expected.name] = None
            yield from _against(scores, expected)
    for path, name, expected_name in renamed:
        yield Note(NoteKind.SUSPECT, f"called {name}, checked as {expected_name}", shown_path(path))
    yield from _unknown_test_sets(unknown, task)
    absent = [f"{each.name} {each.lp}".strip() for each in task if (each.name, each.lp) not in found]
    if absent and submission.scores:
        text = f"no scores for {plural(len(absent), 'test set')}: {listed(absent)}"
        yield Note(NoteKind.MISSING, text, submission.origin, count=len(absent))


def _expected(submitted: Campaign, task: Sequence[Campaign]) -> Campaign | None:
    """The test set that scores or errors are of; None if the task does not have it."""
    of_pair = [each for each in task if each.lp == submitted.lp]
    named = [each for each in of_pair if each.name == submitted.name]
    if not named and (not submitted.name or len({each.name for each in task}) == 1):
        named = of_pair
    return next(iter(named), None)


def _span_faults(submission: _Submission, task: Sequence[Campaign]) -> Iterator[Note]:
    """The errors that a metric marked against the outputs of the test sets."""
    for path, campaign in submission.predictions:
        expected = _expected(campaign, task)
        if expected is not None and expected.testset is not None:
            for predicted in campaign.predictions:
                yield from _faults_in_spans(predicted, expected, expected.testset, path)


def _faults_in_spans(predicted: Ratings, expected: Campaign, testset: TestSet, path: Path) -> Iterator[Note]:
    """Unknown segments and systems, errors outside the outputs, and outputs that the metric did not read."""
    place, unknown = f"{expected.lp}, marked errors", _unknown_segments(predicted.items, testset)
    yield from _unknown_segment_notes(unknown, path, place)
    extra = [name for name in predicted.systems if name not in (*testset.outputs, *expected.references)]
    if extra:
        text, hint = (
            f"{place}: {plural(len(extra), 'unknown system')}: {listed(extra)}",
            _similar(extra[0], testset.systems),
        )
        yield Note(NoteKind.SUSPECT, text, shown_path(path), len(extra), "error", hint=hint)
    aligned = align_items(_without_segments(predicted, unknown), testset, [])
    if not isinstance(aligned, Ratings) or (unknown and aligned.items):
        return
    for note in mark_notes(aligned, testset):
        if note.kind is NoteKind.EXCLUDED:
            yield replace(note, where=shown_path(path), severity="error")
    read = {
        (aligned.systems[k], line) for k, line in zip(aligned.system.tolist(), aligned.segment.tolist(), strict=True)
    }
    outputs = ((name, column) for name, column in testset.outputs.items() if name not in expected.references)
    absent = [
        name
        for name, column in outputs
        for line, text in enumerate(column)
        if text is not None and (name, line) not in read
    ]
    if absent:
        text = f"{place}: nothing on {plural(len(absent), 'output')}, of {listed(dict.fromkeys(absent))}"
        hint = "write an empty list of errors for an output in which there are none"
        yield Note(NoteKind.MISSING, text, shown_path(path), len(absent), "error", hint=hint)


def _without_segments(predicted: Ratings, unknown: Sequence[str]) -> Ratings:
    """The marked errors without those of some named segments."""
    if not unknown:
        return predicted
    is_known = np.array([name not in unknown for name in predicted.items], dtype=np.bool_)
    kept = predicted.where(is_known[predicted.segment])
    items = tuple(name for name in predicted.items if name not in unknown)
    return replace(kept, segment=(np.cumsum(is_known) - 1)[kept.segment], items=items)


def _unknown_segments(names: Sequence[str], testset: TestSet | None) -> list[str]:
    """The named segments that a test set does not have, if it names its own."""
    known = set() if testset is None else set(testset.items)
    return [name for name in names if name not in known] if known else []


def _unknown_segment_notes(unknown: Sequence[str], path: Path, place: str) -> Iterator[Note]:
    if unknown:
        text = f"{place}: {plural(len(unknown), 'segment')} that the test set does not have: {listed(unknown)}"
        yield Note(NoteKind.SUSPECT, text, shown_path(path), len(unknown), "error")


def _unknown_test_sets(unknown: Mapping[tuple[str, str], _Scores], task: Sequence[Campaign]) -> Iterator[Note]:
    """Test sets that the task does not have, one finding for each file."""
    by_file: dict[Path, dict[tuple[str, str], _Scores]] = {}
    for name_and_pair, scores in unknown.items():
        by_file.setdefault(scores.path, {})[name_and_pair] = scores
    for absent in by_file.values():
        first = next(iter(absent.values()))
        is_pair_known = any(each.lp == first.campaign.lp for each in task)
        hint = f"the task has {listed(dict.fromkeys(each.name if is_pair_known else each.lp for each in task))}"
        text = f"the task has no test set {listed(' '.join(filter(None, each)) for each in absent)}"
        yield _suspect(first, text, count=len(absent), line=first.line, hint=hint)


def _against(scores: _Scores, expected: Campaign) -> Iterator[Note]:
    """The systems, references and counts of a table against those of the test set."""
    path, _, table = scores
    place = f"{expected.lp}, {table.level} scores"
    required = [name for name in expected.systems if name not in expected.references]
    missing = [name for name in required if name not in table.systems]
    if missing:
        text = f"{place}: no scores of {plural(len(missing), 'system')}: {listed(missing)}"
        yield Note(NoteKind.MISSING, text, shown_path(path), count=len(missing), severity="error")
    extra = [name for name in table.systems if name not in (*expected.systems, *expected.references)]
    if extra:
        text = f"{place}: {plural(len(extra), 'unknown system')}: {listed(extra)}"
        line, hint = table.lines.get(extra[0]), _similar(extra[0], required)
        yield _suspect(scores, text, count=len(extra), line=line, hint=hint)
    unknown = [name for name in table.references if name not in (*expected.references, ALL, UNKNOWN)]
    if unknown:
        text = f"{place}: the test set has no reference {', '.join(unknown)}"
        hint = f"references: {', '.join(expected.references) or 'none'}"
        yield _suspect(scores, text, count=len(unknown), line=scores.line, hint=hint)
    yield from _counts(scores, expected, required)


def _similar(name: str, names: Sequence[str]) -> str | None:
    hint = nearest(name, names)
    return hint if hint and hint.startswith("did you mean") else None


def _counts(scores: _Scores, expected: Campaign, required: Sequence[str]) -> Iterator[Note]:
    path, _, table = scores
    where, place = shown_path(path), f"{expected.lp}, {table.level} scores"
    if table.level == "segment" and table.items and expected.testset is not None and expected.testset.items:
        yield from _unknown_segment_notes(_unknown_segments(table.items, expected.testset), path, place)
        table = table.take_segments(expected.testset.items)
    if table.level == "segment" and table.values.shape[1] > expected.segments:
        text = f"{place}: {table.values.shape[1]:,} segments, but the test set has {expected.segments:,}"
        yield _suspect(scores, text, count=table.values.shape[1] - expected.segments)
        return
    gaps = {
        name: np.flatnonzero(_gaps(row, expected, name, table.level))
        for name, row in zip(table.systems, table.values, strict=True)
        if name in required
    }
    short = {name: places for name, places in gaps.items() if places.size}
    if short:
        places = next(iter(short.values()))
        item = table.items[places[0]] if places[0] < len(table.items) else f"{places[0] + 1:,}"
        at = f", the first for {table.level} {item}" if table.level != "system" else ""
        count = sum(each.size for each in short.values())
        text = f"{place}: {plural(count, 'score')} missing, of {listed(short)}{at}"
        yield Note(NoteKind.MISSING, text, where, count=count, severity="error")
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


def _missing_levels(submission: _Submission) -> Iterator[Note]:
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
        same = _tables_with_equal_scores(one.scores, [(each.campaign.lp, each.table) for each in other.scores])
        if same:
            text = f"{one.label} and {other.label} have exactly the same scores, in {plural(len(same), 'table')}"
            where = f"{one.origin}, {other.origin}"
            yield Note(NoteKind.DUPLICATE, f"{text}: {listed(same)}", where, count=len(same), severity="error")
    for submission in submissions:
        stored = [(each.lp, table) for each in task for table in each.metrics]
        same = _tables_with_equal_scores(submission.scores, stored)
        if same:
            text = f"exactly scores that are stored with the test set: {listed(same)}"
            yield Note(NoteKind.DUPLICATE, text, submission.origin, count=len(same), severity="warning")


def _tables_with_equal_scores(scores: Iterable[_Scores], others: Sequence[tuple[str, ScoreTable]]) -> list[str]:
    """Where a table has the same scores as another of the language pair, and the name of the other."""
    found = []
    for _, campaign, table in scores:
        own = replace(table, name="submission", references=(), items=())
        for lp, other in others:
            if lp == campaign.lp and other.level == table.level and _have_equal_scores(own, other):
                label = metric_label(other.name, other.references)
                found.append(f"{lp} by {table.level} ({label})")
                break
    return found


def _have_equal_scores(own: ScoreTable, other: ScoreTable) -> bool:
    """Whether two tables have the same scores of the systems that both have."""
    systems = [name for name in own.systems if name in other.systems]
    if len(systems) < 2 or own.values.shape[1] != other.values.shape[1]:
        return False
    pair = [replace(table.take(systems), name=name, items=()) for name, table in (("a", own), ("b", other))]
    return any(identical_metrics(pair))
