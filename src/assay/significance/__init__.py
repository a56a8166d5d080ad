"""P-values of one system against another, one file a test; corrections for many; what follows for ranks.

A test is one-sided: the p-value is that of "the first is better". Every p-value is above 0 and at most 1, and a system
against its own copy has p = 1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from assay.registry import Registry
from assay.types import FloatArray

__all__ = ["Outcome", "Test", "test"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A p-value (NaN where undefined, and then a reason) and how many values it is from."""

    p: float
    n: int
    reason: str | None = None


class Test(ABC):
    """Whether the values of one system are higher than those of another."""

    __test__ = False  # not a test case, whatever pytest thinks of the name

    name: ClassVar[str]
    is_paired: ClassVar[bool]
    """Whether only segments count that both systems have, each with itself."""

    @abstractmethod
    def compare(self, first: FloatArray, second: FloatArray) -> Outcome:
        """The p-value of "first is better", from values by segment without gaps; paired ones are of equal length."""


test: Registry[Test] = Registry("test", __name__, entry_point_group="assay.tests")
