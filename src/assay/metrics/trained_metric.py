"""Metrics that were learnt from judgements: a model of the scores of other metrics, from a file or from `assay.train`.

A score depends on its own output alone, and is a logit: between two outputs of a segment, the logistic function of the
difference is the probability that people prefer the first. TERRORCAT and LOGREG add up such decisions over the other
outputs of a segment; `wins` does so, and is the one option that makes a score depend on the systems that are there.
"""

from __future__ import annotations

import dataclasses
import functools
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.contracts import AUTO, BY_ITSELF, Metric
from assay.errors import ConfigError, InputError
from assay.lazily import numpy as np
from assay.metrics.feature_values import FeatureSet
from assay.options.checks import check_choice
from assay.registry.plugin_files import is_from_file
from assay.results.trained_model import LinearModel
from assay.trained.files import TrainedFile
from assay.trained.judged_texts import decoded_texts, fitted_masks, text_columns
from assay.trained.wins import WINS, Wins, mean_wins
from assay.types import (
    Column,
    FloatArray,
    Mask,
    Note,
    NoteKind,
    Table,
    TestSet,
    as_column,
    digest_of_column,
    ratio_of_sums,
)
from assay.types.annotation import UNNAMED
from assay.types.campaign import campaign_label
from assay.types.note import listed, plural
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["TrainedMetric", "trained_metric"]

_DIGITS = 8  # of digests in signatures
_NAMED = 4  # features and campaigns in a line
_WINS = (
    "Options: wins (none: a logit of an output by itself; soft: its mean probability to be better than the outputs of "
    "the other systems; hard: the share of them that it is better than)."
)


