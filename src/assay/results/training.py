"""A metric learnt from judgements: its model, what it was trained on, and how it does on what it was not trained on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

from assay.results.columns import ResultColumn, Shown, estimate_columns
from assay.results.estimate import Estimate
from assay.results.result import Result, digest_of_tree
from assay.results.trained_model import Feature, LinearModel, TreeModel
from assay.types.campaign import campaign_label
from assay.types.record import Record, in_tree, record_of

__all__ = ["HeldOutPair", "LearntFeature", "LeftOut", "TrainedOn", "Training", "TrainingEvaluation"]


LeftOut: TypeAlias = Literal["campaign", "language", "pair", "check"]
"""What was left out: a test set, a target language, a language pair, or test sets that were given to check on."""


@dataclass(frozen=True, slots=True)
class LearntFeature(Record):
    """A feature, and what it contributes."""

    name: str = field(metadata=in_tree(key="feature"))
    weight: float
    """Of the feature in standard deviations, on the scale of logits; NaN in trees."""
    importance: float
    """How much the accuracy on held-out test sets falls if outputs get this feature from others: the mean over language
    pairs. Of a single test set into one language, language pairs are held out. Features that say the same share it. NaN
    if nothing was held out."""
    alone: float
    """The share of preferences that the feature agrees with by itself: the mean over the language pairs of the test
    sets to check on, else of those trained on. It is not fitted, but for the direction of a column."""
    is_constant: bool
    """Whether it is the same for all outputs in training, so that it says nothing."""

    @property
    def is_reversed(self) -> bool:
        """Whether the score falls when this metric gets better. A column of statistics has no better side."""
        return self.weight < 0 and not Feature.parse(self.name).column


@dataclass(frozen=True, slots=True)
class TrainedOn(Record):
    """A language pair of a test set that the metric was trained on."""

    campaign: str
    lp: str
    human: str
    """The name of the judgements."""
    protocol: str
    systems: int
    judgements: int
    preferences: int = field(metadata=in_tree(key="pairs"))
    """Of one output over another of the same segment."""
    drawn: int
    """The preferences that were used."""
    undefined: int
    """Judged outputs without a value of some feature, which were left out."""
    features: str
    """The features with all options that the language decides."""
    annotators: Mapping[str, str] | None = field(default=None, metadata=in_tree(optional=True))
    """The programs that made the annotation layers which features read, by layer; None: they read none."""
    texts: str | None = field(default=None, metadata=in_tree(optional=True))
    """Digests of the sources and references of the judged segments, as base64 of little-endian integers of 4 bytes;
    None: there are no texts to know the segments by."""

    @property
    def label(self) -> str:
        """The test set and the language pair."""
        return campaign_label(self.campaign, self.lp)


@dataclass(frozen=True, slots=True)
class HeldOutPair(Record):
    """A language pair of what was held out: how well scores agree with people there."""

    by: LeftOut
    part: str
    """The test set, target language or language pair that was held out."""
    campaign: str
    lp: str
    preferences: int
    left_out: int
    """Preferences that were not trained on because a text of the segment is in what was held out."""
    chosen: str
    """The kind and setting of the model."""
    single: str
    """The best single feature of what was trained on."""
    accuracy: float
    """The share of preferences that the metric agrees with; NaN: nothing is left to train on."""
    accuracy_of_single: float
    accuracy_of_ranks: float
    """Of the mean of the ranks of all features."""
    systems: float
    """The share of pairs of systems that means of the metric order as people do."""
    systems_of_single: float
    systems_of_ranks: float

    @property
    def label(self) -> str:
        """The test set and the language pair."""
        return campaign_label(self.campaign, self.lp)


@dataclass(frozen=True, slots=True)
class TrainingEvaluation(Record):
    """Means over the language pairs that were held out in turn, and differences from simpler scores."""

    by: LeftOut
    level: Literal["segment", "system"]
    metric: Estimate
    single: Estimate
    ranks: Estimate
    beyond_single: Estimate
    """The metric minus the best single feature, with an interval over language pairs."""
    beyond_ranks: Estimate


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Training(Result):
    """A metric learnt from judgements. Its JSON is the file of the metric."""

    settings: Mapping[str, str]
    format: int
    """The version of the model in the file."""
    features: tuple[LearntFeature, ...]
    model: LinearModel | TreeModel
    wins: Literal["none", "soft", "hard"]
    """What scores are by default: `none`, logits of outputs by themselves, or `soft` or `hard` wins over others."""
    chosen: str
    """The kind and setting of the model."""
    single: str
    """The best single feature in training."""
    populations: tuple[TrainedOn, ...]
    evaluations: tuple[TrainingEvaluation, ...]
    held_out: tuple[HeldOutPair, ...]

    made_by: ClassVar[str] = "train"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn(
            "held_out", read="by", help="campaign, language, pair, or check (given for this).", shown=Shown.FILE
        ),
        ResultColumn("level"),
        *estimate_columns("metric", names=("value", "low", "high", "n")),
        *estimate_columns("single", names=("value",), prefix="single_"),
        *estimate_columns("ranks", names=("value",), prefix="ranks_"),
        *estimate_columns("beyond_single", names=("value", "low", "high", "reason"), prefix="beyond_single_"),
        *estimate_columns("beyond_ranks", names=("value", "low", "high", "reason"), prefix="beyond_ranks_"),
    )

    def __repr__(self) -> str:
        names = ", ".join(feature.name for feature in self.features)
        return f"Training({self.chosen} on {names}; {len(self.populations)} language pairs)"

    @property
    def digest(self) -> str:
        """What shows that nothing in the file has changed."""
        return str(self.to_dict()["digest"])

    def to_dict(self) -> dict[str, Any]:
        """The file of the metric: as for other results, and a digest of it."""
        tree = Result.to_dict(self)
        return {**tree, "digest": digest_of_tree(tree)}

    @classmethod
    def of_tree(cls, tree: Mapping[str, Any], model: LinearModel | TreeModel) -> Training:
        """What `to_dict` made the tree of, whose model was read already; without the notes."""
        return cls(
            settings=tree["settings"],
            format=tree["format"],
            features=tuple(record_of(LearntFeature, each) for each in tree["features"]),
            model=model,
            wins=tree["wins"],
            chosen=tree["chosen"],
            single=tree["single"],
            populations=tuple(record_of(TrainedOn, each) for each in tree["populations"]),
            evaluations=tuple(map(_evaluation, tree["evaluations"])),
            held_out=tuple(record_of(HeldOutPair, each) for each in tree["held_out"]),
        )

    def records(self) -> Iterator[TrainingEvaluation]:
        """One for each way of holding out and each level."""
        yield from self.evaluations

    def evaluation(self, by: str, level: str = "segment") -> TrainingEvaluation | None:
        """The means over what was held out in one way."""
        return next((each for each in self.evaluations if (each.by, each.level) == (by, level)), None)


def _evaluation(tree: Mapping[str, Any]) -> TrainingEvaluation:
    names = ("metric", "single", "ranks", "beyond_single", "beyond_ranks")
    estimates = {name: record_of(Estimate, tree[name]) for name in names}
    return TrainingEvaluation(tree["by"], tree["level"], **estimates)
