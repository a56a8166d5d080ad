"""`assay.check`: find problems in data before anything is computed from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Unpack

from assay.data.faults import Faults, error_note
from assay.data.formats import (
    Format,
    StoredCampaign,
    check_distinct,
    detect_format,
    file_groups,
    format_unless_text,
    join_stored,
    stored_campaigns,
)
from assay.data.lengths import odd_lengths
from assay.data.tables.names import stem_of
from assay.data.tables.notes import gap_notes, table_gap_notes
from assay.data.tables.quoting import text_notes
from assay.data.tables.skipped import LENIENT
from assay.data.text_checks import text_findings
from assay.data.text_files import read_column, reading_once, shown_path
from assay.errors import (
    ConfigError,
    EmptyInputError,
    InputError,
    UnknownNameError,
    nearest,
    option_name,
    printable,
    spelled,
)
from assay.human.domains import document_name
from assay.human.marks import mark_notes, marks_errors
from assay.human.predicted_errors import repeated_outputs
from assay.lazily import numpy as np
from assay.options.checks import no_effect
from assay.options.option import DATA, Option
from assay.options.shared import REFERENCE_FLAGS, RUNTIME, SOURCE_FLAGS, Columns, InputFormat, Strict, pair_option
from assay.options.verb import verb
from assay.results import Findings
from assay.study.check_submission import check_submissions
from assay.study.load_campaign import input_path
from assay.types import Campaign, Column, Note, NoteKind, Ratings, ScoreTable, TestSet
from assay.types.language_codes import is_language_pair, not_a_language_pair
from assay.types.names import similar_names
from assay.types.note import SEVERITIES, listed, plural
from assay.types.runtime import Runtime, RuntimeFields
from assay.types.testset import odd_length

__all__ = ["check", "check_campaign", "check_testset"]


@verb
@reading_once()
def check(
    paths: Annotated[
        str | Path | Iterable[str | Path],
        Option(
            "Files, folders of a test set or of files, or names of test sets in the data folder. Files of a known "
            "format are read as such, others as one segment per line."
        ),
    ],
    *,
    sources: Annotated[
        str | Path | None,
        Option("The source texts.", group=DATA, flags=SOURCE_FLAGS, metavar="FILE", takes_file=True),
    ] = None,
    references: Annotated[
        str | Path | Iterable[str | Path],
        Option("References.", group=DATA, flags=REFERENCE_FLAGS, metavar="FILE", takes_file=True),
    ] = (),
    lp: Annotated[
        str | None,
        pair_option(
            "Language pair of the texts and of files that name none; of other files and folders, the only one to "
            "check.",
            default="all",
        ),
    ] = None,
    submission: Annotated[
        str | Path | None,
        Option(
            "Check FILES as submissions to a metrics task, against its test sets: their folder, their name in the data "
            "folder, or the file with the texts. Each folder of FILES is a submission.",
            group=DATA,
            metavar="TASK",
        ),
    ] = None,
    input_format: InputFormat = None,
    columns: Columns = None,
    strict: Strict = False,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Findings:
    """Find problems in files before you use them.

    Checks whether files can be read and belong together; whether texts are aligned, in the right language, and not
    empty, copied or damaged; and whether scores and judgements fit the texts. Plain text files are compared with each
    other, with the references and sources, and with the languages of the language pair.
    """
    findings: list[Note] = []
    runtime = runtime or Runtime()
    paths = [input_path(path) or path for path in _path_list(paths)]
    source_paths, reference_paths = [] if sources is None else [Path(sources)], _path_list(references)
    _check_options(paths, lp, submission, [*source_paths, *reference_paths], strict=strict)
    if submission is not None:
        chosen = _path_list(paths)
        found = check_submissions(
            chosen, submission, lp=lp, input_format=input_format, columns=columns or "", runtime=runtime
        )
        return _sorted(found, chosen)
    plain_texts: list[Path] = []
    outputs = _files(paths, input_format, columns)
    findings += _unread_folders(_path_list(paths), outputs)
    by_format: dict[Format, list[Path]] = {}
    check_distinct(outputs)
    for path in outputs:
        try:
            reader = format_unless_text(path, input_format, columns or "")
        except InputError as error:
            findings.append(error_note(error, shown_path(path)))
        else:
            (plain_texts if reader is None else by_format.setdefault(reader, [])).append(path)
    findings += _check_campaigns(by_format, lp, runtime)
    findings += _check_plain(plain_texts, reference_paths, source_paths, lp, runtime)
    checked = [*outputs, *reference_paths, *source_paths]
    if strict:
        findings = [replace(f, severity="error") if f.kind in LENIENT else f for f in findings]
    return _sorted(findings, checked)


def _check_options(
    paths: str | Path | Iterable[str | Path],
    lp: str | None,
    submission: str | Path | None,
    texts: Sequence[Path],
    *,
    strict: bool,
) -> None:
    if not _path_list(paths):
        raise EmptyInputError("no files to check", hint="give at least one file or folder")
    if lp is not None and not is_language_pair(lp):
        raise not_a_language_pair(lp)
    if submission is not None and texts:
        raise ConfigError("the texts of a submission are those of the task", hint="leave sources and references out")
    if submission is not None and strict:
        raise no_effect("strict", "faulty rows of a submission are errors without it")


def _sorted(findings: Iterable[Note], checked: Sequence[Path]) -> Findings:
    ordered = sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))
    files, folders = (tuple(shown_path(p) for p in checked if p.is_dir() == is_folder) for is_folder in (False, True))
    return Findings(files, tuple(ordered), folders)


def _path_list(paths: str | Path | Iterable[str | Path]) -> list[Path]:
    return [Path(paths)] if isinstance(paths, str | Path) else [Path(path) for path in paths]


def _files(paths: str | Path | Iterable[str | Path], input_format: str | None, columns: str | None) -> list[Path]:
    """The paths; instead of a folder that is no test set, the files in it."""
    found: list[Path] = []
    for path in _path_list(paths):
        is_whole = not path.is_dir() or input_format is not None or columns or detect_format(path) is not None
        files = [] if is_whole else sorted(each for each in path.iterdir() if each.is_file() and each.name[0] != ".")
        found += files or [path]
    return found


def _unread_folders(paths: Iterable[Path], read: Collection[Path]) -> Iterator[Note]:
    """The folders in folders of which only the files are read."""
    for path in paths:
        if path.is_dir() and path not in read:
            folders = sorted(f"{each.name}/" for each in path.iterdir() if each.is_dir() and each.name[0] != ".")
            if folders:
                text = f"folders in it are not read: {listed(folders)}; check them by name"
                yield Note(NoteKind.UNREAD, text, shown_path(path), count=len(folders))


def _check_campaigns(by_format: Mapping[Format, list[Path]], lp: str | None, runtime: Runtime) -> Iterator[Note]:
    """Check files and folders, one language pair at a time: a flaw in one does not hide the others."""
    stored: list[StoredCampaign] = []
    groups = [group for reader, paths in by_format.items() for group in file_groups(reader, paths)]
    for reader, paths in runtime.track(groups, lambda group: f"reading {shown_path(group[1][0])}"):
        try:
            stored += stored_campaigns(reader, paths, lp=lp)
        except InputError as error:
            yield error_note(error, shown_path(paths[0]))
    findings: dict[Note, None] = {}
    checked: dict[StoredCampaign, Campaign] = {}
    joined = join_stored(stored)
    wanted = [campaign for campaign in joined if lp is None or campaign.lp in ("", lp)]
    if joined and not wanted:
        names = dict.fromkeys(campaign.lp for campaign in joined)
        raise UnknownNameError(f"there is no language pair '{lp}'", hint=nearest(lp or "", names))
    for campaign in runtime.track(wanted, lambda campaign: f"checking {campaign}"):
        findings |= dict.fromkeys(_check_stored(campaign, runtime, checked))
    yield from findings
    yield from _without_texts(checked)


def _without_texts(checked: Mapping[StoredCampaign, Campaign]) -> Iterator[Note]:
    """Judgements of a test set or language pair without texts, where files have the texts of another one."""
    known = [campaign.label for campaign in checked.values() if campaign.testset is not None]
    for stored, campaign in checked.items():
        is_alone = known and campaign.testset is None and all(path.is_file() for path in stored.paths)
        for judged in campaign.judgements if is_alone else ():
            judgements = plural(len(judged), "judgement")
            text = f"{campaign.label}: no texts of the {judgements}; there are texts of {listed(known)}"
            yield Note(NoteKind.SUSPECT, text, judged.origin, len(judged), "warning")


def _check_stored(stored: StoredCampaign, runtime: Runtime, checked: dict[StoredCampaign, Campaign]) -> Iterator[Note]:
    """Check a campaign: its faulty files, and what the others contain. If files cannot be joined, check each.

    What could be read is added to `checked`.
    """
    origin, faults = shown_path(stored.paths[0]), Faults()
    campaign: Campaign | None = None
    with faults.found():
        campaign = stored.read_sound(faults)
    yield from (error_note(error, origin) for error in faults.all_errors)
    if campaign is None:
        for part in stored.parts:
            yield from _check_stored(part, runtime, checked)
    elif not faults.all_errors or campaign.testset is not None or campaign.scores or campaign.judged_or_predicted:
        checked[stored] = campaign
        yield from check_campaign(campaign, origin, runtime=runtime)


def check_campaign(campaign: Campaign, origin: str = "", *, runtime: Runtime | None = None) -> Iterator[Note]:
    """Check the texts, scores and judgements of one language pair; `origin` is the file or folder they came from."""
    where = f"{campaign.name} {campaign.lp}".strip() or origin
    yield from _reading_notes(campaign, where)
    yield from (note.at(where) for note in campaign.similar_names(origin or "outputs"))
    yield from (note.at(where) for note in (*campaign.mismatches, *campaign.suspect_metrics))
    if campaign.testset is not None:
        yield from check_testset(campaign.testset, reported=campaign.notes, runtime=runtime)
    elif not campaign.scores and not campaign.judged_or_predicted:
        yield Note(NoteKind.MISSING, "no texts, scores or judgements", where, severity="error")
    yield from _check_human(campaign, where)
    yield from (note.at(where) for note in _other_documents(campaign))
    for ratings in campaign.judged_or_predicted:
        if isinstance(ratings, Ratings) and marks_errors(ratings):
            yield from (note.at(where) for note in mark_notes(ratings, campaign.testset))
    for predicted in campaign.predictions:
        yield from (note.at(where) for note in repeated_outputs(predicted))


def _reading_notes(campaign: Campaign, where: str) -> Iterator[Note]:
    """What was noted while the files were read, and missing scores. A file may have equal gaps in several pairs."""
    of_tables, name = tuple(table_gap_notes(campaign.metrics)), f"{campaign.name} {campaign.lp}".strip()
    gaps = {*of_tables, *(note for judged in campaign.judged_or_predicted for note in gap_notes(judged))}
    for note in dict.fromkeys((*campaign.notes, *of_tables)):
        yield replace(note, where=f"{name}: {note.where}") if name and note in gaps else note.at(where)


def check_testset(testset: TestSet, reported: Sequence[Note] = (), *, runtime: Runtime | None = None) -> Iterator[Note]:
    """Check texts column by column and against each other. Notes `reported` elsewhere are not repeated."""
    where = f"{testset.name or ''} {testset.lp or ''}".strip()
    yield from (note.at(where) for note in testset.notes if note not in reported)
    yield from text_findings(
        testset.outputs,
        testset.references,
        sources=testset.sources,
        lp=testset.lp,
        prefix=f"{where}: " if where else "",
        thorough=True,
        is_bom_reported=any(note.kind is NoteKind.KEPT for note in reported),
        runtime=runtime,
    )


def _check_plain(
    outputs: list[Path], references: list[Path], sources: list[Path], lp: str | None, runtime: Runtime
) -> Iterator[Note]:
    columns: dict[Path, Column] = {}
    for path in runtime.track((*outputs, *references, *sources), lambda path: f"reading {shown_path(path)}"):
        try:
            lines, notes = read_column(path)
            columns[path] = lines
        except InputError as error:
            yield error_note(error, shown_path(path))
        else:
            all_notes = (*notes, *text_notes(lines, path=shown_path(path)))
            yield from (note.at(shown_path(path)) for note in all_notes)
    similar = similar_names({stem_of(path): [shown_path(path)] for path in outputs})
    yield from (note.at(shown_path(outputs[0])) for note in similar)
    if columns:
        yield from _compare_plain(columns, outputs, references, sources, lp, runtime)


def _compare_plain(
    columns: Mapping[Path, Column],
    outputs: list[Path],
    references: list[Path],
    sources: list[Path],
    lp: str | None,
    runtime: Runtime,
) -> Iterator[Note]:
    stems = Counter(map(stem_of, columns))
    names = {path: stem_of(path) if stems[stem_of(path)] == 1 else shown_path(path) for path in columns}
    texts = {names[path]: columns[path] for path in (*references, *sources, *outputs) if columns.get(path)}
    for path, column in columns.items():
        if not column:
            yield Note(NoteKind.MISSING, "empty file", shown_path(path), severity="error")
    for odd in odd_lengths(texts) if texts else ():
        yield Note(NoteKind.SUSPECT, odd.text, odd.label, severity="error", line=odd.line, hint=odd.hint)
    usual_length = len(texts[odd_length(texts)[0]]) if texts else 0

    def of_usual_length(paths: list[Path]) -> dict[str, Column]:
        return {names[path]: columns[path] for path in paths if len(columns.get(path, ())) == usual_length}

    source = next(iter(of_usual_length(sources).values()), None)
    if outputs and not references and source is None:
        text = spelled(f"alignment not checked: no reference ({option_name('references')})")
        yield Note(NoteKind.ADVICE, text, shown_path(outputs[0]))
    yield from text_findings(
        of_usual_length(outputs), of_usual_length(references), sources=source, lp=lp, thorough=True, runtime=runtime
    )


def _other_documents(campaign: Campaign) -> Iterator[Note]:
    """Ratings of an output whose document is not that of the text."""
    documents = () if campaign.testset is None else campaign.testset.documents or ()
    for ratings in campaign.ratings if documents else ():
        if ratings.items or not ratings.document:
            continue
        kinds = ratings.kind or ("TGT",) * len(ratings)
        rows = zip(ratings.segment.tolist(), map(document_name, ratings.document), kinds, strict=True)
        placed = ((segment, name) for segment, name, kind in rows if kind == "TGT" and 0 <= segment < len(documents))
        known = ((name, documents[segment]) for segment, name in placed)
        others = [(name, text) for name, text in known if name and text and name != document_name(text)]
        if others:
            first = " and ".join(f"'{printable(name)}'" for name in others[0])
            text = f"{plural(len(others), 'rating')} of another document than the text (first: {first})"
            yield Note(NoteKind.SUSPECT, text, ratings.origin, len(others), "warning")


def _check_human(campaign: Campaign, where: str) -> Iterator[Note]:
    """Systems and cells without a human score, one finding for all tables that lack the same."""
    unscored: dict[tuple[str, ...], list[ScoreTable]] = {}
    gaps: dict[tuple[int, int], list[ScoreTable]] = {}
    for table in campaign.human:
        scores = table.take(campaign.systems)
        missing = tuple(name for name, row in zip(campaign.systems, scores.values, strict=True) if np.isnan(row).all())
        unscored.setdefault(missing, []).append(table)
        items = table.values.shape[1]
        counts = scores.gaps - len(missing) * items, (len(campaign.systems) - len(missing)) * items
        gaps.setdefault(counts, []).append(table)
    for missing, tables in unscored.items():
        if missing:
            text = f"{_table_names(tables)}: no human score for {', '.join(missing)}"
            yield Note(NoteKind.MISSING, text, where, count=len(missing))
    for (count, cells), tables in gaps.items():
        if count:
            text = f"{_table_names(tables)}: {count:,} of {plural(cells, 'cell')} of judged systems without a score"
            yield Note(NoteKind.MISSING, text, where, count=count)


def _table_names(tables: Iterable[ScoreTable]) -> str:
    """Tables by name and level, like `wmt-raw, wmt-z by segment and system`."""
    levels: dict[str, list[str]] = {}
    for table in tables:
        levels.setdefault(table.name, []).append(table.level)
    names: dict[str, list[str]] = {}
    for name, name_levels in levels.items():
        *others, last = dict.fromkeys(name_levels)
        names.setdefault(f"{', '.join(others)} and {last}" if others else last, []).append(name)
    return ", ".join(f"{', '.join(alike)} by {joined}" for joined, alike in names.items())
