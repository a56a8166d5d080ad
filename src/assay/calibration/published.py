"""Cut-offs that a paper printed: probabilities at some differences, without the curve between them."""

from __future__ import annotations

import json
from dataclasses import dataclass

__all__ = ["Cutoff", "Published", "parse_published"]


@dataclass(frozen=True, slots=True)
class Cutoff:
    """From this difference of corpus scores on, the probability is reached."""

    metric: str
    protocol: str
    group: str
    domain: str
    difference: float
    probability: float


@dataclass(frozen=True, slots=True)
class Published:
    """The cut-offs of a paper, and how they were found."""

    citation: str
    orientation: str
    campaigns: tuple[str, ...]
    cutoffs: tuple[Cutoff, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that have cut-offs."""
        return tuple(dict.fromkeys(each.metric for each in self.cutoffs))

    def find(self, metric: str, aggregation: str, protocol: str, group: str, domain: str) -> tuple[Cutoff, ...]:
        """The cut-offs of a metric for one population, by difference. All are of corpus scores."""
        found = [
            each
            for each in self.cutoffs
            if aggregation == "corpus"
            and (each.metric.lower(), each.protocol, each.group, each.domain)
            == (metric.lower(), protocol, group, domain)
        ]
        return tuple(sorted(found, key=lambda each: each.difference))


def parse_published(text: str) -> Published:
    """The cut-offs in a file that comes with Assay."""
    tree = json.loads(text)
    cutoffs = (Cutoff(**{name: each[name] for name in Cutoff.__slots__}) for each in tree["cutoffs"])
    return Published(tree["citation"], tree["orientation"], tuple(tree["campaigns"]), tuple(cutoffs))
