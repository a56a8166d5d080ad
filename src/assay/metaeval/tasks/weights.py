"""The weights of the components of a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from assay.results import TaskComponent

__all__ = ["normalise_weights"]


def normalise_weights(components: Sequence[TaskComponent], split: Sequence[str]) -> tuple[TaskComponent, ...]:
    """The components with weights that sum to 1, in proportion to their own.

    With `split`, their own weights only say which components count: the weight is divided equally among the values of
    the first attribute, the share of each value among those of the next attribute, and so on (WMT22).
    """
    counted = [component for component in components if component.weight > 0]
    if split:
        shares = dict(_divide(counted, split, 1.0))
    else:
        total = math.fsum(component.weight for component in counted)
        shares = {component.label: component.weight / total for component in counted}
    return tuple(replace(component, weight=shares.get(component.label, 0.0)) for component in components)


def _divide(components: Sequence[TaskComponent], split: Sequence[str], weight: float) -> list[tuple[str, float]]:
    if not split:
        return [(component.label, weight / len(components)) for component in components]
    parts: dict[str, list[TaskComponent]] = {}
    for component in components:
        parts.setdefault(component.describe(split[0]), []).append(component)
    return [share for part in parts.values() for share in _divide(part, split[1:], weight / len(parts))]
