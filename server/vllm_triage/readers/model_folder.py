"""A model folder on this machine: its config.json, and what its safetensors headers or index say of the weights.

Only what is named here is opened, only regular files inside the folder (a Hugging Face cache keeps its files behind
symbolic links in the same repository, which count as inside), and never more than a bounded number of bytes. Weights
are never read.
"""

import json
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..domain import StoredWeights
from .checkpoint import UnreadableCheckpoint, header_length, stored_in_headers, stored_in_index, tensors_of
from .model_files import INDEX_BYTES, ModelFiles, UnreadableModel, config_in, layers_told, told_float32

__all__ = ["read_model_folder"]

ALL_HEADERS_BYTES = 128 * 2**20
MOST_SHARDS = 2048

INDEXES = ("model.safetensors.index.json", "pytorch_model.bin.index.json")


def read_model_folder(folder: Path) -> ModelFiles:
    """The model in `folder`.

    Raises:
        UnreadableModel: there is no readable config.json.
    """
    try:
        here = folder.resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        raise UnreadableModel(f"{_shown(folder)}: no such folder") from None
    if not here.is_dir():
        raise UnreadableModel(f"{_shown(folder)} is not a folder")
    reader = Reader(here, boundary(here))
    config = config_in(reader.whole, f"{_shown(folder)}: config.json cannot be read")
    try:
        return ModelFiles(config, reader.stored(config), f"the folder {_shown(folder)}")
    except (OSError, ValueError) as error:
        why = str(error) if isinstance(error, UnreadableModel | UnreadableCheckpoint) else "a file is missing"
        return ModelFiles(config, None, f"the folder {_shown(folder)}", (f"weights not read from files: {why}",))


def boundary(folder: Path) -> Path:
    """What links may lead into: the folder, or the whole repository where it is a snapshot of a Hugging Face cache."""
    return folder.parent.parent if folder.parent.name == "snapshots" else folder


class Reader(NamedTuple):
    """Reads regular files of one folder, and nothing outside `within`."""

    folder: Path
    within: Path

    def opened(self, name: str) -> tuple[int, int]:
        """A descriptor of one regular file, and its size.

        Raises:
            UnreadableModel: it lies elsewhere, or is no regular file (a pipe would block, a device has no end).
            OSError: it cannot be opened.
        """
        real = (self.folder / name).resolve(strict=True)
        if Path(name).name != name or not real.is_relative_to(self.within):
            raise UnreadableModel(f"{name[:80]!a} leads out of the folder")
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        descriptor = os.open(real, flags | getattr(os, "O_BINARY", 0))
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            os.close(descriptor)
            raise UnreadableModel(f"{name[:80]!a} is not a regular file")
        return descriptor, found.st_size

    def whole(self, name: str, most: int) -> bytes:
        """A small file.

        Raises:
            UnreadableModel: it is larger than `most` bytes.
        """
        descriptor, size = self.opened(name)
        with os.fdopen(descriptor, "rb") as file:
            if size > most:
                raise UnreadableModel(f"{name[:80]!a} has {size:,} bytes, more than the {most:,} that are read")
            return file.read(most)

    def header(self, name: str) -> bytes:
        """The header of one safetensors file."""
        descriptor, size = self.opened(name)
        with os.fdopen(descriptor, "rb") as file:
            length = header_length(file.read(8))
            if length > size - 8:
                raise UnreadableCheckpoint(f"{name[:80]!a} is shorter than its header says")
            return file.read(length)

    def stored(self, config: Mapping[str, Any]) -> StoredWeights | None:
        """The weights by the headers of all shards; else the index's total; None where neither is there."""
        index = next((name for name in INDEXES if (self.folder / name).is_file()), None)
        listed = self.whole(index, INDEX_BYTES) if index else None
        shards = list(self.shards(listed))
        if shards and all((self.folder / name).is_file() for name in shards):
            tensors = [tensor for header in self.headers(shards) for tensor in tensors_of(header)]
            files = f"{len(shards)} safetensors file{'s' if len(shards) > 1 else ''}"
            return stored_in_headers(tensors, layers_told(config), f"the headers of {files}")
        if listed is None:
            return None
        return stored_in_index(listed, f"total_size of {index}", float32=told_float32(config))

    def shards(self, index: bytes | None) -> Iterator[str]:
        """The safetensors files of the checkpoint: those its index names, else those of the folder."""
        if index is None:
            names = sorted(entry.name for entry in os.scandir(self.folder) if entry.name.endswith(".safetensors"))
            # adapters lie beside models, and some folders hold the same weights twice, consolidated
            plain = [name for name in names if not name.startswith(("consolidated", "adapter"))]
            yield from (plain or names)[:MOST_SHARDS]
            return
        try:
            mapped = json.loads(index).get("weight_map")
        except (ValueError, RecursionError, AttributeError):
            raise UnreadableCheckpoint("the index is not a JSON object") from None
        names = sorted({str(name) for name in mapped.values()}) if isinstance(mapped, dict) else []
        if len(names) > MOST_SHARDS:
            raise UnreadableCheckpoint(f"the index names {len(names):,} files; at most {MOST_SHARDS:,} are read")
        yield from (name for name in names if name.endswith(".safetensors"))

    def headers(self, shards: list[str]) -> Iterator[bytes]:
        """Every shard's header.

        Raises:
            UnreadableCheckpoint: they are longer together than any real checkpoint's.
        """
        read = 0
        for name in shards:
            header = self.header(name)
            read += len(header)
            if read > ALL_HEADERS_BYTES:
                raise UnreadableCheckpoint(f"safetensors headers of more than {ALL_HEADERS_BYTES:,} bytes are not read")
            yield header


def _shown(folder: Path) -> str:
    """The folder's last part: an answer need not tell the paths of this machine."""
    return ascii(folder.name[:80]) if folder.name else "the folder"
