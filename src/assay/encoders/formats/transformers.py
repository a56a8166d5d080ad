"""Encoders of the library transformers, from a local folder: BERT, RoBERTa, XLM-R, DeBERTa and others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from assay.encoders.encoder import Encoder, Tokens
from assay.encoders.formats import EncoderFormat, encoder_format
from assay.encoders.transformers_folder import check_folder, is_model_folder
from assay.errors import InputError
from assay.neural import Ids, Precision, Result
from assay.neural.libraries import as_input_error, find_device, import_libraries, inference, pad, quiet, torch_dtype
from assay.neural.model_folder import READ_FILES
from assay.types.note import plural
from assay.types.runtime import Runtime

__all__ = ["Transformers"]

_UNLIMITED = 10**9  # tokenisers without a limit say 10^30
_ONE_MODEL = "the configuration, the tokeniser and the weights must belong to one model"
_LOCAL = {"local_files_only": True, "trust_remote_code": False}
_UNUSED = "pooler"  # the only weights that the states of tokens do not depend on


@encoder_format("transformers")
@dataclass(frozen=True)
class Transformers(EncoderFormat):
    """A folder as transformers saves it."""

    label: ClassVar[str] = "transformers"
    files: ClassVar[str] = "config.json, the tokeniser (tokenizer.json), the weights (model.safetensors)"
    reads: ClassVar[tuple[str, ...]] = READ_FILES

    def recognises(self, folder: Path) -> bool:
        return is_model_folder(folder)

    def check(self, folder: Path) -> None:
        check_folder(folder)

    def open(self, folder: Path, precision: Precision) -> Encoder:
        self.check(folder)
        return _TransformersEncoder(folder, precision)


class _TransformersEncoder(Encoder):
    """The tokeniser and the configuration; the weights are loaded when they are needed."""

    def __init__(self, folder: Path, precision: Precision) -> None:
        _, transformers = import_libraries()
        self._folder, self._precision = folder, precision
        with quiet(), as_input_error("encoder", folder):
            self._config = transformers.AutoConfig.from_pretrained(str(folder), **_LOCAL)
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(
                str(folder), use_fast=True, add_prefix_space=True, **_LOCAL
            )  # the space: bert-score's rule for byte-level BPE, which treats the first word like the others
        if not getattr(self._tokenizer, "is_fast", False):
            raise InputError(
                "the encoder has no fast tokeniser", path=str(folder), hint="save it with one: tokenizer.json"
            )
        self._special_tokens = frozenset(self._tokenizer("").tokens())

    def open(self, device: str) -> Any:
        _, transformers = import_libraries()
        with quiet(), as_input_error("encoder", self._folder):
            model, loading = transformers.AutoModel.from_pretrained(
                str(self._folder), output_loading_info=True, ignore_mismatched_sizes=True, **_LOCAL
            )  # sizes: we refuse them, in words of our own
        _check_complete(self._folder, loading)
        model = model.get_encoder() if model.config.is_encoder_decoder else model
        return model.eval().to(device=device, dtype=torch_dtype(self._precision))

    @property
    def layers(self) -> int:
        return int(self._config.num_hidden_layers)

    @property
    def max_tokens(self) -> int | None:
        """That of the tokeniser, or of the table of positions if that is shorter."""
        limits = [int(self._tokenizer.model_max_length)]
        config = self._config
        if (positions := getattr(config, "max_position_embeddings", None) or 0) > 0:
            # RoBERTa counts positions from the one after padding.
            is_shifted = config.model_type in ("roberta", "xlm-roberta", "camembert", "xlm-roberta-xl")
            limits.append(positions - (config.pad_token_id + 1 if is_shifted else 0))
        smallest = min(limits)
        return smallest if smallest < _UNLIMITED else None

    @property
    def special_tokens(self) -> frozenset[str]:
        return self._special_tokens

    @property
    def unknown_token(self) -> str | None:
        token: str | None = self._tokenizer.unk_token
        return token

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        if not texts:
            return []
        limit = self.max_tokens
        encoded = self._tokenizer(
            [text.strip() for text in texts],
            truncation=limit is not None,
            max_length=limit,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )
        return list(_first_parts(encoded.encodings))

    def states(self, model: Any, batch: Sequence[Ids], layer: int, runtime: Runtime) -> list[Result]:
        self._check_vocabulary(batch)
        ids, mask = pad(batch, self._tokenizer.pad_token_id or 0, runtime.device)
        with inference(runtime.threads):
            output = model(input_ids=ids, attention_mask=mask, output_hidden_states=True)
            states = output.hidden_states[layer].float().cpu().numpy()
        return [states[row, : len(text)].copy() for row, text in enumerate(batch)]

    def _check_vocabulary(self, batch: Sequence[Ids]) -> None:
        largest, known = max(map(max, batch)), int(self._config.vocab_size)
        if largest >= known:
            raise InputError(
                f"the tokeniser has a token with the number {largest:,}, the model has {known:,} tokens",
                path=str(self._folder),
                hint=_ONE_MODEL,
            )

    def device(self, name: str) -> str:
        return find_device(name)


def _check_complete(folder: Path, loading: dict[str, Any]) -> None:
    """Refuse weights that transformers would make up at random: those that are missing, or of another shape."""
    mismatched = sorted(
        (str(name), tuple(actual), tuple(expected)) for name, actual, expected in loading["mismatched_keys"]
    )
    if mismatched:
        name, actual, expected = mismatched[0]
        raise InputError(
            f"{plural(len(mismatched), 'weight')} of the encoder have another shape than config.json says: "
            f"{name} has {actual} instead of {expected}",
            path=str(folder),
            hint=_ONE_MODEL,
        )
    missing = sorted(str(name) for name in loading["missing_keys"] if _UNUSED not in str(name))
    if missing:
        raise InputError(
            f"{len(missing)} weights of the encoder are missing, the first is {missing[0]}",
            path=str(folder),
            hint=_ONE_MODEL,
        )


def _first_parts(encodings: Sequence[Any]) -> Iterator[Tokens]:
    """The tokens of each text. The rest of a text that was truncated is in `overflowing`."""
    for encoding in encodings:
        yield Tokens(
            tuple(encoding.ids),
            tuple(encoding.tokens),
            tuple(encoding.word_ids),
            is_truncated=bool(encoding.overflowing),
        )
