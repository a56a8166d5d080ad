"""SentencePiece models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assay.errors import InputError, MissingExtraError
from assay.neural.libraries import COMPLETE
from assay.neural.model_folder import check_complete

__all__ = ["open_sentencepiece"]


def open_sentencepiece(path: Path, extra: str) -> Any:
    """A SentencePiece model; without the package, an error names the extra to install."""
    try:
        import sentencepiece
    except ImportError as error:
        raise MissingExtraError(f"{path} needs sentencepiece", hint=f'pip install "assay[{extra}]"') from error
    check_complete(path)
    pieces = sentencepiece.SentencePieceProcessor()
    try:
        pieces.load_from_serialized_proto(path.read_bytes())  # the constructor takes an empty file for no model
    except (RuntimeError, OSError) as error:
        raise InputError("is not a SentencePiece model", path=str(path), hint=COMPLETE) from error
    return pieces
