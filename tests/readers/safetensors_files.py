"""Writes safetensors files of nothing but a header and a hole where the weights would be."""

import json
from collections.abc import Mapping
from pathlib import Path

WIDTH = {"BF16": 2, "F32": 4, "F8_E4M3": 1, "I32": 4}


def header_of(tensors: Mapping[str, tuple[str, list[int]]]) -> bytes:
    """The header of these tensors, one after the other."""
    told: dict[str, object] = {"__metadata__": {"format": "pt"}}
    start = 0
    for name, (dtype, shape) in tensors.items():
        size = WIDTH[dtype]
        for n in shape:
            size *= n
        told[name] = {"dtype": dtype, "shape": shape, "data_offsets": [start, start + size]}
        start += size
    return json.dumps(told).encode()


def write_shard(path: Path, tensors: Mapping[str, tuple[str, list[int]]]) -> None:
    """A sparse file of the right length."""
    header = header_of(tensors)
    ends = [told["data_offsets"][1] for name, told in json.loads(header).items() if name != "__metadata__"]
    with path.open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + max(ends, default=0))
