"""`assay.load_scores`: load metric scores computed elsewhere and check that they belong to a test set."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, TypeAlias, Unpack

from assay.data.formats import TableFormat, detect_scores, find_format, unrecognised_format
from assay.data.scored_texts import compare_scored_texts
from assay.data.tables.names import stem_of
from assay.data.tables.score_tables import joined_tables
from assay.data.text_files import explaining_cut_off_files, reading_once, shown_path
from assay.errors import AssayError, ConfigError, InputError, UnknownNameError, nearest, option_name
from assay.files import exists
from assay.metrics import metric
from assay.options.checks import no_effect
from assay.options.option import Data, Option
from assay.options.parameters import kind_of
from assay.options.shared import RUNTIME, InputFormat, LowerIsBetter, TestsetNames
from assay.options.verb import verb
from assay.types import Campaign, FrozenDict, Note, NoteKind, ScoreTable, TestSet, check_names
from assay.types.metric_names import UNKNOWN, metric_label
from assay.types.note import listed, plural, warnings_among, with_warnings
from assay.types.runtime import Runtime, RuntimeFields
from assay.types.score_checks import identical_metrics, unknown_references

__all__ = ["LoadedScores", "ScoreFile", "load_scores"]

ScoreFile: TypeAlias = str | Path | tuple[str, str | Path]
"""A file of scores, or a name and a file: the scores then have this name. `METRIC/SYSTEM` also names the system."""

_LEVELS = ("system", "segment")
_MAX_LISTED = 5  # systems
_SHOWN = (NoteKind.SUSPECT, NoteKind.PROVENANCE)  # what is doubtful in a file, and what its columns were read as
_SCORE_FORMS = (
    "write one score per line, or a system and a score separated by a tab (NAME.seg.score), or a table with the "
    "columns system, segment and score:NAME, or a column for each system (.tsv, .csv, .xlsx, .json)"
)
_WHERE_SCORES_ARE = (
    "COMET writes scores in the field COMET, MetricX in the field prediction; in a table, name the column of the "
    "scores, as in --scores COLUMN=FILE, or call it score:NAME"
)
_ONLY_SYSTEMS = "it has scores of whole systems; give a file with a score for each segment"


@dataclass(frozen=True, slots=True, repr=False)
class LoadedScores(Mapping[str, tuple[ScoreTable, ...]]):
    """Score tables by language pair, and notes on partial matches."""

    by_pair: Mapping[str, tuple[ScoreTable, ...]]
    notes: tuple[Note, ...] = field(default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_pair", FrozenDict(self.by_pair))

    def __getitem__(self, lp: str) -> tuple[ScoreTable, ...]:
        return self.by_pair[lp]

    def __repr__(self) -> str:
        return with_warnings(f"LoadedScores({dict(self.by_pair)!r})", self.warnings)

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_pair)

    def __len__(self) -> int:
        return len(self.by_pair)

    @property
    def warnings(self) -> tuple[Note, ...]:
        """The notes that make the scores doubtful."""
        return warnings_among(self.notes)

    @property
    def tables(self) -> tuple[ScoreTable, ...]:
        """The tables of all language pairs."""
        return tuple(table for tables in self.by_pair.values() for table in tables)


@verb
def load_scores(
    paths: Annotated[
        str | Path | Mapping[str, str | Path] | Iterable[ScoreFile],
        Option("Files of scores, perhaps with the names of their metrics: [('COMET', path)].", is_checked=False),
    ],
    target: Annotated[
        TestSet | Campaign | Iterable[Campaign],
        Data(
            "The test set or the campaigns that the scores belong to. A test set needs scores of segments.",
            noun="a test set or campaigns",
            example='campaign = assay.load_campaign("wmt22", lp="en-de")',
        ),
    ],
    *,
    campaign: Annotated[
        Campaign | None,
        Option(
            "The campaign of the test set: a path may then be the name of a metric with scores in it, such as COMET-22 "
            "or COMET-22-refA.",
            is_command_option=False,
        ),
    ] = None,
    lower_is_better: LowerIsBetter = (),
    testset_name: TestsetNames = (),
    input_format: InputFormat = None,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> LoadedScores:
    """Load files of metric scores that belong to a test set or to campaigns.

    Scores of other texts, or of none of the systems, raise an error; partial matches are noted. A file with one score
    per line is about the only system, the system it is named after, or the one in the name that is given with it:
    `("COMET/base", path)`. Scores of the same metric and different systems belong together, and segments with names
    are matched by name.
    """
    files, runtime = _named_files(paths), runtime or Runtime()
    aliases = tuple(testset_name)
    if not files and aliases:
        raise no_effect("testset_name", "it applies to files of scores")
    if not files and not lower_is_better:
        return LoadedScores({})
    if isinstance(target, TestSet):
        loaded = _for_testset(files, target, campaign, aliases, input_format, runtime)
    else:
        campaigns = [target] if isinstance(target, Campaign) else list(target)
        loaded = _for_campaigns(files, {pair.lp: pair for pair in campaigns}, aliases, input_format, runtime)
    return _with_direction(loaded, tuple(lower_is_better))


@dataclass(frozen=True, slots=True)
class _File:
    """A file of scores, with the names that its metric and its system should have; empty: as in the file."""

    path: str
    name: str = ""
    system: str = ""

    @classmethod
    def of(cls, item: ScoreFile) -> _File:
        match item:
            case str() | Path():
                return cls(str(item))
            case (str() as label, str() | Path() as path):
                name, _, system = label.partition("/")  # neither can contain a slash
                return cls(str(path), name, system)
        message = f"paths must be a path, a list of paths or a mapping to paths, not {kind_of(item)}"
        raise ConfigError(message, hint='paths="comet.json" or paths={"COMET": "comet.json"}')


def _named_files(paths: str | Path | Mapping[str, str | Path] | Iterable[ScoreFile]) -> list[_File]:
    if isinstance(paths, str) or not isinstance(paths, Iterable):
        return [_File.of(paths)]
    return list(map(_File.of, paths.items() if isinstance(paths, Mapping) else paths))


def _for_testset(
    files: list[_File],
    testset: TestSet,
    campaign: Campaign | None,
    aliases: Sequence[str],
    input_format: str | None,
    runtime: Runtime,
) -> LoadedScores:
    excluded = () if campaign is None else set(campaign.systems) - set(testset.systems)
    tables: list[ScoreTable] = []
    notes: list[Note] = []
    for file in runtime.track(files, lambda file: f"reading {file.path}"):
        levels: set[str] = set()
        if campaign is not None and not exists(file.path):
            tables += _stored_scores(file.path, file.name, testset, campaign)
            continue
        loaded: list[ScoreTable] = []
        contents = _read(file, testset.systems, input_format)
        for _, content in _chosen_contents(contents, {testset.lp or "": testset.name or ""}, aliases, file.path, notes):
            scores, differences = _matched(content, testset, file.path)
            notes += differences
            loaded += [table for table in scores if table.level == "segment"]
            levels |= {table.level for table in scores}
        if not loaded:
            hint = _ONLY_SYSTEMS if "system" in levels else _WHERE_SCORES_ARE
            raise InputError("this file has no segment scores", path=file.path, hint=hint)
        for table in _chosen(loaded, file):
            notes += _check_systems(table, testset.systems, file, excluded=excluded)
            tables.append(_of_size(_paired(table, testset.items, notes), len(testset)))
    joined = _joined(tables)
    missing = [note for table in joined for note in _missing_systems(table, testset.systems)]
    return LoadedScores({testset.lp or "": joined} if joined else {}, (*missing, *notes))


def _for_campaigns(
    files: list[_File],
    campaigns: Mapping[str, Campaign],
    aliases: Sequence[str],
    input_format: str | None,
    runtime: Runtime,
) -> LoadedScores:
    by_pair: dict[str, list[ScoreTable]] = {}
    notes: list[Note] = []
    systems = dict.fromkeys(name for campaign in campaigns.values() for name in campaign.systems)
    names = {lp: campaign.name for lp, campaign in campaigns.items()}
    for file in runtime.track(files, lambda file: f"reading {file.path}"):
        contents = _read(file, tuple(systems), input_format)
        for lp, content in _chosen_contents(contents, names, aliases, file.path, notes):
            campaign = campaigns[lp]
            texts = campaign.testset
            scores, differences = _matched(content, texts, file.path)
            notes += differences
            for table in _chosen([t for t in scores if not t.is_human and t.level in _LEVELS], file):
                notes += _check_systems(table, campaign.systems, file)
                items = () if texts is None else texts.items
                by_pair.setdefault(campaign.lp, []).append(_paired(table, items, notes))
    if files and not by_pair:
        message = "this file has no metric scores of systems or segments"
        raise InputError(message, path=files[0].path, hint=_WHERE_SCORES_ARE)
    joined = {lp: _joined(tables) for lp, tables in by_pair.items()}
    missing = [note for lp in joined for table in joined[lp] for note in _missing_systems(table, campaigns[lp].systems)]
    notes += (note for lp in joined for note in _doubtful_metrics(joined[lp], campaigns[lp]))
    return LoadedScores(joined, (*missing, *notes))


def _chosen_contents(
    contents: Sequence[Campaign],
    testsets: Mapping[str, str],
    aliases: Sequence[str],
    path: str,
    notes: list[Note],
) -> list[tuple[str, Campaign]]:
    """What a file has of these test sets, by language pair; either may be unknown. Others are noted.

    If there are only others, raise. `aliases` are other names that the test sets may have in the file.
    """
    chosen, unused = [], []
    for content in contents:
        lp = _language_pair(content, path, testsets)
        ours = testsets.get(lp)
        if lp not in testsets:
            unused.append(f"{content.name} {lp}".strip())
        elif content.name and ours and content.name not in (ours, *aliases):
            unused.append(f"{content.name} {content.lp}".strip())
        else:
            chosen.append((lp, content))
            notes += _unchecked_origin(content, lp, ours, path)
    if unused and not chosen:
        raise _other_testset(contents, testsets, path)
    if unused:
        notes.append(Note(NoteKind.EXCLUDED, f"the scores for {listed(unused)} are not used", shown_path(path)))
    return chosen


def _other_testset(contents: Sequence[Campaign], testsets: Mapping[str, str], path: str) -> InputError:
    """The error for a file without scores of the test sets that are wanted."""
    same_pair = [content for content in contents if content.lp in testsets or "" in (content.lp, *testsets)]
    if not same_pair:
        theirs = listed(dict.fromkeys(content.lp for content in contents))
        return InputError(f"these scores belong to the language pair {theirs}, not to {listed(testsets)}", path=path)
    names, ours = list(dict.fromkeys(content.name for content in same_pair)), next(filter(None, testsets.values()))
    hint = f"if this is another name of {ours}, say so: {option_name('testset_name', names[0])}"
    return InputError(f"these scores belong to the test set {listed(names)}, not to {ours}", path=path, hint=hint)


@reading_once()
@explaining_cut_off_files()
def _read(file: _File, systems: Sequence[str], input_format: str | None) -> list[Campaign]:
    """The campaigns of a file, with the scores of the system that the file should be about, if that is one."""
    path = Path(file.path)
    reader = detect_scores(path) if input_format is None else find_format(path, input_format)
    if reader is None:
        raise unrecognised_format(path, _SCORE_FORMS)
    if isinstance(reader, TableFormat):
        reader = replace(reader, metric=file.name)
    campaigns = []
    for content in reader.read(path):
        own = stem_of(path) if content.scores else ""  # a table of one system need not name it
        if own and (not reader.names_systems or content.systems == (own,)):
            content = _of_system(content, own, file.system or _only_system(file, systems, own))
        elif file.system:
            content = _of_system(content, _system_in(content, file), file.system)
        if not reader.names_references:
            content = _with_references(content, dict.fromkeys(content.references, UNKNOWN))
        if reader.has_own_metrics:
            scores = tuple(replace(t, higher_is_better=_is_higher_better(t.name)) for t in content.scores)
            content = replace(content, scores=scores)
        campaigns.append(content)
    return campaigns


def _only_system(file: _File, systems: Sequence[str], stem: str) -> str:
    """The system of a file that names none: the only one, or the one that the file is named after."""
    if len(systems) == 1 or stem in systems:
        return stem if stem in systems else systems[0]
    message = f"this file does not name its system; the systems are {listed(systems, _MAX_LISTED)}"
    raise InputError(message, path=file.path, hint=_name_the_system(file, systems[0]))


def _name_the_system(file: _File, system: str, metric: str = "METRIC") -> str:
    label = f"{file.name or metric}/{system}"
    return f"name the system: --scores {label}={shown_path(file.path)} (in Python, as the name '{label}' of the file)"


def _system_in(content: Campaign, file: _File) -> str:
    """The name in a file of the system that it should be about; the only system of a file can have another name."""
    names = dict.fromkeys(name for table in content.scores for name in table.systems)
    if len(names) == 1:
        return next(iter(names))
    if names and file.system not in names:
        hint = nearest(file.system, names)
        raise UnknownNameError(f"{shown_path(file.path)} has no scores of system '{file.system}'", hint=hint)
    return file.system


def _of_system(content: Campaign, own: str, system: str) -> Campaign:
    """The scores and the output of the system that the file calls `own`, under another name."""
    texts = content.testset
    if texts is not None:
        has_output = own in texts.outputs
        texts = replace(texts, outputs={system: texts.outputs[own]}, annotations={}) if has_output else None
    scores = tuple(replace(t.take([own]), systems=(system,)) for t in content.scores if own in t.systems)
    return replace(content, systems=(system,), testset=texts, scores=scores)


def _with_references(content: Campaign, names: Mapping[str, str]) -> Campaign:
    """The content with references under other names."""

    def renamed(references: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(names.get(name, name) for name in references))

    texts = content.testset
    if texts is not None:
        texts = replace(texts, references={names.get(name, name): c for name, c in texts.references.items()})
    scores = tuple(replace(table, references=renamed(table.references)) for table in content.scores)
    return replace(content, references=renamed(content.references), testset=texts, scores=scores)


def _is_higher_better(spec: str) -> bool:
    """The direction of a metric of our own, whose scores a run wrote under its spec."""
    try:
        return metric.create(spec).higher_is_better
    except AssayError:  # an external metric of that run
        return True


def _counts_errors(name: str) -> bool:
    """Whether lower is better for a metric that the name is or contains: `MetricX-24-XXL`, `ter-refA`."""
    return any(not _is_higher_better(part) for part in (name, *re.split(r"[^a-z]+", name.lower())))


def _chosen(tables: Sequence[ScoreTable], file: _File) -> list[ScoreTable]:
    """The tables under the name that they should have; if a file has several metrics, the name chooses one."""
    names = dict.fromkeys(table.name for table in tables)
    if not file.name or file.name in names:
        return [table for table in tables if not file.name or table.name == file.name]
    if len(names) > 1:
        message = f"{shown_path(file.path)} has scores of several metrics, none of them called '{file.name}'"
        raise UnknownNameError(message, hint=nearest(file.name, names))
    return [replace(table, name=file.name) for table in tables]


def _paired(table: ScoreTable, items: Sequence[str], notes: list[Note]) -> ScoreTable:
    """The scores in the order of the test set's segments, if both name them."""
    if not items or not table.items or table.level != "segment":
        return table
    others = set(table.items) - set(items)
    if len(others) == len(table.items):
        message = f"no segment of these scores is in the test set; one is '{table.items[0]}', not '{items[0]}'"
        raise InputError(message, path=table.origin)
    if others:
        text = f"scores '{table.name}' of {plural(len(others), 'segment')} that the test set does not have are not used"
        notes.append(Note(NoteKind.EXCLUDED, text, table.origin, len(others)))
    return replace(table.take_segments(items), items=(), domains=())


