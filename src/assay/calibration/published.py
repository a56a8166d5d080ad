"""Cut-offs that a paper printed: probabilities at some differences, without the curve between them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.results import Population

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
    parts: tuple[Mapping[str, Any], ...]
    """Protocols, groups or domains that were in some of the campaigns only."""
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

    def population(self, protocol: str, group: str, domain: str) -> Population:
        """The population of some cut-offs, with the campaigns that they rest on."""
        asked = {"protocol": protocol, "group": group, "domain": domain}
        campaigns = list(self.campaigns)
        for part in self.parts:
            if all(part.get(name, value) == value for name, value in asked.items()):
                campaigns = [each for each in campaigns if each in part["campaigns"]]
        return Population(protocol, group, domain, tuple(campaigns))

    def has_group(self, protocol: str, group: str, domain: str) -> bool:
        """Whether a group of target languages has cut-offs of its own, of any metric."""
        return any((each.protocol, each.group, each.domain) == (protocol, group, domain) for each in self.cutoffs)


def parse_published(text: str) -> Published:
    """The cut-offs in a file that comes with Assay."""
    tree = json.loads(text)
    cutoffs = (Cutoff(**{name: each[name] for name in Cutoff.__slots__}) for each in tree["cutoffs"])
    campaigns, parts = tuple(tree["campaigns"]), tuple(tree["parts"])
    return Published(tree["citation"], tree["orientation"], campaigns, parts, tuple(cutoffs))
