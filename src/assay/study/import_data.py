"""`assay.import_data`: unpack archives into the data folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Unpack

from assay.data.archives.imports import import_archive
from assay.data.archives.record import verify
from assay.errors import InputError
from assay.options.option import Option
from assay.options.shared import RUNTIME
from assay.options.verb import verb
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["import_data"]


@verb
def import_data(
    archives: Annotated[str | Path | Iterable[str | Path], Option("Archives: .tar.gz, .tar.xz or .zip.")],
    *,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> tuple[Path, ...]:
    """Unpack archives (.tar.gz, .tar.xz, .zip) into the user's data folder.

    Only regular files inside the folder and below a size limit are unpacked. The checksums of the archive and its
    files are recorded: an archive that was imported before is not unpacked again, but its files must not have changed
    since.

    Notes
    -----
    Returns the folders of the test sets.
    """
    paths = [archives] if isinstance(archives, str | Path) else list(archives)
    return tuple(_import(Path(path), runtime or Runtime()) for path in paths)


def _import(archive: Path, runtime: Runtime) -> Path:
    folder = import_archive(archive, runtime=runtime)
    if problems := verify(folder):
        raise InputError(f"has changed since it was imported: {problems[0]}", path=str(folder))
    return folder
