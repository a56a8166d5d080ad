"""`assay.decisions`: how often a decision between two systems by a metric is wrong by human judgement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Unpack

from assay.aggregate.resample import SEED, Seed
from assay.calibration.decisions import decide_all
from assay.calibration.external import with_external
from assay.calibration.options import (
    MIN_SEGMENTS,
    OWN_TESTS,
    Aggregations,
    PairMetrics,
    PairOptions,
    ProtocolGold,
    Stored,
    check_min_segments,
)
from assay.calibration.system_pairs import collect_pairs, data_setting, own_test_settings
from assay.errors import ConfigError
from assay.options.option import HUMAN, METRICS, TESTS, Option
from assay.options.shared import CAMPAIGNS, EXTERNAL, RUNTIME, Alpha, Exclude, KeepReferences
from assay.options.verb import verb
from assay.registry import option_text
from assay.results import Decisions
from assay.significance import ALPHA, option_of_test
from assay.types import Campaign, ScoreTable
from assay.types.runtime import Runtime, RuntimeFields
from assay.version import __version__

__all__ = ["PRESETS", "decisions"]

_DEFAULTS: Mapping[str, Any] = {"test": "paired-t", "own_test": "randomisation", "min_segments": MIN_SEGMENTS}
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "mathur2020": {"test": "rank-sum", "own_test": "mathur2020", "min_segments": 2}
}
"""As in Mathur et al. 2020."""


@verb
def decisions(
    campaigns: Annotated[Iterable[Campaign], CAMPAIGNS],
    metrics: PairMetrics = None,
    *,
    agg: Aggregations = ("corpus",),
    stored: Stored = (),
    external: Annotated[Mapping[str, Sequence[ScoreTable]] | None, EXTERNAL] = None,
    gold: ProtocolGold = None,
    preset: Annotated[
        str | None,
        Option("Test as a paper did: mathur2020.", group=TESTS, choices=tuple(PRESETS), metavar="NAME", default="none"),
    ] = None,
    test: Annotated[
        str | None,
        option_of_test("Test of the human scores, one-sided in each direction.", default="paired-t"),
    ] = None,
    own_test: Annotated[
        str | None,
        Option(
            "Test of the difference of the metric itself, two-sided: randomisation, bootstrap or mathur2020.",
            group=TESTS,
            choices=OWN_TESTS,
            metavar="NAME",
            default="randomisation",
        ),
    ] = None,
    alpha: Alpha = ALPHA,
    min_segments: Annotated[
        int | None,
        Option(
            "Judged segments that two systems need in common.",
            group=HUMAN,
            metavar="N",
            default="250; 2 with the preset mathur2020",
            check=check_min_segments,
        ),
    ] = None,
    bins: Annotated[
        Sequence[float],
        Option(
            "Limits of bins of the difference.",
            group=METRICS,
            metavar="X",
            default="3, 5, 10; quartiles for metrics of another scale",
        ),
    ] = (),
    exclude: Exclude = (),
    keep_references: KeepReferences = False,
    seed: Seed = SEED,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Decisions:
    """Count how often decisions by a metric go wrong.

    For all pairs of systems: accept the better-scored one if the metric's own test is significant, or if the difference
    is at least a threshold. Errors of type I: it is accepted, but people do not find it significantly better. Errors of
    type II: it is rejected, but people find the two significantly different (Mathur et al. 2020). There are tables for
    each protocol, because human differences have different scales.
    """
    runtime = runtime or Runtime()
    options = PairOptions.of(
        metrics,
        stored,
        external,
        **_settings(preset, test=test, own_test=own_test, min_segments=min_segments),
        alpha=alpha,
        agg=tuple(dict.fromkeys(agg)),
        gold=gold,
        exclude=tuple(exclude),
        keep_references=keep_references,
        seed=seed,
    )
    edges = tuple(sorted(set(bins)))
    if edges and edges[0] <= 0:
        raise ConfigError(f"bins must be positive, not {edges[0]:g}")
    pairs, notes = collect_pairs(with_external(campaigns, external), options, runtime)
    settings = {
        "data": data_setting(pairs),
        **({"preset": preset} if preset else {}),
        **options.settings,
        **own_test_settings(pairs, options.own_test),
        **({"bins": "+".join(map(option_text, edges))} if edges else {}),
        "version": __version__,
    }
    return decide_all(pairs, alpha, edges, settings, notes)


def _settings(preset: str | None, **given: Any) -> dict[str, Any]:
    """What a preset may set; what is given wins over it."""
    chosen = {name: value for name, value in given.items() if value is not None}
    return {**_DEFAULTS, **PRESETS.get(preset or "", {}), **chosen}