def _of_size(table: ScoreTable, segments: int) -> ScoreTable:
    """The scores, if there is one for each segment: tables of one metric are joined only if they are equally long."""
    count = table.values.shape[1]
    if not table.items and count != segments:
        missing = "a score is missing" if count < segments else "there are more scores than segments"
        message = f"{plural(count, 'score')} per system, but the test set has {plural(segments, 'segment')}"
        raise InputError(message, path=table.origin or None, hint=f"{missing}: write one score per segment, in order")
    return table


def _joined(tables: Iterable[ScoreTable]) -> tuple[ScoreTable, ...]:
    joined = tuple(table for group in joined_tables(tables) for table in group)
    check_names("metric", dict.fromkeys(table.name for table in joined))
    return joined


def _language_pair(content: Campaign, path: str, known: Collection[str]) -> str:
    """The language pair of the test set that scores belong to; scores and test set may leave it open."""
    if not content.lp and len(known) > 1:
        raise ConfigError(
            f"{shown_path(path)} does not name its language pair",
            hint=f"choose one language pair with {option_name('lp')}",
        )
    first = next(iter(known))
    return content.lp if content.lp and first else first


def _with_direction(loaded: LoadedScores, lower_is_better: Sequence[str]) -> LoadedScores:
    """The same scores with their direction. Raise for a name that no scores have: it is most likely misspelt."""
    names = {table.name for table in loaded.tables}
    for name in lower_is_better:
        if name not in names:
            hint = (
                nearest(name, names)
                if names
                else f"{option_name('lower_is_better')} applies to loaded scores and to metrics made of a function"
            )
            raise UnknownNameError(f"no external scores are called '{name}'", hint=hint)
    by_pair = {
        lp: tuple(replace(t, higher_is_better=False) if t.name in lower_is_better else t for t in tables)
        for lp, tables in loaded.items()
    }
    upward = [table for tables in by_pair.values() for table in tables if table.higher_is_better]
    doubtful = sorted({table.name for table in upward if _counts_errors(table.name) and (table.values > 0).any()})
    notes = [
        Note(
            NoteKind.SUSPECT,
            f"higher scores count as better, but those of this metric are errors: "
            f"{option_name('lower_is_better', name)}, unless they are negated",
            where=name,
            severity="warning",
        )
        for name in doubtful
    ]
    return LoadedScores(by_pair, (*loaded.notes, *notes))


