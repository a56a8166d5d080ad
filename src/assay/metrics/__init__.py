"""Metrics by name, one file each. `metric.create("bleu:tok=intl")` creates one.

`from_function` makes a metric of a function, `from_training` of what `assay.train` learnt. Both may be in files:
`metric.create("./my_metric.py:Mine")`, `metric.create("./my-metric.json")`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from assay.contracts import Metric
from assay.errors import ConfigError
from assay.registry import Registry, options_of, split_spec
from assay.registry.plugin_files import JsonFile

__all__ = ["from_function", "from_training", "metric", "statistics_key", "with_lower_is_better"]

_ELSEWHERE = {  # metrics that other programs compute, and how to get them
    "gemba": "GEMBA",
    "prism": "Prism",
    "moverscore": "MoverScore",
    "rouge": "rouge-score",
}


_LEARNED = ("xcomet", "cometkiwi", "comet", "unite", "bleurt", "metricx")
"""Metrics whose models have names that contain theirs."""


def _class_from_file(value: Any, name: str) -> type[Metric]:
    """The metric class that an object in a file is, or that a function or a trained model becomes."""
    if isinstance(value, JsonFile):
        from assay.metrics.trained_metric import trained_metric

        return trained_metric(value.tree, name, value.path)
    if isinstance(value, type) and issubclass(value, Metric) and dataclasses.is_dataclass(value):
        return value
    if isinstance(value, type) or not callable(value):
        hint = "derive it from assay.contracts.Metric and decorate it with @dataclass(frozen=True)"
        raise ConfigError("this is neither a metric class nor a function", hint=hint)
    from assay.metrics.function_metric import function_metric

    higher_is_better = getattr(value, "higher_is_better", None)
    if not isinstance(higher_is_better, bool | None):
        raise ConfigError(f"its attribute higher_is_better is {higher_is_better!r}, not True or False")
    return function_metric(value, name, higher_is_better=higher_is_better)


def _elsewhere(name: str) -> str | None:
    """How to use a metric that is not included, a model that was given as a metric, or another file."""
    if name.startswith(("./", "../", "/")):
        return "a file with a metric is ./NAME.py:METRIC, or NAME.json as assay train -o NAME.json wrote it"
    plain = re.sub(r"\W", "", name.lower())
    program = next((program for key, program in _ELSEWHERE.items() if key in plain), None)
    learned = next((learned for learned in _LEARNED if learned in plain), None)
    if program is not None:
        first = f"it is not included: compute segment scores with {program}, then"
        if program == "GEMBA":
            first = "judge asks language models by its protocols, with other prompts; if you have GEMBA's own scores,"
    elif learned is not None:
        first = f"a model is an option: {learned}:model=FOLDER; if you have segment scores,"
    else:
        return None
    return (
        f"{first} give the file: --scores {name}=FILE (in Python, assay.load_scores); COMET's JSON, tables and one "
        f"score per line can be read. Scores that are stored with --data need no file: --scores {name}. A command "
        "without --scores takes no scores of other programs"
    )


metric: Registry[Metric] = Registry(
    "metric",
    __name__,
    entry_point_group="assay.metrics",
    ignores_case=True,
    from_file=_class_from_file,
    elsewhere=_elsewhere,
)


def from_function(
    function: Callable[..., float],
    *,
    name: str | None = None,
    higher_is_better: bool | None = None,
    needs: Iterable[str] | None = None,
) -> Metric:
    """A metric of a function from an output and a reference to a number; its score is the mean over segments.

    The function gets the texts that its parameters are called after: output, reference and source. Those with other
    names get what is left, or what it `needs`, in this order. With several references, the best value counts.
    Parameters with defaults are options: `from_function(overlap, name="overlap")` registers the metric, so that
    `overlap:n=3` is its spec. So is the direction: `overlap:better=lower`. If nobody says which values are better,
    higher ones are assumed to be, and a note says so.
    """
    from assay.metrics.function_metric import function_metric

    chosen = name or function.__name__
    cls = function_metric(function, chosen, higher_is_better=higher_is_better, needs=needs)
    return metric(chosen)(cls)()


def from_training(training: Any, *, name: str = "trained") -> Metric:
    """The metric that `assay.train` learnt, from what it returned; a file is a metric by its path, `./my-metric.json`.

    It is registered as a file of this name would be, with its digest.
    """
    from assay.metrics.trained_metric import trained_metric

    tree: Mapping[str, Any] = training if isinstance(training, Mapping) else training.to_dict()
    full_name = f"{name}.json@{str(tree.get('digest', ''))[:8]}"
    return metric(full_name)(trained_metric(tree, full_name))()


def statistics_key(metric: Metric) -> object:
    """Equal for metrics that differ only in how they score, and so share their statistics."""
    return type(metric), *(option for option in options_of(metric) if option[0] not in metric.score_options)


def with_lower_is_better(specs: Sequence[str], names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The specs with lower values as the better ones for metrics made of a function, and the names of no such metric.

    A metric from a file can be named by its function alone: `cost` is `./my_metric.py:cost`.
    """
    from assay.metrics.function_metric import FunctionMetric

    lowered = list(specs)
    used = set()
    for i, spec in enumerate(specs):
        name, options = split_spec(spec)
        named = {spec, name, name.rpartition(":")[2]} & set(names)
        if named and issubclass(metric.type_of(name)[0], FunctionMetric):
            lowered[i] = f"{name}:{options},better=lower" if options else f"{name}:better=lower"
            used |= named
    return tuple(lowered), tuple(name for name in names if name not in used)
