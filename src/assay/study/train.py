"""`assay.train`: a metric learnt from judgements."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Unpack

from assay.aggregate.resample import CONFIDENCE, SEED, Confidence, Seed, resamples_option
from assay.aggregate.unit_intervals import UnitResamples
from assay.calibration.populations import data_text
from assay.contracts import BY_ITSELF
from assay.errors import ConfigError, InputError, option_name
from assay.lazily import numpy as np
from assay.measurement import metrics_option
from assay.metrics import metric as metric_registry
from assay.metrics.feature_values import FeatureSet
from assay.options.checks import check_integer
from assay.options.option import HUMAN, METRICS, Data, Option
from assay.options.shared import CAMPAIGNS, RUNTIME, Exclude, GoldNames, KeepReferences
from assay.options.verb import verb
from assay.registry import name_list, option_text
from assay.results import LearntFeature, TrainedOn, Training
from assay.results.trained_model import LinearModel
from assay.trained.files import FORMAT
from assay.trained.judged_texts import encoded_texts
from assay.trained.wins import WINS, Wins
from assay.training.evaluation import evaluate_on, evaluations, leave_out_in_turn
from assay.training.examples import Examples
from assay.training.fits import MODELS
from assay.training.held_out import Learner, SelectedModel, feature_accuracies
from assay.training.language_pairs import ExampleCollector, doubts_about
from assay.training.recipes import RECIPES
from assay.types import Campaign, FloatArray
from assay.types.runtime import Runtime, RuntimeFields
from assay.version import __version__

__all__ = ["train"]

DEFAULT_FEATURES = ("bleu", "chrf", "ter")
_DIGITS = 9  # of the numbers in a file
_LEARN = ("preferences", "error-free")
_GROUP = "Training"


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
            "Kinds of models to choose the best from: logistic (regression on preferences), ridge (regression on the "
            "values of outputs) and boosting (small trees on preferences).",
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
            noun=option_name("wins"),
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
            noun=option_name("learn"),
        ),
    ] = "preferences",
    gold: GoldNames = (),
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
    if features is not None and not features:
        raise ConfigError("features is empty", hint=f"name metrics, or leave it out for {', '.join(DEFAULT_FEATURES)}")
    names = tuple(features or (chosen.features if chosen else DEFAULT_FEATURES))
    kinds = tuple(dict.fromkeys(model or (chosen.models if chosen else MODELS[:1])))
    trained_on, others = tuple(campaigns), tuple(check)
    feature_set = _feature_set(names, kinds, {each.name for campaign in trained_on for each in campaign.metrics})
    collector = ExampleCollector(
        feature_set,
        tuple(gold),
        learn,
        tuple(exclude),
        keep_references,
        max_preferences,
        seed,
        can_choose_features=bool(features) or chosen is None,
    )
    collector.check_exclude((*trained_on, *others))
    examples, notes = collector.collect(trained_on, runtime)
    checked, more = collector.collect_others(others, examples, runtime)
    form: Wins = wins or (chosen.wins if chosen else WINS[0])  # type: ignore[assignment]  # one of the choices
    learner = Learner(kinds, tuple(abs(each) for each in feature_set.directions), form)
    pairs, losses = leave_out_in_turn(learner, examples, feature_set.names, seed, runtime)
    final = learner.learn(examples)
    alone = feature_accuracies(checked or examples, final.signs)
    _check_says_something(final, examples)
    pairs += [evaluate_on("check", each.campaign, each, final, 0, feature_set.names) for each in checked]
    settings = {
        "data": _data(examples),
        "features": name_list(feature_set.names),
        "model": "+".join(kinds),
        "recipe": recipe or "",
        "wins": form,
        "learn": "" if learn == _LEARN[0] else learn,
        "gold": name_list(collector.gold),
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
        evaluations=tuple(evaluations(pairs, UnitResamples(resamples, seed, confidence, runtime))),
        held_out=tuple(pairs),
        notes=(*notes, *doubts_about(examples, feature_set.names, final.signs), *more),
    )


def _feature_set(names: Sequence[str], kinds: Sequence[str], stored: Collection[str]) -> FeatureSet:
    """The features, if metrics can be learnt from them. `stored` are metrics whose scores come with the data."""
    from assay.metrics.learned_metric import LearnedMetric  # imports numpy

    for name in names:
        if name in stored and not metric_registry.has(name):
            hint = "name a metric that Assay computes: the scores are stored, and there are none of other texts"
            raise ConfigError(f"'{name}' cannot be a feature: a trained metric computes its features", hint=hint)
    features = FeatureSet.of(names)
    for name, made in zip(features.names, features.metrics, strict=True):
        if made.depends_on_systems:
            raise ConfigError(f"the feature '{name}' depends on the other systems", hint=BY_ITSELF)
        if made.tolerance and "boosting" in kinds:
            message = f"scores of '{name}' differ between runs, and trees would jump where they cross a threshold"
            raise ConfigError(message, hint=f"use {option_name('model', 'logistic')} or ridge")
        if isinstance(made, LearnedMetric) and not made.model:
            raise ConfigError(f"the feature '{name}' needs a model", hint=made.how_to_get_a_model)
        made.check_resources()
    return features


def _check_says_something(final: SelectedModel, examples: Iterable[Examples]) -> None:
    if not any(np.ptp(final.model(each.x)) for each in examples):
        raise InputError(
            "nothing was learnt: no feature agrees with people more often than by chance, or all are constant",
            hint="use other features, or judgements of other systems",
        )


def _data(examples: Iterable[Examples]) -> str:
    lps: dict[str, list[str]] = {}
    for each in examples:
        lps.setdefault(each.campaign, []).append(each.lp)
    return data_text({name: tuple(each) for name, each in lps.items()})


def _learnt(
    features: FeatureSet, final: SelectedModel, examples: Sequence[Examples], losses: FloatArray, alone: Sequence[float]
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
        each.annotators or None,
        encoded_texts(each.judged_texts) if len(each.judged_texts) else None,
    )
