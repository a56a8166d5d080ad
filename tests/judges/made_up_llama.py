"""A tiny language model with random weights and a tokeniser of its own, in the format of llama.cpp (GGUF).

python made_up_llama.py FILE PROMPTS... runs where `gguf` is installed, and needs nothing of Assay.

Its replies mean nothing. They are random texts, or, if a grammar constrains them, random replies of the form that the
grammar has. Tokens that end something are more probable than others, so that replies are short.
"""

from __future__ import annotations

import collections
import itertools
import re
import sys
from pathlib import Path

import numpy as np

WIDTH, LAYERS, HEADS, HIDDEN, CONTEXT = 64, 2, 4, 128, 4096
MERGES = 400
END = "<|end|>"
TEMPLATE = (
    "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)
_FIRST = 16.0  # of each embedding: becomes a constant after normalization, by which logits have a bias
_SPREAD = 5.0  # about the mean square of the other numbers after the last layer
_BIASES = {'"': 7.0, "}": 2.0, END: 0.0, "-": -9.0, ".": -9.0, "e": -9.0, "E": -9.0, "\\": -20.0}
_UNPRINTABLE = -9.0
_PRINTABLE = frozenset(map(chr, range(ord("!"), ord("~") + 1))) | {"Ġ"}  # as tokens have it: Ġ is a space


def alphabet() -> list[str]:
    """A character for each byte, as GPT-2 has it: printable ones stand for themselves."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in plain]
    names = {byte: chr(byte) for byte in plain} | {byte: chr(256 + place) for place, byte in enumerate(others)}
    return [names[byte] for byte in range(256)]


def learn_merges(text: str, count: int) -> list[tuple[str, str]]:
    """Byte-pair encoding: the most frequent pair of neighbours becomes a token, again and again."""
    letters = alphabet()
    found = collections.Counter(re.findall(r" ?\w+| ?[^\w\s]+|\s+", text))
    words = {tuple(letters[byte] for byte in word.encode()): times for word, times in found.items()}
    merges: list[tuple[str, str]] = []
    while len(merges) < count:
        pairs: collections.Counter[tuple[str, str]] = collections.Counter()
        for word, times in words.items():
            for pair in itertools.pairwise(word):
                pairs[pair] += times
        if not pairs:
            break
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        words = {_merged(word, merges[-1]): times for word, times in words.items()}
    return merges


def _merged(word: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    pieces: list[str] = []
    for piece in word:
        if pieces and (pieces[-1], piece) == pair:
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return tuple(pieces)


def write(path: Path, text: str) -> None:
    """A model whose tokeniser has learnt from a text."""
    import gguf

    merges = learn_merges(text, MERGES)
    tokens = [*dict.fromkeys([*alphabet(), *map("".join, merges)]), END]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("made up")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types([gguf.TokenType.NORMAL] * (len(tokens) - 1) + [gguf.TokenType.CONTROL])
    writer.add_token_merges([" ".join(pair) for pair in merges])
    writer.add_bos_token_id(len(tokens) - 1)
    writer.add_eos_token_id(len(tokens) - 1)
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)
    for name, values in weights(tokens).items():
        writer.add_tensor(name, values.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def weights(tokens: list[str]) -> dict[str, np.ndarray]:
    """Random, always the same."""
    random = np.random.default_rng(1)

    def normal(*shape: int, scale: float = 1.0) -> np.ndarray:
        return random.normal(0, scale / np.sqrt(shape[-1]), shape)

    embedding = random.normal(0, 1, (len(tokens), WIDTH))
    embedding[:, 0] = _FIRST
    output = normal(len(tokens), WIDTH, scale=3.0)
    constant = _FIRST / np.sqrt(_FIRST**2 / WIDTH + _SPREAD)  # about what the first number is after normalization
    output[:, 0] = [_bias(token) / constant for token in tokens]
    made = {"token_embd.weight": embedding, "output_norm.weight": np.ones(WIDTH), "output.weight": output}
    for layer in range(LAYERS):
        here = {
            "attn_norm": np.ones(WIDTH),
            "ffn_norm": np.ones(WIDTH),
            **{name: normal(WIDTH, WIDTH, scale=2.0) for name in ("attn_q", "attn_k", "attn_v")},
            "attn_output": normal(WIDTH, WIDTH, scale=1.0),
            "ffn_gate": normal(HIDDEN, WIDTH),
            "ffn_up": normal(HIDDEN, WIDTH),
            "ffn_down": normal(WIDTH, HIDDEN),
        }
        for name in ("attn_output", "ffn_down"):
            here[name][0] = 0.0  # nothing is added to the constant
        made |= {f"blk.{layer}.{name}.weight": values for name, values in here.items()}
    return made


def _bias(token: str) -> float:
    is_printable = all(letter in _PRINTABLE for letter in token)
    return _BIASES.get(token, 0.0 if is_printable else _UNPRINTABLE)


if __name__ == "__main__":
    write(Path(sys.argv[1]), "".join(Path(name).read_text(encoding="utf-8") for name in sys.argv[2:]))
