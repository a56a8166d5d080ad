"""The preset `mtme`: the choices of mt-metrics-eval where they differ from ours, so that its numbers can be compared.

docs/methods/meta.md lists what the preset changes, and what it leaves.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.errors import UnknownNameError, nearest
from assay.human.presets import PRESETS

__all__ = ["MTME", "as_mtme", "is_mtme", "mtme_test"]

MTME = "mtme"

_CHOICES: dict[str, Any] = {"exact_ties": True}
_OF_STATISTIC: dict[str, dict[str, Any]] = {
    "soft-pairwise-accuracy": {"ties": "at-least", "signs": "mtme", "seed": 4},
    "kendall-like": {"tolerance": 0.0},
}


def is_mtme(preset: str | None, known: tuple[str, ...] = tuple(PRESETS)) -> bool:
    """Whether the preset is that of mt-metrics-eval; raise if it is neither this nor one of the `known`."""
    if preset is not None and preset not in (MTME, *known):
        raise UnknownNameError(f"there is no preset '{preset}'", hint=nearest(preset, (MTME, *known)))
    return preset == MTME


def as_mtme(statistic: str | Statistic) -> Statistic:
    """The statistic as mt-metrics-eval computes it. An option that a spec sets stays as it is.

    Of an object, whose options were all set somehow, those that differ from their defaults stay.
    """
    options: Any = statistic_registry.create(statistic)  # a dataclass, whose fields are its options
    own = {field.name: field.default for field in fields(options)}
    if isinstance(statistic, str):
        explicit = statistic_registry.explicit_options(statistic)
    else:
        explicit = frozenset(name for name in own if getattr(options, name) != own[name])
    wanted = {**_CHOICES, **_OF_STATISTIC.get(options.name, {})}
    changes = {name: value for name, value in wanted.items() if name in own.keys() - explicit}
    changed: Statistic = replace(options, **changes)
    return changed


def mtme_test(statistic: Statistic, level: str) -> str:
    """The test that mt-metrics-eval makes: it swaps the scores, or the outcomes of pairs if ties are calibrated."""
    if statistic.has_threshold and statistic.accuracy_scale is not None:
        return "pair-outcomes:p_rule=share"
    swaps_segments = level == "segment" or statistic.reads_segments
    return f"{'perm-cells' if swaps_segments else 'perm-systems'}:p_rule=share"
