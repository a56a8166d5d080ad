"""llama.cpp's server, with the tiny model of `made_up_llama`."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from assay.judges.prompt import PROMPTS
from tests.judges import made_up_llama

MODEL = "made-up"
PYTHON = os.environ.get("ASSAY_JUDGE_PYTHON", sys.executable)
"""Which Python has llama_cpp; usually this one."""
_NEEDED = ("llama_cpp", "gguf", "fastapi", "uvicorn")


def missing() -> str:
    """What is not installed; empty if the server can be started."""
    if sys.executable == PYTHON:
        return ", ".join(name for name in _NEEDED if importlib.util.find_spec(name) is None)
    code = f"import importlib.util as u; print(', '.join(n for n in {_NEEDED} if u.find_spec(n) is None))"
    return subprocess.run([PYTHON, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def write_model(path: Path) -> None:
    """The model, whose tokeniser has learnt from the bundled prompts."""
    prompts = sorted(map(str, Path(PROMPTS).glob("*.txt")))
    subprocess.run([PYTHON, made_up_llama.__file__, str(path), *prompts], check=True)


@dataclass(frozen=True)
class Llama:
    """A server that runs."""

    url: str
    log: Path

    @property
    def asked(self) -> int:
        """How many questions it has answered."""
        return self.log.read_text(encoding="utf-8").count('"POST /v1/chat/completions HTTP/1.1" 200')


@contextmanager
def llama_server(model: Path, *options: str) -> Iterator[Llama]:
    """A server with a model, on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [PYTHON, "-m", "llama_cpp.server", "--model", str(model), "--model_alias", MODEL, "--port", str(port)]
    command += ["--host", "127.0.0.1", "--n_ctx", str(made_up_llama.CONTEXT), "--verbose", "false"]
    log = model.with_name(f"server-{port}.log")
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen([*command, *options], stdout=output, stderr=output, cwd=model.parent)
        try:
            _wait(process, f"http://127.0.0.1:{port}/v1", log)
            yield Llama(f"http://127.0.0.1:{port}/v1", log)
        finally:
            process.terminate()
            process.wait()


def _wait(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    for _ in range(600):
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{url}/models", timeout=5):  # noqa: S310
                return
        except urllib.error.HTTPError:  # it wants a key
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"llama.cpp's server has not started:\n{log.read_text(encoding='utf-8')[-2000:]}")
