"""Published trained metrics as choices of features and models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["RECIPES", "Recipe"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a recipe chooses. Features and models that the user gives replace its own."""

    features: tuple[str, ...]
    models: tuple[str, ...]
    wins: str


RECIPES: Mapping[str, Recipe] = {
    "terrorcat": Recipe(
        tuple(f"hjerson:error={name}" for name in ("inflection", "order", "missing", "extra", "lexical")),
        ("logistic",),
        "soft",
    ),
    "logreg": Recipe(
        (
            "bleu",
            "chrf",
            "ter",
            "per",
            "hjerson#output_length",
            "hjerson#output_length/reference_length",
            "hjerson:error=missing",
            "hjerson:error=extra",
        ),
        ("logistic",),
        "soft",
    ),
}
"""TERRORCAT (Fishel et al. 2012) learns from classes of errors, LOGREG (Avramidis and Popović 2013) from features of
many kinds."""