@dataclass(frozen=True)
class TrainedMetric(Metric):
    """Base class of metrics learnt from judgements. A subclass says where its model is."""

    default_aggregation = "segment"
    wins: Wins = "none"
    features: str = AUTO  # set by `prepare`: the metrics with all their options
    against: str = AUTO  # set by `prepare`: with wins the systems, else nothing
    prepared: FeatureSet | None = field(default=None, compare=False, repr=False)

    @classmethod
    @abstractmethod
    def trained(cls) -> TrainedFile:
        """The model and what it was trained on."""

    @classmethod
    def documentation(cls, verdict: Sequence[str] = ()) -> str:
        """What it computes, what it was learnt from, and sentences on what that is worth."""
        return "\n".join((str(cls.__doc__), "", *_description(cls.trained(), _features(cls).directions, verdict)))

    @classmethod
    def folder(cls) -> Path | None:
        """Where to look for features that are metrics from files."""
        return None

    def __post_init__(self) -> None:
        check_choice("wins", self.wins, WINS)
        if {self.features, self.against} != {AUTO} and self.prepared is None:
            raise ValueError("features and against cannot be chosen: they are set when a test set is scored")

    @property
    def undefined(self) -> str:  # type: ignore[override]  # it depends on an option
        """Why an output whose texts are there may have no score."""
        if self.wins == "none":
            return "a feature is undefined"
        if self.against.startswith("1-"):
            return f"wins are over other systems, and there is only one: use {self.name}:wins=none, or score several"
        return "a feature is undefined, for it or for the outputs of all other systems"

    @property
    def feature_set(self) -> FeatureSet:
        """The features, prepared or not."""
        return self.prepared or _features(type(self))

    @property
    def depends_on_systems(self) -> bool:
        """Whether scores are wins."""
        return self.wins != "none"

    @property
    def parts(self) -> tuple[Metric, ...]:
        """The metrics of its features."""
        return self.feature_set.metrics

    @property
    def needs(self) -> frozenset[str]:
        return self.feature_set.needs

    @property
    def columns(self) -> tuple[str, ...]:
        return ("score", "count")

    @property
    def tolerance(self) -> float:  # type: ignore[override]
        """The tolerances of the features, multiplied by their weights. `assay.train` takes none of these into trees."""
        model = self.trained().model
        tolerances = [each.tolerance for each in self.feature_set.metrics]
        if not any(tolerances) or not isinstance(model, LinearModel):
            return 0.0
        weighted = zip(model.weights, model.scale, model.centre, tolerances, strict=True)
        return sum(abs(w) / scale * t * max(1.0, abs(centre) + scale) for w, scale, centre, t in weighted)

    @property
    def resources(self) -> Mapping[str, str]:
        """Those of the features."""
        return self.feature_set.resources

    def check_resources(self) -> None:
        self.feature_set.check_resources()

    def learnt_segments(self, testset: TestSet) -> Mask | None:
        found = [mask for _, _, mask in self._learnt_from(testset)]
        of_features = self.feature_set.learnt_segments(testset)
        if of_features is not None:
            found.append(of_features)
        return np.any(found, axis=0) if found else None

    def _learnt_from(self, testset: TestSet) -> Iterator[tuple[str, bool, Mask]]:
        """The judged test sets that have segments of this one: the label, whether texts were compared, and which."""
        populations = self.trained().tree.get("populations", ())
        judged = [(each["campaign"], each["lp"]) for each in populations]
        known = {
            campaign_label(each["campaign"], each["lp"]): decoded_texts(each["texts"])
            for each in populations
            if each.get("texts")
        }
        for name, lp, mask in fitted_masks(testset, judged, known, text_columns(testset)):
            every = np.ones(len(testset), dtype=np.bool_) if mask is None else mask
            yield campaign_label(name, lp), mask is not None, every

    def layer_columns(self, testset: TestSet, layer: str) -> Iterator[Column]:
        return self.feature_set.layer_columns(testset, layer)

    def prepare(self, testset: TestSet) -> TrainedMetric:
        prepared = _features(type(self)).prepare(testset)
        against = "" if self.wins == "none" else _systems_text(testset.systems)
        return replace(self, features=prepared.signature, against=against, prepared=prepared)

    def advice(self, testset: TestSet) -> Iterator[Note]:
        yield from self.feature_set.advice(testset)
        yield from self._other_annotators(testset)
        yield from self._known_segments(testset)
        if self.wins != "none":
            text = (
                f"scores are wins over the other systems of this run ({plural(len(testset.systems), 'system')}): they "
                "cannot be compared with those of a run with other systems"
            )
            yield Note(NoteKind.ADVICE, text, where=self.name)

    def _known_segments(self, testset: TestSet) -> Iterator[Note]:
        """A warning if segments are among those whose judgements it was learnt from."""
        learnt = [*self._learnt_from(testset)]
        if not learnt:
            return
        names = listed([label for label, _, _ in learnt], _NAMED)
        count = int(np.any([mask for _, _, mask in learnt], axis=0).sum())
        if any(compared for _, compared, _ in learnt):
            segments = f"{count:,} of {plural(len(testset), 'segment')}"
            which = f"it was trained on judgements of the texts of {segments} ({names})"
        else:
            which = (
                f"it was trained on judgements of {names}, by its name this test set, whose texts cannot be compared"
            )
        text = f"{which}: that it agrees with people on these says little about other texts"
        yield Note(
            NoteKind.IN_SAMPLE, text, self.name, count, "warning", hint="use test sets that it was not trained on"
        )

    def _other_annotators(self, testset: TestSet) -> Iterator[Note]:
        """A warning for each layer that another program made than in training, as far as the programs are known."""
        trained_on = [each.get("annotators") or {} for each in self.trained().tree.get("populations", ())]
        for layer, program in self.feature_set.annotators(testset).items():
            known = list(dict.fromkeys(each[layer] for each in trained_on if layer in each))
            if known and program not in known and UNNAMED not in (program, *known):
                text = (
                    f"the annotation layer '{layer}' is by {program}, and the metric was trained with that of "
                    f"{' and '.join(known)}: what it learnt may not hold"
                )
                yield Note(NoteKind.SUSPECT, text, where=self.name, severity="warning")

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        features = self.feature_set if self.prepared is not None else self.feature_set.prepare(testset)
        scores = self.trained().model(features.values(testset, runtime))
        if self.wins != "none":
            scores = mean_wins(scores, self.wins)
        known = ~np.isnan(scores)
        return np.stack([np.where(known, scores, 0.0), known.astype(np.float64)], axis=-1)

    def defined(self, table: Table) -> npt.NDArray[np.bool_]:
        return np.asarray(table)[..., 1] > 0

    def score(self, totals: Table) -> FloatArray:
        return ratio_of_sums(totals)


