from __future__ import annotations

import hashlib
import io
import json
import random
import socket
import tarfile
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

from assay.data.archives import catalogue, downloads, transfer
from assay.data.archives.downloads import fetch
from assay.data.archives.imports import import_archive
from assay.data.archives.record import verify
from assay.data.archives.transfer import Policy
from assay.errors import ArchiveError, ChecksumError, ConfigError, FetchError, UnknownNameError
from assay.files.sizes import byte_text
from assay.types.runtime import Runtime

CALM = Policy(timeout=10, tries=3, pause=0.01, max_bytes=2_000_000)
HASTY = Policy(timeout=0.3, slowest=2000, tries=3, pause=0.01, max_bytes=2_000_000)  # where time is the point


def archive(seed: int = 1) -> bytes:
    """A compressed archive of about 200 kB."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for number in range(3):
            info = tarfile.TarInfo(f"set/{number}.txt")
            info.size = 70_000
            tar.addfile(info, io.BytesIO(random.Random(seed + number).randbytes(info.size)))
    return buffer.getvalue()


BODY, OTHER = archive(1), archive(7)
DIGEST = hashlib.sha256(BODY).hexdigest()
HALF = len(BODY) // 2


class Request(BaseHTTPRequestHandler):
    """A request, and ways to answer it."""

    server: Server

    def do_GET(self) -> None:
        self.server.requests.append(dict(self.headers))
        answers = self.server.answers
        self.close_connection = True
        answers[min(len(self.server.requests), len(answers)) - 1](self)

    def log_message(self, *_: object) -> None:
        pass

    def head(self, status: int, **headers: object) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()

    @property
    def start(self) -> int:
        return int(self.headers.get("Range", "bytes=0-")[6:-1])


class Server(ThreadingHTTPServer):
    daemon_threads = True
    requests: list[dict[str, str]]
    answers: list[Callable[[Request], None]]

    def handle_error(self, *_: object) -> None:
        pass


@pytest.fixture
def serve(monkeypatch):
    """Starts a server that gives the answers in turn, the last of them again and again; gives it and an address."""
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.delenv("ASSAY_OFFLINE", raising=False)
    servers = []

    def start(*answers: Callable[[Request], None]) -> tuple[Server, str]:
        server = Server(("127.0.0.1", 0), Request)
        server.requests, server.answers = [], list(answers)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        servers.append(server)
        return server, f"http://127.0.0.1:{server.server_port}/files/set.tar.gz"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def whole(request: Request, body: bytes = BODY, tag: str = '"one"', **headers: object) -> None:
    """An honest server."""
    if request.start and request.headers.get("If-Range") == tag:
        rest = body[request.start :]
        place = f"bytes {request.start}-{len(body) - 1}/{len(body)}"
        request.head(206, Content_Length=len(rest), Content_Range=place, ETag=tag, **headers)
        request.wfile.write(rest)
    else:
        request.head(200, Content_Length=len(body), ETag=tag, **headers)
        request.wfile.write(body)


def other(request: Request) -> None:
    whole(request, OTHER, '"two"')


def cut(request: Request) -> None:
    """Half of what was promised, from wherever it was asked for."""
    if request.start:
        place = f"bytes {request.start}-{len(BODY) - 1}/{len(BODY)}"
        request.head(206, Content_Length=len(BODY) - request.start, Content_Range=place, ETag='"one"')
    else:
        request.head(200, Content_Length=len(BODY), ETag='"one"')
    request.wfile.write(BODY[request.start : (request.start + len(BODY)) // 2])


def cut_without_tag(request: Request) -> None:
    request.head(200, Content_Length=len(BODY))
    request.wfile.write(BODY[:HALF])


def cut_with_date(request: Request) -> None:
    request.head(200, Content_Length=len(BODY), ETag='W/"weak"', Last_Modified="Mon, 01 Jan 2024 00:00:00 GMT")
    request.wfile.write(BODY[:HALF])


def dated(request: Request) -> None:
    whole(request, BODY, "Mon, 01 Jan 2024 00:00:00 GMT", Last_Modified="Mon, 01 Jan 2024 00:00:00 GMT")


def ignores_range(request: Request) -> None:
    request.head(200, Content_Length=len(BODY), ETag='"one"')
    request.wfile.write(BODY)


def ignores_if_range(request: Request) -> None:
    """Goes on in another file, and is honest about its tag."""
    rest = OTHER[request.start :]
    place = f"bytes {request.start}-{len(OTHER) - 1}/{len(OTHER)}"
    request.head(206, Content_Length=len(rest), Content_Range=place, ETag='"two"')
    request.wfile.write(rest)


def changes_secretly(request: Request) -> None:
    """Goes on in another file, and says it is the same."""
    rest = OTHER[request.start : len(BODY)].ljust(len(BODY) - request.start, b"x")
    place = f"bytes {request.start}-{len(BODY) - 1}/{len(BODY)}"
    request.head(206, Content_Length=len(rest), Content_Range=place, ETag='"one"')
    request.wfile.write(rest)


def wrong_range(request: Request) -> None:
    request.head(206, Content_Length=10, Content_Range=f"bytes 0-9/{len(BODY)}", ETag='"one"')
    request.wfile.write(BODY[:10])


def nonsense_range(request: Request) -> None:
    request.head(206, Content_Length=10, Content_Range="bytes all/of it", ETag='"one"')
    request.wfile.write(BODY[:10])


def stalls(request: Request) -> None:
    cut(request)
    time.sleep(0.6)


def says_nothing(request: Request) -> None:
    time.sleep(0.6)


def drips(request: Request) -> None:
    request.head(200, Content_Length=len(BODY), ETag='"one"')
    for byte in BODY[:40]:
        request.wfile.write(bytes([byte]))
        request.wfile.flush()
        time.sleep(0.02)


def claims_more(request: Request) -> None:
    request.head(200, Content_Length=len(BODY) + 1000)
    request.wfile.write(BODY)


def claims_less(request: Request) -> None:
    request.head(200, Content_Length=len(BODY) - 1000)
    request.wfile.write(BODY)


def endless(request: Request) -> None:
    request.head(200)
    while True:
        request.wfile.write(BODY)


def endless_in_chunks(request: Request) -> None:
    request.head(200, Transfer_Encoding="chunked")
    while True:
        request.wfile.write(b"%x\r\n%s\r\n" % (len(BODY), BODY))


def in_chunks(request: Request) -> None:
    request.protocol_version = "HTTP/1.1"
    request.head(200, Transfer_Encoding="chunked")
    for start in range(0, len(BODY), 50_000):
        piece = BODY[start : start + 50_000]
        request.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
    request.wfile.write(b"0\r\n\r\n")


def cut_in_chunks(request: Request) -> None:
    request.protocol_version = "HTTP/1.1"
    request.head(200, Transfer_Encoding="chunked", ETag='"one"')
    request.wfile.write(b"%x\r\n%s" % (len(BODY), BODY[:HALF]))


def without_length(request: Request) -> None:
    request.head(200)
    request.wfile.write(BODY)


def cut_without_length(request: Request) -> None:
    request.head(200)
    request.wfile.write(BODY[:HALF])


def too_large(request: Request) -> None:
    request.head(200, Content_Length=10**12)


def web_page(request: Request) -> None:
    request.head(200, Content_Type="text/html; charset=utf-8")
    request.wfile.write(b"<p>Please log in</p>")


def web_page_in_disguise(request: Request) -> None:
    request.head(200, Content_Type="application/gzip")
    request.wfile.write(b"\n<!DOCTYPE html><p>Please log in</p>")


def not_http(request: Request) -> None:
    request.wfile.write(b"SSH-2.0-OpenSSH_9.6\r\n" * 3)


def hangs_up(request: Request) -> None:
    request.connection.shutdown(socket.SHUT_RDWR)


def status(number: int, **headers: object) -> Callable[[Request], None]:
    return lambda request: request.head(number, **headers)


def moved(target: str) -> Callable[[Request], None]:
    return status(302, Location=target)


GETS_IT = {
    "an honest server": [whole],
    "a cut": [cut, whole],
    "two cuts": [cut, cut, whole],
    "a cut without ETag": [cut_without_tag, whole],
    "a cut with a weak ETag and a date": [cut_with_date, dated],
    "a stall in the middle": [stalls, whole],
    "no answer at first": [says_nothing, whole],
    "a slow drip at first": [drips, whole],
    "a server that ignores ranges": [cut, ignores_range],
    "a server that sends another range": [cut, wrong_range, whole],
    "a server that sends a senseless range": [cut, nonsense_range, whole],
    "the file changed in between, honestly": [lambda r: cut(r), lambda r: whole(r, BODY, '"two"')],
    "the file is shorter now": [cut, status(416), whole],
    "chunks": [in_chunks],
    "a cut in a chunk": [cut_in_chunks, whole],
    "no length": [without_length],
    "500, 503, then well": [status(500), status(503, Retry_After=0), whole],
    "429, then well": [status(429, Retry_After="Wed, 21 Oct 2026 07:28:00 GMT"), whole],
    "hanging up at first": [hangs_up, whole],
    "a longer length than there is, once": [claims_more, whole],
}
TIMED = {"a stall in the middle", "no answer at first", "a slow drip at first", "stalls for ever", "drips for ever"}


@pytest.mark.parametrize("name", GETS_IT)
def test_the_file_comes_byte_for_byte(tmp_path, serve, name):
    server, url = serve(*GETS_IT[name])
    place = fetch(url, tmp_path, policy=HASTY if name in TIMED else CALM)
    assert place.read_bytes() == BODY
    assert len(server.requests) == len(GETS_IT[name])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["set.tar.gz", "set.tar.gz.lock.json"]
    assert json.loads((tmp_path / "set.tar.gz.lock.json").read_bytes()) == {
        "urls": [url],
        "sha256": DIGEST,
        "bytes": len(BODY),
    }


FAILS = {
    "404": ([status(404)], FetchError, "the server answered 404", 1),
    "403": ([status(403)], FetchError, "the server answered 403", 1),
    "500 for ever": ([status(500)], FetchError, "the server answered 500", 3),
    "204": ([status(204)], FetchError, "unexpected response 204", 3),
    "stalls for ever": ([says_nothing], FetchError, "no data for 0.3 s", 3),
    "drips for ever": ([drips], FetchError, "bytes in", 3),
    "cut again and again": ([cut], FetchError, "the connection closed after", 3),
    "a length that is too large": ([claims_more, status(500)], FetchError, "answered 500", 3),
    "a length that is too small": ([claims_less], ArchiveError, "not a complete archive: corrupt", 1),
    "a cut that nobody can see": ([cut_without_length], ArchiveError, "not a complete archive: corrupt", 1),
    "endless": ([endless], FetchError, "exceeds the limit of 2 MB", 1),
    "endless in chunks": ([endless_in_chunks], FetchError, "exceeds the limit of 2 MB", 1),
    "larger than allowed": ([too_large], FetchError, "the file has 1 TB; the limit is 2 MB", 1),
    "a web page": ([web_page], FetchError, "a web page instead", 1),
    "a web page in disguise": ([web_page_in_disguise], FetchError, "a web page instead", 1),
    "a web page when going on": ([cut, web_page], FetchError, "a web page instead", 2),
    "not HTTP": ([not_http], FetchError, "the connection failed", 3),
    "hangs up": ([hangs_up], FetchError, "the connection failed", 3),
    "to a file": ([moved("file:///etc/passwd")], FetchError, "redirect", 1),
    "to FTP": ([moved("ftp://127.0.0.1/x.tar.gz")], FetchError, "redirect", 1),
    "to data": ([moved("data:text/plain,x")], FetchError, "redirect", 1),
    "too many redirects": ([moved("/files/set.tar.gz")], FetchError, "too many redirects", 5),
    "nowhere": ([status(302)], FetchError, "too many redirects", 1),
    "text": ([lambda r: whole(r, b"text" * 999)], ArchiveError, "not an archive", 1),
    "cut, then secretly another file, always": ([cut, changes_secretly] * 2, ArchiveError, "not a complete archive", 4),
}


@pytest.mark.parametrize("name", FAILS)
def test_nothing_else_gets_the_name(tmp_path, serve, name):
    answers, error, expected, requests = FAILS[name]
    server, url = serve(*answers)
    with pytest.raises(error, match=expected) as caught:
        fetch(url, tmp_path, policy=HASTY if name in TIMED else CALM)
    assert caught.value.hint
    assert caught.value.exit_code == 3
    assert len(server.requests) == requests
    assert {p.name for p in tmp_path.iterdir()} <= {"set.tar.gz.part", "set.tar.gz.part.json"}
    assert sum(p.stat().st_size for p in tmp_path.iterdir()) <= CALM.max_bytes


def test_there_are_enough_of_them():
    assert len(GETS_IT) + len(FAILS) >= 18


def test_redirects_are_followed(tmp_path, serve):
    _, target = serve(whole)
    server, url = serve(moved(target))
    assert fetch(url, tmp_path, policy=CALM).read_bytes() == BODY
    assert len(server.requests) == 1


def test_a_part_is_continued_another_day(tmp_path, serve):
    server, url = serve(cut, status(404), whole)
    with pytest.raises(FetchError, match="404") as caught:
        fetch(url, tmp_path, policy=CALM)
    assert f"resume after {byte_text(HALF)}" in caught.value.hint
    assert (tmp_path / "set.tar.gz.part").stat().st_size == HALF
    assert fetch(url, tmp_path, policy=CALM).read_bytes() == BODY
    assert server.requests[-1]["Range"] == f"bytes={HALF}-"
    assert server.requests[-1]["If-Range"] == '"one"'


def test_a_part_that_is_whole_already_is_not_asked_for(tmp_path, serve):
    server, url = serve(status(404))
    (tmp_path / "set.tar.gz.part").write_bytes(BODY)
    (tmp_path / "set.tar.gz.part.json").write_text(json.dumps({"url": url, "validator": '"one"', "total": len(BODY)}))
    assert fetch(url, tmp_path, policy=CALM).read_bytes() == BODY
    assert server.requests == []


@pytest.mark.parametrize("about", ["", "{", "[]", "{}", '{"url": 1}', '{"url": "http://elsewhere/", "validator": ""}'])
def test_a_part_that_nothing_is_known_about_begins_anew(tmp_path, serve, about):
    server, url = serve(whole)
    (tmp_path / "set.tar.gz.part").write_bytes(OTHER)
    (tmp_path / "set.tar.gz.part.json").write_text(about)
    assert fetch(url, tmp_path, policy=CALM).read_bytes() == BODY
    assert "Range" not in server.requests[0]


def test_a_wrong_digest_never_gets_the_name(tmp_path, serve):
    _, url = serve(other)
    with pytest.raises(ChecksumError, match="not the expected file") as caught:
        fetch(url, tmp_path, sha256=DIGEST, policy=CALM)
    assert DIGEST in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_pieces_of_two_files_get_a_second_chance(tmp_path, serve):
    server, url = serve(cut, changes_secretly, whole)
    assert fetch(url, tmp_path, sha256=DIGEST.upper(), policy=CALM).read_bytes() == BODY
    assert "Range" not in server.requests[2]


def test_going_on_in_another_file_begins_anew(tmp_path, serve):
    _, url = serve(cut, ignores_if_range, other)
    assert fetch(url, tmp_path, policy=CALM).read_bytes() == OTHER


def test_the_first_download_is_held_to(tmp_path, serve):
    server, url = serve(whole, other)
    place = fetch(url, tmp_path, policy=CALM)
    assert fetch(url, tmp_path, policy=CALM) == place  # checked, not downloaded
    assert len(server.requests) == 1
    place.unlink()
    with pytest.raises(ChecksumError, match="the file changed since it was first downloaded") as caught:
        fetch(url, tmp_path, policy=CALM)
    assert str(tmp_path / "set.tar.gz.lock.json") in caught.value.hint
    assert not place.exists()
    (tmp_path / "set.tar.gz.lock.json").unlink()
    assert fetch(url, tmp_path, policy=CALM).read_bytes() == OTHER


def test_a_file_that_changed_here_is_found(tmp_path, serve):
    _, url = serve(whole)
    place = fetch(url, tmp_path, policy=CALM)
    place.write_bytes(BODY[:-1] + b"x")
    with pytest.raises(ChecksumError, match="changed since it was downloaded"):
        fetch(url, tmp_path, policy=CALM)


def test_files_of_others_are_left_alone(tmp_path, serve):
    server, url = serve(whole)
    (tmp_path / "set.tar.gz").write_bytes(b"mine")
    with pytest.raises(FetchError, match="was not downloaded"):
        fetch(url, tmp_path, policy=CALM)
    (tmp_path / "set.tar.gz").unlink()
    fetch(url, tmp_path, policy=CALM)
    with pytest.raises(FetchError, match="from another URL"):
        fetch(url.replace("/files/", "/other/"), tmp_path, policy=CALM)
    assert len(server.requests) == 1


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"sha256": 1}', '{"sha256": "x", "urls": 5}'])
def test_damaged_locks(tmp_path, content):
    (tmp_path / "set.tar.gz.lock.json").write_text(content)
    with pytest.raises(FetchError, match="not a download record"):
        fetch("http://127.0.0.1:1/set.tar.gz", tmp_path, policy=CALM)


def test_by_name_from_the_second_address_into_the_data_folder(tmp_path, monkeypatch, serve):
    first, bad = serve(status(403))
    _, good = serve(whole)
    entry = catalogue.Source("set", "a set", (bad, good), ".tar.gz", "none")
    monkeypatch.setattr(catalogue, "SOURCES", {"set": entry})
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    place = fetch("set", policy=CALM)
    assert place == tmp_path / "home" / "set.tar.gz"
    assert len(first.requests) == 1
    assert verify(import_archive(place, tmp_path / "home")) == []
    with pytest.raises(ChecksumError):
        fetch("set", sha256="0" * 64)


def test_unknown_names_and_addresses(tmp_path):
    with pytest.raises(UnknownNameError, match="unknown test set"):
        fetch("nonsense", tmp_path)
    for url in (
        "file:///etc/passwd.tar.gz",
        "ftp://host/x.tar.gz",
        "http:///x.tar.gz",
        "https://me:secret@host/x.tar.gz",
        "http://host/x.html",
        "http://host/",
        "http://host/..%2F..%2F.tar.gz",
        "http://host/%2e.tar.gz",
        "http://host/a%0ab.tar.gz",
        "http://host/a\nb.tar.gz",
        "http://[::1/x.tar.gz",
        "http://host:port/x.tar.gz",
        "http://host/a b.tar.gz",
    ):
        with pytest.raises(ConfigError):
            fetch(url, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_no_network_is_said_at_once(tmp_path):
    started = time.monotonic()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        with pytest.raises(FetchError, match="unreachable: connection refused") as caught:
            fetch(f"http://127.0.0.1:{taken.getsockname()[1]}/set.tar.gz", tmp_path, policy=Policy(pause=9))
    assert "assay data import set.tar.gz" in caught.value.hint
    assert time.monotonic() - started < 9  # the pause before another try
    assert list(tmp_path.iterdir()) == []


def test_names_that_cannot_be_looked_up(tmp_path, monkeypatch):
    def lookup(*_: object, **__: object) -> None:
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    with pytest.raises(FetchError, match="unreachable: temporary failure in name resolution"):
        fetch("wmt22-news-systems", tmp_path, policy=Policy(pause=9))


def test_offline_means_offline(tmp_path, monkeypatch, serve):
    server, url = serve(whole)
    monkeypatch.setenv("ASSAY_OFFLINE", "1")
    with pytest.raises(FetchError, match="ASSAY_OFFLINE is set"):
        fetch(url, tmp_path)
    monkeypatch.setenv("ASSAY_OFFLINE", "0")
    fetch(url, tmp_path)
    monkeypatch.setenv("ASSAY_OFFLINE", "1")
    fetch(url, tmp_path)  # what is here already needs no network
    assert len(server.requests) == 1


def test_a_full_disk_is_said_before_it_is_full(tmp_path, monkeypatch, serve):
    _, url = serve(whole)
    monkeypatch.setattr(transfer.shutil, "disk_usage", lambda _: SimpleNamespace(free=10))
    with pytest.raises(FetchError, match="kB needed, 10 bytes free"):
        fetch(url, tmp_path, policy=CALM)


def test_a_folder_that_cannot_be_written_to(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FetchError, match="not a directory"):
        fetch("http://127.0.0.1:1/set.tar.gz", tmp_path / "file" / "home")
    with pytest.raises(FetchError, match="cannot be written: file exists"):
        fetch("http://127.0.0.1:1/set.tar.gz", tmp_path / "file", sha256=DIGEST)


def test_two_at_a_time(tmp_path, serve):
    _, url = serve(whole)
    with downloads._held(tmp_path / "set.tar.gz.part"), pytest.raises(FetchError, match="another process"):
        fetch(url, tmp_path)
    fetch(url, tmp_path, policy=CALM)


def test_progress_counts_bytes(tmp_path, serve):
    _, url = serve(cut, whole)
    told = []
    fetch(url, tmp_path, policy=CALM, runtime=Runtime(progress=lambda *step: told.append(step)))
    done = [step[1] for step in told if step[0] == "downloading set.tar.gz"]
    assert done == sorted(done)
    assert done[-1] == len(BODY)
    assert {step[2] for step in told} == {len(BODY)}