def _stored_scores(metric: str, name: str, testset: TestSet, campaign: Campaign) -> list[ScoreTable]:
    """A campaign's own segment scores of a metric, by its name or its name with references (`COMET-22-refA`)."""
    labelled = {metric_label(t.name, t.references): t for t in campaign.metrics if t.level == "segment"}
    matching = {label: t for label, t in labelled.items() if metric in (t.name, label)}
    if not matching:
        raise UnknownNameError(
            f"'{metric}' is neither a file nor a metric with segment scores in {campaign.label}",
            hint=nearest(metric, labelled),
        )
    usable = {label: t for label, t in matching.items() if set(t.references) <= set(testset.references)}
    if not usable:
        raise UnknownNameError(
            f"'{metric}' was not computed with these references", hint=f"available: {', '.join(matching)}"
        )
    is_ambiguous = len(usable) > 1
    return [
        replace(table, name=f"{name or table.name}{label.removeprefix(table.name) if is_ambiguous else ''}", items=())
        for label, table in usable.items()
    ]


def _unchecked_origin(content: Campaign, lp: str, name: str | None, path: str) -> Iterator[Note]:
    """A note on the test set and language pair of a file where those of the texts are not known."""
    for kind, theirs, ours in (("language pair", content.lp, lp), ("test set", content.name, name)):
        if theirs and not ours:
            text = f"according to the file, these scores belong to the {kind} {theirs}"
            yield Note(NoteKind.PROVENANCE, text, shown_path(path))


