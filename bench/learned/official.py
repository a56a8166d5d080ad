"""Score a campaign with the official package, in a process of its own: `python -m bench.learned.official TASK RESULT`.

It runs with unbabel-comet 2.2.7 and its packages before all others on PYTHONPATH, and imports nothing of Assay.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import numpy.typing as npt

from bench.learned import campaign
from bench.learned.work import Work, watched
from scripts.official_scores.texts import Segment

LARGE = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096}
TINY = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
XLM_R = {
    "vocab_size": 250_002,
    "max_position_embeddings": 514,
    "type_vocab_size": 1,
    "layer_norm_eps": 1e-5,
    "bos_token_id": 0,
    "pad_token_id": 1,
    "eos_token_id": 2,
}
TOKENIZER = {
    "tokenizer_class": "XLMRobertaTokenizer",
    "model_max_length": 512,
    "bos_token": "<s>",
    "eos_token": "</s>",
    "sep_token": "</s>",
    "cls_token": "<s>",
    "unk_token": "<unk>",
    "pad_token": "<pad>",
    "mask_token": "<mask>",
}
MEAN, DEVIATION = 0.8, 0.1
"""Of segment scores, about as those of wmt22-comet-da: a deviation means something only beside the spread of scores."""
PROBE = 100  # segments of a few systems that fix mean and deviation


def make(task: dict[str, Any]) -> dict[str, Any]:
    """A checkpoint with random weights, in the folder of a model as the hub has it, with the encoder's files beside."""
    import torch

    comet = import_module("comet.models")
    folder = Path(task["model"])
    _write_encoder(folder / "encoder", Path(task["tokenizer"]), task["is_tiny"])
    torch.manual_seed(1)
    model = comet.RegressionMetric(
        pretrained_model=str((folder / "encoder").resolve()),
        load_pretrained_weights=False,
        local_files_only=True,
        layer_transformation="sparsemax",
        layer_norm=False,
        hidden_sizes=[64, 32] if task["is_tiny"] else [3072, 1024],
    )
    _spread(model, campaign.read(Path(task["texts"])).first(PROBE), _gpus(task))
    hyperparameters = dict(model.hparams)
    (folder / "checkpoints").mkdir(exist_ok=True)
    content = {"state_dict": model.state_dict(), "hyper_parameters": hyperparameters}
    torch.save(content | {"pytorch-lightning_version": "2.0.0"}, folder / "checkpoints" / "model.ckpt")
    lines = [f"{name}: {json.dumps(value)}\n" for name, value in hyperparameters.items()]  # JSON is YAML
    (folder / "hparams.yaml").write_text("".join(lines), encoding="utf-8")
    return {}


def _write_encoder(folder: Path, tokenizer: Path, is_tiny: bool) -> None:
    config = import_module("transformers").XLMRobertaConfig(**XLM_R, **(TINY if is_tiny else LARGE))
    config.save_pretrained(folder)
    (folder / "tokenizer.json").write_bytes(tokenizer.read_bytes())
    (folder / "tokenizer_config.json").write_text(json.dumps(TOKENIZER), encoding="utf-8")


def _spread(model: Any, texts: campaign.Campaign, gpus: int) -> None:
    """Scale and shift the last layer, which random weights leave with nearly the same score for all segments."""
    import torch

    systems = list(texts.outputs)[:3]
    segments = [segment for system in systems for segment in texts.segments(system)]
    scores = torch.tensor(model.predict(segments, gpus=gpus, progress_bar=False).scores)
    last = model.cpu().estimator.ff[-1]
    with torch.no_grad():
        scale = DEVIATION / scores.std()
        last.weight *= scale
        last.bias.copy_(MEAN + scale * (last.bias - scores.mean()))


def equal_batch_size(task: dict[str, Any]) -> dict[str, Any]:
    """The number of segments with which a batch has `tokens` tokens on average, including padding.

    A process that has used a tokeniser cannot let its children use it on several threads, so this is not done in the
    process that is measured.
    """
    encoder = str(Path(task["model"]) / "encoder")
    tokenizer = import_module("transformers").XLMRobertaTokenizerFast.from_pretrained(encoder, local_files_only=True)
    lengths = [_lengths(tokenizer, segments) for segments in _calls(task).values()]
    sizes = range(16, 4096, 8)
    return {"batch_size": min(sizes, key=lambda size: abs(_tokens_of_a_batch(lengths, size) - task["tokens"]))}


