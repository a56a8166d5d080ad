from __future__ import annotations

import re

import pytest

from assay.data.conllu import conllu_text, is_unchanged, is_written_by_assay, parse_conllu, read_conllu
from assay.errors import InputError
from assay.types import AnnotatedSentence, Word, as_column


def row(number, form, head="_", relation="_", lemma="_", pos="_"):
    return f"{number}\t{form}\t{lemma}\t{pos}\t_\t_\t{head}\t{relation}\t_\t_"


def parse(text, *texts):
    return parse_conllu(text.split("\n"), as_column(texts), "a.conllu")


CAT = "\n".join(
    ["# text = The cat", row(1, "The", 2, "det", "the", "DET"), row(2, "cat", 0, "root", "cat", "NOUN"), ""]
)
SAT = "\n".join([row(1, "sat", 0, "root", "sit", "VERB"), row(2, ".", 1, "punct", ".", "PUNCT"), ""])


def test_sentences_are_matched_with_segments():
    """A segment may have several sentences, one without words has none, and an absent one neither."""
    read = parse(f"{CAT}\n{SAT}\n{SAT}", "The  cat sat.", "", None, "sat .")
    assert tuple(read.layers["lemma"]) == ("the cat sit .", "", None, "sit .")
    assert tuple(read.layers["dependencies"]) == ("2:det 0:root 0:root 3:punct", "", None, "0:root 1:punct")
    assert read.annotator == "unnamed"


def test_words_of_a_multiword_token_and_empty_nodes():
    text = "\n".join([row("1-2", "du"), row(1, "de", 3), row(2, "le", 3), row(3, "chat", 0), row("3.1", "x"), ""])
    assert tuple(parse(text, "du chat").layers["tokens"]) == ("de le chat",)


@pytest.mark.parametrize(
    ("comments", "annotator"),
    [
        (
            "# generator = UDPipe 2, https://lindat.mff.cuni.cz\n# udpipe_model = english-ewt-ud-2.12",
            "UDPipe-2+english-ewt-ud-2.12",
        ),
        ("# newdoc\n# generator = spacy 3.8.2\n# model = en_core_web_sm 3.8.0", "spacy-3.8.2+en_core_web_sm-3.8.0"),
        ("# generator = a|b:c d", "a-b-c-d"),
        ("# sent_id = 1", "unnamed"),
    ],
)
def test_the_program_and_its_model(comments, annotator):
    assert parse(f"{comments}\n{CAT}", "The cat").annotator == annotator


def test_written_files_are_read_back(tmp_path):
    words = (
        Word("Don", "do", "AUX", "VB", 0, "root", has_space_after=False),
        Word("’t\u2028", "_", "PART", None, 1, "x"),
    )
    segments = [[AnnotatedSentence("Don’t\u2028", words)] * 2, None, [], [AnnotatedSentence("_", (Word("_", "_"),))]]
    path = tmp_path / "a.conllu"
    path.write_text(conllu_text(segments, "spacy 3", "model 1"), encoding="utf-8")
    read = read_conllu(path, as_column(["Don’t Don’t", None, " ", "_"]))
    assert tuple(read.layers["tokens"]) == ("Don ’t Don ’t", None, "", "_")
    assert tuple(read.layers["lemma"]) == (None, None, "", "_")  # `_` is the lemma of `_` alone
    assert read.annotator == "spacy-3+model-1"
    assert is_written_by_assay(path.read_bytes())
    assert is_unchanged(path.read_bytes())
    corrected = path.read_bytes().replace(b"AUX", b"VERB")
    assert is_written_by_assay(corrected)
    assert not is_unchanged(corrected)
    assert not is_written_by_assay(b"# generator = UDPipe 2\n")


@pytest.mark.parametrize("layer", ["lemma", "pos", "dependencies"])
def test_a_segment_with_an_unknown_value_has_none_in_that_layer(layer):
    """In the second segment one of two sentences is annotated, in the third none is."""
    unknown = "\n".join([row(1, "sat"), row(2, "."), ""])
    read = parse("\n".join((SAT, SAT, unknown, unknown)), "sat.", "sat. sat.", "sat.", None, "")
    expected = {"lemma": "sit .", "pos": "VERB PUNCT", "dependencies": "0:root 1:punct"}
    assert tuple(read.layers[layer]) == (expected[layer], None, None, None, "")
    assert [value is None for value in read.layers["tokens"]] == [False, False, False, True, False]
    notes = {note.text.partition("'")[2].partition("'")[0]: note for note in read.notes}
    assert (notes[layer].where, notes[layer].count) == ("a.conllu", 2)
    assert notes[layer].text.startswith(f"the layer '{layer}' lacks values in 2 of 5 segments")
    assert set(notes) == {"lemma", "pos", "dependencies"}


def test_the_words_must_be_those_of_the_text():
    text = "# text = du chat noir"
    rows = [row("1-2", "du"), row(1, "de", 3), row(2, "le", 3), row(3, "chat", 0), row(4, "noir", 3)]
    assert tuple(parse("\n".join([text, *rows, ""]), "du chat noir").layers["tokens"]) == ("de le chat noir",)
    with pytest.raises(InputError, match="the words end before 'noir', which is in the text of the sentence") as caught:
        parse("\n".join([text, *rows[:-1], ""]), "du chat noir")
    assert caught.value.line == 5
    assert caught.value.hint.startswith("it is 'du chat noir' (# text)")
    with pytest.raises(
        InputError, match="the word 'chien' does not match the text of the sentence at this point"
    ) as caught:
        parse("\n".join([text, *rows[:3], row(3, "chien", 0), rows[4], ""]), "du chat noir")
    assert caught.value.line == 5
    with pytest.raises(InputError, match="the word 'blanc' does not match the text"):
        parse("\n".join([text, *rows, row(5, "blanc", 3), ""]), "du chat noir")


