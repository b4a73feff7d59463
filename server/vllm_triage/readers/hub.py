"""A model's config.json, and the size of its weights, from the Hugging Face hub. Only where the user allowed it.

``HF_ENDPOINT`` names another hub, ``HF_TOKEN`` opens gated repositories; the token goes to that host alone, and
neither is ever part of an answer. Answers are bounded in bytes and in time.
"""

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from ..domain import StoredWeights
from .checkpoint import UnreadableCheckpoint, header_length, stored_in_headers, stored_in_index, tensors_of
from .model_files import INDEX_BYTES, ModelFiles, UnreadableModel, config_in, layers_told, told_float32

if TYPE_CHECKING:
    from urllib.request import OpenerDirector

__all__ = ["download", "is_repository"]

HUB = "https://huggingface.co"
SECONDS = 10.0
REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}", re.ASCII)
REVISION = re.compile(r"\w[\w./-]{0,127}", re.ASCII)


def is_repository(name: str) -> bool:
    """True for a name the hub could have (``org/name``)."""
    return REPOSITORY.fullmatch(name) is not None and ".." not in name and "--" not in name


@lru_cache(maxsize=64)
def download(name: str, revision: str = "main") -> ModelFiles:
    """The model `name` as the hub has it at `revision`; asked once while the process lives.

    Raises:
        UnreadableModel: the name is none, or the hub does not give its config.
    """
    if not is_repository(name) or REVISION.fullmatch(revision) is None or ".." in revision:
        raise UnreadableModel(f"{name[:100]!a} is not the name of a repository")
    hub = Hub(os.environ.get("HF_ENDPOINT", HUB).rstrip("/"), name, revision)
    config = config_in(hub.get, f"the hub gave no config for {name}")
    try:
        return ModelFiles(config, hub.stored(config), f"the hub's {name}")
    except (UnreadableModel, UnreadableCheckpoint) as error:
        return ModelFiles(config, None, f"the hub's {name}", (f"weights not read from the hub: {error}",))


class Hub:
    """One repository of a hub."""

    def __init__(self, endpoint: str, name: str, revision: str) -> None:
        self.base = f"{endpoint}/{name}/resolve/{quote(revision, safe='')}"
        self.origin = urlsplit(endpoint)
        if self.origin.scheme not in ("https", "http") or not self.origin.hostname:
            raise UnreadableModel("HF_ENDPOINT is not an address")

    def get(self, file: str, most: int, span: tuple[int, int] | None = None) -> bytes:
        """One file, or bytes `span[0]` to `span[1]` of it.

        Raises:
            UnreadableModel: it is not given, or is larger than `most` bytes.
        """
        from http.client import HTTPException  # noqa: PLC0415 (half a hundred milliseconds few launches need)
        from urllib.error import HTTPError, URLError  # noqa: PLC0415
        from urllib.request import Request  # noqa: PLC0415

        request = Request(f"{self.base}/{file}", headers={"User-Agent": "vllm-triage"})  # noqa: S310 - scheme is checked
        if span is not None:
            request.add_header("Range", f"bytes={span[0]}-{span[1]}")
        if token := os.environ.get("HF_TOKEN", "").strip():
            request.add_unredirected_header("Authorization", f"Bearer {token}")
        try:
            with _opener(self.origin.scheme).open(request, timeout=SECONDS) as answer:
                if span is not None and answer.status != 206:
                    raise UnreadableModel("it does not give parts of files")
                data: bytes = answer.read(most + 1)
        except HTTPError as error:
            error.close()
            raise UnreadableModel(REASONS.get(error.code, f"it answered {error.code}")) from None
        except (URLError, OSError, HTTPException, ValueError) as error:
            if isinstance(error, UnreadableModel):
                raise
            raise UnreadableModel("it cannot be reached") from None
        if len(data) > most:
            raise UnreadableModel(f"{file} is larger than the {most:,} bytes that are read")
        return data

    def stored(self, config: dict[str, Any]) -> StoredWeights | None:
        """The weights: an index's total, else the header of the only file."""
        try:
            index = self.get("model.safetensors.index.json", INDEX_BYTES)
        except UnreadableModel:
            first = self.get("model.safetensors", 8, (0, 7))
            length = header_length(first)
            header = self.get("model.safetensors", length, (8, 7 + length))
            return stored_in_headers(tensors_of(header), layers_told(config), "the header of its safetensors file")
        return stored_in_index(index, "total_size of its index", float32=told_float32(config))


REASONS = {
    401: "it asks for a token (HF_TOKEN), or there is no such repository",
    403: "the token has no access",
    404: "there is no such repository or file",
    429: "it is asked too often",
}


def _opener(scheme: str) -> "OpenerDirector":
    """Follows a few redirects, never from https to http, never to a file; the token is not sent along."""
    from urllib.request import HTTPRedirectHandler, build_opener  # noqa: PLC0415

    class Careful(HTTPRedirectHandler):
        max_redirections = 5

        def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
            if urlsplit(newurl).scheme not in ("https", scheme):
                fp.close()
                raise UnreadableModel("it redirects to an insecure address")
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    return build_opener(Careful())
