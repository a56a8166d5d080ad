"""The examples of several language pairs, with notes on those that are left out and on what may mislead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from assay.errors import AssayError, ConfigError, InputError, UnknownNameError, nearest, option_name, spelled
from assay.human.selection import label_campaigns
from assay.metrics.feature_values import FeatureSet
from assay.training.examples import Examples, collect_examples, text_digests
from assay.training.held_out import accuracy
from assay.training.human_data import LanguagePairExcluded
from assay.types import Campaign, Note, NoteKind
from assay.types.note import listed, plural
from assay.types.runtime import Runtime

__all__ = ["ExampleCollector", "doubts_about"]

_FEW_PREFERENCES = 20  # for each feature
_LITTLE = 0.55  # share of preferences that the best feature agrees with
_NOT_READ = (NoteKind.SKIPPED, NoteKind.UNREAD)


@dataclass(frozen=True, slots=True)
class ExampleCollector:
    """What examples depend on besides the campaigns."""

    features: FeatureSet
    gold: tuple[str, ...]
    learn: str
    exclude: tuple[str, ...]
    keep_references: bool
    max_preferences: int
    seed: int
    can_choose_features: bool = True
    """Whether it is up to the user which features there are; else a recipe chose them."""

    def collect(self, campaigns: Iterable[Campaign], runtime: Runtime) -> tuple[list[Examples], list[Note]]:
        """The examples of all language pairs in a fixed order, and notes on those left out."""
        ordered = sorted(campaigns, key=lambda each: (each.name, each.lp))
        label_campaigns(ordered)  # raises if two are the same
        examples: list[Examples] = []
        left_out: dict[str, list[str]] = {}
        for campaign in runtime.track(ordered, lambda each: f"features of {each.label}"):
            try:
                examples.append(self._examples(campaign, runtime))
            except LanguagePairExcluded as reason:
                left_out.setdefault(str(reason), []).append(campaign.label)
        notes = [
            Note(NoteKind.EXCLUDED, f"left out: {listed(names)} ({reason})", count=len(names))
            for reason, names in left_out.items()
        ]
        notes = [*_not_read(ordered), *notes]
        if not examples:
            raise InputError(
                "no language pair has texts and judgements to learn from", hint="; ".join(map(str, notes[:5])) or None
            )
        undefined = {each.label: each.undefined for each in examples if each.undefined}
        if undefined:
            text = f"{plural(sum(undefined.values()), 'judged output')} left out, because a feature is undefined"
            notes.append(Note(NoteKind.UNDEFINED, text, listed(undefined), sum(undefined.values())))
        return examples, [*notes, *_common_notes(examples)]

    def check_exclude(self, campaigns: Iterable[Campaign]) -> None:
        """Raise for a pattern that matches no system at all."""
        known = tuple(dict.fromkeys(name for each in campaigns for name in each.systems))
        for pattern in self.exclude:
            if not any(fnmatchcase(name, pattern) for name in known):
                raise UnknownNameError(f"no system matches '{pattern}'", hint=nearest(pattern, known))

    def _examples(self, campaign: Campaign, runtime: Runtime) -> Examples:
        try:
            return collect_examples(
                campaign,
                self.features,
                gold=self.gold,
                learn=self.learn,
                exclude=self.exclude,
                keep_references=self.keep_references,
                max_preferences=self.max_preferences,
                seed=self.seed,
                can_choose_features=self.can_choose_features,
                runtime=runtime,
            )
        except InputError as error:
            error.message = f"{campaign.label}: {error.message}"
            raise

    def collect_others(
        self, campaigns: Iterable[Campaign], trained_on: Sequence[Examples], runtime: Runtime
    ) -> tuple[list[Examples], list[Note]]:
        """The same for test sets to evaluate on, without what the metric was trained on."""
        others = list(campaigns)
        for each in others:
            if any((each.name, each.lp) == (known.campaign, known.lp) for known in trained_on):
                message = f"a metric that is trained on {each.label} cannot be checked on it"
                raise ConfigError(message, hint=f"leave it out of the data or of {option_name('check')}")
        if not others:
            return [], []
        try:
            examples, notes = self.collect(others, runtime)
        except AssayError as error:
            error.message = spelled(f"{option_name('check')}: {error.message}")
            raise
        digests = text_digests(trained_on)
        kept = [each.without_texts(digests) for each in examples]
        if dropped := sum(map(len, examples)) - sum(map(len, kept)):
            text = f"{plural(dropped, 'preference')} of segments whose texts were trained on are left out"
            notes.append(Note(NoteKind.EXCLUDED, text, count=dropped))
        return [each for each in kept if len(each)], [
            replace(note, where=", ".join(filter(None, ("check", note.where)))) for note in notes
        ]


def doubts_about(examples: Sequence[Examples], names: Sequence[str], signs: Sequence[int]) -> Iterator[Note]:
    """Notes on preferences that are few, or that no feature agrees with; `names` and `signs` are of the features."""
    preferences = sum(map(len, examples))
    if preferences < _FEW_PREFERENCES * len(names):
        text = (
            f"{plural(preferences, 'preference')} for {plural(len(names), 'feature')}, fewer than {_FEW_PREFERENCES} "
            "for each: the weights may be chance"
        )
        hint = "learn from more judgements, or use one of the features by itself"
        yield Note(NoteKind.SUSPECT, text, count=preferences, severity="warning", hint=hint)
    highest = {
        each.label: max(accuracy(sign * each.x[:, number], each) for number, sign in enumerate(signs))
        for each in examples
    }
    unclear = [each for each in examples if highest[each.label] < _LITTLE]
    if not unclear:
        return
    most, share = max(highest[each.label] for each in unclear), sum(map(len, unclear)) / preferences
    protocols = ", ".join(sorted({each.protocol for each in unclear}))
    text = (
        f"no feature agrees with people on more than {100 * most:.1f} % of the preferences of "
        f"{listed([each.label for each in unclear])} ({protocols}; chance: 50 %), which are {100 * share:.0f} % of "
        "those that it is trained on"
    )
    hint = f"to learn from other judgements, name them: {option_name('gold')}"
    yield Note(NoteKind.ADVICE, text, count=len(unclear), hint=hint)


def _not_read(campaigns: Iterable[Campaign]) -> Iterator[Note]:
    """What of the files was not read, unless it is about scores of metrics, which are not used; each once."""
    not_read: dict[Note, None] = {}
    for each in campaigns:
        metrics = {table.origin for table in each.metrics}
        for note in each.notes:
            if note.kind in _NOT_READ and note.where not in metrics:
                not_read[note] = None
    yield from not_read


def _common_notes(examples: Iterable[Examples]) -> Iterator[Note]:
    """The notes of all language pairs, each once, with those that it is of."""
    labels: dict[Note, list[str]] = {}
    for each in examples:
        for note in each.notes:
            labels.setdefault(replace(note, count=None), []).append(each.label)
    for note, names in labels.items():
        yield replace(note, where=", ".join(filter(None, (note.where, listed(names)))))
