"""Which segments of a test set are among those whose judgements probabilities were fitted to.

Segments are known by digests of their references, so that the file with those of the fits that come with Assay has no
texts. Short texts, which may well be equal by chance, are not used.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources

from assay.files.strict_json import parse_object
from assay.lazily import numpy as np
from assay.results import FittedSegments
from assay.types import Campaign, IntArray, TestSet
from assay.types.campaign import campaign_label

__all__ = ["TEXTS_FILE", "bundled_texts", "encoded_texts", "fitted_segments", "fitted_texts", "judged_by_label"]

TEXTS_FILE = "wmt-segment-texts.json"
_DIGEST_BYTES = 4  # a thousand texts meet one of twelve thousand others by chance in 1 of 350 cases
_SHORTEST = 20  # characters


def fitted_texts(campaign: Campaign, segments: Iterable[int]) -> IntArray:
    """Digests of all references of these segments, without equal ones; none if the campaign has no texts."""
    columns = () if campaign.testset is None else tuple(campaign.testset.references.values())
    judged = list(segments)
    digests = {_digest(column[each]) for column in columns for each in judged}
    return np.array(sorted(digests - {0}), dtype=np.int64)


def encoded_texts(digests: IntArray) -> str:
    """Digests as the file has them."""
    return base64.b64encode(digests.astype("<u4").tobytes()).decode("ascii")


@cache
def bundled_texts() -> Mapping[str, IntArray]:
    """The digests of the judged segments that the bundled fits rest on, by test set and language pair."""
    place = resources.files("assay.calibration") / "bundled" / TEXTS_FILE
    tree = parse_object(place.read_text(encoding="utf-8"), path=TEXTS_FILE)
    return {label: np.frombuffer(base64.b64decode(text), dtype="<u4").astype(np.int64) for label, text in tree.items()}


def fitted_segments(
    testset: TestSet, judged: Sequence[tuple[str, str]], known: Mapping[str, IntArray]
) -> tuple[FittedSegments, ...]:
    """The judged test sets that have segments of this one.

    `judged` are the names and language pairs, `known` the digests by label. Where no texts can be compared, a test set
    of the same name and language pair is taken for the same one.
    """
    columns = tuple(testset.references.values())
    own = np.array([[_digest(text) for text in column] for column in columns], dtype=np.int64)
    found = []
    for name, lp in judged:
        label = campaign_label(name, lp)
        digests = known.get(label)
        if digests is not None and len(digests) and own.any():
            if count := int(np.isin(own, digests).any(axis=0).sum()):
                found.append(FittedSegments(name, lp, count))
        elif testset.name and (testset.name, testset.lp) == (name, lp):
            found.append(FittedSegments(name, lp, None))
    return tuple(found)


def _digest(text: str | None) -> int:
    """Of a text without spaces around it; 0 for one that is absent or short."""
    plain = (text or "").strip()
    if len(plain) < _SHORTEST:
        return 0
    return int.from_bytes(hashlib.blake2b(plain.encode(), digest_size=_DIGEST_BYTES).digest(), "little")


def judged_by_label(labels: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Names and language pairs of labels such as `wmt24 en-cs`."""
    parts = (label.rpartition(" ") for label in labels)
    return tuple((name, lp) for name, _, lp in parts)
