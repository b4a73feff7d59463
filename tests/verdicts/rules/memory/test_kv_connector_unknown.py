import json

import pytest

from verdicts.harness import fires, not_checked, quiet

MODEL = "vllm serve Qwen/Qwen2.5-7B-Instruct"


def moved_by(**config: str) -> str:
    return f"{MODEL} --kv-transfer-config '{json.dumps({'kv_role': 'kv_both', **config})}'"


@pytest.mark.parametrize(
    ("version", "name"),
    [("0.8.5", "NixlConnector"), ("0.11.0", "LMCacheConnector"), ("0.33.0", "P2pNcclConnector"),
     ("0.11.0", "MooncakeConnector")],
)  # fmt: skip
def test_a_name_the_release_does_not_register_is_refused(version: str, name: str) -> None:
    fires("kv-connector-unknown", moved_by(kv_connector=name), version)


def test_a_registered_one_or_one_of_the_users_own_is_taken() -> None:
    quiet("kv-connector-unknown", moved_by(kv_connector="NixlConnector"), "0.33.0")
    quiet("kv-connector-unknown", moved_by(kv_connector="Mine", kv_connector_module_path="my.module"), "0.33.0")


def test_a_connector_of_the_other_engine_is_refused() -> None:
    fires("kv-connector-unknown", f"VLLM_USE_V1=0 {moved_by(kv_connector='NixlConnector')}", "0.9.2")


def test_a_name_of_no_release_may_come_from_a_package() -> None:
    assert not_checked("kv-connector-unknown", moved_by(kv_connector="OtherConnector"), "0.33.0", "H100-SXM") == ("plugins",)


def test_a_plugin_may_bring_one() -> None:
    assert not_checked("kv-connector-unknown", f"VLLM_PLUGINS=x {moved_by(kv_connector='Mine')}", "0.33.0", "H100-SXM") == ("plugins",)
