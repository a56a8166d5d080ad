"""Kinds of systems: language models, and systems that only translate. A table says which is which, and who says so."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources

from assay.errors import ConfigError, UnknownNameError, nearest

__all__ = [
    "KINDS",
    "LLM",
    "LLM_OVER_MT",
    "MIXED",
    "MT",
    "MT_OVER_LLM",
    "UNKNOWN",
    "SystemKind",
    "is_of_kinds",
    "kind_of",
    "pair_kinds",
    "stated_kinds",
    "system_kinds",
]

MT = "MT"
LLM = "LLM"
MIXED = "mixed"
MT_OVER_LLM = f"{MT}-over-{LLM}"
LLM_OVER_MT = f"{LLM}-over-{MT}"
KINDS = (MT, LLM, MIXED, MT_OVER_LLM, LLM_OVER_MT)
"""Kinds of pairs: two MT systems, two language models, one of each, and which of these has the better score."""
UNKNOWN = "unknown"
_NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class SystemKind:
    """An entry of the table."""

    kind: str
    names: tuple[str, ...]
    source: str
    campaigns: tuple[str, ...] = ()
    """Where these names mean this; everywhere if there are none."""

    def has(self, system: str, campaign: str) -> bool:
        """Whether the entry is of this system.

        Names are written in many ways, so case is ignored, and a space or an underscore is a hyphen.
        """
        is_there = not self.campaigns or any(fnmatchcase(campaign, each) for each in self.campaigns)
        return is_there and any(fnmatchcase(_plain(system), _plain(name)) for name in self.names)


def _plain(name: str) -> str:
    return name.lower().replace(" ", "-").replace("_", "-")


@cache
def system_kinds() -> tuple[SystemKind, ...]:
    """The table, in order: the first entry that matches counts."""
    text = (resources.files("assay.calibration") / "system_kinds.toml").read_text(encoding="utf-8")
    return tuple(
        SystemKind(each["kind"], tuple(each["names"]), each["source"], tuple(each.get("campaigns", ())))
        for each in tomllib.loads(text)["systems"]
    )


@cache
def kind_of(system: str, campaign: str = "") -> str:
    """MT, LLM, combined or unknown. Without a campaign, only names that mean the same everywhere are known."""
    return next((each.kind for each in system_kinds() if each.has(system, campaign)), UNKNOWN)


def stated_kinds(stated: Iterable[str], systems: Collection[str]) -> dict[str, str]:
    """Kinds of systems that a user states: `mine=LLM`. Raise for an unknown system or kind."""
    found = {}
    for each in stated:
        name, _, kind = each.rpartition("=")
        if not name or kind not in (MT, LLM):
            raise ConfigError(f"'{each}' states no kind of a system", hint=f"SYSTEM={LLM} or SYSTEM={MT}")
        if name not in systems:
            raise UnknownNameError(f"there is no system '{name}'", hint=nearest(name, systems))
        found[name] = kind
    return found


def pair_kinds(better: str, worse: str, campaign: str = "", stated: Mapping[str, str] = _NOTHING) -> str | None:
    """The kinds of a pair whose better-scored system is known; None if one system is neither.

    What is stated of a system goes before what its name says.
    """
    kinds = tuple(stated.get(name) or kind_of(name, campaign) for name in (better, worse))
    if not set(kinds) <= {MT, LLM}:
        return None
    return kinds[0] if kinds[0] == kinds[1] else MT_OVER_LLM if kinds[0] == MT else LLM_OVER_MT


def is_of_kinds(found: str | None, wanted: str) -> bool:
    """Whether the kinds of a pair are those that are wanted: a mixed pair is one of each, whichever is ahead."""
    return found == wanted or (wanted == MIXED and found not in (None, MT, LLM))
