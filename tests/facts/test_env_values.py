import pytest

from vllm_triage.facts.env_values import refuses


@pytest.mark.parametrize(
    ("name", "value", "version", "refused"),
    [
        ("VLLM_USE_V1", "true", "0.10.2", True),
        ("VLLM_USE_V1", "1", "0.10.2", False),
        ("VLLM_WORKER_MULTIPROC_METHOD", "thread", "0.33.0", True),
        ("VLLM_WORKER_MULTIPROC_METHOD", "spawn", "0.33.0", False),
        ("VLLM_LOGGING_LEVEL", "anything", "0.33.0", False),
        ("NOT_OURS", "x", "0.33.0", False),
        ("VLLM_USE_V1", "", "0.10.2", False),
    ],
)
def test_a_value_is_refused_where_vllm_cannot_read_it(name: str, value: str, version: str, refused: bool) -> None:
    assert bool(refuses(name, value, version)) is refused
