"""The formats of the field, one module each: how to recognise, list, read and, where useful, write them.

A new format is one new file here: `assay.read`, `assay data`, `--data` and the tests find it by name. A format declares
what it recognises (`recognises`), what it can list without reading everything (`contents`) and what it reads (`read`),
so that any of them can stand behind `--data`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import ClassVar

from assay.data import NO, POSSIBLE
from assay.data.faults import Faults
from assay.data.joined import join_campaigns
from assay.data.tables.names import stem_of
from assay.data.text_files import (
    explaining_cut_off_files,
    is_pipe,
    read_bytes,
    read_text,
    reading_once,
    shown_path,
)
from assay.errors import ConfigError, EmptyInputError, InputError, UnknownNameError, nearest, option_name
from assay.registry import Registry
from assay.types import Campaign, Note, NoteKind
from assay.types.language_codes import is_language_pair, pair_without_scripts
from assay.types.note import listed
from assay.types.runtime import Runtime

__all__ = [
    "Format",
    "StoredCampaign",
    "TableFormat",
    "check_distinct",
    "data_format",
    "detect_format",
    "detect_scores",
    "file_groups",
    "find_format",
    "format_by_suffix",
    "format_unless_text",
    "has_suffix",
    "join_stored",
    "json_keys",
    "list_campaigns",
    "may_have_suffix",
    "read_campaign",
    "read_campaigns",
    "stored_campaigns",
    "unrecognised_format",
]

_TABLES = (".csv", ".tsv", ".xlsx", ".jsonl", ".ndjson", ".json", ".xml", ".sgm", ".sgml", ".parquet", ".score")
_HEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class StoredCampaign:
    """One language pair of a test set in files or folders: its names, and a function that reads it."""

    testset: str
    lp: str
    read_sound: Callable[[Faults], Campaign] = field(repr=False, compare=False)
    """What the sound files contain; the errors of the others are added to the faults."""
    paths: tuple[Path, ...] = ()
    """The files or folders that it is read from."""
    parts: tuple[StoredCampaign, ...] = ()
    """What is joined, if it is in several files."""

    def __str__(self) -> str:
        return f"{self.testset} {self.lp}".strip() or _shown_paths(self.paths)

    def read(self) -> Campaign:
        """What all files contain. A faulty text is an error; a faulty table is left out, and a note says why."""
        faults, shown = Faults(), _shown_paths(self.paths, " ")
        with explaining_cut_off_files():
            try:
                campaign = self.read_sound(faults)
            except InputError:
                faults.raise_first(shown)  # the cause, if there was one
                raise
        return faults.settled(campaign, shown)

    @property
    def is_named_after_file(self) -> bool:
        """Whether it has the name of its file: `wave1` or `en-de.wave1` for `en-de.wave1.csv`."""
        starts = (f"{self.testset}.", f".{self.testset}")
        return any(
            self.testset == stem_of(path) if is_pipe(path) else path.name.removeprefix(f"{self.lp}.").startswith(starts)
            for path in self.paths
        )


class Format(ABC):
    """A way to write test sets, scores or judgements down."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    """Suffixes of such files; `.gz` may follow."""
    written_suffixes: ClassVar[tuple[str, ...] | None] = None
    """Suffixes by which the format is chosen to write a file; None: all of them."""
    is_folder: ClassVar[bool] = False
    """Whether the format is a folder of files rather than a file."""
    names_systems: ClassVar[bool] = True
    """Whether a file says which systems its scores are of."""
    names_references: ClassVar[bool] = True
    """Whether a file says what the references of its metrics are called."""
    has_own_metrics: ClassVar[bool] = False
    """Whether a file has scores of our own metrics, which are called by their specs."""
    penalty_hint: ClassVar[str] = "if lower is better, call the column human:NAME:better=lower"
    """How to read human scores for which lower is better."""

    def recognises(self, path: Path, head: str) -> int:
        """How certain it is that a file has this format, from NO to CERTAIN; `head` is the start of its text."""
        return POSSIBLE if has_suffix(path, self.suffixes) else NO

    def contents(self, path: Path) -> tuple[StoredCampaign, ...]:
        """The test sets and language pairs of a file or folder. By default it is read; a folder can be listed."""
        return tuple(_already_read(campaign) for campaign in self.read(path))

    @abstractmethod
    def read(self, path: Path) -> tuple[Campaign, ...]:
        """A campaign for each test set and language pair of a file or folder. All flaws are `InputError`s."""

    def read_together(self, paths: Sequence[Path]) -> tuple[Campaign, ...]:
        """The campaigns of several files. A format that spreads one test set over several files combines them."""
        return tuple(campaign for path in paths for campaign in self.read(path))

    @property
    def reads_together(self) -> bool:
        """Whether the files of one test set must be read together."""
        return type(self).read_together is not Format.read_together

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        """Write what `read` reads."""
        raise ConfigError(f"{self.name} can be read but not written")

    @property
    def can_write(self) -> bool:
        """Whether files can be written, too."""
        return type(self).write is not Format.write


@dataclass(frozen=True)
class TableFormat(Format):
    """A table with named columns."""

    columns: str = ""
    """What columns are, if their names do not say it: `reference=target,SysA,SysB`."""
    metric: str = ""
    """The name of a score that the table should have in a column of this name."""


def _already_read(campaign: Campaign) -> StoredCampaign:
    return StoredCampaign(campaign.name, campaign.lp, lambda _: campaign)


data_format: Registry[Format] = Registry("format", __name__)


def has_suffix(path: Path, suffixes: Iterable[str]) -> bool:
    """Whether the name of a file ends in one of these suffixes, before `.gz`."""
    return path.name.lower().removesuffix(".gz").endswith(tuple(suffixes))


def json_keys(head: str) -> set[str]:
    """The keys of the JSON object in the first line of a file; none if it is not an object. The line may be cut."""
    line = head.removeprefix("\ufeff").lstrip().partition("\n")[0]
    return set(re.findall(r'"([\w-]+)"\s*:', line)) if line.startswith("{") else set()


def may_have_suffix(path: Path, suffixes: Iterable[str]) -> bool:
    """As `has_suffix`, but a pipe, which has no name of its own, may have any."""
    return has_suffix(path, suffixes) or is_pipe(path)


@reading_once()
def list_campaigns(
    *paths: str | Path, input_format: str | None = None, columns: str = "", lp: str | None = None
) -> tuple[StoredCampaign, ...]:
    """The test sets and language pairs in files or folders; a folder is listed without reading its files.

    `input_format` names the format, otherwise each file's is detected. `columns` says what columns of tables are, and
    `lp` is the language pair of files that name none. What several files contain of one language pair is one campaign,
    unless they name different test sets.
    """
    check_distinct(paths)
    by_format: dict[Format, list[Path]] = {}
    for path in map(Path, paths):
        by_format.setdefault(find_format(path, input_format, columns), []).append(path)
    groups = [group for reader, places in by_format.items() for group in file_groups(reader, places)]
    return join_stored((stored for group in groups for stored in stored_campaigns(*group, lp=lp)), lp)


def check_distinct(paths: Iterable[str | Path]) -> None:
    """Refuse a file that is given twice: its contents would clash with themselves."""
    seen: set[Path] = set()
    for path in map(Path, paths):
        if (resolved := path.resolve()) in seen:
            raise ConfigError(f"{shown_path(path)} is given twice", hint="give every file once")
        seen.add(resolved)


def file_groups(reader: Format, paths: Iterable[Path]) -> list[tuple[Format, tuple[Path, ...]]]:
    """The files of one format that are read together, with their reader: all of them, or each alone."""
    together = [tuple(paths)] if reader.reads_together else [(path,) for path in paths]
    return [(reader, group) for group in together]


@explaining_cut_off_files()
def stored_campaigns(reader: Format, paths: tuple[Path, ...], *, lp: str | None = None) -> list[StoredCampaign]:
    """The test sets and language pairs of a folder, or of files that are read together.

    If these name no language pair, it is `lp`, unless that is a pattern.
    """
    contents = reader.contents(paths[0]) if len(paths) == 1 else map(_already_read, reader.read_together(paths))
    stored = [
        replace(stored, read_sound=partial(_read_checked, stored.read_sound, reader), paths=paths)
        for stored in contents
    ]
    if lp is None or not is_language_pair(lp) or any(each.lp for each in stored):
        return stored
    return [replace(each, lp=lp, read_sound=partial(_read_as_pair, each.read_sound, lp)) for each in stored]


def _read_as_pair(read: Callable[[Faults], Campaign], lp: str, faults: Faults) -> Campaign:
    """A campaign of a file that does not name its language pair, as one of this pair."""
    campaign = read(faults)
    texts = None if campaign.testset is None else replace(campaign.testset, lp=lp)
    return replace(campaign, lp=lp, testset=texts)


def _read_checked(read: Callable[[Faults], Campaign], reader: Format, faults: Faults) -> Campaign:
    """Refuse MQM scores that are penalties: the worst system would come first. Note options of the format."""
    campaign = _with_options_note(read(faults), reader)
    for table in campaign.human:
        with faults.found():
            table.refuse_penalties(reader.penalty_hint)
    return campaign


def _with_options_note(campaign: Campaign, reader: Format) -> Campaign:
    """The campaign with a note on how it was read, if that was not by default: other options give other numbers."""
    if isinstance(reader, TableFormat):
        reader = replace(reader, columns="")  # a note says what each column was read as
    spec = data_format.spec(reader)
    if spec == reader.name:
        return campaign
    return campaign.with_notes([Note(NoteKind.PROVENANCE, f"read as {spec}", campaign.label)])


def join_stored(campaigns: Iterable[StoredCampaign], lp: str | None = None) -> tuple[StoredCampaign, ...]:
    """One campaign for each test set and language pair of several files.

    Files that do not say their language pair belong to the only known one, and files that do not name their test set
    to the only one of their language pair. If one file has both, those without a name are a test set of their own.
    `eng_Latn-deu_Latn` in one file is `en-de` in another, unless there is a second script of it; the pair is called
    `lp` if that is one of the two names.
    """
    stored = tuple(campaigns)
    if len({campaign.paths for campaign in stored}) < 2:
        return stored
    stored = _under_one_name(stored, lp)
    names: dict[tuple[Path, ...], set[str]] = {}
    for campaign in stored:
        names.setdefault(campaign.paths, set()).add(campaign.testset)

    def testset_of(campaign: StoredCampaign) -> str:
        """The name of the test set, unless it is only that of the file."""
        return "" if campaign.is_named_after_file and len(names[campaign.paths]) == 1 else campaign.testset

    return tuple(
        _joined(group, testset, lp)
        for lp, of_pair in _grouped(stored, lambda campaign: campaign.lp).items()
        for testset, group in _grouped(of_pair, testset_of).items()
    )


def _under_one_name(stored: tuple[StoredCampaign, ...], wanted: str | None) -> tuple[StoredCampaign, ...]:
    """The campaigns, with one name for a language pair that files call `en-de` and `eng_Latn-deu_Latn`."""
    by_pair = {lp: _paths_of(each for each in stored if each.lp == lp) for lp in dict.fromkeys(c.lp for c in stored)}
    named: dict[str, str] = {}
    bases = Counter(map(pair_without_scripts, by_pair))
    named_sets = {each.lp for each in stored if each.testset and not each.is_named_after_file}
    unnamed = by_pair.keys() - named_sets  # others are test sets of their own, and keep their names
    for lp, paths in by_pair.items():
        plain = pair_without_scripts(lp)
        is_known = plain in by_pair and bases[plain] == 1 and not paths & by_pair[plain]
        if plain is not None and is_known and (lp in unnamed or plain in unnamed):
            named |= {plain: lp} if wanted == lp else {lp: plain}
    return tuple(
        replace(each, lp=named[each.lp], read_sound=partial(_read_under_name, each.read_sound, named[each.lp]))
        if each.lp in named
        else each
        for each in stored
    )


def _read_under_name(read: Callable[[Faults], Campaign], lp: str, faults: Faults) -> Campaign:
    """A campaign with another name of its language pair, which a note says."""
    campaign = read(faults)
    note = Note(NoteKind.PROVENANCE, f"{campaign.lp} is taken to be {lp}, as other files call it")
    return _read_as_pair(lambda _: campaign, lp, faults).with_notes([note])


def _grouped(
    campaigns: Iterable[StoredCampaign], key: Callable[[StoredCampaign], str]
) -> dict[str, list[StoredCampaign]]:
    """Campaigns by a key; those without one belong to the only other group, unless one file has campaigns of both."""
    groups: dict[str, list[StoredCampaign]] = {}
    for campaign in campaigns:
        groups.setdefault(key(campaign), []).append(campaign)
    if "" in groups and len(groups) == 2:
        (other,) = (name for name in groups if name)
        if not _paths_of(groups[""]) & _paths_of(groups[other]):
            groups[other] += groups.pop("")
    return groups


def _paths_of(campaigns: Iterable[StoredCampaign]) -> set[Path]:
    return {path for campaign in campaigns for path in campaign.paths}


def _joined(group: Sequence[StoredCampaign], testset: str, lp: str) -> StoredCampaign:
    if len(group) == 1:
        return group[0]
    paths = tuple(dict.fromkeys(path for campaign in group for path in campaign.paths))
    name = testset or listed(dict.fromkeys(campaign.testset for campaign in group if campaign.testset))
    return StoredCampaign(
        name, lp, lambda faults: join_campaigns([c.read_sound(faults) for c in group], name), paths, tuple(group)
    )


@reading_once()
def read_campaign(
    *paths: str | Path,
    lp: str | None = None,
    input_format: str | None = None,
    columns: str = "",
    runtime: Runtime | None = None,
) -> Campaign:
    """The only campaign in files or folders, or the only one of this language pair (a name or a pattern)."""
    stored = list_campaigns(*paths, input_format=input_format, columns=columns, lp=lp)
    matching = [campaign for campaign in stored if lp is None or fnmatchcase(campaign.lp, lp)]
    if len(matching) == 1:
        return _read_all(matching, (), runtime or Runtime(), _without_wanted(matching, stored))[0]
    shown = _shown_paths(paths)
    _check_pair(shown, lp, stored)
    pairs = ", ".join(dict.fromkeys(campaign.lp for campaign in matching))
    raise ConfigError(f"{shown} has several language pairs", hint=f"choose one with {option_name('lp')}: {pairs}")


@reading_once()
def read_campaigns(
    *paths: str | Path,
    lps: Collection[str] = (),
    input_format: str | None = None,
    columns: str = "",
    runtime: Runtime | None = None,
) -> tuple[Campaign, ...]:
    """All campaigns in files or folders, or those of these language pairs (names or patterns), in this order.

    A language pair that cannot be read is an error if `lps` names it, or if there is no other; else it is left out, and
    a note on the first campaign says why.
    """
    only = next(iter(lps)) if len(lps) == 1 else None
    stored = list_campaigns(*paths, input_format=input_format, columns=columns, lp=only)
    for lp in lps:
        _check_pair(_shown_paths(paths), lp, stored, allows_several=len(paths) > 1)
    order = {c.lp: None for lp in lps for c in stored if fnmatchcase(c.lp, lp)}
    wanted = [c for lp in order for c in stored if c.lp == lp] if lps else stored
    if wanted is not stored and any(not campaign.lp for campaign in stored):
        message = "some of these files name no language pair, so that they belong to none of those asked for"
        hint = f"read them with a single pair, which is then theirs: {option_name('lp', wanted[0].lp)}"
        raise InputError(message, path=_shown_paths(paths), hint=hint)
    return _read_all(wanted, lps, runtime or Runtime(), _without_wanted(wanted, stored))


def _without_wanted(wanted: Iterable[StoredCampaign], stored: Iterable[StoredCampaign]) -> tuple[Note, ...]:
    """Files that have only other language pairs than those that are wanted."""
    used, pairs = _paths_of(wanted), dict.fromkeys(campaign.lp for campaign in wanted)
    others: dict[Path, dict[str, None]] = {}
    for campaign in stored:
        for path in () if used.issuperset(campaign.paths) else campaign.paths:
            others.setdefault(path, {})[campaign.lp] = None
    return tuple(
        Note(NoteKind.UNREAD, f"not read: it has {listed(lps)}, not {listed(pairs)}", shown_path(path), 1, "warning")
        for path, lps in others.items()
        if path not in used
    )


def _read_all(
    wanted: Sequence[StoredCampaign], named: Collection[str], runtime: Runtime, notes: Iterable[Note]
) -> tuple[Campaign, ...]:
    """The campaigns that can be read, and a note on the others. Those that are `named` must be readable."""
    campaigns: list[Campaign] = []
    errors: dict[StoredCampaign, InputError] = {}
    for stored in runtime.track(wanted, lambda campaign: f"reading {campaign}"):
        try:
            campaigns.append(stored.read())
        except InputError as error:
            if stored.lp in named or isinstance(error, MemoryError):
                raise
            errors[stored] = error
    if errors and not campaigns:
        raise next(iter(errors.values()))
    if errors:
        campaigns[0] = campaigns[0].with_notes(_left_out_note(*item) for item in errors.items())
    if campaigns:
        campaigns[0] = campaigns[0].with_notes(notes)
    return tuple(campaigns)


def _left_out_note(stored: StoredCampaign, error: InputError) -> Note:
    """Why a language pair could not be read. Strict reading refuses it as it refuses faulty rows."""
    message = error.message if error.hint is None else f"{error.message} ({error.hint})"
    if not stored.lp and len(stored.paths) > 1:
        message += "; of several language pairs, each file must name its own: NAME_en-de.tsv, or a column lp"
    return Note(NoteKind.SKIPPED, f"{stored} is left out: {message}", severity="warning")


def _shown_paths(paths: Iterable[str | Path], separator: str = ", ") -> str:
    return separator.join(map(shown_path, paths))


def _check_pair(path: str, lp: str | None, stored: Iterable[StoredCampaign], *, allows_several: bool = False) -> None:
    """Refuse a language pair that is absent or in several test sets, and a place without any."""
    testsets: dict[str, set[str]] = {}
    for campaign in stored:
        testsets.setdefault(campaign.lp, set()).add(campaign.testset)
    if not testsets:
        raise EmptyInputError("no language pairs", path=path)
    matching = [names for pair, names in testsets.items() if lp is None or fnmatchcase(pair, lp)]
    if not matching:
        hint = nearest(str(lp), filter(None, testsets))
        if not any(testsets):
            hint = f"it does not name its language pair; give one, e.g. {option_name('lp', 'en-de')}"
        raise UnknownNameError(f"{path} has no language pair '{lp}'", hint=hint)
    names = set().union(*matching) if lp is None else max(matching, key=len)
    if len(names) > 1 and not allows_several:
        raise ConfigError(f"{path} has several test sets", hint=f"choose one: {', '.join(sorted(names))}")


def format_by_suffix(path: Path) -> Format:
    """The format to write a file in: the one with the longest suffix that fits."""
    name = path.name.lower().removesuffix(".gz")
    writers = {
        suffix: writer
        for writer in map(data_format.create, data_format.names())
        for suffix in (writer.suffixes if writer.written_suffixes is None else writer.written_suffixes)
        if writer.can_write and name.endswith(suffix)
    }
    if not writers:
        raise ConfigError(
            f"no format is written with the suffix '{path.suffix}'", hint=f"choose one, e.g. {option_name('to', 'tsv')}"
        )
    return writers[max(writers, key=len)]


def find_format(path: Path, input_format: str | None = None, columns: str = "") -> Format:
    """The named format, or the one detected; an error if none is. `columns` says what columns of a table are."""
    if columns:
        return _table_format(path, input_format, columns)
    if input_format is not None:
        return data_format.create(input_format)
    detected = detect_format(path) or _table_by_suffix(path)
    if detected is not None:
        return detected
    if path.is_dir():
        return data_format.create("mtme")  # whose error says what it looked for
    advice = f"name the format with {option_name('input_format')}: {', '.join(data_format.names())}"
    if has_suffix(path, (".score", ".txt")):
        advice = f"name score files NAME.seg.score or NAME.sys.score, name the columns of a table, or {advice}"
    else:
        advice = f"plain texts are for assay score, assay compare and assay data check; for another file, {advice}"
    raise unrecognised_format(path, advice)


def format_unless_text(path: Path, input_format: str | None = None, columns: str = "") -> Format | None:
    """As `find_format`, but None for plain text: a file that no format recognises and whose name is not a table's."""
    if input_format is not None or columns:
        return find_format(path, input_format, columns)
    detected = detect_format(path)
    if detected is None and (path.is_dir() or has_suffix(path, _TABLES)):
        return find_format(path)
    return detected


