"""Nothing is read beside the catalogue until the process was allowed to, and then only what was named."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.memory import estimate
from vllm_triage.readers import model_sources
from vllm_triage.readers.model_sources import Permission, in_folder, permit, permitted

from .safetensors_files import write_shard

CONFIG = {"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_size": 1024, "num_hidden_layers": 4,
          "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 3072,
          "vocab_size": 151936, "max_position_embeddings": 40960, "torch_dtype": "bfloat16",
          "tie_word_embeddings": True}  # fmt: skip


@pytest.fixture(autouse=True)
def shut() -> Iterator[None]:
    yield
    permit(Permission())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    models = tmp_path / "models"
    (models / "mine").mkdir(parents=True)
    (models / "mine" / "config.json").write_text(json.dumps(CONFIG))
    return models


def code(words: str) -> set[str | None]:
    return {problem.code for problem in deploy(words).problems}


def test_nothing_is_allowed_at_first(root: Path) -> None:
    assert permitted().none
    assert in_folder(str(root / "mine")) is None
    assert "unknown-model" in code(f"vllm serve {root / 'mine'}")


def test_a_launch_may_name_a_folder_below_a_root(root: Path) -> None:
    permit(Permission(roots=(root,)))
    for name in (str(root / "mine"), "mine"):
        shape = deploy(f"vllm serve {name}").model
        assert shape is not None
        assert shape.layers == 4


@pytest.mark.parametrize("name", ["../secret", "mine/../../secret", "/", "..", "", "a" * 2000, "x\0y"])
def test_no_launch_leads_out_of_the_root(root: Path, name: str) -> None:
    outside = root.parent / "secret"
    outside.mkdir()
    (outside / "config.json").write_text(json.dumps(CONFIG))
    (root / "link").symlink_to(outside)
    permit(Permission(roots=(root,)))
    assert in_folder(name) is None
    assert in_folder(str(outside)) is None
    assert in_folder("link") is None


def test_a_hub_id_is_found_in_a_hub_cache(root: Path) -> None:
    repository = root / "models--org--name"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text("0123abcd")
    (repository / "snapshots" / "0123abcd").mkdir(parents=True)
    (repository / "snapshots" / "0123abcd" / "config.json").write_text(json.dumps(CONFIG))
    permit(Permission(roots=(root,)))
    shape = deploy("vllm serve org/name").model
    assert shape is not None
    assert shape.layers == 4


def test_the_one_folder_describes_the_launch_whatever_it_calls_the_model(root: Path) -> None:
    permit(Permission(folder=root / "mine"))
    deployment = deploy("vllm serve meta-llama/Llama-3.1-8B-Instruct")
    assert deployment.model is not None
    assert (deployment.model.layers, deployment.model_id, deployment.model_origin) == (
        4, "meta-llama/Llama-3.1-8B-Instruct", "given",
    )  # fmt: skip


def test_a_folder_without_a_config_is_said(root: Path) -> None:
    (root / "empty").mkdir()
    permit(Permission(roots=(root,)))
    assert "unread-model" in code(f"vllm serve {root / 'empty'}")


def test_the_hub_is_asked_only_for_what_the_catalogue_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert "unknown-model" in code("vllm serve someone/never-published-7b")
    permit(Permission(hub=True))
    assert "unread-model" in code("vllm serve someone/never-published-7b")
    assert deploy("vllm serve Qwen/Qwen3-8B").model is not None
    assert model_sources.downloaded("/local/path", None) is None


def test_what_the_headers_say_replaces_the_count(root: Path) -> None:
    """Half the feed-forward width is on disk: the weights follow the files, layer by layer and rank by rank."""
    permit(Permission(folder=root / "mine"))
    counted = [estimate(deploy(f"vllm serve x -tp {tp}", gpu="H100")).budget.weights_gib for tp in (1, 2)]
    tensors = {"model.embed_tokens.weight": ("BF16", [151936, 1024]), "model.norm.weight": ("BF16", [9 * 1024])}
    for layer in range(4):
        block = f"model.layers.{layer}."
        tensors |= {f"{block}self_attn.{name}_proj.weight": ("BF16", [2048, 1024]) for name in "qo"}
        tensors |= {f"{block}self_attn.{name}_proj.weight": ("BF16", [1024, 1024]) for name in "kv"}
        tensors |= {f"{block}mlp.{name}_proj.weight": ("BF16", [1536, 1024]) for name in ("gate", "up", "down")}
    write_shard(root / "mine" / "model.safetensors", tensors)
    memory = [estimate(deploy(f"vllm serve x -tp {tp}", gpu="H100")) for tp in (1, 2)]
    missing = 4 * 3 * 1536 * 1024 * 2 / 2**30
    for tp, before, after in zip((1, 2), counted, memory, strict=True):
        assert before is not None
        assert after.budget.weights_gib == pytest.approx(before - missing / tp, abs=0.002)
        assert any("by the headers of 1 safetensors file" in note for note in after.assumptions)
