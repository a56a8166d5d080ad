"""`assay.describe_metric`: what a metric computes, and its options."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

from assay.metrics import metric as registry
from assay.metrics.judge import Judge
from assay.metrics.trained_metric import TrainedMetric
from assay.options.option import Option
from assay.options.verb import verb
from assay.registry import option_text, options_of, split_spec
from assay.results import MetricDescription
from assay.study.list_metrics import summarise
from assay.text import tokenizer_names
from assay.words.training import training_verdict

__all__ = ["describe_metric"]


@verb
def describe_metric(spec: Annotated[str, Option("Name of a metric, or its spec: bleu:tok=intl.")]) -> MetricDescription:
    """Show what a metric computes, and its options."""
    name = split_spec(spec)[0]
    cls, _ = registry.type_of(name)
    metric = registry.create(spec)
    options = {option: _value_text(metric, option) for option, _ in options_of(metric)}
    if issubclass(cls, TrainedMetric):
        documentation = cls.documentation(training_verdict(cls.trained().training).sentences)
    elif issubclass(cls, Judge):
        documentation = cls.documentation()
    else:
        documentation = str(inspect.getdoc(cls))
    if "tok" in options:
        documentation += f"\n\nTokenisers: {', '.join(tokenizer_names())} (e.g. moses-de); docs/methods/tokenizers.md"
    return MetricDescription(summarise(name), documentation, options)


def _value_text(metric: Any, option: str) -> str:
    """The value of an option. None means that the flavour decides, if the metric has flavours."""
    value = getattr(metric, option)
    return "by flavour" if value is None and hasattr(metric, "flavour") else option_text(value)
