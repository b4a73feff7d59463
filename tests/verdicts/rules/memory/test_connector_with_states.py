import json

from verdicts.harness import fires, not_checked, quiet

RULE = "connector-with-states"


def moved(model: str, name: str, rest: str = "") -> str:
    return f"{model} --kv-transfer-config '{json.dumps({'kv_connector': name, 'kv_role': 'kv_both'})}' {rest}"


def test_states_need_the_hybrid_manager() -> None:
    fires(RULE, moved("Qwen/Qwen3.5-27B", "NixlConnector"), "0.18.0")
    fires(RULE, moved("Qwen/Qwen3.5-27B", "OffloadingConnector"), "0.18.0")
    fires(RULE, moved("Qwen/Qwen3.6-27B", "LMCacheConnectorV1"), "0.23.0")


def test_a_connector_that_supports_it_is_fine_later() -> None:
    quiet(RULE, moved("Qwen/Qwen3.5-27B", "NixlConnector"), "0.23.0")
    quiet(RULE, moved("Qwen/Qwen3-8B", "LMCacheConnectorV1"), "0.23.0")


def test_a_connector_from_outside_is_not_judged() -> None:
    assert not_checked(RULE, moved("Qwen/Qwen3.5-27B", "Other"), "0.23.0", "H100-SXM") == ("plugins",)