def _table_format(path: Path, input_format: str | None, columns: str) -> TableFormat:
    """The format of a table, whose columns need not have known names."""
    reader = find_format(path, input_format)
    if not isinstance(reader, TableFormat):
        message = f"{option_name('columns')} applies to tables, and {shown_path(path)} is read as {reader.name}"
        raise ConfigError(message, hint=f"name the format if it is a table: {option_name('input_format', 'csv')}")
    return replace(reader, columns=columns)


def _table_by_suffix(path: Path) -> Format | None:
    """The format of a table whose columns have no known names: reading it says what to do."""
    if path.is_dir() or is_pipe(path) or not (head := _head(path)) or _format_of_contents(head) is not None:
        return None
    tables = (each for each in _readers(is_folder=False) if isinstance(each, TableFormat))
    return next((each for each in tables if has_suffix(path, each.suffixes)), None)


def detect_scores(path: Path) -> Format | None:
    """The format of a file of scores, which may be a table whose columns have no known names."""
    return detect_format(path) or _table_by_suffix(path)


def unrecognised_format(path: Path, advice: str) -> InputError:
    """The error for a file that no format recognises; `advice` is the hint if its contents give no better one."""
    head = _head(path)
    if not head:
        return EmptyInputError("empty file", path=shown_path(path))
    if (likely := _format_of_contents(head)) is not None:
        hint = f"the contents look like {likely.name}: rename the file to end in {likely.suffixes[0]}"
        message = f"not what its suffix '{path.suffix}' says" if path.suffix else "unrecognised format"
        return InputError(message, path=shown_path(path), hint=hint)
    return InputError("unrecognised format", path=shown_path(path), hint=advice)


