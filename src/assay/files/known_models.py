"""Models on the Hugging Face hub that Assay knows by name, and which licences leave everyone free to use them."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["KnownModel", "is_free", "known_model", "known_models"]

_FREE = ("apache-2.0", "bsd-2-clause", "bsd-3-clause", "cc-by-4.0", "cc-by-sa-4.0", "cc0-1.0", "mit", "unlicense")


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model that metrics or encoders can be made of."""

    name: str
    repository: str
    licence: str
    metric: str = ""
    """The spec of a metric that uses it; an encoder serves others, too."""
    none: str = ""
    """Why no metric uses it."""
    gated: bool = False
    """Whether the hub wants its conditions accepted before a download."""


@functools.cache
def known_models() -> Mapping[str, KnownModel]:
    """All models by name."""
    import tomllib  # only needed when a model is missing, or asked for

    facts = tomllib.loads(Path(__file__).with_name("known_models.toml").read_text("utf-8"))
    return {name: KnownModel(name, **entry) for name, entry in facts.items()}


def known_model(name: str) -> KnownModel | None:
    """The model of this name or in this repository, such as wmt22-comet-da or Unbabel/wmt22-comet-da."""
    return next((model for model in known_models().values() if name in (model.name, model.repository)), None)


def is_free(licence: str) -> bool:
    """Whether a licence allows any use, commercial use included. One that is not known does not count as free."""
    return licence.casefold() in _FREE
