"""Formats of encoders, one file each: how to recognise a folder, and how to open it.

To add a format, add a file here.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from assay.encoders.encoder import Encoder
from assay.errors import MissingExtraError
from assay.files.resources import Resource, find_folder
from assay.neural import PRECISIONS, Precision
from assay.options.checks import check_choice
from assay.registry import Registry

__all__ = ["EncoderFormat", "encoder_format", "find_encoder", "open_encoder", "recognise_encoder"]


class EncoderFormat(ABC):
    """A way to store an encoder in a folder. Subclass it as a frozen dataclass and register it."""

    name: ClassVar[str]
    label: ClassVar[str]
    """What the format is called in print."""
    files: ClassVar[str]
    """The files that a folder has, for errors."""
    reads: ClassVar[tuple[str, ...]] = ()
    """Patterns of the files that are read; empty: all."""

    @abstractmethod
    def recognises(self, folder: Path) -> bool:
        """Whether a folder has the format. At most one format says yes."""

    def check(self, folder: Path) -> None:  # noqa: B027  # not every format can tell
        """Raise what `open` would raise, as far as a look at the files shows it."""

    @abstractmethod
    def open(self, folder: Path, precision: Precision) -> Encoder:
        """Open it. A `MissingExtraError` says which package or file is missing; a damaged file is an `InputError`."""


encoder_format: Registry[EncoderFormat] = Registry("encoder format", __name__)


def find_encoder(source: str | Path) -> Resource:
    """The folder of an encoder, without opening it; the digest of what is read is part of the signature."""
    resource = find_folder(source, "encoder")
    format_ = recognise_encoder(resource.path)
    return resource if format_ is None else replace(resource, reads=format_.reads)


def recognise_encoder(folder: Path) -> EncoderFormat | None:
    """The format of a folder, None if there is no encoder in it."""
    formats = (encoder_format.create(name) for name in encoder_format.names())
    return next((candidate for candidate in formats if candidate.recognises(folder)), None)


def open_encoder(source: str | Path, *, precision: Precision = "fp32") -> Encoder:
    """Open an encoder by its name in the resource folder, or by the path of its folder."""
    check_choice("precision", precision, PRECISIONS)
    resource = find_encoder(source)
    return _open(resource.path, resource.digest, precision)


@functools.lru_cache(maxsize=2)
def _open(folder: Path, digest: str, precision: Precision) -> Encoder:  # the digest: opened again if a file has changed
    encoder = recognise_encoder(folder)
    if encoder is None:
        formats = [encoder_format.create(name) for name in encoder_format.names()]
        expected = "; ".join(f"{format_.label}: {format_.files}" for format_ in formats)
        raise MissingExtraError(f"there is no encoder in {folder}", hint=f"put its files there ({expected})")
    return encoder.open(folder, precision)
