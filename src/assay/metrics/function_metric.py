"""Metrics made of a function from an output and a reference to a number."""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from assay.contracts import Metric
from assay.errors import ConfigError, PluginError
from assay.registry import options_of
from assay.types import FloatArray, Note, NoteKind, Table, TestSet, ratio_of_sums
from assay.types.note import plural
from assay.types.runtime import Runtime

__all__ = ["FunctionMetric", "function_metric"]

_TEXTS = ("output", "reference", "source")
_SYNONYMS = {
    **dict.fromkeys(("output", "hypothesis", "hyp", "candidate", "prediction", "translation", "mt"), "output"),
    **dict.fromkeys(("reference", "ref"), "reference"),
    **dict.fromkeys(("source", "src"), "source"),
}
_HINT = "def my_metric(output, reference): return a number"

Better: TypeAlias = Literal["higher", "lower", "assumed-higher"]
"""Which values are better; `assumed-higher` if nobody said so."""

_Texts: TypeAlias = tuple[str | None, ...]


@dataclass(frozen=True)
class FunctionMetric(Metric):
    """The mean of a function over segments. Subclasses have a function; its parameters with defaults are options.

    So is the direction, `better`, which is therefore part of every signature.
    """

    default_aggregation = "segment"
    checks_itself = True
    function: ClassVar[Callable[..., float]]
    texts: ClassVar[tuple[str, ...]]
    """What the function gets, in order: output, reference or source."""

    better: Better = "assumed-higher"

    @property
    def higher_is_better(self) -> bool:
        return self.better != "lower"

    def advice(self, testset: TestSet) -> Iterable[Note]:
        """The direction, if it is not known."""
        if self.better == "assumed-higher":
            text = "higher values are assumed to be better; say which are: the option better=higher or better=lower"
            yield Note(NoteKind.ADVICE, text, where=self.name)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("value", "count")

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        scored = self.scorable(testset)
        table = np.zeros((*scored.shape, 2))
        known: dict[_Texts, float] = {}
        for system, (name, outputs) in enumerate(testset.outputs.items()):
            for segment in np.flatnonzero(scored[system]).tolist():
                inputs = self._inputs(testset, segment)
                values = [self._value(name, segment, {"output": outputs[segment], **each}, known) for each in inputs]
                defined = [value for value in values if not math.isnan(value)]
                if defined:
                    table[system, segment] = (max(defined) if self.higher_is_better else min(defined)), 1
        self._check_repeatable(known)
        return table

    def defined(self, table: Table) -> npt.NDArray[np.bool_]:
        """Where the function returned a number for at least one reference, not NaN."""
        return np.asarray(table)[..., 1] > 0

    def _inputs(self, testset: TestSet, segment: int) -> Sequence[dict[str, str | None]]:
        """The other texts of a segment, once for each reference."""
        source = None if testset.sources is None else testset.sources[segment]
        references = [column[segment] for column in testset.references.values() if column[segment] is not None]
        texts = references if "reference" in self.texts else [None]
        return [{"reference": text, "source": source} for text in texts]

    def _value(self, system: str, segment: int, inputs: Mapping[str, str | None], known: dict[_Texts, float]) -> float:
        """The value of the function, which is called once for texts that are equal."""
        texts = tuple(inputs[text] for text in self.texts)
        if texts not in known:
            known[texts] = self._call(texts, f"segment {segment + 1} of {system}")
        return known[texts]

    def _call(self, texts: _Texts, where: str) -> float:
        options = {name: value for name, value in options_of(self) if name != "better"}
        value = type(self).function(*texts, **options)
        if not isinstance(value, int | float | np.number) or math.isinf(value):
            message = f"it returned {value!r} for {where}, not a finite number"
            raise PluginError(message, hint="return math.nan where the value is undefined")
        return float(value)

    def _check_repeatable(self, known: Mapping[_Texts, float]) -> None:
        """Raise if the first value is another one now. A function may be slow, so the others are not computed again."""
        for texts, value in itertools.islice(known.items(), 1):
            again = self._call(texts, "texts that it had before")
            if again != value and not (math.isnan(again) and math.isnan(value)):
                raise PluginError("it is not deterministic: two calls with the same texts gave different results")

    def score(self, totals: Table) -> FloatArray:
        return ratio_of_sums(totals)


def function_metric(
    function: Callable[..., float],
    name: str,
    *,
    higher_is_better: bool | None = None,
    needs: Iterable[str] | None = None,
) -> type[FunctionMetric]:
    """A class of metrics that call the function; `higher_is_better` is the default of the option `better`."""
    parameters = inspect.signature(function).parameters.values()
    required = [parameter.name for parameter in parameters if parameter.default is parameter.empty]
    texts = _texts(
        name.rpartition(":")[2],
        required,
        None if needs is None else (needs,) if isinstance(needs, str) else tuple(needs),
    )
    options = [parameter for parameter in parameters if parameter.default is not parameter.empty]
    if any(option.name == "better" for option in options):
        message = f"'{name}' has a parameter 'better', which is the option for the direction of a metric"
        raise ConfigError(message, hint="give it another name")
    better = {None: "assumed-higher", True: "higher", False: "lower"}[higher_is_better]
    members: dict[str, Any] = {
        "function": staticmethod(function),
        "texts": texts,
        "needs": frozenset(texts) - {"output"},
        "name": name,
        "__doc__": inspect.getdoc(function) or f"The mean of the function {function.__name__} over segments.",
        "__module__": function.__module__ or "__main__",
        "__qualname__": function.__qualname__,
    }
    fields: list[tuple[str, Any, Any]] = [("better", Better, better)]
    fields += [(option.name, type(option.default), option.default) for option in options]
    return dataclasses.make_dataclass(
        function.__name__, fields, bases=(FunctionMetric,), namespace=members, frozen=True
    )


def _texts(name: str, required: Sequence[str], needs: tuple[str, ...] | None) -> tuple[str, ...]:
    """What each parameter is, by its name; those whose name says nothing are what is left, in the order of `_TEXTS`.

    `needs` are the texts that it must get besides the output, in this order.
    """
    available = _TEXTS if needs is None else ("output", *needs)
    named = [_text_called(parameter) for parameter in required]
    left = iter([text for text in available if text not in named])
    texts = tuple(text if text is not None else next(left, "nothing") for text in named)
    if set(available) - set(_TEXTS) or not set(texts) <= set(available) or (needs is not None and any(left)):
        given = ", ".join(available[1:]) or "nothing else"
        raise ConfigError(
            f"'{name}' takes {plural(len(required), 'text')}, but an output and {given} are given", hint=_HINT
        )
    parameters = ", ".join(required) or "no parameters"
    if "output" not in texts:
        raise ConfigError(f"the function '{name}' needs a parameter for the output; it has {parameters}", hint=_HINT)
    if len(set(texts)) < len(texts):
        raise ConfigError(f"the function '{name}' has two parameters for the same text: {parameters}", hint=_HINT)
    return texts


def _text_called(parameter: str) -> str | None:
    return _SYNONYMS.get(parameter.lower(), "source" if "source" in parameter.lower() else None)
