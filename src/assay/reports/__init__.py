"""Results to documents: one file for what a kind of result has to say, one file for each form it can take."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from assay.registry import Registry
from assay.reports.document import Document

__all__ = ["Renderer", "renderer"]


class Renderer(ABC):
    """Writes a document in one form."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def render(self, document: Document) -> str | bytes:
        """The whole document: text that ends in a line feed, or bytes."""


renderer: Registry[Renderer] = Registry("format", __name__)
