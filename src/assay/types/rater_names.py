"""Names of human scores that belong together: single raters, and forms of the same judgements.

Test sets store the scores of one rater under the name of the averaged scores and a suffix: `mqm-col1`, `mqm.rater1`.
Standardised, raw and merged forms of the same judgements have suffixes, too: `wmt-z`, `wmt-raw`, `mqm.merged`. Some
test sets store scores of language models among human ones: `gemba-esa`, `esa-GPT4`.
"""

from __future__ import annotations

import re

__all__ = ["base_name", "column_of", "judgements_name", "language_model_in", "rater_of"]

_RATER = r"[-.]((?:col|rater|annotator|human)\d+)"
_RATER_SUFFIX = re.compile(rf"{_RATER}$")
_COLUMN_SUFFIX = re.compile(r"-((?:col|human)\d+)$")
_LANGUAGE_MODEL = re.compile(
    r"(?:(?<![^\W\d_])|(?-i:(?<=[a-z])(?=[A-Z])))"  # a word starts here: no letter before, or a capital as in mqmGPT
    r"(?:gemba|(?:chat)?gpt(?:-?\d[\w.]*)?|llm|llama|claude|gemini|gemma|mistral|mixtral|qwen|deepseek|palm)"
    r"(?:(?![^\W\d_])|(?-i:(?<=[a-z])(?=[A-Z])))",  # and ends here
    re.IGNORECASE,
)
_SUFFIXES = re.compile(rf"(?:{_RATER}|[-.](?:z|raw|merged))+$")


def rater_of(name: str) -> str | None:
    """The rater whose scores have this name (`rater1` for `mqm.rater1`); None if they are not one rater's."""
    match = _RATER_SUFFIX.search(name)
    return match[1] if match else None


def base_name(name: str) -> str:
    """The name without the rater: `mqm` for `mqm-col1` and for `mqm`."""
    return _RATER_SUFFIX.sub("", name)


def column_of(name: str) -> str | None:
    """As `rater_of`, but only for numbered ratings of all outputs: `col1` for `mqm-col1`, `human2` for `esa-human2`."""
    match = _COLUMN_SUFFIX.search(name)
    return match[1] if match else None


def judgements_name(name: str) -> str:
    """The name without rater and form: scores that share it come from the same judgements."""
    return _SUFFIXES.sub("", name)


def language_model_in(name: str) -> str | None:
    """The language model that scores are by, according to their name (`GPT4` for `esa-GPT4`); None: they are human."""
    match = _LANGUAGE_MODEL.search(name)
    return match[0] if match else None