@pytest.mark.parametrize(
    ("numbers", "line", "message"),
    [
        (["1-3", "1", "2"], 1, "a multiword token ends at word 3, but the sentence has 2 words"),
        (["1", "2", "3-4"], 3, "a multiword token ends at word 4, but the sentence has 2 words"),
        (["1-2", "1", "2-3", "2", "3"], 3, "the multiword token 2-3 overlaps with the words before it"),
        (["1", "2-1", "2"], 2, "the multiword token 2-1 overlaps with the words before it"),
        (["1-2", "1-2", "1", "2"], 2, "the multiword token 1-2 overlaps with the words before it"),
    ],
)
def test_multiword_tokens_that_do_not_fit_their_words(numbers, line, message):
    with pytest.raises(InputError, match=message) as caught:
        parse("\n".join(row(number, "a") for number in numbers), "a a a")
    assert (caught.value.path, caught.value.line) == ("a.conllu", line)


def test_a_file_without_sentences_names_its_program():
    text = conllu_text([[], None], "spacy 3")
    read = parse(text, "", None)
    assert tuple(read.layers["tokens"]) == ("", None)
    assert read.annotator == "spacy-3"


def test_composed_characters_are_the_same():
    assert tuple(parse(row(1, "cafe\u0301") + "\n", "caf\u00e9").layers["tokens"]) == ("cafe\u0301",)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("1\tThe\tthe", 1, "3 columns instead of 10"),
        ("words", 1, "1 column instead of 10"),
        (f"{CAT.rstrip()}\n{CAT}", 4, "a comment inside a sentence\nis the empty line before it missing?"),
        (f"# x\n{row(2, 'The')}", 2, "the word has the number 2, expected 1"),
        (row("x", "The"), 1, "'x' is not the number of a word"),
        (row("2-3", "The"), 1, "the word has the number 2-3, expected 1"),
        (row(1, " "), 1, "the word has no form"),
        (row(1, "The", "two"), 1, "'two' is not the number of a head"),
        (row(1, "The", "9" * 5000), 1, "is not the number of a head"),
        (row("9" * 5000, "The"), 1, "is not the number of a word"),
        (row(1, "The", "-1"), 1, "'-1' is not the number of a head"),
        (f"{row(1, 'The', 0)}\n{row(2, 'cat', 3)}", 2, "the head of word 2 is 3, but the sentence has 2 words"),
        (row(1, "The", 2), 1, "the head of word 1 is 2, but the sentence has 1 word\n"),
        (f"{row(1, 'The', 0)}\n{row(2, 'cat')}", 2, "word 2 has no head, but other words of the sentence do"),
        (row(1, "The", pos="DET X"), 1, "UPOS 'DET X' has a space in it"),
        (row(1, "The", 0, "root x"), 1, "DEPREL 'root x' has a space in it"),
        (f"{row(1, 'The', 2)}\n{row(2, 'cat', 1)}", 1, "the heads form a cycle: 1 → 2 → 1"),
        (f"{row(1, 'The', 0)}\n{row(2, 'cat', 2)}", 2, "the heads form a cycle: 2 → 2"),
        (f"# x\n{row(1, 'A')}", 2, r"expected 'Thecat' \(segment 1, without white space\), found 'A'"),
        (CAT + "\n" + SAT, 5, "has more sentences than the texts"),
    ],
)
def test_errors_name_the_line(text, line, message):
    with pytest.raises(InputError, match=message) as caught:
        parse(text, "The cat")
    assert (caught.value.path, caught.value.line) == ("a.conllu", line)
    if "head" in message:
        assert caught.value.hint


def test_a_file_with_too_few_sentences():
    with pytest.raises(InputError, match="ends before segment 2 of 2") as caught:
        parse(CAT, "The cat", "sat")
    assert "assay annotate" in caught.value.hint


def test_a_sentence_cannot_span_two_segments():
    with pytest.raises(InputError, match=r"expected 'The' \(segment 1, without white space\), found 'The cat'"):
        parse(CAT, "The", "cat")


def test_a_long_sentence_takes_linear_time():
    words = [f"w{i}" for i in range(50_000)]
    text = "\n".join(row(i + 1, word, i) for i, word in enumerate(words))
    assert parse(text, "".join(words)).layers["dependencies"][0].endswith(" 49999:_")


def test_a_file_that_was_corrected_by_hand_has_another_signature(tmp_path):
    path = tmp_path / "x.conllu"
    sentence = AnnotatedSentence("The cat", (Word("The", "the", "DET"), Word("cat", "cat", "NOUN")))
    path.write_text(conllu_text([[sentence]], "tagger 1", "en"), encoding="utf-8")
    texts = as_column(["The cat"])
    assert read_conllu(path, texts).annotator == "tagger-1+en"
    path.write_text(path.read_text(encoding="utf-8").replace("NOUN", "VERB"), encoding="utf-8")
    assert re.fullmatch(r"tagger-1\+en-edited-[0-9a-f]{8}", read_conllu(path, texts).annotator)
