"""A server of chat completions for measurements: `python -m bench.judge.server SHAPE PORT`.

It answers at once (shape `none`), or computes with a network of random weights on a GPU, in the plainest way: whatever
waits is one batch, padded to its longest prompt, and the next batch begins when all replies of this one are complete.
A token is three bytes of the prompt.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from zlib import crc32

SHAPES: dict[str, dict[str, int]] = {
    "tiny": {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4},
    "1b": {"hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16, "num_attention_heads": 32},
    "8b": {"hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32},
}
"""Those of Llama 3.2 1B and Llama 3.1 8B, with 8 heads for keys and values and a vocabulary of 128,256."""
VOCABULARY, KEY_HEADS = 128_256, 8
BYTES_PER_TOKEN = 3
LARGEST_BATCH = 128
REPLIES = {"score": '{"score": 87}', "errors": '{"errors": []}', "better": '{"better": "A"}'}
REPLY_TOKENS = {"score": 8, "errors": 100, "better": 8}
"""As many as are computed: an answer with a few errors is long."""


@dataclass(eq=False)
class Job:
    """A prompt that waits for its reply."""

    tokens: list[int]
    wanted: int
    is_done: threading.Event = field(default_factory=threading.Event)


class Model:
    """The network, and the thread that computes."""

    def __init__(self, shape: str) -> None:
        import torch
        from transformers import LlamaConfig, LlamaForCausalLM

        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        heads = min(KEY_HEADS, SHAPES[shape]["num_attention_heads"])
        config = LlamaConfig(
            **SHAPES[shape], num_key_value_heads=heads, vocab_size=VOCABULARY, max_position_embeddings=16_384
        )
        torch.manual_seed(1)
        torch.set_default_dtype(torch.bfloat16)
        with torch.device(self.device):
            self.network: Any = LlamaForCausalLM(config).eval()
        torch.set_default_dtype(torch.float32)
        self.jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self.batches: list[int] = []
        threading.Thread(target=self._work, daemon=True).start()

    def reply(self, prompt: bytes, wanted: int) -> int:
        """Compute a reply, and return the number of tokens of the prompt."""
        pieces = (prompt[first : first + BYTES_PER_TOKEN] for first in range(0, len(prompt), BYTES_PER_TOKEN))
        job = Job([crc32(piece) % VOCABULARY for piece in pieces], wanted)
        self.jobs.put(job)
        job.is_done.wait()
        return len(job.tokens)

    def _work(self) -> None:
        while True:
            batch = [self.jobs.get()]
            while len(batch) < LARGEST_BATCH and not self.jobs.empty():
                batch.append(self.jobs.get())
            self._compute(batch)
            self.batches.append(len(batch))
            for job in batch:
                job.is_done.set()

    def _compute(self, batch: list[Job]) -> None:
        import torch

        longest, wanted = max(len(job.tokens) for job in batch), max(job.wanted for job in batch)
        ids = torch.zeros((len(batch), longest), dtype=torch.long)
        mask = torch.zeros_like(ids)
        for row, job in enumerate(batch):
            ids[row, longest - len(job.tokens) :] = torch.tensor(job.tokens)
            mask[row, longest - len(job.tokens) :] = 1
        with torch.inference_mode():
            self.network.generate(
                input_ids=ids.to(self.device),
                attention_mask=mask.to(self.device),
                min_new_tokens=wanted,
                max_new_tokens=wanted,
                do_sample=False,
                pad_token_id=0,
            ).cpu()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    reply: Callable[[bytes, int], int]

    def do_GET(self) -> None:
        self._send({"data": [{"id": "made-up"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        kind = next(iter(body["response_format"]["json_schema"]["schema"]["properties"]))
        prompt = "".join(message["content"] for message in body["messages"]).encode()
        read = type(self).reply(prompt, REPLY_TOKENS[kind])
        message = {"role": "assistant", "content": REPLIES[kind]}
        usage = {"prompt_tokens": read, "completion_tokens": REPLY_TOKENS[kind]}
        choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
        self._send({"model": body["model"], "choices": choices, "usage": usage})

    def _send(self, content: dict[str, Any]) -> None:
        data = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024


def main(shape: str, port: int) -> None:
    """Load, and serve until the process ends."""
    if shape == "none":
        _Handler.reply = staticmethod(lambda prompt, wanted: len(prompt) // BYTES_PER_TOKEN)
    else:
        _Handler.reply = staticmethod(Model(shape).reply)
    _Server(("127.0.0.1", port), _Handler).serve_forever()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
