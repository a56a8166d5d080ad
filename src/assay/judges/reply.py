"""Replies of a language model, and the file that keeps them: each has been paid for, or has taken time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import ClassVar

from assay.files import cache_folder
from assay.files.cache_file import CacheFile
from assay.types.runtime import Runtime

__all__ = ["Reply", "ReplyCache", "open_replies"]

_CUT_OFF, _FILTERED, _REFUSED = "length", "content_filter", "refusal"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server sent back."""

    text: str
    finish: str = "stop"
    """Why the model stopped, as the server says: `stop`, `length`, `content_filter`; or `refusal`."""
    model: str = ""
    """The model that the server says it used."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    """None if the server does not say it."""
    is_structured: bool = False
    """Whether the server was given the schema."""

    @property
    def fault(self) -> str:
        """Why the text is not to be read; empty if it is."""
        if self.finish == _CUT_OFF:
            return "the reply was cut off at the largest number of tokens (max_tokens)"
        if self.finish == _FILTERED:
            return "the content filter of the server stopped the reply"
        if self.finish == _REFUSED:
            return "the model refused to answer"
        return "" if self.text.strip() else "the reply is empty"


class ReplyCache(CacheFile[bytes, Reply]):
    """The replies of one model. Keys are digests of all that a reply depends on."""

    layout: ClassVar[str] = "judges-1"
    tables: ClassVar[tuple[str, ...]] = (
        "CREATE TABLE IF NOT EXISTS results (key BLOB PRIMARY KEY, model TEXT, reply BLOB, checksum INTEGER)",
    )

    def key(self, item: bytes) -> bytes:
        """The digest itself."""
        return item

    def encode(self, value: Reply) -> tuple[str, bytes]:
        """The model that the server named, for those who look into the file, and everything as JSON."""
        return value.model, json.dumps(asdict(value), ensure_ascii=False).encode()

    def decode(self, text: str, content: bytes) -> Reply:
        """The reply."""
        return Reply(**json.loads(content))


@contextmanager
def open_replies(runtime: Runtime, model: str) -> Iterator[ReplyCache | None]:
    """The replies of a model: in the usual cache folder if the runtime has none; None if that cannot be used."""
    with ReplyCache.open(runtime.cache or cache_folder(), model, runtime.warn) as cache:
        yield cache
