"""`assay.decisions`: how often a decision between two systems by a metric is wrong by human judgement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assay.aggregate.resample import SEED
from assay.arguments import public_function
from assay.calibration.decisions import decide_all
from assay.calibration.external import external_patterns, with_external
from assay.calibration.options import DEFAULT_METRICS, MIN_SEGMENTS, PairOptions
from assay.calibration.system_pairs import collect_pairs, data_setting, own_test_settings
from assay.errors import ConfigError, nearest
from assay.registry import option_text
from assay.results import Decisions
from assay.significance import ALPHA
from assay.types import Campaign, ScoreTable
from assay.types.runtime import Runtime
from assay.version import __version__

__all__ = ["PRESETS", "decisions"]

_DEFAULTS: Mapping[str, Any] = {"test": "paired-t", "own_test": "randomisation", "min_segments": MIN_SEGMENTS}
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "mathur2020": {"test": "rank-sum", "own_test": "mathur2020", "min_segments": 2}
}
"""As in Mathur et al. 2020."""


@public_function
def decisions(
    campaigns: Iterable[Campaign],
    metrics: Sequence[str] | None = None,
    *,
    agg: Sequence[str] = ("corpus",),
    stored: Sequence[str] = (),
    external: Mapping[str, Sequence[ScoreTable]] | None = None,
    gold: str | None = None,
    preset: str | None = None,
    test: str | None = None,
    own_test: str | None = None,
    alpha: float = ALPHA,
    min_segments: int | None = None,
    bins: Sequence[float] = (),
    exclude: Sequence[str] = (),
    keep_references: bool = False,
    seed: int = SEED,
    runtime: Runtime | None = None,
) -> Decisions:
    """Count the errors of accepting the system that a metric prefers, over the pairs of systems of all campaigns.

    A rule accepts if the metric's own test (`own_test`: randomisation by default, or bootstrap) is significant at the
    level `alpha`, two-sided, or if the difference is at least a threshold. People find a system better if the one-sided
    `test` (default: paired-t) of their scores is significant at `alpha`. Accepting a system that people do not find
    significantly better is an error of type I; rejecting when people find the two significantly different is one of
    type II. There are tables for each protocol, because human differences have different scales. `preset` mathur2020
    takes the tests of Mathur et al. 2020 and all pairs with two common segments (default of `min_segments`: 250).
    `bins` are the limits of bins of the difference (default: 3, 5 and 10; quartiles for metrics of another scale). The
    other parameters are those of `assay.calibrate`.
    """
    runtime = runtime or Runtime()
    options = PairOptions(
        **_settings(preset, test=test, own_test=own_test, min_segments=min_segments),
        alpha=alpha,
        metrics=DEFAULT_METRICS if metrics is None and not (stored or external) else tuple(metrics or ()),
        aggregations=tuple(dict.fromkeys(agg)),
        stored=(*stored, *external_patterns(external)),
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
    if preset is not None and preset not in PRESETS:
        raise ConfigError(f"unknown preset '{preset}'", hint=nearest(preset, PRESETS))
    chosen = {name: value for name, value in given.items() if value is not None}
    return {**_DEFAULTS, **PRESETS.get(preset or "", {}), **chosen}
