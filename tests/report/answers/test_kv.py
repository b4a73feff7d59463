"""estimate_kv_bytes: the arithmetic everyone can check, measured pools, and what is missing."""

from pathlib import Path

import pytest

from vllm_triage.report.answers.kv import Answer, Arguments, run
from vllm_triage.report.arguments import BadArguments, read_arguments

RUNS = Path(__file__).parents[2] / "data" / "runs"


def sized(**arguments: object) -> Answer:
    return run(read_arguments(Arguments, arguments))


@pytest.mark.parametrize(
    ("model", "each"),
    [("Qwen/Qwen3-8B", 144 * 1024), ("Qwen/Qwen3-30B-A3B", 96 * 1024), ("deepseek-ai/DeepSeek-V3", 70_272)],
)
def test_bytes_per_token_are_what_arithmetic_says(model: str, each: int) -> None:
    assert sized(command=model).kv_bytes_per_token == each


def test_a_latent_cache_is_whole_on_every_rank() -> None:
    answer = sized(command="vllm serve deepseek-ai/DeepSeek-V3 -tp 8", gpu="8x H200")
    assert answer.kv_bytes_per_token_per_gpu == 70_272


def test_every_field_of_the_contract_is_there() -> None:
    data = sized(command="Qwen/Qwen3-8B", gpu="H100", input_tokens=1000, output_tokens="200").to_json()
    assert list(data) == [
        "summary", "kv_bytes_per_token", "kv_bytes_per_token_per_gpu", "state_bytes_per_sequence", "groups", "budget",
        "pool", "capacity", "assumptions", "not_modelled", "problems",
    ]
    assert set(data["groups"][0]) == {"kind", "layers", "block_tokens", "page_bytes"}
    assert set(data["budget"]) == {
        "total_gib", "usable_gib", "weights_gib", "activation_gib", "non_torch_gib", "cuda_graph_gib", "kv_pool_gib",
    }
    assert set(data["budget"]["kv_pool_gib"]) == {"low", "mid", "high"}
    assert set(data["pool"]) == {
        "blocks", "tokens", "max_concurrency", "max_model_len", "largest_max_model_len", "basis",
    }
    assert set(data["capacity"]) == {
        "input_tokens", "output_tokens", "requests", "longest_input_tokens", "concurrency",
        "longest_input_at_concurrency", "limit",
    }
    assert data["pool"]["basis"] == "predicted"


def test_a_startup_log_gives_the_measured_pool_and_the_launch() -> None:
    answer = sized(evidence=[(RUNS / "seqs4" / "startup.log").read_text(encoding="utf-8")])
    assert answer.pool is not None
    assert answer.pool.basis == "measured"
    assert answer.pool.tokens


def test_the_text_holds_the_figures_of_the_data() -> None:
    answer = sized(command="vllm serve Qwen/Qwen3-8B", gpu="H100", input_tokens=1000, output_tokens=200)
    text = answer.to_text()
    assert text.startswith(answer.summary)
    for figure in ("kv_bytes_per_token: 147,456", "page_bytes: ", "total_gib: ", "basis: predicted", "requests: "):
        assert figure in text


def test_without_a_gpu_it_asks_for_one() -> None:
    answer = sized(command="Qwen/Qwen3-8B")
    assert "pass gpu" in answer.summary


def test_an_unknown_model_asks_for_its_config() -> None:
    answer = sized(command="someone/never-published-7b")
    assert answer.kv_bytes_per_token is None
    assert "config.json" in answer.summary


def test_without_a_launch_it_asks_for_one() -> None:
    with pytest.raises(BadArguments, match="command: required"):
        sized(evidence=["nothing of use"])
    with pytest.raises(BadArguments, match="command: required"):
        sized()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"input_tokens": 1000, "output_tokens": 200}, "one request's prompt may have 16,184 tokens with 200 out"),
        ({"concurrency": 64, "output_tokens": 200}, "the pool is full beyond"),
        ({"concurrency": 8}, "the prompts of 8 at once may have 16,384 tokens (--max-model-len sets that bound)"),
        ({"concurrency": 10**6, "output_tokens": 200}, "1,000,000 requests do not fit at once with 200 out, with any"),
        ({"input_tokens": 30_000}, "longer than --max-model-len 16,384 allows"),
    ],
)
def test_the_length_at_which_it_breaks_is_said(asked: dict[str, int], said: str) -> None:
    answer = sized(command="vllm serve Qwen/Qwen3-8B --max-model-len 16384", gpu="H100", **asked)
    assert said in answer.summary
    assert "--max-model-len may be 40,960 at most" in answer.summary
