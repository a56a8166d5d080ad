"""One bad, or merely odd, input to a command and what must come of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

LINES = (
    "The cat sat on the mat in the morning sun.",
    "Nobody had told her about the dog next door.",
    "She slept until the rain began to fall.",
    "Then she went home to her own warm kitchen.",
)
FILES = ("--ref", "ref.txt", "out.txt")
JSON = ("--format", "json", "--resamples", "10")
LIST, CHECK, CONVERT, IMPORT = (("data", verb) for verb in ("list", "check", "convert", "import"))


def text(*lines: str, encoding: str = "utf-8", end: str = "\n") -> bytes:
    """A file of these lines."""
    return "".join(line + end for line in lines).encode(encoding)


GOOD = text(*LINES)


@dataclass(frozen=True, kw_only=True)
class Process:
    """Run it as a new process: a line of shell script in which `"$@"` is the command, and what it may use."""

    script: str = '"$@"'
    environment: Mapping[str, str] = field(default_factory=dict)
    is_unprivileged: bool = False  # permissions count even if the tests are run by root
    max_seconds: float = 10.0  # of the processor
    max_megabytes: float = 400.0


@dataclass(frozen=True, kw_only=True)
class Case:
    """Files, a command with its arguments, and the outcome: an exit code and what has to be said, or a score.

    The data folder is `home` in the folder of the case, which is not there unless the case makes it.
    """

    name: str
    family: str
    files: Mapping[str, bytes] = field(default_factory=dict)  # beside or instead of ref.txt and out.txt, both GOOD
    makes: Callable[[], Mapping[str, bytes]] = dict  # more of them, if it takes time or a package to make them
    folders: tuple[str, ...] = ()
    command: tuple[str, ...] = ("score",)
    arguments: tuple[str, ...] = (*FILES, *JSON)
    stdin: bytes = b""
    process: Process | None = None
    code: int = 0
    says: tuple[str, ...] = ()  # fragments of standard error
    shows: tuple[str, ...] = ()  # fragments of the result; `data check` has one even if it fails
    hides: tuple[str, ...] = ()  # fragments that appear nowhere
    bleu: float | None = None  # corpus BLEU of the first system
    segments: int | None = None
    writes: tuple[str, ...] = ()  # files and folders that are new or changed afterwards
    is_told_alike: bool = False  # `data list` refuses the file; the other commands of `data` say the same of it
    awaits: str = ""  # what is known to be wrong, and where

    def __str__(self) -> str:
        return f"{self.family}-{self.name}".replace(" ", "_")
