"""`assay.train`: a metric learnt from judgements."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import Annotated, Unpack

from assay.aggregate import estimate_from_replicates
from assay.aggregate.resample import CONFIDENCE, MIN_CLUSTERS, SEED, Bootstrap, Confidence, Seed, resamples_option
from assay.calibration.populations import data_text
from assay.errors import AssayError, ConfigError, InputError, UnknownNameError, nearest, option_name, spelled
from assay.human.selection import label_campaigns
from assay.lazily import numpy as np
from assay.measurement import metrics_option
from assay.metrics.feature_values import FeatureSet
from assay.metrics.trained_metric import TrainedMetric
from assay.options.checks import check_integer
from assay.options.option import HUMAN, METRICS, Data, Option
from assay.options.shared import CAMPAIGNS, RUNTIME, Exclude, GoldNames, KeepReferences
from assay.options.verb import verb
from assay.registry import name_list, option_text
from assay.results import Estimate, HeldOutPair, LearntFeature, TrainedOn, Training, TrainingEvaluation
from assay.results.trained_model import LinearModel
from assay.results.training import LeftOut
from assay.trained.files import FORMAT
from assay.trained.wins import WINS, Wins
from assay.training.examples import Examples, collect_examples, text_digests
from assay.training.fits import MODELS
from assay.training.held_out import (
    Accuracies,
    Chosen,
    Learner,
    accuracies,
    accuracies_of_systems,
    feature_accuracies,
    parts,
    shuffled_losses,
)
from assay.training.human_data import Unusable
from assay.training.recipes import RECIPES
from assay.types import Campaign, FloatArray, Note, NoteKind
from assay.types.note import listed, plural
from assay.types.runtime import Runtime, RuntimeFields
from assay.version import __version__

__all__ = ["train"]

DEFAULT_FEATURES = ("bleu", "chrf", "ter")
_DIGITS = 9  # of the numbers in a file
_LEARN = ("preferences", "error-free")
_LEVELS = ("segment", "system")
_GROUP = "Training"
_HELD_OUT: tuple[LeftOut, LeftOut] = ("campaign", "language")


@verb
def train(
    campaigns: Annotated[Iterable[Campaign], CAMPAIGNS],
    features: Annotated[
        Sequence[str] | None,
        Option(
            "What to learn from: metrics with their options, METRIC#COLUMN for a column of a metric's statistics, and "
            "METRIC#COLUMN/COLUMN for a ratio.",
            group=METRICS,
            split=metrics_option("").split,
            flags=("-m", "--features"),
            metavar="SPEC",
            default="bleu, chrf, ter, or those of the recipe",
        ),
    ] = None,
    *,
    recipe: Annotated[
        str | None,
        Option("A published metric: its features and model.", group=_GROUP, choices=tuple(RECIPES), metavar="NAME"),
    ] = None,
    model: Annotated[
        Sequence[str],
        Option(
            "Kinds of models, of which the best one is chosen: logistic (regression on preferences), ridge (regression "
            "on the values of outputs) and boosting (small trees on preferences).",
            group=_GROUP,
            choices=MODELS,
            metavar="NAME",
            default="logistic",
        ),
    ] = (),
    wins: Annotated[
        str | None,
        Option(
            "What scores are: none (logits of outputs by themselves), or soft or hard wins over the other systems of "
            "a run.",
            group=_GROUP,
            choices=WINS,
            metavar="NAME",
            default="none, or that of the recipe",
        ),
    ] = None,
    learn: Annotated[
        str,
        Option(
            "What to learn: preferences between outputs, by rankings or scores, or which outputs are error-free.",
            group=HUMAN,
            choices=_LEARN,
        ),
    ] = "preferences",
    gold_names: GoldNames = (),
    max_preferences: Annotated[
        int,
        Option(
            "Preferences that are drawn from a language pair that has more.",
            group=_GROUP,
            metavar="N",
            check=partial(check_integer, low=10, high=10**6),
        ),
    ] = 20_000,
    check: Annotated[
        Iterable[Campaign],
        Data(
            "Test sets to evaluate the metric on, which it is not trained on.",
            noun="a campaign or a list of campaigns",
            example='campaigns = assay.load_campaigns("wmt24")',
            group=_GROUP,
        ),
    ] = (),
    exclude: Exclude = (),
    keep_references: KeepReferences = False,
    resamples: Annotated[
        int, resamples_option("Number of resamples of the language pairs, for the intervals; 0: no intervals.")
    ] = 1000,
    seed: Seed = SEED,
    confidence: Confidence = CONFIDENCE,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Training:
    """Learn a metric from judgements.

    The features of an output are scores of other metrics; its score is a logit, so that the difference of two outputs
    of a segment says how probably people prefer the first. Each test set and each target language is left out in turn,
    with every choice made on the others, and the metric is compared with its best single feature and the mean of their
    ranks. The JSON of the result is the file of the metric.
    """
    runtime = runtime or Runtime()
    chosen = RECIPES.get(recipe or "")
    names = tuple(features or (chosen.features if chosen else DEFAULT_FEATURES))
    kinds = tuple(dict.fromkeys(model or (chosen.models if chosen else MODELS[:1])))
    feature_set = FeatureSet.of(names)
    _check_features(feature_set, kinds)
    collector = _Collector(
        feature_set, tuple(gold_names), learn, tuple(exclude), keep_references, max_preferences, seed
    )
    trained_on, others = tuple(campaigns), tuple(check)
    collector.check_exclude((*trained_on, *others))
    examples, notes = collector.collect(trained_on, runtime)
    checked, more = collector.collect_others(others, examples, runtime)
    form: Wins = wins or (chosen.wins if chosen else WINS[0])  # type: ignore[assignment]  # one of the choices
    learner = Learner(kinds, tuple(abs(each) for each in feature_set.directions), form)
    pairs, losses = _held_out(learner, examples, feature_set, seed, runtime)
    final = learner.learn(examples)
    alone = feature_accuracies(checked or examples, final.signs)
    _check_says_something(final, examples)
    pairs += [_evaluated("check", each.campaign, each, final, 0, feature_set) for each in checked]
    settings = {
        "data": _data(examples),
        "features": name_list(feature_set.names),
        "model": "+".join(kinds),
        "recipe": recipe or "",
        "wins": form,
        "learn": "" if learn == _LEARN[0] else learn,
        "gold_names": name_list(collector.gold),
        "max_preferences": str(max_preferences),
        "check": _data(checked) if checked else "",
        "exclude": name_list(collector.exclude),
        "keep_references": "yes" if keep_references else "",
        "resamples": str(resamples),
        "seed": str(seed),
        "confidence": option_text(confidence),
        "version": __version__,
    }
    rounded = final.model.rounded(_DIGITS)
    return Training(
        settings={name: value for name, value in settings.items() if value},
        format=FORMAT,
        features=tuple(_learnt(feature_set, final, examples, losses, alone)),
        model=rounded,
        wins=form,
        chosen=f"{final.kind} {final.setting}",
        single=feature_set.names[final.single],
        populations=tuple(map(_population, examples)),
        evaluations=tuple(_evaluations(pairs, _Intervals(resamples, seed, confidence, runtime))),
        held_out=tuple(pairs),
        notes=(*notes, *more),
    )


def _check_features(features: FeatureSet, kinds: Sequence[str]) -> None:
    for name, made in zip(features.names, features.metrics, strict=True):
        if isinstance(made, TrainedMetric) and made.wins != WINS[0]:
            raise ConfigError(f"the feature '{name}' depends on the other systems", hint="use it with wins=none")
        if made.tolerance and "boosting" in kinds:
            message = f"scores of '{name}' differ between runs, and trees would jump where they cross a threshold"
            raise ConfigError(message, hint=f"use {option_name('model', 'logistic')} or ridge")
        made.check_resources()


def _check_says_something(final: Chosen, examples: Iterable[Examples]) -> None:
    if not any(np.ptp(final.model(each.x)) for each in examples):
        raise InputError(
            "nothing was learnt: no feature agrees with people more often than by chance, or all are constant",
            hint="use other features, or judgements of other systems",
        )


@dataclass(frozen=True, slots=True)
class _Collector:
    """What examples depend on besides the campaigns."""

    features: FeatureSet
    gold: tuple[str, ...]
    learn: str
    exclude: tuple[str, ...]
    keep_references: bool
    max_preferences: int
    seed: int

    def collect(self, campaigns: Iterable[Campaign], runtime: Runtime) -> tuple[list[Examples], list[Note]]:
        """The examples of all language pairs in a fixed order, and notes on those left out."""
        ordered = sorted(campaigns, key=lambda each: (each.name, each.lp))
        label_campaigns(ordered)  # raises if two are the same
        found: list[Examples] = []
        left_out: dict[str, list[str]] = {}
        for campaign in runtime.track(ordered, lambda each: f"features of {_label(each)}"):
            try:
                found.append(self._examples(campaign, runtime))
            except Unusable as reason:
                left_out.setdefault(str(reason), []).append(_label(campaign))
        notes = [
            Note(NoteKind.EXCLUDED, f"left out: {listed(names)} ({reason})", count=len(names))
            for reason, names in left_out.items()
        ]
        if not found:
            raise InputError(
                "no language pair has texts and judgements to learn from", hint="; ".join(map(str, notes[:5])) or None
            )
        undefined = {each.label: each.undefined for each in found if each.undefined}
        if undefined:
            text = f"{plural(sum(undefined.values()), 'judged output')} left out, because a feature is undefined"
            notes.append(Note(NoteKind.UNDEFINED, text, listed(undefined), sum(undefined.values())))
        return found, [*notes, *_common_notes(found)]

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
                runtime=runtime,
            )
        except InputError as error:
            error.message = f"{_label(campaign)}: {error.message}"
            raise

    def collect_others(
        self, campaigns: Iterable[Campaign], trained_on: Sequence[Examples], runtime: Runtime
    ) -> tuple[list[Examples], list[Note]]:
        """The same for test sets to evaluate on, without what the metric was trained on."""
        others = list(campaigns)
        for each in others:
            if any((each.name, each.lp) == (known.campaign, known.lp) for known in trained_on):
                message = f"a metric that is trained on {_label(each)} cannot be checked on it"
                raise ConfigError(message, hint=f"leave it out of the data or of {option_name('check')}")
        if not others:
            return [], []
        try:
            found, notes = self.collect(others, runtime)
        except AssayError as error:
            error.message = spelled(f"{option_name('check')}: {error.message}")
            raise
        digests = text_digests(trained_on)
        kept = [each.without_texts(digests) for each in found]
        if dropped := sum(map(len, found)) - sum(map(len, kept)):
            text = f"{plural(dropped, 'preference')} of segments whose texts were trained on are left out"
            notes.append(Note(NoteKind.EXCLUDED, text, count=dropped))
        return [each for each in kept if len(each)], [
            replace(note, where=", ".join(filter(None, ("check", note.where)))) for note in notes
        ]


def _common_notes(examples: Iterable[Examples]) -> Iterator[Note]:
    """The notes of all language pairs, each once, with those that it is of."""
    labels: dict[Note, list[str]] = {}
    for each in examples:
        for note in each.notes:
            labels.setdefault(replace(note, count=None), []).append(each.label)
    for note, names in labels.items():
        yield replace(note, where=", ".join(filter(None, (note.where, listed(names)))))


def _label(campaign: Campaign) -> str:
    return f"{campaign.name} {campaign.lp}".strip()


def _data(examples: Iterable[Examples]) -> str:
    lps: dict[str, list[str]] = {}
    for each in examples:
        lps.setdefault(each.campaign, []).append(each.lp)
    return data_text({name: tuple(each) for name, each in lps.items()})


def _held_out(
    learner: Learner, examples: Sequence[Examples], features: FeatureSet, seed: int, runtime: Runtime
) -> tuple[list[HeldOutPair], FloatArray]:
    """Each test set and each target language left out in turn; and what features contribute on left-out test sets."""
    folds = [(by, *fold) for by in _HELD_OUT for fold in parts(examples, by)]
    pairs: list[HeldOutPair] = []
    losses: list[FloatArray] = []
    random = np.random.default_rng(seed)
    for by, name, training, held_out, left_out in runtime.track(folds, lambda fold: f"leaving out {fold[1]}"):
        if not training:
            pairs += [_undefined(by, name, each, left_out) for each in held_out]
            continue
        chosen = learner.learn(training)
        for each in held_out:
            pairs.append(_evaluated(by, name, each, chosen, left_out, features))
            if by == _HELD_OUT[0]:
                losses.append(shuffled_losses(chosen, each, random))
    mean = np.mean(losses, axis=0) if losses else np.full(len(features), math.nan)
    return pairs, np.asarray(mean)


def _evaluated(
    by: LeftOut, part: str, each: Examples, chosen: Chosen, left_out: int, features: FeatureSet
) -> HeldOutPair:
    of_segments, of_systems = accuracies(chosen, each), accuracies_of_systems(chosen, each)
    kind, single = f"{chosen.kind} {chosen.setting}", features.names[chosen.single]
    return _pair(by, part, each, left_out, kind, single, of_segments, of_systems)


def _undefined(by: LeftOut, part: str, each: Examples, left_out: int) -> HeldOutPair:
    nothing = Accuracies(math.nan, math.nan, math.nan)
    return _pair(by, part, each, left_out, "", "", nothing, nothing)


def _pair(
    by: LeftOut,
    part: str,
    each: Examples,
    left_out: int,
    chosen: str,
    single: str,
    of_segments: Accuracies,
    of_systems: Accuracies,
) -> HeldOutPair:
    return HeldOutPair(
        by,
        part,
        each.campaign,
        each.lp,
        len(each),
        left_out,
        chosen,
        single,
        of_segments.metric,
        of_segments.single,
        of_segments.ranks,
        of_systems.metric,
        of_systems.single,
        of_systems.ranks,
    )


@dataclass(frozen=True, slots=True)
class _Intervals:
    """How language pairs are drawn."""

    resamples: int
    seed: int
    confidence: float
    runtime: Runtime

    def mean(self, values: Sequence[float]) -> Estimate:
        """The mean over language pairs, with an interval over resamples of them."""
        known = np.array([value for value in values if value == value])
        n = len(known)
        if not n:
            return Estimate(
                math.nan, 0, reason="nothing is left to train on: there are no others, or all share its texts"
            )
        value = math.fsum(known.tolist()) / n
        if not self.resamples or n < MIN_CLUSTERS:
            few = f"no interval: {plural(n, 'language pair')}, fewer than {MIN_CLUSTERS}"
            return Estimate(value, n, reason=few if self.resamples else None)
        weights = np.concatenate([*Bootstrap(self.resamples, None, self.seed).blocks(n, self.runtime)])
        replicates = np.einsum("rp,p->r", weights.astype(np.float64), known) / n
        return estimate_from_replicates(value, replicates, n, self.confidence)


def _evaluations(pairs: Sequence[HeldOutPair], intervals: _Intervals) -> Iterator[TrainingEvaluation]:
    for by in (*_HELD_OUT, "check"):
        found = [each for each in pairs if each.by == by]
        for level in _LEVELS if found else ():
            values = [
                (each.accuracy, each.accuracy_of_single, each.accuracy_of_ranks)
                if level == _LEVELS[0]
                else (each.systems, each.systems_of_single, each.systems_of_ranks)
                for each in found
            ]
            metric, single, ranks = (intervals.mean(column) for column in zip(*values, strict=True))
            beyond_single = intervals.mean([m - s for m, s, _ in values])
            beyond_ranks = intervals.mean([m - r for m, _, r in values])
            yield TrainingEvaluation(by, level, metric, single, ranks, beyond_single, beyond_ranks)  # type: ignore[arg-type]


def _learnt(
    features: FeatureSet, final: Chosen, examples: Sequence[Examples], losses: FloatArray, alone: Sequence[float]
) -> Iterator[LearntFeature]:
    values = np.concatenate([each.x[each.outputs] for each in examples])
    is_constant = (values == values[0]).all(axis=0)
    weights: Mapping[int, float] = (
        dict(enumerate(final.model.rounded(_DIGITS).weights)) if isinstance(final.model, LinearModel) else {}
    )
    for number, name in enumerate(features.names):
        loss = float(f"{losses[number]:.6g}")
        yield LearntFeature(name, weights.get(number, math.nan), loss, alone[number], bool(is_constant[number]))


def _population(each: Examples) -> TrainedOn:
    return TrainedOn(
        each.campaign,
        each.lp,
        each.human,
        each.protocol,
        len(each.systems),
        each.judgements,
        each.preferences,
        len(each),
        each.undefined,
        each.signature,
    )
