"""A model folder: config, headers, and everything that must not be opened."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from vllm_triage.readers.model_files import UnreadableModel
from vllm_triage.readers.model_folder import read_model_folder

from .safetensors_files import write_shard

CONFIG: dict[str, Any] = {"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "num_hidden_layers": 2,
                          "torch_dtype": "bfloat16"}  # fmt: skip
ONE = {"model.embed_tokens.weight": ("BF16", [1000, 64]), "model.layers.0.mlp.up_proj.weight": ("BF16", [64, 64])}
TWO = {"model.layers.1.mlp.up_proj.weight": ("BF16", [64, 64]), "lm_head.weight": ("BF16", [1000, 64])}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    here = tmp_path / "model"
    here.mkdir()
    (here / "config.json").write_text(json.dumps(CONFIG))
    return here


def index_of(folder: Path, names: dict[str, str], total: int = 0) -> None:
    told = {"metadata": {"total_size": total}, "weight_map": names}
    (folder / "model.safetensors.index.json").write_text(json.dumps(told))


def test_a_config_alone_is_a_model(folder: Path) -> None:
    found = read_model_folder(folder)
    assert (found.config, found.stored, found.notes) == (CONFIG, None, ())
    assert str(folder.parent) not in found.place


def test_headers_of_all_shards_are_summed(folder: Path) -> None:
    write_shard(folder / "model-00001-of-00002.safetensors", ONE)
    write_shard(folder / "model-00002-of-00002.safetensors", TWO)
    stored = read_model_folder(folder).stored
    assert stored is not None
    assert dict(stored.by_role) == {"embedding": 128_000, "head": 128_000, "mlp": 16_384}
    assert stored.source == "the headers of 2 safetensors files"


def test_the_index_says_which_shards_count(folder: Path) -> None:
    write_shard(folder / "a.safetensors", ONE)
    write_shard(folder / "consolidated.safetensors", TWO)
    index_of(folder, dict.fromkeys(ONE, "a.safetensors"), 5)
    stored = read_model_folder(folder).stored
    assert stored is not None
    assert stored.total_bytes == 136_192


def test_without_the_shards_the_index_gives_the_total(folder: Path) -> None:
    index_of(folder, {"lm_head.weight": "model-00001-of-00001.safetensors"}, 12_345_678)
    stored = read_model_folder(folder).stored
    assert stored is not None
    assert (stored.total_bytes, stored.by_role) == (12_345_678, ())


def test_adapters_and_second_copies_are_left_out(folder: Path) -> None:
    write_shard(folder / "model.safetensors", ONE)
    write_shard(folder / "consolidated.safetensors", ONE)
    write_shard(folder / "adapter_model.safetensors", TWO)
    stored = read_model_folder(folder).stored
    assert stored is not None
    assert stored.total_bytes == 136_192


def test_a_snapshot_of_a_hub_cache_is_followed_to_its_blobs(tmp_path: Path) -> None:
    blobs, snapshot = tmp_path / "models--a--b" / "blobs", tmp_path / "models--a--b" / "snapshots" / "abc1234"
    blobs.mkdir(parents=True)
    snapshot.mkdir(parents=True)
    (blobs / "1").write_text(json.dumps(CONFIG))
    write_shard(blobs / "2", ONE)
    (snapshot / "config.json").symlink_to("../../blobs/1")
    (snapshot / "model.safetensors").symlink_to("../../blobs/2")
    stored = read_model_folder(snapshot).stored
    assert stored is not None
    assert stored.total_bytes == 136_192


def test_a_link_out_of_the_folder_is_not_followed(folder: Path) -> None:
    secret = folder.parent / "secret.json"
    secret.write_text('{"key": "value"}')
    (folder / "config.json").unlink()
    (folder / "config.json").symlink_to(secret)
    with pytest.raises(UnreadableModel, match="leads out of the folder"):
        read_model_folder(folder)


def test_an_index_cannot_name_a_file_elsewhere(folder: Path) -> None:
    write_shard(folder.parent / "outside.safetensors", ONE)
    index_of(folder, {"a": "../outside.safetensors"}, 7)
    found = read_model_folder(folder)
    assert found.stored is None
    assert "leads out of the folder" in found.notes[0]


def test_a_pipe_in_place_of_a_file_neither_blocks_nor_counts(folder: Path) -> None:
    (folder / "config.json").unlink()
    os.mkfifo(folder / "config.json")
    with pytest.raises(UnreadableModel, match="not a regular file"):
        read_model_folder(folder)


def test_a_pipe_among_the_shards_is_not_opened(folder: Path) -> None:
    os.mkfifo(folder / "model.safetensors")
    assert read_model_folder(folder).stored is None


@pytest.mark.parametrize("data", [b"", b"short", (2**40).to_bytes(8, "little"), (1000).to_bytes(8, "little") + b"{}"])
def test_a_broken_shard_leaves_the_config_and_says_so(folder: Path, data: bytes) -> None:
    (folder / "model.safetensors").write_bytes(data)
    found = read_model_folder(folder)
    assert found.stored is None
    assert found.notes[0].startswith("weights not read from files: ")


def test_a_config_larger_than_any_real_one_is_not_read(folder: Path) -> None:
    with (folder / "config.json").open("r+b") as file:
        file.truncate(2**30)  # sparse: nothing is written
    with pytest.raises(UnreadableModel, match="more than the"):
        read_model_folder(folder)


@pytest.mark.parametrize("text", ["", "[]", "no", "[" * 50_000])
def test_a_config_that_is_none_is_said(folder: Path, text: str) -> None:
    (folder / "config.json").write_text(text)
    with pytest.raises(UnreadableModel, match=r"config\.json"):
        read_model_folder(folder)


def test_a_folder_that_is_none_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnreadableModel, match="no such folder"):
        read_model_folder(tmp_path / "nowhere")
    with pytest.raises(UnreadableModel, match="not a folder"):
        read_model_folder(tmp_path / "file")
