"""Prompts: places, lines that are sent with a reference only, digests, and errors in prompts of the user's own."""

from __future__ import annotations

import pytest

from assay.errors import ConfigError, InputError
from assay.judges.prompt import PROMPTS, Prompt, bundled_names, open_prompt
from assay.judges.protocols import protocol

TEXT = "{source}\n[if reference]\nRef: {reference}\n[end]\n{output}\n"


def test_lines_on_the_reference_are_sent_with_one_only():
    prompt = Prompt("mine.txt", TEXT)
    texts = {"source": "s", "output": "o", "reference": "r"}
    assert prompt.filled(texts, reference=True) == "s\nRef: r\no\n"
    assert prompt.filled(texts, reference=False) == "s\no\n"


def test_braces_in_texts_are_no_places():
    texts = {"source": "{output} {n}", "output": "{source}"}
    assert Prompt("mine.txt", "{source}|{output}|{}").filled(texts, reference=False) == "{output} {n}|{source}|{}"


def test_the_digest_is_of_the_text():
    assert Prompt("a", "x").digest == Prompt("b", "x").digest != Prompt("a", "y").digest


@pytest.mark.parametrize("reference", [True, False])
@pytest.mark.parametrize("name", protocol.names())
def test_bundled_prompts_have_their_places(name, reference):
    made = protocol.create(name)
    for prompt, places in zip(map(open_prompt, made.bundled_prompts), made.stages.values(), strict=True):
        prompt.check(places, reference=reference)
        assert "[" not in prompt.filled(
            dict.fromkeys([*places, "reference", "source_language", "target_language"], ""), reference=reference
        ).replace('{"errors": [', "")


def test_all_bundled_prompts_are_used():
    assert {name for each in protocol.names() for name in protocol.create(each).bundled_prompts} == set(bundled_names())


def test_a_copy_of_a_bundled_prompt_is_the_same(tmp_path):
    copy = tmp_path / "mine.txt"
    copy.write_bytes((PROMPTS / "da.1.txt").read_bytes())
    assert open_prompt(str(copy)).digest == open_prompt("da.1").digest


@pytest.mark.parametrize(
    ("text", "reference", "message"),
    [
        ("{output}", False, "has no place {source}"),
        ("{source} {output}", True, "has no place {reference}"),
        ("{source} {output} {reference}", False, "the judge reads none"),
        ("{source} {output} {hypothesis}", False, "unknown place {hypothesis}"),
        ("{source} {output}\n[if reference]\n", False, "without its counterpart"),
        ("{source} {output}\n[end]\n", False, "without its counterpart"),
    ],
)
def test_faulty_prompts(text, reference, message):
    with pytest.raises(ConfigError, match=message):
        Prompt("mine.txt", text).check(("source", "output"), reference=reference)


def test_a_prompt_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="no such file") as caught:
        open_prompt(str(tmp_path / "mine.txt"))
    assert "da.1" in caught.value.hint
    (tmp_path / "latin1.txt").write_bytes(b"\xe4")
    with pytest.raises(InputError, match="it is not UTF-8"):
        open_prompt(str(tmp_path / "latin1.txt"))
