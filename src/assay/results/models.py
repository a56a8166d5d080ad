"""Models of learned metrics and encoders: which are known, and which are there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from assay.files.sizes import byte_text
from assay.results.columns import ResultColumn, Shown, text_columns
from assay.results.result import Result
from assay.types.record import Record

__all__ = ["Model", "ModelList"]


@dataclass(frozen=True, slots=True)
class Model(Record):
    """A model that is in the resource folder, or that `assay models fetch` can put there."""

    name: str
    status: str
    """Whether it is there, and from where: downloaded, present, not here, not supported."""
    bytes: int | None
    """The size of what is there."""
    licence: str
    metric: str
    """The spec of a metric that uses it."""
    repository: str
    """On the Hugging Face hub; empty if it is not known."""
    gated: bool
    """Whether the hub wants its conditions accepted before a download."""
    path: str
    """Where it is; empty if it is not there."""

    @property
    def size(self) -> str:
        """The size as people read it."""
        return "" if self.bytes is None else byte_text(self.bytes)

    @property
    def terms(self) -> str:
        """The licence, and whether the hub has conditions."""
        return f"{self.licence}, gated" if self.gated else self.licence


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ModelList(Result):
    """All models that are known or there."""

    models: tuple[Model, ...]

    made_by: ClassVar[str] = "models"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        *text_columns(("name", "status"), shown=Shown.FILE | Shown.TABLE),
        ResultColumn("size", read="size", shown=Shown.TABLE),
        ResultColumn("bytes", int, help="The size of what is there."),
        ResultColumn("terms", label="licence", read="terms", shown=Shown.TABLE),
        ResultColumn("licence"),
        ResultColumn("gated", bool, help="Whether the hub wants its conditions accepted."),
        ResultColumn("metric", help="The spec of a metric that uses it.", shown=Shown.FILE | Shown.TABLE),
        ResultColumn("repository", help="On the Hugging Face hub."),
        ResultColumn("path", help="Where it is."),
    )

    def __iter__(self) -> Iterator[Model]:
        return iter(self.models)

    def __len__(self) -> int:
        return len(self.models)

    def __repr__(self) -> str:
        return f"ModelList({', '.join(model.name for model in self.models)})"

    def records(self) -> tuple[Model, ...]:
        """One per model."""
        return self.models
