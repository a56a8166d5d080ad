"""Statistics of agreement as the literature writes them."""

from __future__ import annotations

__all__ = ["agreement_label", "statistic_label"]

_CORRELATIONS = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall",
    "kendall-like": "Kendall-like",
    "kendall-wmt": "Kendall (WMT)",
    "kendall-wmt12": "Kendall (WMT12)",
    "kendall-wmt13": "Kendall (WMT13)",
    "kendall-wmt14": "Kendall (WMT14)",
    "tau23": "tau23",
    "tau-star": "tau*",
    "pairwise-difference-pearson": "Pearson of differences",
    "pdp": "Pearson of differences",
}
_ACCURACIES = {
    "pairwise-accuracy": "pairwise accuracy",
    "soft-pairwise-accuracy": "soft pairwise accuracy",
    "spa": "soft pairwise accuracy",
    "acc23": "acc23",
    "acc-star": "acc*",
}


def statistic_label(spec: str) -> str:
    """A statistic as the literature writes it, with its options: `kendall:variant=c` is Kendall:variant=c."""
    name, colon, options = spec.partition(":")
    return f"{(_CORRELATIONS | _ACCURACIES).get(name, name)}{colon}{options}"


def agreement_label(spec: str) -> str:
    """The title of an axis: Pearson correlation with people; pairwise accuracy against people."""
    label = statistic_label(spec)
    name = spec.partition(":")[0]
    if name in _ACCURACIES:
        return f"{label} against people"
    return f"{label} correlation with people" if name in _CORRELATIONS else f"{label} with people"
