"""`assay.fetch_models`: download models of learned metrics and encoders from the Hugging Face hub."""

from __future__ import annotations

import errno
import json
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Unpack

from assay.data.archives.hub import Repository, RepositoryFile, download_file, hub_page, open_repository
from assay.errors import (
    ChecksumError,
    ConfigError,
    FetchError,
    UnknownNameError,
    most_similar,
    nearest,
    option_name,
    printable,
)
from assay.files import write_atomic
from assay.files.converted import locked
from assay.files.known_models import KnownModel, is_free, known_model, known_models
from assay.files.resources import DOWNLOAD_RECORD, Resource, resource_folder
from assay.files.sizes import byte_text
from assay.learned.model_kinds import COMET_FILES
from assay.neural.model_folder import CONFIG, WEIGHTS
from assay.options.option import Option
from assay.options.shared import RUNTIME
from assay.options.verb import verb
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["ModelDownload", "fetch_models", "plan_download"]

_ACCEPT = "accept_licence"
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
_TOKENISER = re.compile(
    r"tokenizer.*\.json|special_tokens_map\.json|added_tokens\.json|vocab\.(txt|json)|merges\.txt|[\w.]+\.model"
)
_TOKENIZER = "tokenizer.json"
_SAME_TOKENIZER = {
    "microsoft/infoxlm-large": "xlm-roberta-large",
    "microsoft/Multilingual-MiniLM-L12-H384": "xlm-roberta-base",
}
"""Encoders whose repositories may lack the file, and those that have the same."""
_MT5 = ("google/mt5-xl", "spiece.model")
"""The tokeniser of all MetricX models."""


@dataclass(frozen=True, slots=True)
class ModelDownload:
    """What a download would fetch, for the user to see first."""

    name: str
    repository: Repository
    files: tuple[RepositoryFile, ...]
    licence: str

    @property
    def size(self) -> int:
        """The bytes of all files, without the few that belong to the encoder's own repository."""
        return sum(file.size for file in self.files)

    @property
    def page(self) -> str:
        """Where the licence stands."""
        return hub_page(self.repository.name)

    @property
    def folder(self) -> Path:
        """Where the model will be."""
        return resource_folder() / self.name


@verb
def fetch_models(
    names: Annotated[str | Iterable[str], Option("Names in `assay.list_models`, or repositories: organisation/name.")],
    *,
    accept_licence: Annotated[
        bool, Option("Accept licences that restrict the use of a model, such as non-commercial ones.")
    ] = False,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> tuple[Path, ...]:
    """Download models from the Hugging Face hub into the resource folder, with what they need of other repositories.

    A download that was interrupted is resumed. What is there already is not downloaded again.

    Notes
    -----
    Returns the folders of the models.
    """
    plans = [plan_download(name, accept_licence=accept_licence) for name in names]
    return tuple(download(plan, runtime or Runtime()) for plan in plans)


def plan_download(name: str, *, accept_licence: bool = False) -> ModelDownload:
    """What would be downloaded; an error if the licence restricts its use and was not accepted."""
    model = _model(name)
    if model.none:
        raise ConfigError(f"{model.name} cannot be used: {model.none}")
    _check_licence(model.name, model.licence, model.repository, accept_licence or not model.licence)
    with _explaining(model):
        repository = open_repository(model.repository)
    licence = repository.licence or model.licence or "none stated"
    _check_licence(model.name, licence, model.repository, accept_licence)
    return ModelDownload(model.name, repository, tuple(_own_files(repository)), licence)


def _model(name: str) -> KnownModel:
    if (model := known_model(name)) is not None:
        return model
    if _REPOSITORY.fullmatch(name):
        return KnownModel(name.partition("/")[2], name, "")
    models = [model.name for model in known_models().values() if not model.none]
    alike = [each for each in models if name.casefold() in each.casefold()]
    close = most_similar(name, models)
    if len(alike) > 1 and (close is None or not close.casefold().startswith(name.casefold())):
        meant = f"did you mean {' or '.join(alike)}?"
    else:
        meant = nearest(name, models)
    hint = f"{meant}{'' if meant.endswith('?') else '.'} Any other model is given as organisation/name"
    raise UnknownNameError(f"unknown model '{printable(name)}'", hint=hint)


def _check_licence(name: str, licence: str, repository: str, is_accepted: bool) -> None:
    if not is_accepted and not is_free(licence):
        hint = f"read it at {hub_page(repository)}; if you accept it: {option_name(_ACCEPT, True)}"
        raise ConfigError(f"the licence of {name} may restrict its use: {licence}", hint=hint)


def _own_files(repository: Repository) -> Iterator[RepositoryFile]:
    """The files of a checkpoint of COMET, or of a model of transformers: configuration, weights and tokeniser."""
    files = repository.files
    if COMET_FILES[0] in files:
        wanted = list(COMET_FILES)
    else:
        weights = next((name for name in WEIGHTS if name in files), WEIGHTS[0])
        stem = weights.removesuffix(".index.json").rpartition(".")[0]
        shards = [name for name in files if weights.endswith(".index.json") and name.startswith(f"{stem}-0")]
        wanted = [CONFIG, weights, *shards, *(name for name in files if _TOKENISER.fullmatch(name))]
    for name in wanted:
        if name not in files:
            raise FetchError(f"{hub_page(repository.name)} has no {name}: it is not a model that Assay can use")
        yield files[name]


def download(plan: ModelDownload, runtime: Runtime) -> Path:
    """Download a model into its folder, which is complete or absent."""
    target = plan.folder
    with locked(target.with_name(f".{plan.name}")):
        if target.exists():
            return _existing(target)
        scratch = target.with_name(f".{plan.name}-fetching")
        with _removing_useless(scratch):
            _check_space(plan, scratch)
            files = dict(_downloaded(plan, scratch, runtime))
            for path in _contents(scratch):  # of an earlier attempt with another version
                if path.relative_to(scratch).as_posix() not in files:
                    path.unlink()
            record = {"repository": plan.repository.name, "commit": plan.repository.commit, "licence": plan.licence}
            write_atomic(scratch / DOWNLOAD_RECORD, (json.dumps({**record, "files": files}, indent=1) + "\n").encode())
            scratch.rename(target)
    return target


def _existing(target: Path) -> Path:
    """The folder of a model that is there already, if it is as it was downloaded."""
    if not (target / DOWNLOAD_RECORD).is_file():
        hint = "to use it, there is nothing to do; to download it, remove or rename it first"
        raise FetchError("exists already, and was not downloaded by Assay", path=str(target), hint=hint)
    _ = Resource(target.name, target).sha256  # which checks it
    return target


@contextmanager
def _removing_useless(scratch: Path) -> Iterator[None]:
    """Keep what an interrupted download can go on with, and nothing after a wrong digest or when the disk is full."""
    try:
        scratch.mkdir(parents=True, exist_ok=True)
        yield
    except (FetchError, OSError) as error:
        cause = error.__cause__ if isinstance(error, FetchError) else error
        is_full = isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT)
        if is_full or isinstance(error, ChecksumError | _DiskFull) or not any(_contents(scratch)):
            shutil.rmtree(scratch, ignore_errors=True)
        if isinstance(error, FetchError) and not is_full:
            raise
        reason = (getattr(cause, "strerror", None) or str(cause)).lower()
        hint = "use a folder on another disk: ASSAY_RESOURCES=/other/disk/resources"
        raise FetchError(f"cannot be written: {reason}", path=str(scratch.parent), hint=hint) from error


