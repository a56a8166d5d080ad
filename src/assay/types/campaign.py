"""A campaign: one language pair of a test set, with human and metric scores and judgements; selecting its systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from assay.errors import ConfigError, InputError, UnknownNameError, nearest
from assay.lazily import numpy as np
from assay.types.arrays import FrozenDict
from assay.types.judgements import Judgements, Rankings, Ratings
from assay.types.names import similar_names
from assay.types.note import Note, NoteKind, listed, plural, warnings_among, with_warnings
from assay.types.score_checks import identical_metrics, unknown_references
from assay.types.scoretable import LEVELS, ScoreTable
from assay.types.testset import TestSet

__all__ = [
    "GOOD",
    "INCORRECT",
    "METRIC_REFERENCE",
    "SCORING_REFERENCE",
    "Campaign",
    "Selection",
    "campaign_label",
    "left_out_notes",
    "select",
]

METRIC_REFERENCE = "used as a reference by the metric"
SCORING_REFERENCE = "used as the reference"
GOOD, INCORRECT = "good", "incorrect"
"""The systems of a challenge set: one output of each is a pair, and the domain is what they differ in."""
_REFERENCE = "a reference"
_NO_OUTPUT = "without an output"
_NOT_SELECTED = "not selected"
_PLURALS = {
    METRIC_REFERENCE: "used as references by the metric",
    SCORING_REFERENCE: "used as references",
    _REFERENCE: "references",
}


_READING = (
    NoteKind.SKIPPED,
    NoteKind.JOINED,
    NoteKind.UNREAD,
    NoteKind.EXCLUDED,
    NoteKind.DUPLICATE,
    NoteKind.SUSPECT,
    NoteKind.PROVENANCE,
    NoteKind.MISSING,
)


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected systems, and those left out with the reason."""

    systems: tuple[str, ...]
    left_out: Mapping[str, str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "left_out", FrozenDict(self.left_out))

    @property
    def notes(self) -> tuple[Note, ...]:
        """A note for each reason, with the systems left out for it."""
        return left_out_notes(self.left_out)


def campaign_label(name: str, lp: str) -> str:
    """A test set and a language pair in messages and tables; empty if neither is known."""
    return f"{name} {lp}".strip()


