"""Encoders of the library transformers, from a local folder: BERT, RoBERTa, XLM-R, DeBERTa and others."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from assay.encoders.encoder import Encoder, Precision, Tokens
from assay.encoders.formats import EncoderFormat, encoder_format
from assay.errors import ConfigError, InputError, MissingExtraError, option, printable
from assay.runtime import Runtime

__all__ = ["Transformers"]

_CONFIG = "config.json"
_WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json")
_TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "sentencepiece.bpe.model", "spiece.model", "spm.model")
_UNLIMITED = 10**9  # tokenisers without a limit say 10^30
_UNUSED = "pooler"  # the only weights that the states of tokens do not depend on


@encoder_format("transformers")
@dataclass(frozen=True)
class Transformers(EncoderFormat):
    """A folder as transformers saves it."""

    label: ClassVar[str] = "transformers"
    files: ClassVar[str] = "config.json, the tokeniser (tokenizer.json), the weights (model.safetensors)"

    def recognises(self, folder: Path) -> bool:
        return any((folder / name).exists() for name in (_CONFIG, *_WEIGHTS))

    def open(self, folder: Path, precision: Precision) -> Encoder:
        for what, names in (("configuration", (_CONFIG,)), ("tokeniser", _TOKENIZERS), ("weights", _WEIGHTS)):
            if not any((folder / name).is_file() for name in names):
                wanted = names[0] if len(names) == 1 else f"one of {', '.join(names)}"
                raise MissingExtraError(
                    f"the encoder in {folder} has no {what}", hint=f"put {wanted} of the model into this folder"
                )
        return _TransformersEncoder(folder, precision)


class _TransformersEncoder(Encoder):
    def __init__(self, folder: Path, precision: Precision) -> None:
        transformers, self._torch = _import_libraries()
        with _offline(transformers), _as_input_error(folder):
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(
                str(folder), local_files_only=True, trust_remote_code=False, use_fast=True, add_prefix_space=True
            )  # the space: bert-score's rule for byte-level BPE, which treats the first word like the others
            model, loading = transformers.AutoModel.from_pretrained(
                str(folder), local_files_only=True, trust_remote_code=False, output_loading_info=True
            )
        _check_complete(folder, loading)
        if not getattr(self._tokenizer, "is_fast", False):
            raise InputError(
                "the encoder has no fast tokeniser", path=str(folder), hint="save it with one: tokenizer.json"
            )
        self._model = (model.get_encoder() if model.config.is_encoder_decoder else model).eval()
        dtypes = {"fp32": self._torch.float32, "bf16": self._torch.bfloat16, "fp16": self._torch.float16}
        self._model.to(dtypes[precision])
        self._marks = frozenset(self._tokenizer("").tokens())

    @property
    def layers(self) -> int:
        return int(self._model.config.num_hidden_layers)

    @property
    def max_tokens(self) -> int | None:
        """That of the tokeniser, or of the table of positions if that is shorter."""
        limits = [int(self._tokenizer.model_max_length)]
        config = self._model.config
        if (positions := getattr(config, "max_position_embeddings", None) or 0) > 0:
            # RoBERTa counts positions from the one after padding.
            is_shifted = config.model_type in ("roberta", "xlm-roberta", "camembert", "xlm-roberta-xl")
            limits.append(positions - (config.pad_token_id + 1 if is_shifted else 0))
        smallest = min(limits)
        return smallest if smallest < _UNLIMITED else None

    @property
    def special_tokens(self) -> frozenset[str]:
        return self._marks

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

    def states(self, batch: Sequence[Sequence[int]], layer: int, runtime: Runtime) -> list[npt.NDArray[np.float32]]:
        torch, device = self._torch, self._device(runtime.device)
        longest = max(map(len, batch))
        ids = torch.full((len(batch), longest), self._tokenizer.pad_token_id or 0, dtype=torch.long)
        mask = torch.zeros((len(batch), longest), dtype=torch.long)
        for row, text in enumerate(batch):
            ids[row, : len(text)] = torch.tensor(text, dtype=torch.long)
            mask[row, : len(text)] = 1
        with _threads(torch, runtime.threads), torch.inference_mode():
            output = self._model.to(device)(
                input_ids=ids.to(device), attention_mask=mask.to(device), output_hidden_states=True
            )
            states = output.hidden_states[layer].float().cpu().numpy()
        return [states[row, : len(text)].copy() for row, text in enumerate(batch)]

    def _device(self, name: str) -> str:
        count = self._torch.cuda.device_count() if self._torch.cuda.is_available() else 0
        if name == "auto":
            return "cuda" if count else "cpu"
        kind, _, number = name.partition(":")
        if kind == "cuda" and int(number or 0) >= count:
            found = ", ".join(["cpu", *(f"cuda:{i}" for i in range(count))])
            hint = f"{option('device', 'auto')} takes the best of those at hand: {found}"
            raise ConfigError(f"torch finds no device '{printable(name)}'", hint=hint)
        return name


def _import_libraries() -> tuple[Any, Any]:
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtraError(
            "an encoder needs torch and transformers",
            hint='pip install "assay[neural]" (for the CPU alone, install torch first: '
            "pip install torch --index-url https://download.pytorch.org/whl/cpu)",
        ) from error
    return transformers, torch


@contextmanager
def _offline(transformers: Any) -> Iterator[None]:
    """Keep transformers from the network, from progress bars and from warnings about weights, which we check."""
    before = {name: os.environ.get(name) for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")}
    os.environ.update(dict.fromkeys(before, "1"))
    logging = transformers.utils.logging
    verbosity, has_bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if has_bars:
            logging.enable_progress_bar()
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _as_input_error(folder: Path) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # the libraries raise many kinds for a file that is damaged or of another model
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise InputError(
            f"the encoder cannot be opened: {printable(reason)}",
            path=str(folder),
            hint="are its files complete, and not pointers of Git LFS?",
        ) from error


def _check_complete(folder: Path, loading: dict[str, Any]) -> None:
    """Refuse weights that transformers would make up at random."""
    missing = sorted(str(name) for name in loading["missing_keys"] if _UNUSED not in str(name))
    missing += sorted(str(name) for name in loading.get("mismatched_keys") or ())
    if missing:
        raise InputError(
            f"{len(missing)} weights of the encoder are missing, the first is {missing[0]}",
            path=str(folder),
            hint="the configuration and the weights must be of one model",
        )


def _first_parts(encodings: Sequence[Any]) -> Iterator[Tokens]:
    """The tokens of each text. The rest of a text that was cut is in `overflowing`."""
    for encoding in encodings:
        yield Tokens(
            tuple(encoding.ids), tuple(encoding.tokens), tuple(encoding.word_ids), is_cut=bool(encoding.overflowing)
        )


@contextmanager
def _threads(torch: Any, count: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
