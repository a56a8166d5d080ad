"""The texts of the segments whose judgements probabilities of preferences are fitted to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

from assay.files.strict_json import parse_object
from assay.trained.judged_texts import decoded_texts, texts_of
from assay.types import Campaign, IntArray

__all__ = ["TEXTS_FILE", "bundled_texts", "fitted_texts", "judged_by_label"]

TEXTS_FILE = "wmt-segment-texts.json"


def fitted_texts(campaign: Campaign, segments: Iterable[int]) -> IntArray:
    """Digests of all references of these segments, without equal ones; none if the campaign has no texts."""
    return texts_of(() if campaign.testset is None else campaign.testset.references.values(), segments)


@cache
def bundled_texts() -> Mapping[str, IntArray]:
    """The digests of the judged segments that the bundled fits rest on, by test set and language pair."""
    place = resources.files("assay.calibration") / "bundled" / TEXTS_FILE
    tree = parse_object(place.read_text(encoding="utf-8"), path=TEXTS_FILE)
    return {label: decoded_texts(text) for label, text in tree.items()}


def judged_by_label(labels: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Names and language pairs of labels such as `wmt24 en-cs`."""
    parts = (label.rpartition(" ") for label in labels)
    return tuple((name, lp) for name, _, lp in parts)
