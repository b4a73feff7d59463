import pytest

from verdicts.harness import fires, quiet

MODEL = "Qwen/Qwen2.5-7B-Instruct"


@pytest.mark.parametrize("config", ['{"kv_connector":"PyNcclConnector","kv_role":"producer"}', '{"kv_connector":"PyNcclConnector"}'])
def test_a_connector_has_one_of_three_roles(config: str) -> None:
    fires("kv-role-refused", f"{MODEL} --kv-transfer-config '{config}'", "0.7.3")


def test_a_role_is_told() -> None:
    quiet("kv-role-refused", f"{MODEL} --kv-transfer-config '{{\"kv_connector\":\"PyNcclConnector\",\"kv_role\":\"kv_both\"}}'", "0.7.3")
