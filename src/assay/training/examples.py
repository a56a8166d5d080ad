"""Judged outputs of a language pair with their features, and the preferences that a metric is learnt from.

Nothing of a language pair enters its examples but its own texts and judgements. Digests say which texts they are, so
that what is evaluated on shares no source and no reference with what was trained on.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from assay.contracts import Metric
from assay.errors import AssayError, option_name
from assay.human.error_layers import with_error_layers
from assay.lazily import numpy as np
from assay.measurement.needs import check_needs
from assay.metrics.feature_values import FeatureSet
from assay.trained.judged_texts import text_columns, texts_of
from assay.training.human_data import HumanData, LanguagePairExcluded, find_human_data, other_names
from assay.types import Campaign, FloatArray, IntArray, Mask, Note, NoteKind, TestSet
from assay.types.campaign import campaign_label
from assay.types.language_codes import two_letter_code
from assay.types.note import listed, plural, verb_for
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Examples", "collect_examples", "drawn_preferences", "text_digests"]

_TEXT_BYTES = 8


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """One language pair of a test set: rows of judged outputs, and preferences as pairs of rows."""

    campaign: str
    lp: str
    human: str
    protocol: str
    systems: tuple[str, ...]
    judgements: int
    preferences: int
    """Before some were drawn."""
    undefined: int
    """Judged outputs that were left out because a feature is undefined."""
    signature: str
    """The prepared features."""
    annotators: Mapping[str, str]
    """The programs that made the annotation layers which features read, by layer."""
    x: FloatArray
    """(output, feature)."""
    system: IntArray
    segment: IntArray
    value: FloatArray
    weight: FloatArray
    better: IntArray
    worse: IntArray
    texts: IntArray
    """(output, column): digests of the source and the references of its segment; 0: none."""
    judged_texts: IntArray
    """Shorter ones of the long texts among them, which a file can have."""
    notes: tuple[Note, ...] = ()
    """On the judgements and on the features."""

    def __len__(self) -> int:
        return len(self.better)

    @property
    def label(self) -> str:
        """The test set and the language pair."""
        return campaign_label(self.campaign, self.lp) or "the data"

    @property
    def language(self) -> str:
        """The language of the outputs."""
        target = self.lp.rpartition("-")[2].partition("_")[0]
        return two_letter_code(target) or target

    @property
    def outputs(self) -> IntArray:
        """The rows that are in a preference."""
        return np.unique(np.concatenate([self.better, self.worse]))

    def without_texts(self, digests: IntArray) -> Examples:
        """The same without the segments that have one of these texts."""
        if not len(digests):
            return self
        shared = np.asarray(np.isin(self.texts, digests).any(axis=1))
        return self.of_rows(~shared) if shared.any() else self

    def of_rows(self, kept: npt.NDArray[np.bool_]) -> Examples:
        """The outputs of a mask, and the preferences between them."""
        place = np.cumsum(kept) - 1
        pairs = kept[self.better] & kept[self.worse]
        rows = {name: getattr(self, name)[kept] for name in ("x", "system", "segment", "value", "weight", "texts")}
        return replace(self, better=place[self.better[pairs]], worse=place[self.worse[pairs]], **rows)


def text_digests(examples: Iterable[Examples]) -> IntArray:
    """The sources and references of several language pairs."""
    digests_of_each = [np.unique(each.texts) for each in examples]
    digests = np.unique(np.concatenate(digests_of_each)) if digests_of_each else np.zeros(0, dtype=np.int64)
    return np.asarray(digests[digests != 0])


def collect_examples(
    campaign: Campaign,
    features: FeatureSet,
    *,
    gold: Sequence[str],
    learn: str,
    exclude: Sequence[str],
    keep_references: bool,
    max_preferences: int,
    seed: int,
    can_choose_features: bool = True,
    runtime: Runtime,
) -> Examples:
    """The examples of a language pair; raise `LanguagePairExcluded` with the reason if it has none."""
    campaign = with_error_layers(campaign)
    testset = _texts(campaign, features, exclude, keep_references)
    human = find_human_data(campaign, gold, learn, testset.systems)
    if not len(human.better):
        raise LanguagePairExcluded(_nothing_preferred(campaign, human.name))
    is_new, left_out = _not_learnt_from(human, features, replace(testset, name=campaign.name, lp=campaign.lp))
    known = np.flatnonzero(is_new[human.better])
    drawn = known[drawn_preferences(len(known), max_preferences, seed, campaign_label(campaign.name, campaign.lp))]
    prepared = features.prepare(testset)
    segments, place = np.unique(human.segment, return_inverse=True)
    judged = testset.take(segments)
    values = prepared.values(judged, runtime)[human.system, place]
    defined = np.asarray(~np.isnan(values).any(axis=1))
    advice = (each for each in _advice(prepared, testset, can_choose_features) if each.kind != NoteKind.IN_SAMPLE)
    notes = (*human.notes, *_unmatched(campaign, testset, human), *advice, *left_out)
    examples = Examples(
        campaign.name,
        campaign.lp,
        human.name,
        human.protocol,
        _judged_systems(human),
        human.judgements,
        len(known),
        int((~defined).sum()),
        prepared.signature,
        prepared.annotators(testset),
        values,
        human.system,
        human.segment,
        human.value,
        human.weight,
        human.better[drawn],
        human.worse[drawn],
        _digests(judged)[place],
        np.zeros(0, dtype=np.int64),
        tuple(dict.fromkeys(notes)),
    ).of_rows(defined & is_new)
    if not len(examples):
        without = [name for name, column in zip(features.names, values.T, strict=True) if np.isnan(column).all()]
        reason = f"undefined everywhere: {', '.join(without)}" if without else "no preference has all features"
        raise LanguagePairExcluded(reason)
    learnt_from = np.unique(examples.segment[examples.outputs]).tolist()
    return replace(examples, judged_texts=texts_of(text_columns(testset), learnt_from))


def _not_learnt_from(human: HumanData, features: FeatureSet, testset: TestSet) -> tuple[Mask, list[Note]]:
    """By output: whether no feature was learnt from judgements of its segment, and a note; raise if none is left.

    Such a feature has seen the judgements: whatever is held out later, it would know.
    """
    learnt = features.learnt_segments(testset)
    is_new = np.ones(len(human.segment), dtype=np.bool_) if learnt is None else ~learnt[human.segment]
    dropped = int((~is_new[human.better]).sum())
    if not dropped:
        return is_new, []
    names = [name for name, made in zip(features.names, features.metrics, strict=True) if _knows(made, testset)]
    trained = f"{listed(names)} {verb_for(len(names), 'was', 'were')} trained on"
    if dropped == len(human.better):
        raise LanguagePairExcluded(f"{trained} its judgements")
    text = f"{plural(dropped, 'preference')} left out, of segments whose judgements {trained}"
    return is_new, [Note(NoteKind.IN_SAMPLE, text, count=dropped, severity="warning")]


def _knows(made: Metric, testset: TestSet) -> bool:
    learnt = made.learnt_segments(testset)
    return learnt is not None and bool(learnt.any())


def _texts(campaign: Campaign, features: FeatureSet, exclude: Sequence[str], keep_references: bool) -> TestSet:
    """The texts with the first reference, if they are enough for the features."""
    if campaign.testset is None:
        raise LanguagePairExcluded("no texts")
    reference = next(iter(campaign.testset.references), None)
    patterns = [each for each in exclude if any(fnmatchcase(name, each) for name in campaign.systems)]
    try:
        testset = campaign.select_texts(
            references=() if reference is None else (reference,), exclude=patterns, keep_references=keep_references
        )
        for feature, made in zip(features.features, features.metrics, strict=True):
            check_needs(testset, feature.spec, made.needs)
    except AssayError as error:
        raise LanguagePairExcluded(error.message) from error
    if len(testset.systems) < 2:
        raise LanguagePairExcluded(plural(len(testset.systems), "system"))
    for name, column in testset.references.items():
        if "reference" in features.needs and not any((text or "").strip() for text in column):
            raise LanguagePairExcluded(f"all {plural(len(testset), 'line')} of the reference '{name}' are empty")
    return testset


def _nothing_preferred(campaign: Campaign, name: str) -> str:
    """That judgements give no preference, and which others there are."""
    reason = f"'{name}': no two outputs of a segment were judged differently"
    others = other_names(campaign, name)
    return f"{reason}; there are others: {option_name('gold', ','.join(others))}" if others else reason


def _unmatched(campaign: Campaign, testset: TestSet, human: HumanData) -> Iterator[Note]:
    """Notes on judged systems without an output, and on systems that may be the same under another name."""
    known = {*campaign.references}
    if campaign.testset is not None:
        known |= {*campaign.testset.outputs, *campaign.testset.references}
    unknown = sorted(campaign.judged_systems(human.name) - known)
    if not unknown:
        return
    text = f"judgements of systems without an output are left out: {listed(unknown)}"
    judged = {*_judged_systems(human)}
    unjudged = [name for name in testset.systems if name not in judged]
    hint = f"are they {listed(unjudged)}, which nobody judged?" if unjudged else None
    yield Note(NoteKind.EXCLUDED, text, human.name, len(unknown), "warning", hint=hint)


def _advice(prepared: FeatureSet, testset: TestSet, can_choose: bool) -> Iterator[Note]:
    """The advice of features, without what to use instead if the user did not choose them."""
    for made in dict.fromkeys(prepared.metrics):
        for note in made.advice(testset):
            yield note if can_choose else replace(note, hint=None)


def _judged_systems(human: HumanData) -> tuple[str, ...]:
    return tuple(human.systems[k] for k in np.unique(human.system).tolist())


def drawn_preferences(count: int, most: int, seed: int, label: str) -> npt.NDArray[np.intp]:
    """Which preferences are used: all, or a sample that depends on the seed and the language pair alone."""
    if count <= most:
        return np.arange(count)
    random = np.random.default_rng([seed, zlib.crc32(label.encode())])
    return np.sort(random.choice(count, most, replace=False, shuffle=False))


def _digests(testset: TestSet) -> IntArray:
    """(segment, column): digests of the sources and references."""
    columns = [*([] if testset.sources is None else [testset.sources]), *testset.references.values()]
    if not columns:
        return np.zeros((len(testset), 1), dtype=np.int64)
    return np.array([[_digest(text) for text in column] for column in columns], dtype=np.int64).T


def _digest(text: str | None) -> int:
    """Of a text without spaces around it, or 0 for an absent or empty one."""
    plain = (text or "").strip()
    if not plain:
        return 0
    return int.from_bytes(hashlib.blake2b(plain.encode(), digest_size=_TEXT_BYTES).digest(), "little", signed=True)