def left_out_notes(left_out: Mapping[str, str]) -> tuple[Note, ...]:
    """A note for each reason in a mapping from systems to reasons. Whoever selects systems knows which are not."""
    names: dict[str, list[str]] = {}
    for name, reason in left_out.items():
        names.setdefault(reason, []).append(name)
    notes = []
    for reason, systems in names.items():
        why = reason if len(systems) == 1 else _PLURALS.get(reason, reason)
        shown = listed(systems) if reason == _NOT_SELECTED else ", ".join(systems)
        notes.append(Note(NoteKind.EXCLUDED, f"left out: {shown} ({why})", count=len(systems)))
    return tuple(notes)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Campaign:
    """Texts (or None), human and metric scores, and individual judgements of one language pair.

    `systems` are the systems with an output or a score; `references` are the names of the
    references, including those judged like systems. `mismatches` lists judgements that do not fit the test set.
    """

    name: str
    lp: str
    segments: int
    systems: tuple[str, ...]
    references: tuple[str, ...]
    testset: TestSet | None
    scores: tuple[ScoreTable, ...] = ()
    judgements: tuple[Judgements, ...] = ()
    notes: tuple[Note, ...] = ()
    predictions: tuple[Ratings, ...] = ()
    """Errors that metrics predicted, under the name of the metric."""

    def __post_init__(self) -> None:
        known = frozenset(self.systems)
        for table in self.scores:
            for name in table.systems:
                if name not in known:
                    raise InputError(f"the scores '{table.name}' have an unknown system '{name}'", path=table.origin)
            if table.level == "segment" and table.values.shape[1] != self.segments:
                message = f"{plural(table.values.shape[1], 'score')} per system, but {plural(self.segments, 'segment')}"
                raise InputError(message, path=table.origin)

    def __repr__(self) -> str:
        text = (
            f"Campaign({self.label}: {plural(self.segments, 'segment')}, {plural(len(self.systems), 'system')}, "
            f"{plural(len(self.human), 'table')} of human scores, {len(self.metrics)} of metric scores, "
            f"{sum(map(len, self.judgements)):,} judgements)"
        )
        return with_warnings(text, self.warnings)

    def with_notes(self, notes: Iterable[Note]) -> Campaign:
        """The campaign with more notes, which its texts have, too."""
        more = tuple(notes)
        texts = None if self.testset is None else replace(self.testset, notes=(*self.testset.notes, *more))
        return replace(self, testset=texts, notes=(*self.notes, *more))

    @property
    def warnings(self) -> tuple[Note, ...]:
        """The notes that make the data doubtful, also those of the texts."""
        return warnings_among((*self.notes, *(() if self.testset is None else self.testset.notes)))

    @property
    def label(self) -> str:
        """The test set and language pair in messages; where a file names neither, the file."""
        origins = (table.origin for table in (*self.scores, *self.judged_or_predicted) if table.origin)
        return campaign_label(self.name, self.lp) or next(origins, "the data")

    @property
    def human(self) -> tuple[ScoreTable, ...]:
        """The human scores."""
        return tuple(table for table in self.scores if table.is_human)

    @property
    def ratings(self) -> tuple[Ratings, ...]:
        """The ratings of people."""
        return tuple(judged for judged in self.judgements if isinstance(judged, Ratings))

    @property
    def metrics(self) -> tuple[ScoreTable, ...]:
        """The metric scores."""
        return tuple(table for table in self.scores if not table.is_human)

    @property
    def judged_or_predicted(self) -> tuple[Judgements, ...]:
        """The individual judgements, and the errors that metrics predicted."""
        return (*self.judgements, *self.predictions)

    def judged_systems(self, name: str) -> frozenset[str]:
        """The systems that have human scores or judgements of this name."""
        rows = ((table.systems, ~np.isnan(table.values)) for table in self.human if table.name == name)
        scored = (system for systems, has in rows for system, row in zip(systems, has, strict=True) if row.any())
        return frozenset(scored).union(*(each.systems for each in self.judgements if each.name == name))

    @property
    def reading_notes(self) -> tuple[Note, ...]:
        """What a result should say about the files: what was skipped, not read or left out, and choices in reading.

        Systems with almost the same name are noted, too: each would have only a part of the scores.
        """
        notes = (note for note in self.notes if note.kind in _READING)
        return (*notes, *self.similar_names(), *self.suspect_metrics)

    @property
    def suspect_metrics(self) -> tuple[Note, ...]:
        """Metrics with references that the test set does not have, and metrics with the same scores."""
        texts = self.testset
        unknown = () if texts is None else unknown_references(self.metrics, texts.references, texts.outputs)
        return (*unknown, *identical_metrics(self.metrics))

    @property
    def mismatches(self) -> tuple[Note, ...]:
        """Judgements of systems and segments that the test set does not have."""
        notes = []
        for judgements in self.judgements:
            label = f"the judgements '{judgements.name}'"
            if others := sorted(set(judgements.systems) - set(self.systems)):
                text = f"{label} include systems without an output: {', '.join(others)}"
                notes.append(Note(NoteKind.SUSPECT, text, judgements.origin, len(others), "warning"))
            if self.testset is not None and isinstance(judgements, Ratings) and judgements.items:
                text = f"{label} are of named items and cannot be aligned with the texts"
                notes.append(Note(NoteKind.SUSPECT, text, judgements.origin, len(judgements.items), "warning"))
            notes += self.beyond_texts(judgements)
        return tuple(notes)

    def beyond_texts(self, judgements: Ratings | Rankings) -> tuple[Note, ...]:
        """A note on judgements of segments behind the last one of the test set; none if they have names."""
        last = int(judgements.segment.max(initial=-1)) + 1
        if self.testset is None or last <= self.segments or (isinstance(judgements, Ratings) and judgements.items):
            return ()
        text = (
            f"the judgements '{judgements.name}' have segment numbers up to {last:,}, beyond the last segment, "
            f"{self.segments:,}"
        )
        return (Note(NoteKind.SUSPECT, text, judgements.origin, last - self.segments, "warning"),)

    def similar_names(self, origin: str = "outputs") -> tuple[Note, ...]:
        """Systems and references that are probably the same by their names; `origin` is where the texts came from."""
        places: dict[str, list[str]] = {}
        texts = {} if self.testset is None else {**self.testset.outputs, **self.testset.references}
        for name in (*self.systems, *self.references):
            places.setdefault(name, [origin] if name in texts else [])
        for table in (*self.scores, *self.judged_or_predicted):
            for name in table.systems:
                places.setdefault(name, []).append(table.origin or f"'{table.name}'")
        return similar_names(places)

    def find(self, name: str, level: str, *, references: tuple[str, ...] | None = None) -> ScoreTable:
        """The scores of this name and level; `references` distinguishes metrics that used different ones."""
        if level not in LEVELS:
            raise UnknownNameError(f"unknown level '{level}'", hint=nearest(level, LEVELS))
        tables = [t for t in self.scores if (t.name, t.level) == (name, level) and references in (None, t.references)]
        if len(tables) > 1:
            used = ", ".join("+".join(table.references) or "none" for table in tables)
            raise ConfigError(f"several scores '{name}' by {level}, with references {used}")
        if not tables:
            known = [table.name for table in self.scores if table.level == level]
            raise UnknownNameError(f"{self.label} has no {level} scores '{name}'", hint=nearest(name, known))
        return tables[0]

    def select(
        self,
        *,
        systems: Iterable[str] = ("*",),
        exclude: Iterable[str] = (),
        used: Iterable[str] = (),
        keep_references: bool = False,
        among: Iterable[str] | None = None,
        known: Iterable[str] = (),
    ) -> Selection:
        """Select the systems that match one of the patterns `systems` and none of `exclude`.

        Patterns are as in a shell; one that matches nothing is an error. References are excluded unless
        `keep_references`, and those `used` for scoring always are. `among` are names to select from instead of all
        systems; a pattern may also match one of the names `known` elsewhere.
        """
        selection = select(
            self.systems if among is None else tuple(among),
            systems=systems,
            exclude=exclude,
            used=used,
            references=() if keep_references else self.references,
            known=known,
        )
        if not selection.systems:
            available = f"available: {', '.join(selection.left_out)}"
            raise InputError(f"all systems of {self.label} are excluded", hint=available)
        return selection

    def select_texts(
        self,
        *,
        references: Iterable[str] = (),
        systems: Iterable[str] = ("*",),
        exclude: Iterable[str] = (),
        keep_references: bool = False,
        known: Iterable[str] = (),
    ) -> TestSet:
        """The texts with these references (default: all) and the systems that `select` selects, which is noted.

        Systems are in the order of the patterns `systems`, so that the first one is the baseline of a comparison.
        References among the systems are excluded unless `keep_references`; one used for scoring always is. `known` as
        for `select`.
        """
        testset = self.testset
        if testset is None:
            raise InputError(f"{self.label} has no outputs of systems")
        used = tuple(references) or tuple(testset.references)
        for name in used:
            if name not in testset.references:
                message = f"{self.label} has no reference '{name}'"
                raise UnknownNameError(message, hint=nearest(name, testset.references))
        patterns = tuple(systems)
        selection = self.select(
            systems=patterns, exclude=exclude, used=used, keep_references=keep_references, known=known
        )
        translated = in_order_of((name for name in selection.systems if name in testset.outputs), patterns)
        if not translated:
            raise InputError(f"{self.label}: no outputs of {', '.join(selection.systems)}")
        absent = {name: _NO_OUTPUT for name in selection.systems if name not in testset.outputs}
        notes = [*selection.notes, *left_out_notes(absent)]
        if len(used) != 1:
            text = f"references used: {', '.join(used) or 'none'}"
            notes.append(Note(NoteKind.PROVENANCE, text, count=len(used)))
        selected = testset.with_systems(translated).with_references(used)
        return replace(selected, notes=(*testset.notes, *notes))


