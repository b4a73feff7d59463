"""The options that open a door, on the command line and for the server."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from vllm_triage.readers.model_sources import Permission, permit, permitted
from vllm_triage.surfaces.cli import main

CONFIG = {"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_size": 1024, "num_hidden_layers": 4,
          "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 3072,
          "vocab_size": 151936, "max_position_embeddings": 40960, "torch_dtype": "bfloat16"}  # fmt: skip


@pytest.fixture(autouse=True)
def shut() -> Iterator[None]:
    yield
    permit(Permission())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    here = tmp_path / "my model"
    here.mkdir()
    (here / "config.json").write_text(json.dumps(CONFIG))
    return here


def test_a_model_folder_alone_is_sized(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kv", "--model-dir", str(folder), "--gpu", "L4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kv_bytes_per_token"] == 4 * 2 * 8 * 128 * 2


def test_a_model_folder_stands_for_the_model_of_a_launch(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["kv", "vllm serve Qwen/Qwen3-8B --max-model-len 1000", "--model-dir", str(folder), "--gpu", "L4", "--json"]
    assert main(words) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["kv_bytes_per_token"], answer["pool"]["max_model_len"]) == (16_384, 1000)


def test_a_folder_that_is_not_there_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kv", "--model-dir", "/nowhere/at/all", "--gpu", "L4"]) == 2
    assert "--model-dir" in capsys.readouterr().err


@pytest.mark.parametrize(("value", "open_"), [("1", True), ("true", True), ("0", False), ("", False)])
def test_downloading_is_off_unless_it_is_asked_for(value: str, open_: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_TRIAGE_ALLOW_DOWNLOAD", value)
    main(["kv", "Qwen/Qwen3-8B", "--gpu", "L4"])
    assert permitted().hub is open_


def test_the_server_serves_with_what_it_was_allowed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[tuple[Permission, bool]] = []
    from vllm_triage.surfaces import mcp  # noqa: PLC0415 - the SDK is loaded for this test alone

    monkeypatch.setattr(mcp, "serve", lambda *_, open_world: served.append((permitted(), open_world)))
    assert main(["mcp"]) == 0
    assert main(["mcp", "--allow-model-dirs", str(folder.parent), "--allow-hub"]) == 0
    assert served == [(Permission(), False), (Permission(roots=(folder.parent,), hub=True), True)]


@pytest.mark.parametrize("open_world", [False, True])
def test_the_tools_say_whether_they_reach_the_network(open_world: bool) -> None:
    from vllm_triage.surfaces import mcp  # noqa: PLC0415 - the SDK is loaded for this test alone

    listed = mcp.build(open_world=open_world)._tool_manager.list_tools()
    assert {tool.annotations.open_world_hint for tool in listed if tool.annotations} == {open_world}
