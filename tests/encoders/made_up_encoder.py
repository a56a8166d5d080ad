"""An encoder without a library: its words are those between spaces, its pieces their halves."""

from __future__ import annotations

import numpy as np

from assay.encoders.encoder import Encoder, Tokens


class MadeUpEncoder(Encoder):
    """A state is the id of a token, the number of tokens of its text, and the layer."""

    layers = 2
    max_tokens = 8
    special_tokens = frozenset({"<s>", "</s>"})
    unknown_token = "<unk>"  # noqa: S105

    def __init__(self):
        self.batches = []
        self.ids = {}

    def tokenize(self, texts):
        return [self._tokens(text) for text in texts]

    def _tokens(self, text):
        pieces = [
            (piece, number)
            for number, word in enumerate(text.split())
            for piece in filter(None, (word[: (len(word) + 1) // 2], word[(len(word) + 1) // 2 :]))
        ]
        is_truncated = len(pieces) > self.max_tokens - 2
        pieces = [("<s>", None), *pieces[: self.max_tokens - 2], ("</s>", None)]
        forms = tuple("<unk>" if form == "?" else form for form, _ in pieces)
        ids = tuple(self.ids.setdefault(form, len(self.ids) + 1) for form in forms)
        return Tokens(ids, forms, tuple(number for _, number in pieces), is_truncated=is_truncated)

    def states(self, model, batch, layer, runtime):
        self.batches.append([len(text) for text in batch])
        return [np.array([(i, len(text), layer) for i in text], dtype=np.float32) for text in batch]