def _lengths(tokenizer: Any, segments: list[Segment]) -> npt.NDArray[np.int64]:
    """Tokens (segment; source, output, reference), in the order of `predict`: by characters of the source."""
    columns = [
        tokenizer([segment[key] for segment in segments], truncation=True, max_length=512).input_ids
        for key in ("src", "mt", "ref")
    ]
    lengths = np.array([[len(ids) for ids in column] for column in columns]).T
    ordered: npt.NDArray[np.int64] = lengths[np.argsort([len(segment["src"]) for segment in segments])]
    return ordered


def _tokens_of_a_batch(calls: list[npt.NDArray[np.int64]], size: int) -> float:
    tokens = [
        batch.max(axis=0) * len(batch)
        for lengths in calls
        for batch in np.split(lengths, range(size, len(lengths), size))
    ]
    return float(np.mean(tokens))


def predict(task: dict[str, Any]) -> dict[str, Any]:
    """`predict`, for each system (as comet-score does) or for all of them in one call."""
    model = import_module("comet").load_from_checkpoint(_checkpoint(task))
    if task["precision"] == "fp16":
        model.half()
    calls, settings = _calls(task), {"gpus": _gpus(task), "progress_bar": False}
    scores: dict[str, list[float]] = {}
    with watched() as work:
        model.predict(next(iter(calls.values()))[:16], **settings)  # moves the model to the GPU
        with work.measured():
            for systems, segments in calls.items():
                predicted = model.predict(segments, batch_size=task["batch_size"], **settings).scores
                scores |= dict(zip(systems, np.reshape(predicted, (len(systems), -1)).tolist(), strict=True))
    return {"scores": scores, "seconds": sum(work.seconds), "batch_size": task["batch_size"], **work.as_json()}


def _calls(task: dict[str, Any]) -> dict[tuple[str, ...], list[Segment]]:
    """The segments of each call of `predict`, by the names of its systems."""
    texts = campaign.read(Path(task["texts"]))
    systems = tuple(texts.outputs)
    calls = [systems] if task["in_one_call"] else [(system,) for system in systems]
    return {call: [segment for system in call for segment in texts.segments(system)] for call in calls}


def comet_score(task: dict[str, Any]) -> dict[str, Any]:
    """The command as it is, with its defaults: half precision, batches of 16 segments, one system at a time."""
    command = import_module("comet.cli.score")
    texts = Path(task["texts"])
    files = sorted(map(str, (texts / "outputs").iterdir()))
    with tempfile.TemporaryDirectory() as scratch, watched() as work:
        result = Path(scratch) / "scores.json"
        arguments = ["-s", str(texts / "source.txt"), "-r", str(texts / "reference.txt"), "-t", *files]
        arguments += ["--model", _checkpoint(task), "--gpus", str(_gpus(task))]
        arguments += ["--quiet", "--only_system", "--to_json", str(result)]
        with mock.patch.object(sys, "argv", ["comet-score", *arguments]), _predicting_measured(work):
            command.score_command()
        content = json.loads(result.read_text(encoding="utf-8"))
    scores = {Path(file).stem: [segment["COMET"] for segment in content[file]] for file in files}
    return {"scores": scores, "seconds": sum(work.seconds), "batch_size": 16, **work.as_json()}


@contextmanager
def _predicting_measured(work: Work) -> Iterator[None]:
    """Measure every call of `predict`: there is one for each system."""
    base = import_module("comet.models.base").CometModel
    predicting: Callable[..., Any] = base.predict

    def measured(*args: Any, **kwargs: Any) -> Any:
        with work.measured():
            return predicting(*args, **kwargs)

    with mock.patch.object(base, "predict", measured):
        yield


def _checkpoint(task: dict[str, Any]) -> str:
    return str(Path(task["model"]) / "checkpoints" / "model.ckpt")


def _gpus(task: dict[str, Any]) -> int:
    return int(task["device"] == "cuda")


TASKS = {"make": make, "batch-size": equal_batch_size, "predict": predict, "comet-score": comet_score}

if __name__ == "__main__":
    assigned = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    Path(sys.argv[2]).write_text(json.dumps(TASKS[assigned["do"]](assigned)), encoding="utf-8")
