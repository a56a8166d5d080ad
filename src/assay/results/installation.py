"""What is installed, and what can be downloaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.results.result import Result
from assay.types import FrozenDict

__all__ = ["Download", "DownloadList", "Installation"]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Installation(Result):
    """Versions, optional extras, threads, metrics, the data folder and the resources."""

    facts: Mapping[str, str]

    columns: ClassVar[Mapping[str, type]] = {"name": str, "value": str}

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", FrozenDict(self.facts))

    def __getitem__(self, name: str) -> str:
        return self.facts[name]

    def __repr__(self) -> str:
        return f"Installation({', '.join(f'{name}: {value}' for name, value in self.facts.items())})"

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per fact."""
        yield from ({"name": name, "value": value} for name, value in self.facts.items())

    def tree(self) -> dict[str, Any]:
        """The facts by name."""
        return {"installation": dict(self.facts)}


@dataclass(frozen=True, slots=True)
class Download:
    """A public test set that can be downloaded."""

    name: str
    description: str
    licence: str
    urls: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {"name": self.name, "description": self.description, "licence": self.licence, "urls": list(self.urls)}


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class DownloadList(Result):
    """All public test sets that can be downloaded by name."""

    downloads: tuple[Download, ...]

    columns: ClassVar[Mapping[str, type]] = {"name": str, "description": str, "licence": str, "urls": str}

    def __iter__(self) -> Iterator[Download]:
        return iter(self.downloads)

    def __len__(self) -> int:
        return len(self.downloads)

    def __repr__(self) -> str:
        return f"DownloadList({', '.join(download.name for download in self.downloads)})"

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per test set."""
        for download in self.downloads:
            yield download.to_dict() | {"urls": " ".join(download.urls)}

    def tree(self) -> dict[str, Any]:
        """The test sets."""
        return {"downloads": [download.to_dict() for download in self.downloads]}
