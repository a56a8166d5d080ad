"""Signatures: everything a score depends on besides the texts, in one line."""

from __future__ import annotations

from dataclasses import dataclass

from assay.errors import ConfigError

__all__ = ["Signature"]

_DIGEST, _ANNOTATOR = ".digest", ".annotator"  # what the keys of resources and annotation layers end in


@dataclass(frozen=True, slots=True)
class Signature:
    """Everything a score depends on besides the texts. `str()` writes it, `parse` reads it back."""

    metric: str
    parameters: tuple[tuple[str, str], ...]
    references: str
    aggregation: str
    resampling: tuple[tuple[str, str], ...] = ()
    resources: tuple[tuple[str, str], ...] = ()
    version: str = ""
    annotators: tuple[tuple[str, str], ...] = ()
    """The annotation layers that the metric used, and the programs and models that made them."""

    def __str__(self) -> str:
        items = [
            *self.parameters,
            *((f"{name}{_DIGEST}", digest) for name, digest in self.resources),
            *((f"{layer}{_ANNOTATOR}", program) for layer, program in self.annotators),
            ("refs", self.references),
            ("agg", self.aggregation),
            *self.resampling,
            ("version", self.version),
        ]
        return "|".join([self.metric, *(f"{key}:{value}" for key, value in items)])

    @classmethod
    def parse(cls, text: str) -> Signature:
        """The signature that `str` wrote."""
        metric, *items = text.split("|")
        pairs = [(key, value) for key, colon, value in (item.partition(":") for item in items) if colon]
        keys = [key for key, _ in pairs]
        if len(pairs) != len(items) or keys[-1:] != ["version"] or keys.count("refs") != 1 or "agg" not in keys:
            raise ConfigError(f"not a signature: {text!r}")
        refs = keys.index("refs")
        return cls(
            metric=metric,
            parameters=tuple(pair for pair in pairs[:refs] if not pair[0].endswith((_DIGEST, _ANNOTATOR))),
            resources=tuple((k.removesuffix(_DIGEST), v) for k, v in pairs[:refs] if k.endswith(_DIGEST)),
            annotators=tuple((k.removesuffix(_ANNOTATOR), v) for k, v in pairs[:refs] if k.endswith(_ANNOTATOR)),
            references=pairs[refs][1],
            aggregation=pairs[refs + 1][1],
            resampling=tuple(pairs[refs + 2 : -1]),
            version=pairs[-1][1],
        )

    @property
    def spec(self) -> str:
        """The spec of the metric with all its options."""
        options = ",".join(f"{key}={value}" for key, value in self.parameters)
        return f"{self.metric}:{options}" if options else self.metric