def in_order_of(names: Iterable[str], patterns: Sequence[str]) -> list[str]:
    """Names in the order of the patterns that they match, so that the first one can be named as a baseline."""
    return sorted(names, key=lambda name: next(i for i, pattern in enumerate(patterns) if fnmatchcase(name, pattern)))


def select(
    names: Iterable[str],
    *,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
    used: Iterable[str] = (),
    references: Iterable[str] = (),
    known: Iterable[str] = (),
) -> Selection:
    """Select the names that match one of the patterns `systems` and none of `exclude`.

    The `references` are excluded unless `systems` names them; those `used` for scoring always are. A pattern must match
    one of the names, or of the names `known` elsewhere.
    """
    available, wanted, unwanted = tuple(names), list(systems), list(exclude)
    scoring, human = set(used), set(references)
    matchable = tuple(dict.fromkeys((*available, *known)))
    for pattern in (*wanted, *unwanted):
        if not any(fnmatchcase(name, pattern) for name in matchable):
            raise UnknownNameError(f"no system matches '{pattern}'", hint=nearest(pattern, matchable))

    def reason(name: str) -> str | None:
        if name in scoring:
            return SCORING_REFERENCE
        if name in human and name not in wanted:
            return _REFERENCE
        if any(fnmatchcase(name, pattern) for pattern in unwanted):
            return "excluded"
        return None if any(fnmatchcase(name, pattern) for pattern in wanted) else _NOT_SELECTED

    left_out = {name: why for name in available if (why := reason(name)) is not None}
    return Selection(tuple(name for name in available if name not in left_out), left_out)