class _DiskFull(FetchError):
    """There is not enough space for all files."""


def _contents(folder: Path) -> Iterator[Path]:
    return (path for path in [*folder.rglob("*")] if path.is_file() and path.stat().st_size)


def _check_space(plan: ModelDownload, scratch: Path) -> None:
    needed = plan.size - sum(path.stat().st_size for path in _contents(scratch))
    free = shutil.disk_usage(scratch).free
    if needed > free:
        hint = "free some space, or use a folder on another disk: ASSAY_RESOURCES=/other/disk/resources"
        message = f"not enough disk space: {byte_text(needed)} needed, {byte_text(free)} free"
        raise _DiskFull(message, path=str(scratch.parent), hint=hint)


def _downloaded(plan: ModelDownload, scratch: Path, runtime: Runtime) -> Iterator[tuple[str, str]]:
    """The path in the folder of the model, and the SHA-256, of each file when it is there."""
    for file in plan.files:
        yield file.path, download_file(plan.repository, file, scratch / file.path, runtime=runtime)
    for repository, name, path in _companions(scratch):
        file = repository.files[name]
        yield path, download_file(repository, file, scratch / path, runtime=runtime)


def _companions(folder: Path) -> Iterator[tuple[Repository, str, str]]:
    """Files of other repositories that a model needs: repository, name there, and path in the folder of the model."""
    if (folder / COMET_FILES[0]).is_file():
        encoder = _pretrained(folder / COMET_FILES[0])
        repository = open_repository(encoder)
        yield repository, CONFIG, f"encoder/{CONFIG}"
        if _TOKENIZER not in repository.files and encoder in _SAME_TOKENIZER:
            repository = open_repository(_SAME_TOKENIZER[encoder])
        yield repository, _TOKENIZER, f"encoder/{_TOKENIZER}"
    elif "MT5ForRegression" in (folder / CONFIG).read_text("utf-8"):
        yield open_repository(_MT5[0]), _MT5[1], _MT5[1]


def _pretrained(hyperparameters: Path) -> str:
    """The repository of the encoder of a checkpoint of COMET."""
    found = re.search(r"^pretrained_model:\s*['\"]?([\w./-]+)", hyperparameters.read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise FetchError("names no pretrained_model", path=str(hyperparameters))
    return found[1]


@contextmanager
def _explaining(model: KnownModel) -> Iterator[None]:
    """Say which files belong where if the hub cannot be reached."""
    try:
        yield
    except FetchError as error:
        is_comet = model.metric.startswith(("comet:", "cometkiwi:", "unite:", "xcomet:"))
        files = " and ".join(COMET_FILES) if is_comet else f"{CONFIG}, the weights and the tokeniser"
        folder = resource_folder() / model.name
        error.hint = f"download {files} of {hub_page(model.repository)} on another machine, and put them into {folder}"
        raise