def _doubtful_metrics(tables: Sequence[ScoreTable], campaign: Campaign) -> Iterator[Note]:
    """References that the test set does not have, and scores that are those of another metric."""
    texts = campaign.testset
    if texts is not None:
        yield from unknown_references(tables, texts.references, texts.outputs)
    stored = set(identical_metrics(campaign.metrics))
    yield from (note for note in identical_metrics((*campaign.metrics, *tables)) if note not in stored)


def _matched(content: Campaign, testset: TestSet | None, path: str) -> tuple[tuple[ScoreTable, ...], list[Note]]:
    """The scores, with references called as in the test set, and notes. Raise if they are of other texts."""
    notes = [note for note in content.notes if note.kind in _SHOWN]
    if content.testset is None or testset is None:
        return content.scores, notes
    used = {reference for table in content.scores for reference in table.references}
    scored = content.testset.with_references(name for name in content.testset.references if name in used)
    names, differences = compare_scored_texts(scored, testset, path)
    return _with_references(content, names).scores, [*notes, *differences]


def _check_systems(
    table: ScoreTable, systems: Sequence[str], file: _File, *, excluded: Collection[str] = ()
) -> Iterator[Note]:
    """Raise if no system has scores; note unknown systems and gaps."""
    check_names("metric", [table.name])
    ours, theirs = set(systems), set(table.systems)
    if not ours & theirs:
        scored, known = (listed(names, _MAX_LISTED) for names in (table.systems, systems))
        is_single = len(table.systems) == 1
        renamed = f"name the outputs as in the file: {table.systems[0]}=OUTPUT (in Python, in `outputs`)"
        hint = _name_the_system(file, systems[0], table.name) if is_single else renamed
        raise InputError(f"these are scores of {scored}, but the systems are {known}", path=file.path, hint=hint)
    origin = shown_path(file.path)
    if unknown := sorted(theirs - ours - set(excluded)):
        text = f"scores of unknown systems are not used: {', '.join(unknown)}"
        yield Note(NoteKind.EXCLUDED, text, origin, len(unknown))
    if table.gaps:
        text = f"{table.name} has no score in {table.gaps:,} of {table.values.size:,} cells"
        yield Note(NoteKind.MISSING, text, origin, table.gaps)


def _missing_systems(table: ScoreTable, systems: Sequence[str]) -> Iterator[Note]:
    """Systems without scores of a metric, in any of its files."""
    if missing := sorted(set(systems) - set(table.systems)):
        text = f"no scores of {', '.join(missing)}"
        yield Note(NoteKind.MISSING, text, shown_path(table.origin) if table.origin else table.name, len(missing))
