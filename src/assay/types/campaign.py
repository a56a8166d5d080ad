"""A test set in one language pair with all that people and metrics said about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from assay.errors import ConfigError, InputError, UnknownNameError, nearest
from assay.types.arrays import FrozenDict
from assay.types.judgements import Judgements, Ratings
from assay.types.names import lookalikes
from assay.types.scoretable import ScoreTable
from assay.types.testset import TestSet

__all__ = ["Campaign", "Selection", "select"]


@dataclass(frozen=True, slots=True)
class Selection:
    """Systems that take part, and those that do not, each with the reason."""

    systems: tuple[str, ...]
    left_out: Mapping[str, str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "left_out", FrozenDict(self.left_out))

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out and why, in words."""
        reasons: dict[str, list[str]] = {}
        for name, reason in self.left_out.items():
            reasons.setdefault(reason, []).append(name)
        return tuple(f"left out: {', '.join(names)} ({reason})" for reason, names in reasons.items())


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Campaign:
    """The texts (None: there are none), scores of people and metrics, and single judgements, of one language pair.

    `systems` are all that have an output or, without texts, a score; `references` are the names of the references, also
    of those that were judged as if they were systems. Judgements may be of others: `strangers` tells.
    """

    name: str
    lp: str
    segments: int
    systems: tuple[str, ...]
    references: tuple[str, ...]
    testset: TestSet | None
    scores: tuple[ScoreTable, ...] = ()
    judgements: tuple[Judgements, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        known = frozenset(self.systems)
        for table in self.scores:
            for name in table.systems:
                if name not in known:
                    raise InputError(f"the scores '{table.name}' name an unknown system '{name}'", path=table.origin)
            if table.level == "segment" and table.values.shape[1] != self.segments:
                raise InputError(
                    f"{table.values.shape[1]:,} scores for a system, but {self.segments:,} segments", path=table.origin
                )

    def __repr__(self) -> str:
        return (
            f"Campaign({self.name} {self.lp}: {self.segments} segments, {len(self.systems)} systems, "
            f"{len(self.human)} human scores, {len(self.metrics)} metrics, {len(self.judgements)} kinds of judgements)"
        )

    @property
    def human(self) -> tuple[ScoreTable, ...]:
        """Scores that people gave."""
        return tuple(table for table in self.scores if table.is_human)

    @property
    def metrics(self) -> tuple[ScoreTable, ...]:
        """Scores of metrics."""
        return tuple(table for table in self.scores if not table.is_human)

    @property
    def strangers(self) -> tuple[str, ...]:
        """What is judged and is neither a system nor a segment of the test set, in words."""
        found = []
        for judgements in self.judgements:
            if others := sorted(set(judgements.systems) - set(self.systems)):
                found.append(f"the judgements '{judgements.name}' are also of {', '.join(others)}, without an output")
            last = int(judgements.segment.max(initial=-1)) + 1
            if isinstance(judgements, Ratings) and judgements.items:
                found.append(f"the judgements '{judgements.name}' are of named items: they cannot be laid on the texts")
            elif self.testset is not None and last > self.segments:
                found.append(
                    f"the judgements '{judgements.name}' count segments up to {last:,}, where there are "
                    f"{self.segments:,}: they cannot be laid on the texts"
                )
        return tuple(found)

    def lookalikes(self, origin: str = "outputs") -> tuple[str, ...]:
        """Systems and references that are probably one by their names, in words; texts came from `origin`."""
        places: dict[str, list[str]] = {}
        texts = {} if self.testset is None else {**self.testset.outputs, **self.testset.references}
        for name in (*self.systems, *self.references):
            places.setdefault(name, [origin] if name in texts else [])
        for given in (*self.scores, *self.judgements):
            for name in given.systems:
                places.setdefault(name, []).append(given.origin or f"'{given.name}'")
        return lookalikes(places)

    def find(self, name: str, level: str, *, references: tuple[str, ...] | None = None) -> ScoreTable:
        """The scores of this name and level; `references` tells metrics apart that were given different ones."""
        found = [t for t in self.scores if (t.name, t.level) == (name, level) and references in (None, t.references)]
        if len(found) > 1:
            given = ", ".join("+".join(table.references) or "none" for table in found)
            raise ConfigError(f"there are several scores '{name}' by {level}: with references {given}")
        if not found:
            there = [table.name for table in self.scores if table.level == level]
            raise UnknownNameError(f"{self.name} {self.lp} has no {level} scores '{name}'", hint=nearest(name, there))
        return found[0]

    def select(
        self,
        *,
        systems: Iterable[str] = ("*",),
        exclude: Iterable[str] = (),
        used: Iterable[str] = (),
        keep_references: bool = False,
        among: Iterable[str] | None = None,
    ) -> Selection:
        """The systems whose names match one of `systems` and none of `exclude` (both patterns as in a shell).

        References are left out unless `keep_references`; those `used` for scoring are left out always. A pattern that
        matches nothing is an error: it is most likely misspelt. `among`: other names than those of the systems.
        """
        selection = select(
            self.systems if among is None else tuple(among),
            systems=systems,
            exclude=exclude,
            used=used,
            references=() if keep_references else self.references,
        )
        if not selection.systems:
            there = ", ".join(selection.left_out)
            raise InputError(f"no system of {self.name} {self.lp} is left", hint=f"there is: {there}")
        return selection


def select(
    names: Iterable[str],
    *,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
    used: Iterable[str] = (),
    references: Iterable[str] = (),
) -> Selection:
    """Those of the names that match one of `systems` and none of `exclude`, as `Campaign.select` does.

    The `references` are left out unless they are named among `systems`; those `used` for scoring are left out always.
    """
    given, wanted, unwanted = tuple(names), list(systems), list(exclude)
    scoring, human = set(used), set(references)
    for pattern in (*wanted, *unwanted):
        if not any(fnmatchcase(name, pattern) for name in given):
            raise UnknownNameError(f"no system matches '{pattern}'", hint=nearest(pattern, given))

    def reason(name: str) -> str | None:
        if name in scoring:
            return "the reference it would be scored against"
        if name in human and name not in wanted:
            return "a reference"
        if any(fnmatchcase(name, pattern) for pattern in unwanted):
            return "excluded"
        return None if any(fnmatchcase(name, pattern) for pattern in wanted) else "not among those asked for"

    left_out = {name: why for name in given if (why := reason(name)) is not None}
    return Selection(tuple(name for name in given if name not in left_out), left_out)
