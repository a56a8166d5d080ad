"""What is installed, and what can be downloaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from assay.results.columns import ResultColumn, Shown, text_columns
from assay.results.result import Listed, Result
from assay.types.record import Record, in_tree

__all__ = ["Download", "DownloadList", "Installation"]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Installation(Result):
    """Versions, optional extras, threads, metrics, the data folder and the resources."""

    facts: Mapping[str, str] = field(metadata=in_tree(key="installation"))

    made_by: ClassVar[str] = "doctor"
    columns: ClassVar[tuple[ResultColumn, ...]] = text_columns(("name", "value"))

    def __getitem__(self, name: str) -> str:
        return self.facts[name]

    def __repr__(self) -> str:
        return f"Installation({', '.join(f'{name}: {value}' for name, value in self.facts.items())})"

    def records(self) -> Iterator[dict[str, str]]:
        """One per fact."""
        yield from ({"name": name, "value": value} for name, value in self.facts.items())


@dataclass(frozen=True, slots=True)
class Download(Record):
    """A public test set, or a campaign with outputs and human scores, that can be downloaded."""

    name: str
    description: str
    licence: str
    urls: tuple[str, ...]
    option: str
    """The option of commands that takes the name: `--test-set` or `--data`."""
    pairs: tuple[str, ...] = ()
    """The language pairs of a test set, as far as they are known before it is downloaded."""
    cite: tuple[str, ...] = ()
    """Addresses of what to cite."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class DownloadList(Listed[Download], Result):
    """All public test sets that can be downloaded by name."""

    holds = "downloads"

    downloads: tuple[Download, ...]

    made_by: ClassVar[str] = "data fetch"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        *text_columns(("name", "option", "description", "licence"), shown=Shown.FILE | Shown.TABLE),
        ResultColumn("urls", help="The addresses of the files."),
        ResultColumn("pairs", help="The language pairs, as far as they are known before the download."),
        ResultColumn("cite", help="The addresses of what to cite."),
    )

    def __repr__(self) -> str:
        return f"DownloadList({', '.join(download.name for download in self.downloads)})"

    def records(self) -> tuple[Download, ...]:
        """One per test set."""
        return self.downloads
