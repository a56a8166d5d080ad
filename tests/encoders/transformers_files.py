"""The files of an encoder as transformers saves it, without any content: nobody opens it, but nothing is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

FILES = ("config.json", "tokenizer.json", "model.safetensors")


def safetensors() -> bytes:
    """One tensor of one number."""
    header = json.dumps({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    return len(header).to_bytes(8, "little") + header + bytes(4)


def write(folder: Path, changed: Mapping[str, bytes | None] | None = None) -> Path:
    """Write all files; those in `changed` with another content, or not at all."""
    contents = (b'{"model_type": "bert"}', b'{"model": {}, "added_tokens": []}', safetensors())
    folder.mkdir(parents=True)
    for name, content in {**dict(zip(FILES, contents, strict=True)), **(changed or {})}.items():
        if content is not None:
            (folder / name).write_bytes(content)
    return folder
