"""Results to documents, and documents to text or files: one module per result type, one per form."""

from __future__ import annotations

import importlib
import importlib.util
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from assay import results
from assay.registry import Registry
from assay.reports.documents import Document
from assay.results import Result
from assay.results.private_paths import without_private_paths

if TYPE_CHECKING:
    from assay.reports.blocks import Page
    from assay.reports.page import Report

__all__ = ["Document", "Renderer", "document", "renderer"]


class Renderer(ABC):
    """Writes a document in one form."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    is_binary: ClassVar[bool] = False
    """Whether it writes bytes, which need a file."""

    @abstractmethod
    def render(self, document: Document) -> str | bytes:
        """The whole document: text that ends with a line feed, or bytes."""

    def recognises(self, content: bytes) -> bool:
        """Whether a file with this content was written in this form, so that it can be replaced without loss.

        Forms for people have nothing to recognise them by.
        """
        return False


renderer: Registry[Renderer] = Registry("format", __name__)


def document(
    result: Result,
    *,
    report: Callable[[bool], Report] | None = None,
    is_passed_on: bool = True,
    **options: Any,
) -> Document:
    """The document of a result. The options are those of its builder:

    `Run`: `segments` (also the segment scores), `signatures` ("short", "full" or "sacrebleu") and `sort` (the metric
    that orders the systems, or "given").
    `SystemComparison`: `details` (everything instead of a summary) and `pairs` (also a list of all pairs).
    `SystemComparison`, `Leaderboard`, `Explanation`: `signatures` ("short" or "full").
    `Ranking`, `PairRankings`, `MetaEvaluation`, `MetricsTask`: `p_values` (also their matrix).

    `report` makes what its page shows, with or without texts, if that is more than the result holds. A document that
    `is_passed_on` has no private paths.
    """
    built: Document = _builder(result)(without_private_paths(result) if is_passed_on else result, **options)
    return built.with_page(lambda texts: _page(result, texts, report))


def _builder(result: Result) -> Callable[..., Document]:
    """`document` of the module with the name of the one in `assay.results` that defines the result, if there is one."""
    for cls in type(result).__mro__:
        package, _, name = cls.__module__.rpartition(".")
        if package == results.__name__ and importlib.util.find_spec(f"{__name__}.{name}") is not None:
            found: Callable[..., Document] = importlib.import_module(f"{__name__}.{name}").document
            return found
    return importlib.import_module(f"{__name__}.record_grid").rows_document  # type: ignore[no-any-return]


def _page(result: Result, texts: bool, report: Callable[[bool], Report] | None) -> Page:
    from assay.reports.page import collected, page  # import charts and what they need

    return page(collected((result,), texts=texts) if report is None else report(texts))
