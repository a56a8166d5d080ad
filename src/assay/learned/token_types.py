"""Which tokens of an input belong to the second text, for networks that need to know.

Ids of the second text are stored as complements, so that the ids alone determine the input.
"""

from __future__ import annotations

from typing import Any

from assay.neural import Ids

__all__ = ["as_second", "split_types"]


def as_second(ids: Ids) -> Ids:
    """The ids of the second text."""
    return tuple(~id_ for id_ in ids)


def split_types(ids: Any) -> tuple[Any, Any]:
    """A tensor of ids, and one that is 1 for tokens of the second text."""
    is_second = ids < 0
    return ids.where(~is_second, ~ids), is_second.long()
