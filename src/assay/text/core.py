"""The tokenisers of the C++ core (cpp/include/assay/tokenize.hpp): mteval's 13a and intl, zh, char and none."""

from __future__ import annotations

from dataclasses import dataclass

from assay.text import Tokenizer, tokenizer

__all__ = ["CORE_TOKENIZERS"]

CORE_TOKENIZERS = ("13a", "intl", "zh", "char", "none")


class _Core(Tokenizer):
    """Leaves the line as it is: the kernel tokenises."""

    is_core = True

    def cut(self, line: str) -> str:
        return line


for _name in CORE_TOKENIZERS:
    tokenizer(_name)(dataclass(frozen=True)(type(f"Core{_name.capitalize()}", (_Core,), {"core": _name})))