def _format_of_contents(head: str) -> Format | None:
    """The most likely format of a file by the start of its text alone, as for a pipe; None if there is none."""
    certainty = {reader: reader.recognises(Path("-"), head) for reader in _readers(is_folder=False) if reader.suffixes}
    likely = max(certainty, key=lambda reader: certainty[reader])
    return likely if certainty[likely] > NO else None


def detect_format(path: Path) -> Format | None:
    """The most likely format of a file; None if no format recognises it, so it may be plain text."""
    if not is_pipe(path) and not path.exists():
        raise InputError("no such file or directory", path=shown_path(path))
    is_folder = path.is_dir()
    head = "" if is_folder else _head(path)
    certainty = {reader: reader.recognises(path, head) for reader in _readers(is_folder=is_folder)}
    best = max(certainty.values())
    names = [reader.name for reader, level in certainty.items() if level == best]
    if best == NO:
        if head:
            read_text(path)  # raises an error if the content is not text at all
        return None
    if len(names) > 1:
        hint = f"choose one: {option_name('input_format', names[0])}"
        raise InputError(f"ambiguous format: {' or '.join(names)}", path=shown_path(path), hint=hint)
    return data_format.create(names[0])


def _head(path: Path) -> str:
    return read_bytes(path)[:_HEAD].decode("utf-8", errors="replace")


def _readers(*, is_folder: bool) -> list[Format]:
    readers = map(data_format.create, data_format.names())
    return [reader for reader in readers if reader.is_folder == is_folder]