@functools.cache
def _features(cls: type[TrainedMetric]) -> FeatureSet:
    file, folder = cls.trained(), cls.folder()
    try:
        return FeatureSet.of(file.features, folder)
    except (InputError, ConfigError) as error:
        names = [str(each) for each in file.features if is_from_file(each.spec)]
        if not names:
            raise
        place = "" if folder is None else f" in {folder}"
        hint = f"put the files of {listed(names)}{place} as they were when it was trained, or train it again"
        raise InputError(f"a feature cannot be computed: {error.message}", path=file.path, hint=hint) from error


def _systems_text(systems: tuple[str, ...]) -> str:
    """How many systems, and a digest of their names in any order."""
    return f"{len(systems)}-{digest_of_column(as_column(sorted(systems)))[:_DIGITS]}"


def trained_metric(tree: Mapping[str, Any], name: str, path: Path | None = None) -> type[TrainedMetric]:
    """A class of metrics from what `assay.train` wrote or returned."""
    file = TrainedFile.of(tree, name if path is None else str(path))
    members: dict[str, Any] = {
        "trained": classmethod(lambda cls: file),
        "folder": classmethod(lambda cls: None if path is None else path.parent),
        "name": name,
        "__doc__": _first_line(file),
        "__module__": __name__,
    }
    fields = [("wins", Wins, file.wins)]
    made = dataclasses.make_dataclass("TrainedMetric", fields, bases=(TrainedMetric,), namespace=members, frozen=True)
    cls: type[TrainedMetric] = made
    for each, made_metric in zip(_features(cls).features, _features(cls).metrics, strict=True):
        if made_metric.depends_on_systems:
            raise ConfigError(f"the feature '{each}' depends on the other systems", hint=BY_ITSELF)
    return cls


def _first_line(file: TrainedFile) -> str:
    campaigns = dict.fromkeys(str(each.get("campaign", "")) for each in file.tree.get("populations", ()))
    features = listed(list(map(str, file.features)), _NAMED)
    return f"A metric learnt from judgements of {listed(list(campaigns), _NAMED) or 'the data'}: {features}."


def _description(file: TrainedFile, directions: Sequence[int], verdict: Sequence[str]) -> Iterator[str]:
    """How the score is made, what it was learnt from, and what it is worth.

    The sentences in the file are not used: its digest does not cover them, because their wording may change.
    """
    yield f"score = {_formula(file, directions)}"
    yield ""
    yield "Learnt from:"
    for each in file.tree.get("populations", ()):
        judgements, drawn, pairs = (f"{each[name]:,}" for name in ("judgements", "drawn", "pairs"))
        yield (
            f"  {each['campaign']} {each['lp']}: '{each['human']}' ({each['protocol']}), {judgements} judgements of "
            f"{plural(each['systems'], 'system')}, {drawn} of {pairs} preferences"
        )
    yield ""
    yield from verdict
    yield ""
    yield _WINS
    yield f"Digest: {file.digest}."


def _formula(file: TrainedFile, directions: Sequence[int]) -> str:
    """With the scores of features as they are, not turned so that higher is better."""
    model = file.model
    if not isinstance(model, LinearModel):
        return f"the sum of {plural(len(model.trees), 'tree')}"
    signs = (-1 if direction < 0 else 1 for direction in directions)
    terms = zip(signs, model.weights, model.scale, file.features, strict=True)
    return " ".join(f"{sign * weight / scale:+.4g} {feature}" for sign, weight, scale, feature in terms) + " + constant"
