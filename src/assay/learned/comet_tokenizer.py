"""The tokeniser of a COMET checkpoint's encoder."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

from assay.errors import InputError
from assay.learned.comet_checkpoint import TOKENIZER, Checkpoint
from assay.learned.config import OTHER_MODEL, check_vocabulary
from assay.neural import Ids
from assay.neural.libraries import as_input_error, import_libraries
from assay.neural.model_folder import check_complete

__all__ = ["EncodedText", "Tokenizer", "open_tokenizer"]


_MIN_SHARE = 0.9  # of the vocabulary: encoders have a few unused pieces, XLM-R XL 0.4 %


class EncodedText(NamedTuple):
    """The ids of a text, with special tokens."""

    ids: Ids
    is_truncated: bool


class Tokenizer:
    """The tokeniser of the encoder, which truncates texts as unbabel-comet does.

    Its file is read without transformers: version 5 changes what the file says about spaces.
    """

    def __init__(self, checkpoint: Checkpoint) -> None:
        import_libraries()  # transformers needs tokenizers
        from tokenizers import AddedToken, Tokenizer

        self.max_tokens = int(checkpoint.config.max_position_embeddings) - 2
        path, special_tokens = checkpoint.encoder.path / TOKENIZER, checkpoint.family.special_tokens
        check_complete(path)
        with as_input_error("tokeniser", path):
            self._tokenizer = Tokenizer.from_file(str(path))
            if (mask := checkpoint.family.mask) and self._tokenizer.token_to_id(mask) is not None:
                self._tokenizer.add_special_tokens([AddedToken(mask, lstrip=True, normalized=False)])
            self._tokenizer.no_padding()
            self._tokenizer.enable_truncation(self.max_text_tokens)
        size = self._tokenizer.get_vocab_size()
        check_vocabulary(checkpoint.encoder.path, size, checkpoint.config.vocab_size, min_share=_MIN_SHARE)
        ids = [self._tokenizer.token_to_id(token) for token in special_tokens]
        if None in ids:
            message = f"the tokeniser has no token {special_tokens[ids.index(None)]}"
            raise InputError(message, path=str(path), hint=OTHER_MODEL)
        self._first, self._last, self.padding = ids
        if self._tokenizer.encode("").ids != [self._first, self._last]:
            message = f"the tokeniser does not put texts between {special_tokens[0]} and {special_tokens[1]}"
            raise InputError(
                message, path=str(path), hint="the file has no post_processor; copy it from the encoder's repository"
            )
        self._separators = [self._last] * checkpoint.family.separators

    @property
    def max_text_tokens(self) -> int:
        """Two less than the encoder could read: unbabel-comet subtracts the special tokens twice."""
        return self.max_tokens - 2

    def __call__(self, texts: Sequence[str]) -> list[EncodedText]:
        """The ids of each text, and whether its end is missing."""
        encodings = self._tokenizer.encode_batch_fast(list(texts))  # without offsets
        return [
            EncodedText(tuple(encoding.ids), len(encoding.ids) == self.max_text_tokens and bool(encoding.overflowing))
            for encoding in encodings
        ]

    def places(self, text: str) -> list[tuple[int, int]]:
        """The first character of each token and the one after its last; special tokens have none: (0, 0)."""
        offsets: list[tuple[int, int]] = self._tokenizer.encode(text).offsets
        return offsets

    def content(self, ids: Ids) -> Ids:
        """The ids of a text without special tokens, and without padding tokens that the text spells out."""
        return tuple(id_ for id_ in ids if id_ != self.padding)[1:-1]

    def join(self, texts: Sequence[Ids]) -> Ids:
        """The ids of several texts in one input, which may be longer than the encoder allows."""
        ids = [self._first, *texts[0]]
        for text in texts[1:]:
            ids += [*self._separators, *text]
        return (*ids, self._last)


@functools.lru_cache(maxsize=4)
def open_tokenizer(checkpoint: Checkpoint) -> Tokenizer:
    """The tokeniser, opened once."""
    return Tokenizer(checkpoint)
