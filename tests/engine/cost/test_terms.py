import json

import pytest

from engine.physics import dense, deployment, memory, moe
from vllm_triage.domain import Json, ModelShape
from vllm_triage.engine.cost.terms import Terms, terms_of
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.machine import machine
from vllm_triage.engine.memory import estimate


def terms(model: ModelShape, **options: Json) -> Terms:
    launch, budget = deployment(model, **options), memory()
    assert launch.gpu is not None
    return terms_of(machine(launch, budget), launch, model, launch.gpu, budget)


def served(command: str, gpu: str) -> Terms:
    launch = deploy(command, "0.19.0", gpu)
    budget = estimate(launch)
    assert launch.gpu is not None
    assert launch.model is not None
    return terms_of(machine(launch, budget), launch, launch.model, launch.gpu, budget)


def test_parts_are_bytes_and_flops_over_peak_rates() -> None:
    one = terms(dense())
    assert one.dense_read == pytest.approx(1e3 * 16e9 / 3350e9, rel=1e-3)
    assert one.dense_flops == pytest.approx(1e3 * 2 * 8e9 / 989.4e12)
    assert one.kv_read == pytest.approx(1e3 * 147456 / 3350e9)
    assert one.pair_flops == pytest.approx(1e3 * 4 * 36 * 32 * 128 / 989.4e12)
    assert (one.expert_read, one.expert_flops, one.reduces, one.exchanges) == (0, 0, 0, 0)


def test_two_collectives_a_layer_move_what_a_ring_moves() -> None:
    four = terms(dense(), tensor_parallel_size=4)
    assert four.reduces == 72
    assert four.link_read == pytest.approx(1e3 * 72 * 2 * 0.75 * 4096 * 2 / 450e9)


def test_experts_are_taken_apart_from_what_every_token_uses() -> None:
    parts = terms(moe())
    assert parts.expert_pick == 4 / 128
    assert parts.expert_read > 10 * parts.dense_read
    assert parts.dense_flops > 0


def test_data_parallel_experts_meet_the_tokens_of_all_replicas() -> None:
    spread = served("vllm serve MiniMaxAI/MiniMax-M2.5 -dp 4 --enable-expert-parallel", "4x B200")
    alone = served("vllm serve MiniMaxAI/MiniMax-M2.5 -tp 4", "4x B200")
    assert (spread.expert_tokens, alone.expert_tokens) == (4, 1)
    assert spread.exchanges == 2 * 62
    assert spread.reduces == 0


def test_a_latent_is_read_whole_on_every_rank_and_multiplied_by_every_head() -> None:
    one = served("vllm serve moonshotai/Kimi-K2.5 -tp 4", "4x B300")
    two = served("vllm serve moonshotai/Kimi-K2.5 -tp 8", "8x B300")
    assert one.kv_read == pytest.approx(two.kv_read)
    assert one.kv_flops == pytest.approx(2 * two.kv_flops)


def test_sparse_attention_reads_index_keys_of_all_tokens_and_latents_of_few() -> None:
    sparse = served("vllm serve deepseek-ai/DeepSeek-V3.2 -tp 8", "8x H200")
    full = served("vllm serve deepseek-ai/DeepSeek-V3 -tp 8", "8x H200")
    assert sparse.kv_read < 0.2 * full.kv_read
    assert [window.tokens for window in sparse.windows] == [2048]


def test_layers_of_one_window_are_one_part() -> None:
    parts = served("vllm serve openai/gpt-oss-20b", "H100")
    assert [window.tokens for window in parts.windows] == [128]


def test_an_unknown_rate_is_refused() -> None:
    launch, budget = deployment(dense()), memory()
    gpu = launch.gpu
    assert gpu is not None
    blank = launch.but(gpu=gpu.but(bandwidth_gb_s=None))
    with pytest.raises(ValueError, match="bandwidth"):
        terms_of(machine(blank, budget), blank, dense(), gpu, budget)


def drafting(**config: Json) -> Terms:
    return served(f"vllm serve Qwen/Qwen3-8B --speculative-config '{json.dumps(config)}'", "H100")


def test_a_drafter_is_read_once_for_each_token_it_drafts() -> None:
    one, three = (drafting(method="eagle3", model="org/head", num_speculative_tokens=count) for count in (1, 3))
    assert three.draft_read == pytest.approx(3 * one.draft_read)
    assert (one.draft_layers, three.draft_layers) == (1, 3)


def test_looking_drafts_up_reads_no_weights() -> None:
    parts = drafting(method="ngram", num_speculative_tokens=3)
    assert (parts.draft_read, parts.draft_layers, parts.width) == (0, 0, 4)
