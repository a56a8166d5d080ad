"""`assay.load_scores`: load metric scores computed elsewhere and check that they belong to a test set."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from assay.data.text_files import shown_path
from assay.errors import ConfigError, InputError, UnknownNameError, nearest
from assay.files import exists
from assay.study.read import read
from assay.types import Campaign, Column, FrozenDict, Note, NoteKind, ScoreTable, TestSet, check_names
from assay.types.metric_names import metric_label

__all__ = ["LoadedScores", "ScoreFile", "load_scores"]

ScoreFile: TypeAlias = "str | Path | tuple[str, str | Path]"
"""A file of scores, or a name and a file: the scores then have this name."""

_LEVELS = ("system", "segment")


@dataclass(frozen=True, slots=True)
class LoadedScores(Mapping[str, tuple[ScoreTable, ...]]):
    """Score tables by language pair, and notes on partial matches."""

    by_pair: Mapping[str, tuple[ScoreTable, ...]]
    notes: tuple[Note, ...] = field(default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_pair", FrozenDict(self.by_pair))

    def __getitem__(self, lp: str) -> tuple[ScoreTable, ...]:
        return self.by_pair[lp]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_pair)

    def __len__(self) -> int:
        return len(self.by_pair)

    @property
    def tables(self) -> tuple[ScoreTable, ...]:
        """The tables of all language pairs."""
        return tuple(table for tables in self.by_pair.values() for table in tables)


def load_scores(
    paths: str | Path | Mapping[str, str | Path] | Iterable[ScoreFile],
    target: TestSet | Campaign | Iterable[Campaign],
    *,
    campaign: Campaign | None = None,
    lower_is_better: str | Iterable[str] = (),
    input_format: str | None = None,
) -> LoadedScores:
    """Load files of metric scores that belong to a test set or to campaigns.

    For a `TestSet`, as `assay.score` takes it, segment scores are needed; for campaigns, as `assay.meta` takes them,
    scores of systems or segments. Scores of other texts, or of none of the systems, raise an error; partial matches are
    noted. `lower_is_better` names the scores for which lower is better. If the test set belongs to a `campaign`, a
    path may also be the name of a metric with scores in it, e.g. `COMET-22` or `COMET-22-refA`.
    """
    files = _named_files(paths)
    if not files and not lower_is_better:
        return LoadedScores({})
    if isinstance(target, TestSet):
        loaded = _for_testset(files, target, campaign, input_format)
    else:
        campaigns = [target] if isinstance(target, Campaign) else list(target)
        loaded = _for_campaigns(files, {pair.lp: pair for pair in campaigns}, input_format)
    return _with_direction(loaded, (lower_is_better,) if isinstance(lower_is_better, str) else tuple(lower_is_better))


def _named_files(paths: str | Path | Mapping[str, str | Path] | Iterable[ScoreFile]) -> list[tuple[str, str]]:
    """Pairs of a name, which may be empty, and a file."""
    if isinstance(paths, Mapping):
        return [(name, str(path)) for name, path in paths.items()]
    if isinstance(paths, str | Path):
        return [("", str(paths))]
    return [("", str(item)) if isinstance(item, str | Path) else (item[0], str(item[1])) for item in paths]


def _for_testset(
    files: list[tuple[str, str]], testset: TestSet, campaign: Campaign | None, input_format: str | None
) -> LoadedScores:
    excluded = () if campaign is None else set(campaign.systems) - set(testset.systems)
    tables: list[ScoreTable] = []
    notes: list[Note] = []
    for name, path in files:
        if campaign is not None and not exists(path):
            tables += _stored_scores(path, name, testset, campaign)
            continue
        loaded = []
        for content in read(path, input_format=input_format):
            notes += _check_origin(content, testset.lp, testset.name, testset.outputs, path)
            loaded += [table for table in content.scores if table.level == "segment"]
        if not loaded:
            raise InputError("this file has no segment scores", path=path)
        for table in loaded:
            notes += _check_systems(table, testset.systems, path, excluded=excluded)
        tables += [replace(table, name=name) if name else table for table in loaded]
    return LoadedScores({testset.lp or "": tuple(tables)} if tables else {}, tuple(notes))


def _for_campaigns(
    files: list[tuple[str, str]], campaigns: Mapping[str, Campaign], input_format: str | None
) -> LoadedScores:
    by_pair: dict[str, tuple[ScoreTable, ...]] = {}
    notes: list[Note] = []
    for name, path in files:
        for content in read(path, input_format=input_format):
            lp = _language_pair(content, path, campaigns)
            if lp not in campaigns:
                notes.append(Note(NoteKind.EXCLUDED, f"the scores for {lp} are not used", shown_path(path)))
                continue
            campaign = campaigns[lp]
            outputs = {} if campaign.testset is None else campaign.testset.outputs
            notes += _check_origin(content, lp, campaign.name, outputs, path)
            for table in content.scores:
                if not table.is_human and table.level in _LEVELS:
                    notes += _check_systems(table, campaign.systems, path)
                    named = replace(table, name=name) if name else table
                    by_pair[lp] = (*by_pair.get(lp, ()), named)
    if files and not by_pair:
        raise InputError("this file has no metric scores of systems or segments", path=files[0][1])
    return LoadedScores(by_pair, tuple(notes))


def _language_pair(content: Campaign, path: str, campaigns: Mapping[str, Campaign]) -> str:
    if not content.lp and len(campaigns) > 1:
        raise ConfigError(
            f"{shown_path(path)} does not name its language pair", hint="choose one language pair with --lp"
        )
    return content.lp or next(iter(campaigns))


def _with_direction(loaded: LoadedScores, lower_is_better: Sequence[str]) -> LoadedScores:
    """The same scores with their direction. Raise for a name that no scores have: it is most likely misspelt."""
    names = {table.name for table in loaded.tables}
    for name in lower_is_better:
        if name not in names:
            hint = nearest(name, names) if names else "--lower-is-better applies to scores given with --scores"
            raise UnknownNameError(f"no external scores are called '{name}'", hint=hint)
    by_pair = {
        lp: tuple(replace(t, higher_is_better=False) if t.name in lower_is_better else t for t in tables)
        for lp, tables in loaded.items()
    }
    return LoadedScores(by_pair, loaded.notes)


def _stored_scores(metric: str, name: str, testset: TestSet, campaign: Campaign) -> list[ScoreTable]:
    """A campaign's own segment scores of a metric, by its name or its name with references (`COMET-22-refA`)."""
    labelled = {metric_label(t.name, t.references): t for t in campaign.metrics if t.level == "segment"}
    matching = {label: t for label, t in labelled.items() if metric in (t.name, label)}
    if not matching:
        raise UnknownNameError(
            f"'{metric}' is neither a file nor a metric with segment scores in {campaign.name} {campaign.lp}",
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


def _check_origin(
    content: Campaign, lp: str | None, name: str | None, outputs: Mapping[str, Column], path: str
) -> Iterator[Note]:
    """Raise if the file names another test set or language pair, or has other outputs."""
    for kind, theirs, ours in (("language pair", content.lp, lp), ("test set", content.name, name)):
        if theirs and ours and theirs != ours:
            raise InputError(f"these scores belong to the {kind} {theirs}, not to {ours}", path=path)
        if theirs and not ours:
            text = f"according to the file, these scores belong to the {kind} {theirs}"
            yield Note(NoteKind.PROVENANCE, text, shown_path(path))
    for system, column in ({} if content.testset is None else content.testset.outputs).items():
        expected = outputs.get(system, column)
        line = next((i for i, (a, b) in enumerate(zip(column, expected, strict=False), 1) if a != b), None)
        if line is not None:
            raise InputError(f"these scores belong to another output of '{system}': segment {line} differs", path=path)


def _check_systems(
    table: ScoreTable, systems: Sequence[str], path: str, *, excluded: Collection[str] = ()
) -> Iterator[Note]:
    """Raise if no system has scores; note missing and unknown systems, and gaps."""
    check_names("metric", [table.name])
    ours, theirs = set(systems), set(table.systems)
    if not ours & theirs:
        hint = f"it has scores of {', '.join(sorted(theirs))}; rename the systems: --sys NAME=FILE"
        raise InputError("this file has no scores of the selected systems", path=path, hint=hint)
    origin = shown_path(path)
    if missing := sorted(ours - theirs):
        yield Note(NoteKind.MISSING, f"no scores of {', '.join(missing)}", origin, len(missing))
    if unknown := sorted(theirs - ours - set(excluded)):
        text = f"scores of unknown systems are not used: {', '.join(unknown)}"
        yield Note(NoteKind.EXCLUDED, text, origin, len(unknown))
    if table.gaps:
        text = f"{table.name} has no score in {table.gaps:,} of {table.values.size:,} cells"
        yield Note(NoteKind.MISSING, text, origin, table.gaps)
