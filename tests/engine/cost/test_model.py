from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.physics import dense, deployment, memory, moe
from vllm_triage.domain import Json, ModelShape
from vllm_triage.engine.cost import CostModel, cost_model
from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.memory import estimate


def built(command: str, gpu: str, version: str = "0.19.0") -> CostModel:
    launch = deploy(command, version, gpu)
    return cost_model(launch, estimate(launch))


def plain(model: ModelShape | None = None, **options: Json) -> CostModel:
    launch = deployment(model or dense(), **options)
    return cost_model(launch, memory())


WINDOWED = built("vllm serve openai/gpt-oss-120b", "H200")
COMMANDS = (
    ("vllm serve openai/gpt-oss-120b", "H200"),
    ("vllm serve meta-llama/Llama-3.1-8B-Instruct", "A100"),
    ("vllm serve moonshotai/Kimi-K2.5 -tp 8", "8x B200"),
    ("vllm serve deepseek-ai/DeepSeek-V3.2 -tp 8", "8x H200"),
    ("vllm serve Qwen/Qwen3.5-9B", "H100"),
)
MODELS = tuple(built(*one) for one in COMMANDS)


@given(
    model=st.sampled_from(MODELS), decodes=st.integers(1, 300), each=st.integers(1, 4000), count=st.integers(1, 300),
    growth=st.sampled_from((1.0, 1.7, 2.5)),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_a_stretch_takes_as_long_as_its_steps(
    model: CostModel, decodes: int, each: int, count: int, growth: float
) -> None:
    context, added = decodes * each, decodes * growth
    steps = sum(model.rates.step_ms(decodes, context + added * n, 0, 0, 0, 0) for n in range(count))
    assert model.stretch_ms(decodes, context, added, count) == pytest.approx(steps, rel=1e-9)


@given(model=st.sampled_from(MODELS), decodes=st.integers(1, 500), each=st.integers(1, 20_000))
@settings(max_examples=40, deadline=None)
def test_a_step_that_carries_more_is_never_shorter(model: CostModel, decodes: int, each: int) -> None:
    context = decodes * each
    now = model.step_ms(decodes, context)
    assert model.step_ms(decodes + 1, context + each) >= now
    assert model.step_ms(decodes, context + 1) >= now
    assert model.step_ms(decodes, context, [(100, 0)]) >= now
    assert model.step_ms(decodes, context, [(200, 0)]) >= model.step_ms(decodes, context, [(100, 0)])
    assert model.step_ms(decodes, context, [(100, 5000)]) >= model.step_ms(decodes, context, [(100, 0)])


def test_a_step_of_one_stream_takes_about_as_long_as_published() -> None:
    # AIConfigurator silicon samples: TPOT 17.4 ms at four users, 1024 tokens in and out, on two H100
    model = built("vllm serve nvidia/Llama-3.1-70B-Instruct-FP8 -tp 2", "2x H100")
    assert model.step_ms(4, 4 * 1400) == pytest.approx(17.4, rel=0.15)


def test_nothing_to_decode_takes_no_time() -> None:
    assert plain().step_ms(0, 0) == 0
    assert plain().stretch_ms(0, 0, 0.0, 10) == 0
    assert plain().stretch_ms(3, 30, 3.0, 0) == 0


def test_layers_with_a_window_stop_reading_more() -> None:
    slope = [WINDOWED.step_ms(1, held + 100) - WINDOWED.step_ms(1, held) for held in (10, 10_000)]
    assert slope[1] < slope[0]
    assert slope[1] > 0  # every second layer sees it all


def test_experts_are_read_as_far_as_they_are_picked() -> None:
    few, many, nearly_all = (plain(moe()).rates.step_ms(size, 100, 0, 0, 0, 0) for size in (1, 64, 256))
    assert few < 0.3 * many
    assert nearly_all < 2 * many  # four times the tokens, but hardly an expert more


def test_tensor_parallelism_shortens_a_step_by_less_than_its_ranks() -> None:
    one = built("vllm serve meta-llama/Llama-3.1-70B-Instruct --quantization fp8", "H200")
    four = built("vllm serve meta-llama/Llama-3.1-70B-Instruct --quantization fp8 -tp 4", "4x H200")
    assert one.step_ms(8, 8000) / 4 < four.step_ms(8, 8000) < one.step_ms(8, 8000)


def test_a_pipeline_helps_only_with_as_many_sequences_as_stages() -> None:
    one = built("vllm serve Qwen/Qwen3-32B", "H200")
    two = built("vllm serve Qwen/Qwen3-32B -pp 2", "2x H200")
    assert two.step_ms(1, 1000) == pytest.approx(one.step_ms(1, 1000), rel=0.05)
    assert two.step_ms(200, 200_000) < 0.8 * one.step_ms(200, 200_000)


def test_launching_every_kernel_takes_longer_than_replaying_graphs() -> None:
    graphs = built("vllm serve meta-llama/Llama-3.1-8B-Instruct", "H100")
    eager = built("vllm serve meta-llama/Llama-3.1-8B-Instruct --enforce-eager", "H100")
    assert eager.step_ms(1, 100) > graphs.step_ms(1, 100)
    chunk = [(16_000, 0)]
    assert eager.step_ms(0, 0, chunk) == pytest.approx(graphs.step_ms(0, 0, chunk))  # the device is the slower one


def test_a_step_waits_for_the_host_without_async_scheduling() -> None:
    apart = built("vllm serve Qwen/Qwen3-8B --async-scheduling", "H100")
    waiting = built("vllm serve Qwen/Qwen3-8B --no-async-scheduling", "H100")
    assert waiting.step_ms(200, 20_000) > apart.step_ms(200, 20_000)


def test_a_smaller_cache_type_shortens_long_contexts() -> None:
    wide = built("vllm serve Qwen/Qwen3-8B", "H100")
    narrow = built("vllm serve Qwen/Qwen3-8B --kv-cache-dtype fp8", "H100")
    assert narrow.step_ms(64, 64 * 8000) < 0.75 * wide.step_ms(64, 64 * 8000)


def test_drafts_are_verified_with_each_token() -> None:
    alone = built("vllm serve Qwen/Qwen3-8B", "H100")
    drafted = built(
        "vllm serve Qwen/Qwen3-8B --speculative-config "
        '\'{"method":"ngram","num_speculative_tokens":5,"prompt_lookup_max":4}\'',
        "H100",
    )
    assert drafted.step_ms(200, 20_000) > 1.5 * alone.step_ms(200, 20_000)


def test_calibration_scales_decoding_and_prompts_apart() -> None:
    model = plain()
    slower = model.refit(decode=1.5, prefill=2.0, first_token_ms=80.0, fit="measured")
    assert slower.step_ms(4, 4000) == pytest.approx(1.5 * model.step_ms(4, 4000))
    assert slower.step_ms(0, 0, [(500, 0)]) == pytest.approx(2 * model.step_ms(0, 0, [(500, 0)]))
    added = model.step_ms(4, 4000, [(500, 0)]) - model.step_ms(4, 4000)
    both = slower.step_ms(4, 4000, [(500, 0)])
    assert both == pytest.approx(1.5 * model.step_ms(4, 4000) + 2 * added)
    assert slower.stretch_ms(4, 4000, 4.0, 50) == pytest.approx(1.5 * model.stretch_ms(4, 4000, 4.0, 50))
    assert (slower.basis, slower.fit, slower.first_token_ms) == ("calibrated", "measured", 80.0)
    assert slower.bands == model.calibrated


def test_calibrating_again_starts_from_where_it_was() -> None:
    model = plain().refit(decode=1.5).refit(decode=2.0)
    assert model.decode == 3.0
    assert model.first_token_ms == plain().first_token_ms


def test_the_smooth_maximum_hides_the_shorter_of_reading_and_multiplying() -> None:
    model = plain()
    sharp = replace(model, reached=replace(model.reached, sharpness=50.0))
    assert sharp.step_ms(200, 200) < model.step_ms(200, 200)
