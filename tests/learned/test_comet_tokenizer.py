"""The tokeniser of a COMET checkpoint's encoder."""

from __future__ import annotations

import json

import pytest

from assay.errors import InputError
from assay.learned.comet_checkpoint import find_checkpoint
from assay.learned.comet_tokenizer import open_tokenizer
from tests.learned.official import official


def test_a_tokeniser_of_another_encoder_is_refused(tmp_path):
    copy = official("comet").copied(tmp_path)
    path = copy / "encoder" / "tokenizer.json"
    path.write_text(path.read_text(encoding="utf-8").replace("<pad>", "<no>"), encoding="utf-8")
    with pytest.raises(InputError, match="has no token <pad>"):
        open_tokenizer(find_checkpoint(copy, "comet"))
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="the tokeniser cannot be opened"):
        open_tokenizer(find_checkpoint(copy, "comet"))


def test_a_tokeniser_that_adds_no_special_tokens_is_refused(tmp_path):
    copy = official("unite").copied(tmp_path)
    path = copy / "encoder" / "tokenizer.json"
    content = json.loads(path.read_bytes())
    path.write_text(json.dumps({**content, "post_processor": None}), encoding="utf-8")
    with pytest.raises(InputError, match="does not put texts between <s> and </s>"):
        open_tokenizer(find_checkpoint(copy, "unite"))


def test_a_tokeniser_with_a_small_part_of_the_vocabulary_is_refused(tmp_path):
    copy = official("comet-xlm-r-tokenizer").copied(tmp_path)
    small = official("comet").model / "encoder" / "tokenizer.json"
    (copy / "encoder" / "tokenizer.json").write_bytes(small.read_bytes())
    with pytest.raises(InputError, match="the tokeniser has 82 tokens, but the vocabulary of the model has 250,002"):
        open_tokenizer(find_checkpoint(copy, "comet"))


def test_the_mask_token_swallows_the_space_before_it():
    """So transformers 4 reads it, whatever the file says."""
    tokenizer = open_tokenizer(find_checkpoint(official("comet-xlm-r-tokenizer").model, "comet"))
    spaced, joined = tokenizer(["a <mask> b", "a<mask> b"])
    assert spaced.ids == joined.ids


def test_texts_are_truncated_as_the_official_package_does():
    """At two tokens less than the encoder could read; the count is exact with the real tokeniser."""
    tokenizer = open_tokenizer(find_checkpoint(official("comet-xlm-r-tokenizer").model, "comet"))
    assert (tokenizer.max_tokens, tokenizer.max_text_tokens) == (512, 510)
    longest = " ".join(["the"] * 508)  # one token each, and two special tokens
    texts = tokenizer([longest, f"{longest} the", "", "Ein Haus."])
    assert [text.is_truncated for text in texts] == [False, True, False, False]
    assert [len(text.ids) for text in texts] == [510, 510, 2, 5]
    assert texts[2].ids == (0, 2)


def test_separators_between_texts_and_padding_in_a_text():
    xlmr = open_tokenizer(find_checkpoint(official("unite-xlm-r-tokenizer").model, "unite"))
    encoded = xlmr(["a <pad> b", "c"])
    texts = [xlmr.content(text.ids) for text in encoded]
    assert xlmr.padding in encoded[0].ids
    assert xlmr.padding not in texts[0]
    assert xlmr.join(texts) == (0, *texts[0], 2, 2, *texts[1], 2)
    bert = open_tokenizer(find_checkpoint(official("unite-bert").model, "unite"))
    first, second = (text.ids for text in bert(["a", "the dog"]))
    assert bert.join([first[1:-1], second[1:-1]]) == (*first, *second[1:])
