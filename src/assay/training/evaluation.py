"""How well a learnt metric agrees with people on what was left out, beside its best feature and the mean of ranks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assay.aggregate.unit_intervals import UnitResamples
from assay.lazily import numpy as np
from assay.results import Estimate, HeldOutPair, TrainingEvaluation
from assay.results.training import LeftOut
from assay.training.examples import Examples
from assay.training.held_out import (
    Learner,
    SelectedModel,
    accuracies,
    accuracy,
    folds,
    shuffled_losses,
    system_accuracy,
)
from assay.types import FloatArray
from assay.types.runtime import Runtime

__all__ = ["evaluate_on", "evaluations", "leave_out_in_turn"]

_HELD_OUT: tuple[LeftOut, ...] = ("campaign", "language", "pair")
_IMPORTANT = ("campaign", "pair")  # where features are exchanged
_NO_OTHERS = {
    "campaign": "there is only one test set",
    "language": "there is only one target language",
}
_NO_TEXTS = "all other judgements are of the same texts"


def leave_out_in_turn(
    learner: Learner, examples: Sequence[Examples], names: Sequence[str], seed: int, runtime: Runtime
) -> tuple[list[HeldOutPair], FloatArray]:
    """Leave out each test set and each target language in turn; `names` are those of the features.

    Of a single test set into one language, each language pair is left out instead. The losses are the mean contribution
    of each feature on left-out test sets, or else language pairs; NaN if nothing could be left out.
    """
    left_out = [(by, fold) for by in _HELD_OUT if by != "pair" or _is_alike(examples) for fold in folds(examples, by)]
    pairs: list[HeldOutPair] = []
    losses: list[FloatArray] = []
    random = np.random.default_rng(seed)
    for by, fold in runtime.track(left_out, lambda each: f"leaving out {each[1].name}"):
        chosen = learner.learn(fold.training) if fold.training else None
        for each in fold.held_out:
            pairs.append(evaluate_on(by, fold.name, each, chosen, fold.shared, names))
            if chosen is not None and by in _IMPORTANT:
                losses.append(shuffled_losses(chosen, each, random))
    mean = np.mean(losses, axis=0) if losses else np.full(len(names), math.nan)
    return pairs, np.asarray(mean)


def _is_alike(examples: Sequence[Examples]) -> bool:
    """Whether several language pairs are of one test set and into one language."""
    return len(examples) > 1 and len({(each.campaign, each.language) for each in examples}) == 1


def evaluate_on(
    by: LeftOut, part: str, each: Examples, chosen: SelectedModel | None, left_out: int, names: Sequence[str]
) -> HeldOutPair:
    """The accuracies on a language pair; undefined if nothing was left to learn from."""
    outputs, systems = (accuracies(chosen, each, measure) for measure in (accuracy, system_accuracy))
    return HeldOutPair(
        by=by,
        part=part,
        campaign=each.campaign,
        lp=each.lp,
        preferences=len(each),
        left_out=left_out,
        chosen="" if chosen is None else f"{chosen.kind} {chosen.setting}",
        single="" if chosen is None else names[chosen.single],
        accuracy=outputs.metric,
        accuracy_of_single=outputs.single,
        accuracy_of_ranks=outputs.ranks,
        systems=systems.metric,
        systems_of_single=systems.single,
        systems_of_ranks=systems.ranks,
    )


def evaluations(pairs: Sequence[HeldOutPair], resamples: UnitResamples) -> Iterator[TrainingEvaluation]:
    """Means over language pairs of each way of leaving out, with intervals over resamples of language pairs."""
    for by in (*_HELD_OUT, "check"):
        group = [pair for pair in pairs if pair.by == by]
        if not group:
            continue
        reason = _NO_TEXTS if len({pair.part for pair in group}) > 1 else _NO_OTHERS.get(by, "")
        of_outputs = [(pair.accuracy, pair.accuracy_of_single, pair.accuracy_of_ranks) for pair in group]
        of_systems = [(pair.systems, pair.systems_of_single, pair.systems_of_ranks) for pair in group]
        for level, values in (("segment", of_outputs), ("system", of_systems)):
            metric, single, ranks = (_mean(column, resamples, reason) for column in zip(*values, strict=True))
            beyond_single = _mean([metric - single for metric, single, _ in values], resamples, reason)
            beyond_ranks = _mean([metric - ranks for metric, _, ranks in values], resamples, reason)
            yield TrainingEvaluation(by, level, metric, single, ranks, beyond_single, beyond_ranks)  # type: ignore[arg-type]


def _mean(values: Sequence[float], resamples: UnitResamples, reason: str) -> Estimate:
    """The mean over language pairs. Its interval is wider the fewer they are."""
    known = np.array([value for value in values if value == value])
    count = len(known)
    if not count:
        return Estimate(math.nan, 0, reason=reason)
    value = math.fsum(known.tolist()) / count
    (drawn,) = resamples.estimates(
        [value], count, np.ones(count), "language pair", lambda weights: [np.einsum("rp,p->r", weights, known) / count]
    )
    return drawn.estimate
