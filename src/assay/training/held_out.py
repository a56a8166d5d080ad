"""Learning and choosing on some language pairs, and evaluating on others.

Every choice (the kind of model, its setting, the best single feature, the direction of a column) is made on what is
trained on. No segment whose source or reference stands in what is held out is trained on: test sets have the same
sources in several language pairs, and the same English references for several sources.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from assay.lazily import numpy as np
from assay.results.trained_model import TrainedModel
from assay.significance.ranks import average_ranks
from assay.trained.wins import Wins, mean_wins
from assay.training.examples import Examples, text_digests
from assay.training.fits import TrainingSet, fit_path
from assay.types import FloatArray, IntArray

__all__ = [
    "Accuracies",
    "Fold",
    "Learner",
    "SelectedModel",
    "accuracies",
    "accuracy",
    "feature_accuracies",
    "folds",
    "rank_means",
    "shuffled_losses",
    "system_accuracy",
    "without_texts",
]

_INNER = 5  # folds to choose on
_CHANCE = 0.5  # the accuracy of a score that says nothing


@dataclass(frozen=True, slots=True)
class SelectedModel:
    """What was learnt from language pairs."""

    kind: str
    setting: str
    model: TrainedModel
    single: int
    """The number of the best single feature."""
    signs: tuple[int, ...]
    """Of the features: 1, or -1 for a column whose lower values agree with people in training."""
    wins: Wins = "none"

    def scores(self, each: Examples) -> FloatArray:
        """The scores of the outputs of a language pair; wins are over the other judged outputs of their segment."""
        scores = self.model(each.x)
        if self.wins == "none":
            return scores
        segments, column = np.unique(each.segment, return_inverse=True)
        table = np.full((int(each.system.max()) + 1, len(segments)), np.nan)
        table[each.system, column] = scores
        return mean_wins(table, self.wins)[each.system, column]


@dataclass(frozen=True, slots=True)
class Accuracies:
    """The share of preferences that scores agree with, ties half: of the metric and of what it has to beat."""

    metric: float
    single: float
    ranks: float


@dataclass(frozen=True, slots=True)
class Learner:
    """How a metric is learnt: kinds of models, and directions of features."""

    kinds: tuple[str, ...]
    directions: tuple[int, ...]
    wins: Wins = "none"

    def learn(self, examples: Sequence[Examples]) -> SelectedModel:
        """Choose on parts of the examples, then fit on all of them."""
        training = self.training_set(examples)
        signs = self._signs(examples)
        single = self._single(examples, signs)
        kind, setting = self._choose(examples)
        fitted = next(each for each in fit_path(kind, training) if each.setting == setting)
        return SelectedModel(kind, setting, fitted.model, single, signs, self.wins)

    def training_set(self, examples: Sequence[Examples]) -> TrainingSet:
        """The outputs that are in a preference, with values standardised within each language pair."""
        x, values, better, worse, offset = [], [], [], [], 0
        for each in examples:
            rows = each.outputs
            x.append(each.x[rows])
            values.append(_standardised(each.value[rows]))
            better.append(np.searchsorted(rows, each.better) + offset)
            worse.append(np.searchsorted(rows, each.worse) + offset)
            offset += len(rows)
        return TrainingSet(
            np.concatenate(x),
            np.concatenate(values),
            np.concatenate(better),
            np.concatenate(worse),
            self.directions,
        )

    def _choose(self, examples: Sequence[Examples]) -> tuple[str, str]:
        """The kind and setting with the highest mean accuracy on parts that were left out; the simplest of equals."""
        accuracies_of: dict[tuple[str, str], list[float]] = {}
        for train, test in _inner_folds(examples):
            training = self.training_set(train)
            for kind in self.kinds:
                for fitted in fit_path(kind, training):
                    score = np.mean([accuracy(fitted.model(each.x), each) for each in test])
                    accuracies_of.setdefault((kind, fitted.setting), []).append(float(score))
        if not accuracies_of:  # nothing can be left out
            training = self.training_set(examples)
            first = next(iter(fit_path(self.kinds[0], training)))
            return self.kinds[0], first.setting
        most = max(map(len, accuracies_of.values()))  # trees may stop early in some parts
        means = {key: math.fsum(values) / len(values) for key, values in accuracies_of.items() if len(values) == most}
        return max(means, key=lambda key: round(means[key], 9))

    def _signs(self, examples: Sequence[Examples]) -> tuple[int, ...]:
        def sign(number: int) -> int:
            mean = np.mean([accuracy(each.x[:, number], each) for each in examples])
            return -1 if self.directions[number] == 0 and mean < _CHANCE else 1

        return tuple(sign(number) for number in range(len(self.directions)))

    def _single(self, examples: Sequence[Examples], signs: Sequence[int]) -> int:
        return int(np.argmax(np.round(feature_accuracies(examples, signs), 9)))


def _standardised(values: FloatArray) -> FloatArray:
    spread = float(values.std())
    return np.asarray((values - values.mean()) / (spread if spread > 0 else 1.0))


@dataclass(frozen=True, slots=True)
class Fold:
    """What is left out at one time, and what remains to learn from."""

    name: str
    """The test set, target language or language pair that is left out."""
    training: list[Examples]
    """The others without segments that share a text with it."""
    held_out: list[Examples]
    shared: int
    """The preferences of the others that are not learnt from, because their segments share a text with it."""


def folds(examples: Sequence[Examples], by: str) -> Iterator[Fold]:
    """Leave out each test set (`campaign`), target language (`language`) or language pair (`pair`) in turn."""
    groups: dict[str, list[Examples]] = {}
    for each in examples:
        part = {"campaign": each.campaign, "language": each.language, "pair": each.lp}[by]
        groups.setdefault(part, []).append(each)
    for name, held_out in groups.items():
        others = [each for each in examples if each not in held_out]
        training = without_texts(others, held_out)
        yield Fold(name, training, held_out, sum(map(len, others)) - sum(map(len, training)))


def without_texts(examples: Iterable[Examples], others: Iterable[Examples]) -> list[Examples]:
    """The examples without segments that share a text with others, and without language pairs that are then empty."""
    digests = text_digests(others)
    kept = (each.without_texts(digests) for each in examples)
    return [each for each in kept if len(each)]


def _inner_folds(examples: Sequence[Examples]) -> Iterator[tuple[list[Examples], list[Examples]]]:
    """Parts to choose on: test sets, at most five groups of them; of a single one, fifths of its texts."""
    names = sorted({each.campaign for each in examples})
    if len(names) > 1:
        group = {name: number % _INNER for number, name in enumerate(names)}
        for number in sorted(set(group.values())):
            held_out = [each for each in examples if group[each.campaign] == number]
            train = without_texts([each for each in examples if group[each.campaign] != number], held_out)
            if train:
                yield train, held_out
        return
    for number in range(_INNER):
        held_out = [each.of_rows(_block(each) == number) for each in examples]
        train = [each.of_rows(_block(each) != number) for each in examples]
        sides = [[each for each in side if len(each)] for side in (train, held_out)]
        train = without_texts(sides[0], sides[1])
        if train and sides[1]:
            yield train, sides[1]


def _block(each: Examples) -> IntArray:
    """The fifth that a segment is in: by its source (or reference), so that all language pairs are cut alike."""
    first = each.texts[:, 0]
    number = (first.view(np.uint64) % np.uint64(_INNER)).astype(np.int64)
    return np.where(first == 0, each.segment % _INNER, number)


def accuracies(
    chosen: SelectedModel | None, each: Examples, measure: Callable[[FloatArray, Examples], float]
) -> Accuracies:
    """What the metric and the simpler scores reach on a language pair; undefined if nothing was learnt."""
    if chosen is None:
        return Accuracies(math.nan, math.nan, math.nan)
    return Accuracies(
        measure(chosen.scores(each), each),
        measure(chosen.signs[chosen.single] * each.x[:, chosen.single], each),
        measure(rank_means(each, chosen.signs), each),
    )


def accuracy(scores: FloatArray, each: Examples) -> float:
    """The share of preferences that scores agree with; equal scores agree half."""
    return _agreement(scores[each.better] - scores[each.worse])


def _agreement(differences: FloatArray) -> float:
    """The share of positive differences, where 0 counts half; NaN without any."""
    if not len(differences):
        return math.nan
    return float((differences > 0).mean() + 0.5 * (differences == 0).mean())


def system_accuracy(scores: FloatArray, each: Examples) -> float:
    """The share of pairs of systems that a metric orders as people do, by means over the judged outputs.

    Of every output, both sides count the difference from the judged outputs of its segment: people may have judged
    other segments of each system, which are easier or harder for all.
    """
    known = ~np.isnan(scores)  # an output that was judged alone wins over nobody
    names, number = np.unique(each.system, return_inverse=True)
    number, weight = number[known], each.weight[known]
    total = np.bincount(number, weight, len(names))
    with np.errstate(invalid="ignore"):
        metric, human = (
            np.bincount(number, weight * _in_segment(side[known], weight, each.segment[known]), len(names)) / total
            for side in (scores, each.value)
        )
    first, second = np.triu_indices(len(names), 1)
    by_people = np.sign(np.round(human[first] - human[second], 12))
    by_metric = np.sign(np.round(metric[first] - metric[second], 12))
    differs = (by_people != 0) & ~np.isnan(by_people)
    return _agreement(by_people[differs] * by_metric[differs])


def _in_segment(values: FloatArray, weight: FloatArray, segment: IntArray) -> FloatArray:
    """The values minus the mean of those of their segment."""
    _, place = np.unique(segment, return_inverse=True)
    means = np.bincount(place, weight * values) / np.bincount(place, weight)
    return np.asarray(values - means[place])


def feature_accuracies(examples: Sequence[Examples], signs: Sequence[int]) -> tuple[float, ...]:
    """The mean accuracy of each feature by itself over language pairs."""
    return tuple(
        float(np.mean([accuracy(sign * each.x[:, number], each) for each in examples]))
        for number, sign in enumerate(signs)
    )


def rank_means(each: Examples, signs: Sequence[int]) -> FloatArray:
    """The mean over features of the rank of an output among the judged outputs of its segment, from 0 to 1.

    A rank is the share of these outputs that are lower, where equal ones and the output itself count half.
    """
    segments, row = np.unique(each.segment, return_inverse=True)
    systems, column = np.unique(each.system, return_inverse=True)
    total = np.zeros(len(each.x))
    judged = np.zeros((len(segments), len(systems)), dtype=np.bool_)
    judged[row, column] = True
    for number, sign in enumerate(signs):
        values = np.zeros(judged.shape)
        values[row, column] = sign * each.x[:, number]
        total += average_ranks(values, judged)[row, column] - 0.5
    return np.asarray(total / judged.sum(axis=1)[row] / len(signs))


def shuffled_losses(chosen: SelectedModel, each: Examples, random: np.random.Generator) -> FloatArray:
    """How much accuracy falls if a feature is exchanged between preferences: of both outputs, so that it means
    something of the same size that belongs elsewhere.
    """
    better, worse = each.x[each.better], each.x[each.worse]

    def agreement(left: FloatArray, right: FloatArray) -> float:
        return _agreement(chosen.model(left) - chosen.model(right))

    full = agreement(better, worse)
    losses = []
    for number in range(each.x.shape[1]):
        order = random.permutation(len(each))
        sides = [side.copy() for side in (better, worse)]
        swap = random.random(len(each)) < 0.5
        first, second = better[order, number], worse[order, number]
        sides[0][:, number] = np.where(swap, second, first)
        sides[1][:, number] = np.where(swap, first, second)
        losses.append(full - agreement(*sides))
    return np.array(losses)
