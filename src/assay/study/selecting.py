"""Which systems and references of a campaign take part."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from assay.errors import InputError, UnknownNameError, nearest
from assay.types import Campaign, TestSet

__all__ = ["choose"]


def choose(
    campaign: Campaign,
    *,
    references: Iterable[str] = (),
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
    keep_references: bool = False,
) -> TestSet:
    """The campaign's texts with these references (default: all) and systems; every choice is noted.

    `systems` and `exclude` are patterns as in a shell. References among the systems are left out unless
    `keep_references`; one that is used for scoring is left out always.
    """
    testset = campaign.testset
    if testset is None:
        raise InputError(f"{campaign.name} {campaign.lp} has no texts")
    used = tuple(references) or tuple(testset.references)
    for name in used:
        if name not in testset.references:
            raise UnknownNameError(f"there is no reference '{name}'", hint=nearest(name, testset.references))
    selection = campaign.select(systems=systems, exclude=exclude, used=used, keep_references=keep_references)
    notes = list(selection.notes)
    if len(used) != 1:
        notes.append(f"references used: {', '.join(used) or 'none'}")
    return dataclasses.replace(
        testset.with_systems(selection.systems),
        references={name: testset.references[name] for name in used},
        notes=(*testset.notes, *notes),
    )
