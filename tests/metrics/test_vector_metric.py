"""What all metrics with vectors do; tests of single metrics are in their own files."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import pytest

from assay import compare, load, score
from assay.errors import ConfigError
from assay.metrics import metric
from assay.metrics.annotated import AnnotatedMetric
from assay.metrics.vector_metric import VectorMetric
from assay.types import NoteKind
from tests.metrics import made_up_vectors

NAMES = ("ebleu", "yisi-1", "bertscore")


@pytest.fixture
def path(tmp_path):
    return made_up_vectors.write(tmp_path / "small.vec", {"a": (1, 2), "b": (3, -4), "天": (1, 1)})


def test_all_of_them_are_tested():
    classes = {type(metric.create(name)) for name in metric.names()}
    named = {type(metric.create(name)) for name in NAMES}
    # Metrics on annotation layers take the words of a layer: tests/metrics/test_yisi_srl.py.
    assert named == {cls for cls in classes if issubclass(cls, VectorMetric) and not issubclass(cls, AnnotatedMetric)}


@pytest.mark.parametrize("name", NAMES)
def test_the_tokeniser_is_that_of_the_target_language(name, path):
    testset = load(outputs={"x": ["天天"]}, references=["天"], lp="en-zh")
    assert metric.create(f"{name}:vectors={path}").prepare(testset).tok == "zh"


@pytest.mark.parametrize("name", NAMES)
def test_a_signature_says_which_options_are_not_defaults(name, path):
    spec = f"{name}:vectors={path}"
    run = score(load(outputs={"x": ["a b"]}, references=["a"]), spec, resamples=0)
    assert run[next(iter(run))].nondefault_options == (("vectors", path),)


@pytest.mark.filterwarnings("ignore:.*(nothing was scored|have no vector in|vectors? left out):assay.AssayWarning")
@pytest.mark.parametrize("name", NAMES)
def test_notes(name, tmp_path, path):
    """Those of the file, and one for words without a vector, if there are any."""
    (tmp_path / "twice.vec").write_text("3 2\na 1 2\na 2 1\nb 0 1\n")
    testset = load(outputs={"x": ["a b"]}, references=["a"])
    run = score(testset, f"{name}:vectors={tmp_path / 'twice.vec'}", resamples=0)
    assert NoteKind.DUPLICATE in {note.kind for note in run.notes}
    run = score(testset, f"{name}:vectors={path}", resamples=0)
    assert NoteKind.MISSING not in {note.kind for note in run.notes}
    unspaced = load(outputs={"x": ["天天天天"]}, references=["天天天"])
    texts = [note.text for note in score(unspaced, f"{name}:vectors={path},tok=13a", resamples=0).notes]
    assert any("written without spaces" in text for text in texts)


def test_thai_without_a_segmenter_is_said():
    thai = load(outputs={"x": ["ฉันกินข้าวที่บ้าน"] * 3}, references=["ฉันกินข้าวที่บ้านเพื่อน"] * 3)
    (note,) = [each.text for each in score(thai, "yisi-0", resamples=0).notes if "spaces" in each.text]
    assert note.endswith("use yisi-0:tok=newmm")


@pytest.mark.filterwarnings("ignore:.*(nothing was scored|have no vector in):assay.AssayWarning")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("lp", "tok", "text", "segmenter"),
    [
        ("en-zh", "auto", "今天天气很好", "jieba"),
        (None, "auto", "今天天气很好", "jieba"),
        ("en-zh", "char", "今天天气很好", "jieba"),
        (None, "auto", "今日は良い天気です", "ja-mecab"),
        ("en-th", "auto", "ฉันกินข้าวที่บ้าน", "newmm"),
    ],
)
def test_word_vectors_need_words(name, path, lp, tok, text, segmenter):
    """Most characters and phrases have no vector: the advice is a segmenter, also for Chinese."""
    testset = load(outputs={"x": [text]}, references=[text], lp=lp)
    run = score(testset, f"{name}:vectors={path},tok={tok}", resamples=0)
    (note,) = [note for note in run.notes if note.kind is NoteKind.ADVICE]
    extra = {"jieba": "zh", "ja-mecab": "ja", "newmm": "th"}[segmenter]
    better = f"{name.replace('-1', '')}:vectors={path},tok={segmenter}"
    assert note.text.endswith(f'use {better}, which needs pip install ".[{extra}]" in the folder of Assay')
    assert metric.create(better).tok == segmenter
    assert note.where == name
    assert "most of which have no vector in small" in note.text


@pytest.mark.warns("have no vector in|compared with the source")
def test_sources_need_words_too(path):
    testset = load(outputs={"x": ["a b"]}, sources=["今天天气很好"], lp="zh-en")
    run = score(testset, f"yisi-2:vectors={path}", resamples=0)
    (note,) = [note for note in run.notes if note.kind is NoteKind.ADVICE and "spaces" in note.text]
    assert note.text.endswith(
        f'use yisi-2:vectors={path},tok=13a,source_tok=jieba, which needs pip install ".[zh]" in the folder of Assay'
    )
    assert {note.where for note in run.notes if note.kind is NoteKind.ADVICE} == {"yisi-2"}


def test_the_name_that_was_asked_for_stays(path):
    testset = load(outputs={"x": ["a b"]}, references=["a b"])
    for name in ("yisi", "yisi-1", "YiSi-1"):
        (spec,) = score(testset, f"{name}:vectors={path}", resamples=0).metrics
        assert spec == f"{name.lower()}:vectors={path}"


@pytest.mark.warns("nothing was scored|have no vector in")
def test_a_segmenter_needs_no_advice(path):
    pytest.importorskip("jieba")
    testset = load(outputs={"x": ["今天天气很好"]}, references=["今天天气很好"], lp="en-zh")
    run = score(testset, f"ebleu:vectors={path},tok=jieba", resamples=0)
    assert NoteKind.ADVICE not in {note.kind for note in run.notes}


@pytest.mark.warns("have no vector in")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("compute", [score, compare])
def test_undefined_scores_are_counted_with_their_reason(name, path, compute):
    """An empty reference; for eBLEU, if it is asked to, also one without a known word."""
    testset = load(outputs={"x": ["a", "b", "b a"], "y": ["b", "b", "b"]}, references=["a", "", "zzz"])
    unknown = ",unknown=zero" if name == "ebleu" else ""
    notes = compute(testset, f"{name}:vectors={path}{unknown}", resamples=10).notes
    (note,) = [note for note in notes if note.kind in (NoteKind.UNDEFINED, NoteKind.EXCLUDED)]
    reason = type(metric.create(name)).undefined
    if name == "ebleu":
        assert note.count == 4
        assert note.text.startswith(f"4 of 6 segment scores are undefined: {reason}; ")
    else:
        assert note.count == 1
        assert note.text == f"excluded 1 of 3 segments, which lack a defined value ({reason}) for x, y"


@pytest.mark.warns("have no vector in")
def test_the_corpus_score_counts_outputs_whose_own_score_is_undefined(path):
    """As the formula, a ratio of sums over all n-grams, says; the segment mean leaves them out."""
    spec = f"ebleu:vectors={path},unknown=zero"
    run = score(load(outputs={"x": ["a", "b b"]}, references=["a", "zzz"]), spec, resamples=0)[spec]
    assert run.segment_mean.estimate("x").n == 1
    assert run.segment_mean["x"] == pytest.approx(1)
    assert run.corpus.estimate("x").n == 2
    assert run.corpus["x"] < 0.9


@pytest.mark.parametrize(
    ("spec", "hint"),
    [
        ("{}:vectors=minilm-en,layer=5", "layer is an option of vectors: write {}:vectors=(minilm-en:layer=5)"),
        ("{}:layer=5,unit=words", "write {}:vectors=(NAME:layer=5,unit=words)"),
        ("{}:precision=bf16,vectors=(x:layer=1)", "write {}:vectors=(x:layer=1,precision=bf16)"),
        ("{}:vectors=x:unit=words,layer=1", "write {}:vectors=(x:unit=words,layer=1)"),
        ("{}:wink-en", "write options as name=value: {}:vectors=wink-en"),
        ("{}:minilm-en:layer=5", "write options as name=value: {}:vectors=minilm-en:layer=5"),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_natural_spellings_are_answered_with_the_right_one(name, spec, hint):
    with pytest.raises(ConfigError) as caught:
        metric.create(spec.format(name))
    assert caught.value.hint.endswith(hint.format(name))


def test_the_options_of_an_encoder_that_a_hint_knows_are_not_those_of_a_metric():
    for name in NAMES:
        cls, _ = metric.type_of(name)
        assert not {field.name for field in dataclasses.fields(cls)} & set(cls.nested_options["vectors"])


@pytest.mark.parametrize(
    ("spec", "unwanted"),
    [
        ("ebleu:vectors=x", ("sqlite3", "assay.encoders.cache", "assay.encoders.formats", "assay.vectors.conversion")),
        ("yisi-0", ("sqlite3", "assay.metrics.bleu", "assay.metrics.ebleu")),
        ("spbleu:x", ("numpy", "assay.metrics.wer", "assay.metrics.token_vectors")),
    ],
)
def test_a_metric_imports_what_it_needs(spec, unwanted):
    code = (
        f"import sys; from assay.metrics import metric; metric.create({spec!r})\n"
        f"print([name for name in {unwanted!r} if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_vector_of_zeros_is_a_vector(tmp_path):
    path = made_up_vectors.write(tmp_path / "zeros.vec", {"a": (1, 2), "b": (0, 0)})
    notes = score(load(outputs={"x": ["a b"]}, references=["a b"]), f"yisi-1:vectors={path}", resamples=0).notes
    assert NoteKind.MISSING not in {note.kind for note in notes}
