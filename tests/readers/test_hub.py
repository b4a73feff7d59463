"""The hub, on loopback: what is asked, what is sent along, and what is refused."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from vllm_triage.readers import hub
from vllm_triage.readers.hub import download, is_repository
from vllm_triage.readers.model_files import CONFIG_BYTES, UnreadableModel

from .safetensors_files import header_of

CONFIG = {"model_type": "qwen3", "num_hidden_layers": 2}
HEADER = header_of({"lm_head.weight": ("BF16", [10, 10])})
SHARD = len(HEADER).to_bytes(8, "little") + HEADER


class Answers(BaseHTTPRequestHandler):
    files: ClassVar[dict[str, bytes]] = {}
    redirects: ClassVar[dict[str, str]] = {}
    seen: ClassVar[list[tuple[str, str | None]]] = []

    def do_GET(self) -> None:
        self.seen.append((self.path, self.headers.get("Authorization")))
        if self.path in self.redirects:
            self.send_response(307)
            self.send_header("Location", self.redirects[self.path])
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        data = self.files.get(self.path)
        if data is None:
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        span = self.headers.get("Range")
        if span:
            low, high = map(int, span.removeprefix("bytes=").split("-"))
            data = data[low : high + 1]
        self.send_response(206 if span else 200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        return


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Answers]]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    Answers.files, Answers.redirects, Answers.seen = {}, {}, []
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    download.cache_clear()
    yield Answers
    server.shutdown()
    thread.join()
    server.server_close()
    download.cache_clear()


def test_a_config_and_the_total_of_its_index_are_read(answers: type[Answers]) -> None:
    answers.files["/a/b/resolve/main/config.json"] = json.dumps(CONFIG).encode()
    answers.files["/a/b/resolve/main/model.safetensors.index.json"] = b'{"metadata": {"total_size": 4000}}'
    found = download("a/b")
    assert found.config == CONFIG
    assert found.stored is not None
    assert (found.stored.total_bytes, found.place) == (4000, "the hub's a/b")


def test_the_header_of_a_single_file_is_read_by_range(answers: type[Answers]) -> None:
    answers.files["/a/b/resolve/v1/config.json"] = json.dumps(CONFIG).encode()
    answers.files["/a/b/resolve/v1/model.safetensors"] = SHARD + bytes(200)
    stored = download("a/b", "v1").stored
    assert stored is not None
    assert dict(stored.by_role) == {"head": 200}


def test_a_second_question_is_not_asked(answers: type[Answers]) -> None:
    answers.files["/a/b/resolve/main/config.json"] = json.dumps(CONFIG).encode()
    download("a/b")
    asked = len(answers.seen)
    assert download("a/b").notes
    assert len(answers.seen) == asked


def test_the_token_is_sent_and_never_along_a_redirect(answers: type[Answers], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    answers.redirects["/a/b/resolve/main/config.json"] = "/elsewhere"
    answers.files["/elsewhere"] = json.dumps(CONFIG).encode()
    download("a/b")
    assert answers.seen[:2] == [("/a/b/resolve/main/config.json", "Bearer hf_secret"), ("/elsewhere", None)]


def test_errors_tell_neither_token_nor_address(answers: type[Answers], monkeypatch: pytest.MonkeyPatch) -> None:
    del answers
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    with pytest.raises(UnreadableModel, match="no such repository or file") as caught:
        download("a/b")
    assert "hf_secret" not in str(caught.value)
    assert "127.0.0.1" not in str(caught.value)


def test_a_hub_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with pytest.raises(UnreadableModel, match="cannot be reached"):
        download("nobody/here")


@pytest.mark.parametrize("target", ["file:///etc/hostname", "ftp://127.0.0.1/config.json"])
def test_a_redirect_to_something_else_is_refused(answers: type[Answers], target: str) -> None:
    answers.redirects["/a/b/resolve/main/config.json"] = target
    with pytest.raises(UnreadableModel):
        download("a/b")


def test_a_config_larger_than_any_real_one_is_refused(answers: type[Answers]) -> None:
    answers.files["/a/b/resolve/main/config.json"] = b" " * (CONFIG_BYTES + 1)
    with pytest.raises(UnreadableModel, match="larger than"):
        download("a/b")


@pytest.mark.parametrize("data", [b"no", b"[]", b"[" * 50_000])
def test_a_config_that_is_none_is_refused(answers: type[Answers], data: bytes) -> None:
    answers.files["/a/b/resolve/main/config.json"] = data
    with pytest.raises(UnreadableModel, match="no config for a/b"):
        download("a/b")


@pytest.mark.parametrize(
    "name", ["plain", "a/b/c", "../x", "a/..", "a/b?c", "http://a/b", "a/" + "b" * 200, "/abs/path"]
)
def test_a_name_no_repository_has_is_not_asked_for(name: str) -> None:
    assert not is_repository(name)
    with pytest.raises(UnreadableModel, match="not the name of a repository"):
        download(name)


def test_a_revision_cannot_leave_the_repository(answers: type[Answers]) -> None:
    with pytest.raises(UnreadableModel):
        download("a/b", "../../other")
    assert answers.seen == []


def test_an_endpoint_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "file:///etc")
    with pytest.raises(UnreadableModel, match="not an address"):
        hub.Hub("file:///etc", "a/b", "main")
