"""Measure, and print the table of docs/methods/judge.md, "Throughput".

python -m bench.judge RESULT [--shapes none 1b 8b] [--protocols da esa] [--parallel 1 4 16 64 128] [--seconds 12]

The texts are random words, as long as paragraphs of WMT25. Assay's compiled core is not needed: this runs where it
cannot be built.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import platform
import random
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

_WARM_UP = 24  # requests
_MOST = 20_000  # segments
LENGTHS = (
    139,
    268,
    435,
    602,
    714,
    808,
    917,
    989,
    1035,
    1072,
    1137,
    1195,
    1241,
    1280,
    1316,
    1345,
    1377,
    1412,
    1447,
    1481,
    1519,
    1556,
    1602,
    1640,
    1679,
    1743,
    1831,
    1916,
    1997,
    2098,
    2274,
    3175,
)
"""Bytes of a source and its output together: 32 quantiles of 6,000 outputs of WMT25 en-is, drawn at random."""


def main() -> int:
    """Run everything, and write the figures after each one."""
    parser = argparse.ArgumentParser(prog="python -m bench.judge")
    parser.add_argument("result", type=Path)
    parser.add_argument("--shapes", nargs="+", default=["none", "1b", "8b"])
    parser.add_argument("--protocols", nargs="+", default=["da"])
    parser.add_argument("--parallel", nargs="+", type=int, default=[1, 4, 16, 64, 128])
    parser.add_argument("--seconds", type=float, default=12.0, help="about how long each measurement takes")
    arguments = parser.parse_args()
    _without_core()
    texts = made_up_texts(_MOST)
    figures: list[dict[str, Any]] = []
    for shape in arguments.shapes:
        with _server(shape) as url:
            figures += _figures(shape, url, texts, arguments, figures)
    print(table(figures))
    return 0


def made_up_texts(count: int) -> list[tuple[str, str]]:
    """Random words: sources and outputs, of which no two are the same."""
    chosen = random.Random(1)
    texts = []
    for _ in range(count):
        length = chosen.choice(LENGTHS)
        words: list[str] = []
        while sum(map(len, words)) + len(words) < length:
            words.append("".join(chosen.choices("abcdefghijklmnop", k=chosen.randint(2, 9))))
        middle = len(words) // 2
        texts.append((" ".join(words[:middle]), " ".join(words[middle:])))
    return texts


def _figures(
    shape: str, url: str, texts: list[tuple[str, str]], arguments: argparse.Namespace, before: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for protocol in arguments.protocols:
        speed = 0.0
        for parallel in arguments.parallel:
            warm = measure(url, protocol, texts[-max(_WARM_UP, parallel) :], parallel)
            speed = max(speed, warm["requests"] / warm["seconds"])
            count = min(len(texts), max(2 * parallel, int(speed * arguments.seconds)))
            found.append({"shape": shape, **measure(url, protocol, texts[:count], parallel)})
            print(found[-1], flush=True)
            content = {"python": platform.python_version(), "figures": before + found}
            arguments.result.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return found


def measure(url: str, protocol: str, texts: list[tuple[str, str]], parallel: int) -> dict[str, Any]:
    """Judge some texts, with an empty cache, and return what it took. It ends if one reply cannot be read."""
    from assay.judges.ask import ask
    from assay.judges.prompt import open_prompt
    from assay.judges.protocols import Judging, Segment
    from assay.judges.protocols import protocol as protocols
    from assay.judges.server import Server
    from assay.types.runtime import Runtime
    from assay.types.spending import Spending

    made = protocols.create(protocol)
    prompts = dict(zip(made.stages, map(open_prompt, made.bundled_prompts), strict=True))
    with tempfile.TemporaryDirectory() as folder:
        spending = Spending()
        runtime = Runtime(cache=Path(folder), parallel=parallel, spending=spending)
        server = Server(url, "made-up")

        def send(requests: Any, form: Any) -> Any:
            return ask(
                server, requests, form.read, schema=form.schema, retries=2, runtime=runtime, reply_tokens=form.tokens
            )

        outputs = [(Segment(source, None, ("en", "is")), output) for source, output in texts]
        used, start = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
        answers = made.judge(outputs, Judging(prompts, 1, partial(send)))
        seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF)
    if any(answer.value is None for votes in answers for answer in votes):
        raise RuntimeError("a reply could not be read")
    cpu = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
    return {
        "protocol": protocol,
        "parallel": parallel,
        "segments": len(texts),
        "requests": server.answered,
        "seconds": round(seconds, 3),
        "client_cpu": round(cpu, 3),
        "input_tokens": spending.input_tokens,
    }


def table(figures: list[dict[str, Any]]) -> str:
    """For the page."""
    lines = [
        "| model | protocol | `--parallel` | requests/s | segments/min | tokens of a prompt | CPU, ms a request |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in figures:
        lines.append(
            f"| {row['shape']} | `{row['protocol']}` | {row['parallel']} | {row['requests'] / row['seconds']:,.1f} | "
            f"{60 * row['segments'] / row['seconds']:,.0f} | {row['input_tokens'] / row['requests']:,.0f} | "
            f"{1000 * row['client_cpu'] / row['requests']:.2f} |"
        )
    return "\n".join(lines)


@contextmanager
def _server(shape: str) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/v1"
    process = subprocess.Popen([sys.executable, "-m", "bench.judge.server", shape, str(port)])
    try:
        while process.poll() is None:
            try:
                urllib.request.urlopen(f"{url}/models", timeout=5).close()  # noqa: S310
                break
            except OSError:
                time.sleep(0.2)
        yield url
    finally:
        process.kill()
        process.wait()


def _without_core() -> None:
    """Asking a model uses nothing of the compiled core, but modules on the way import it."""
    if importlib.util.find_spec("assay._core") is None:
        core: Any = ModuleType("assay._core")
        core.__getattr__ = lambda name: type(name, (), {})
        sys.modules["assay._core"] = core


if __name__ == "__main__":
    sys.exit(main())
