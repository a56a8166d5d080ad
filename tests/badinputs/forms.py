"""A good file of a format, and damaged twins of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.badinputs.case import CHECK, LIST, Case


def encoded(content: str | bytes) -> bytes:
    """As UTF-8, if it is text."""
    return content.encode() if isinstance(content, str) else content


def replaced(content: str, old: str, new: str) -> str:
    """The first of something replaced, which has to be there."""
    if old not in content:
        raise ValueError(f"{old!r} is not in {content[:60]!r}")
    return content.replace(old, new, 1)


@dataclass(frozen=True)
class Form:
    """A format, by the name and the content of a good file."""

    name: str
    file: str
    good: str

    def case(self, name: str, content: str | bytes | None = None, *options: str, **rest: Any) -> Case:
        """`data list` on such a file."""
        files = {self.file: encoded(self.good if content is None else content)}
        known: dict[str, Any] = {"command": LIST, "arguments": (self.file, *options), "files": files}
        return Case(name=name, family=self.name, **known | rest)

    def refused(
        self, name: str, content: str | bytes, what: str, *options: str, line: int | None = None, **rest: Any
    ) -> Case:
        """Content that cannot be read, and what is said of it."""
        place = self.file if line is None else f"{self.file}, line {line}"
        is_plain = not options and "awaits" not in rest
        known: dict[str, Any] = {"code": 3, "says": (f"error: {place}: {what}",), "is_told_alike": is_plain}
        return self.case(name, content, *options, **known | rest)

    def damaged(self, name: str, old: str, new: str, what: str, *options: str, **rest: Any) -> Case:
        """The good file with something replaced by what cannot be read."""
        return self.refused(name, replaced(self.good, old, new), what, *options, **rest)

    def noted(self, name: str, content: str | bytes, *shows: str, **rest: Any) -> Case:
        """Content that can be read, but `data check` has something to say about it."""
        known: dict[str, Any] = {"command": CHECK, "shows": shows}
        return self.case(name, content, **known | rest)

    def named(self, file: str) -> Form:
        """The same content under another name."""
        return Form(self.name, file, self.good)
