"""`assay.doctor`: versions, optional extras, threads, GPUs, the data folder and the resources."""

from __future__ import annotations

import os
import platform
import re
from dataclasses import replace
from importlib import metadata
from pathlib import Path

from assay import _core
from assay.data.archives.folder import data_folder
from assay.encoders.formats import recognise_encoder
from assay.errors import AssayError, InputError, MissingExtraError, installing
from assay.files import cache_folder
from assay.files.resources import KNOWN, Resource, hub_folder, list_resources, resource_folders
from assay.files.sizes import byte_text
from assay.judges.server import KEY_VARIABLES
from assay.learned.model_kinds import READS, check_model, recognise_model
from assay.metrics import metric as registry
from assay.neural.libraries import describe_gpus
from assay.options.verb import verb
from assay.results import Installation
from assay.types import Note, NoteKind
from assay.types.runtime import available_cores
from assay.vectors.formats import find_format, recognised_format
from assay.version import __version__

__all__ = ["doctor"]

_MISSING = "not installed"
_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)[^;]*; extra == [\"'](?P<extra>\w+)[\"']")


@verb
def doctor() -> Installation:
    """Collect what a bug report needs. Notes name the plug-ins that cannot be loaded."""
    names = registry.names()
    return Installation(
        {
            "assay": __version__,
            "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
            **{name: _version(name) for name in ("numpy", "scipy", "click")},
            "threads": f"{available_cores()} of {os.cpu_count()} cores",
            "gpu": describe_gpus(),
            "data": _folder(data_folder()),
            "unicode tables": _core.unicode_tables,
            "metrics": ", ".join(names),
            **_extras(),
            "judge key": _judge_key(),
            "cache": _folder(cache_folder()),
            "resources": ", ".join(map(_folder, resource_folders())),
            "hub": _folder(hub_folder()),
            **_resources(),
        },
        notes=tuple(Note(NoteKind.MISSING, failure) for failure in registry.failures),
    )


def _judge_key() -> str:
    """Where the key for a server with a language model comes from. The key itself is nowhere."""
    found = next((variable for variable in KEY_VARIABLES if os.environ.get(variable, "").strip()), None)
    return f"not set; servers that need one take it from {KEY_VARIABLES[0]}" if found is None else f"from {found}"


def _folder(folder: Path) -> str:
    """A folder, and what is wrong with it."""
    try:
        folder.stat()
    except (FileNotFoundError, NotADirectoryError):
        return f"{folder} (does not exist yet)"
    except OSError as error:
        return f"{folder} (cannot be read: {(error.strerror or str(error)).lower()})"
    return str(folder) if folder.is_dir() else f"{folder} (is not a folder)"


def _resources() -> dict[str, str]:
    """What is in the resource folder, and what could be put there."""
    try:
        found = list_resources()
    except InputError:  # the folder itself says why
        return {}
    names = {resource.name for resource in found}
    return {f"resource {_file_name(resource)}": _described(resource) for resource in found} | {
        f"resource {name}": f"not found; it is {what}" for name, what in KNOWN.items() if name not in names
    }


def _file_name(resource: Resource) -> str:
    """With its suffix; of a folder of the hub, whose versions have digests for names, the model's name."""
    return resource.path.name if resource.path.name.startswith(resource.name) else resource.name


def _described(resource: Resource) -> str:
    """What a resource is, its size and its digest."""
    try:
        kind, read = _kind(resource.path), replace(resource, reads=_reads(resource.path))
        return f"{kind}, {byte_text(resource.size)}, {read.digest}"
    except AssayError as error:
        hint = "" if error.hint is None else f" ({error.hint})"
        return f"cannot be used: {error.message}{hint}"
    except OSError as error:
        return f"cannot be used: {(error.strerror or str(error)).lower()}"


def _reads(path: Path) -> tuple[str, ...]:
    """The files that metrics read, so that the digest is the one in their signatures."""
    if not path.is_dir():
        return ()
    if (kind := recognise_model(path)) is not None:
        return READS[kind]
    encoder = recognise_encoder(path)
    return () if encoder is None else encoder.reads


def _kind(path: Path) -> str:
    if path.is_dir():
        return check_model(path) or _encoder(path)
    if recognised_format(path) is None:
        return "file"
    vectors = find_format(path)
    vectors.check(path)
    return f"word vectors ({vectors.label})"


def _encoder(folder: Path) -> str:
    encoder = recognise_encoder(folder)
    if encoder is None:
        return "folder"
    try:
        encoder.check(folder)
    except MissingExtraError as error:  # it may be the tokeniser of another model
        return f"folder ({error.message}: {error.hint})"
    return f"encoder ({encoder.label})"


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return _MISSING


def _extras() -> dict[str, str]:
    """The packages of each optional extra, with their versions, and what is missing."""
    packages: dict[str, list[str]] = {}
    for requirement in metadata.requires("assay") or ():
        if (found := _REQUIREMENT.fullmatch(requirement)) and found["name"] != "assay":  # `all` is made of the others
            packages.setdefault(found["extra"], []).append(found["name"])
    return {f"extra {extra}": _extra(extra, names) for extra, names in sorted(packages.items())}


def _extra(extra: str, packages: list[str]) -> str:
    versions = {name: _version(name) for name in packages}
    missing = [name for name, found in versions.items() if found == _MISSING]
    if missing:
        return f"{', '.join(missing)} not installed: {installing(extra)}"
    return ", ".join(f"{name} {found}" for name, found in versions.items())
