"""From a verdict to ordered actions."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vllm_triage.domain import Verdict
from vllm_triage.engine.change import with_flags
from vllm_triage.verdicts.advice import recommend
from vllm_triage.verdicts.advice.knobs.outside import scale_outs
from vllm_triage.verdicts.advice.plans import plan_for, plan_for_target
from vllm_triage.verdicts.advice.situation import Candidate
from vllm_triage.verdicts.advice.trials import bench_for, told_useless
from vllm_triage.verdicts.compat import check
from vllm_triage.verdicts.whatif import try_change

from .situations import QUEUE, bound, candidates, situation


def test_a_simulated_action_carries_its_effect_with_interval_and_the_runs_that_would_prove_it() -> None:
    s = situation(verdict=bound("queue_stall", sub_bound="seats"))
    first = recommend(s, check(s.deployment)).recommendations[0]
    assert (first.flag, first.simulated) == ("--max-num-seqs", True)
    assert "simulated, calibrated on your numbers" in first.expected
    assert "TTFT" in first.expected
    assert "-" in first.expected.partition("(")[2]
    assert first.prove is not None
    assert f"--num-prompts {first.prove.requests} " in first.prove.before


def test_what_the_simulation_shows_not_to_help_is_not_recommended_and_said_to_be_useless() -> None:
    s = situation(verdict=bound("chunked_prefill_missized", sub_bound="budget_too_small"))
    found = recommend(s, check(s.deployment))
    assert not [r for r in found.recommendations if r.flag == "--max-num-batched-tokens"]
    assert any("--max-num-batched-tokens" in text and "simulated" in text for text in found.will_not_help)


def test_what_is_in_vain_by_rule_is_tried_and_recommended_where_it_helps_after_all() -> None:
    s = situation(verdict=bound("kv_starvation"))
    found = recommend(s, check(s.deployment))
    assert "--max-num-seqs" in {r.flag for r in found.recommendations}
    assert not any("raising --max-num-seqs" in text for text in found.will_not_help)


def test_what_is_not_modelled_is_not_refuted_by_a_simulation_that_shows_no_gain() -> None:
    command = "vllm serve Qwen/Qwen3-32B --enforce-eager --max-model-len 16384"
    s = situation(command, verdict=bound("decode_bound", sub_bound="overhead"))
    found = recommend(s, check(s.deployment))
    first = found.recommendations[0]
    assert first.flag == "--enforce-eager"
    assert not any("--enforce-eager" in text for text in found.will_not_help)
    cached = situation("vllm serve Qwen/Qwen3-8B --no-enable-prefix-caching", verdict=bound("queue_stall", sub_bound="budget"))
    flags = [r.flag for r in recommend(cached, check(cached.deployment)).recommendations]
    assert "--no-enable-prefix-caching" in flags


def test_what_a_gain_takes_for_granted_is_told_with_it() -> None:
    load = {**QUEUE, "concurrency": 4.0, "output_tok_s": 90.0, "tpot_ms_mean": 40.0, "ttft_ms_mean": 150.0}
    s = situation("vllm serve Qwen/Qwen3-32B", load=load, verdict=bound("decode_bound", sub_bound="bandwidth"))
    [drafted] = [r for r in recommend(s, check(s.deployment)).recommendations if r.flag == "--speculative-config"]
    assert drafted.simulated
    assert "assumed" in drafted.expected


def test_targets_decide_what_a_gain_is_and_are_told() -> None:
    s = situation(verdict=bound("queue_stall", sub_bound="seats"), ttft_ms_mean=10.0)
    first = recommend(s, check(s.deployment)).recommendations[0]
    assert "target ttft_ms_mean 10 still missed" in first.expected


def test_more_gpus_come_with_what_was_exhausted_and_the_simulated_numbers_of_both_ways() -> None:
    s = situation("vllm serve Qwen/Qwen3-8B", verdict=bound("queue_stall", sub_bound="seats"))
    found = recommend(s, check(s.deployment))
    ways = [r for r in found.recommendations if r.kind == "scale_out"]
    assert ways
    assert all(way.exhausted and way.simulated for way in ways)
    assert not [r for r in found.recommendations if r.kind == "flag"]


def test_on_one_gpu_more_gpus_are_told_of_a_launch_that_has_them() -> None:
    s = situation("vllm serve Qwen/Qwen3-8B", gpu="1x H100", verdict=bound("queue_stall", sub_bound="seats"))
    ways = recommend(s, check(s.deployment)).recommendations
    assert any(way.flag == "--tensor-parallel-size" for way in ways)


def test_while_a_knob_is_unknown_nothing_is_exhausted() -> None:
    load = {key: value for key, value in QUEUE.items() if key != "input_tokens"}
    s = situation("vllm serve someone/unknown", gpu=None, load=load, verdict=bound("queue_stall", sub_bound="budget"))
    found = recommend(s, check(s.deployment))
    assert not [r for r in found.recommendations if r.kind == "scale_out"]
    assert any("--max-num-batched-tokens: needs" in text for text in found.untried)


def test_without_a_machine_to_simulate_the_wording_is_that_of_arithmetic() -> None:
    s = situation("vllm serve someone/unknown --max-num-seqs 8", gpu=None, verdict=bound("queue_stall", sub_bound="seats"))
    first = recommend(s, check(s.deployment)).recommendations[0]
    assert (first.flag, first.simulated, first.prove) == ("--max-num-seqs", False, None)
    assert "TTFT falls by the queue time" in first.expected


def test_a_release_too_old_for_a_knob_is_told_to_move_on_only_where_the_launch_survives_it() -> None:
    counters = ("# TYPE vllm:num_preemptions_total counter\nvllm:num_preemptions_total 900",)
    s = situation(version="0.22.0", evidence=counters, verdict=bound("kv_starvation"))
    found = recommend(s, check(s.deployment))
    texts = [r.action for r in found.recommendations]
    assert any("upgrade to vLLM 0.24" in text for text in (*texts, *found.will_not_help))


def test_where_nothing_binds_a_missed_target_gets_what_the_simulation_shows_to_help_and_a_met_one_nothing() -> None:
    healthy = Verdict(status="healthy", confidence=0.8)
    command = "vllm serve Qwen/Qwen3-8B"
    load = {**QUEUE, "ttft_ms_mean": 300.0, "output_tok_s": 1500.0, "tpot_ms_mean": 10.0}
    missed = situation(command, load=load, verdict=healthy, tpot_ms_mean=5.0)
    found = recommend(missed, check(missed.deployment)).recommendations
    assert found
    assert all(r.simulated for r in found)
    for s in (situation(command, load=load, verdict=healthy, tpot_ms_mean=50.0), situation(command, load=load, verdict=healthy)):
        assert not recommend(s, check(s.deployment)).recommendations


def test_a_published_cure_shows_in_the_simulation() -> None:
    """vllm-project/vllm#44594: --watermark 0.02 takes P99 ITL from 41 to 19 ms and two of three preemptions away."""
    pasted = (
        "INFO 01-01 00:00:00 [kv_cache_utils.py:1] GPU KV cache size: 299,584 tokens",
        "# TYPE vllm:num_preemptions_total counter\nvllm:num_preemptions_total 1065",
    )
    load = {
        "input_tokens": 1000.0, "output_tokens": 5000.0, "concurrency": 128.0, "output_tok_s": 11582.0, "request_rate": 2.306,
        "ttft_ms_mean": 6560.0, "itl_ms_p99": 40.6,
    }  # fmt: skip
    s = situation(
        "vllm serve Qwen/Qwen2.5-7B-Instruct --max-model-len 8192 --max-num-seqs 256 --no-enable-prefix-caching", "0.24.0",
        "GB200", load, pasted, bound("kv_starvation"),
    )  # fmt: skip
    found = bench_for(s)
    assert found is not None
    longer = replace(found.ground, at_most=1000)
    before = longer.predict(longer.deployment, longer.memory, longer.cost)
    trial = try_change(replace(longer, prediction=before), {"watermark": 0.02})
    assert trial.prediction is not None
    assert trial.prediction.preemptions < 0.5 * before.preemptions
    stall = trial.by_metric["itl_ms_p99"].ratio
    output = trial.by_metric["output_tok_s"].ratio
    assert stall is not None
    assert output is not None
    assert stall.mid < 0.7
    assert 1.0 < output.mid < 1.3


def test_nothing_tried_in_vain_is_a_sentence_on_its_own() -> None:
    assert told_useless([]) == ()


FLAGS = st.lists(
    st.sampled_from([
        "--max-num-seqs 4", "--max-num-seqs 512", "--max-num-batched-tokens 1024", "--max-num-batched-tokens 16384", "-tp 2", "-tp 3",
        "--gpu-memory-utilization 0.95", "--gpu-memory-utilization 0.6", "--kv-cache-dtype fp8", "--enforce-eager",
        "--no-enable-chunked-prefill --max-model-len 2048", "--no-enable-prefix-caching", "--no-async-scheduling",
        "--kv-cache-memory-bytes 2g", "--num-gpu-blocks-override 100", "--quantization fp8",
        '--speculative-config \'{"method":"ngram","num_speculative_tokens":3}\'',
        '--speculative-config \'{"model":"Qwen/Qwen3-0.6B","num_speculative_tokens":3}\'',
    ]),
    max_size=3, unique_by=lambda flag: flag.split()[0],
)  # fmt: skip
LOAD = st.fixed_dictionaries({
    "input_tokens": st.integers(1, 4_000), "output_tokens": st.integers(1, 120), "concurrency": st.integers(1, 48),
    "output_tok_s": st.floats(1, 20_000), "ttft_ms_mean": st.floats(1, 500_000), "tpot_ms_mean": st.floats(1, 500),
})  # fmt: skip
VERDICTS = st.sampled_from([
    bound("kv_starvation"), bound("hbm_bound"), bound("queue_stall", sub_bound="seats"), bound("queue_stall", sub_bound="budget"),
    bound("chunked_prefill_missized", sub_bound="budget_too_large"), bound("decode_bound", sub_bound="bandwidth"),
    bound("decode_bound", sub_bound="compute"), bound("decode_bound", sub_bound="kv_reads"), None,
    Verdict(status="healthy", confidence=0.7),
])  # fmt: skip


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    flags=FLAGS, load=LOAD, verdict=VERDICTS, version=st.sampled_from(["0.8.5", "0.11.2", "0.18.0", "0.23.0", "0.33.0"]),
    gpu=st.sampled_from(["L4", "A100", "2x H100", "B200", "cpu", None]),
    model=st.sampled_from(["Qwen/Qwen3-8B", "deepseek-ai/DeepSeek-V2-Lite", "google/gemma-3-27b-it", "someone/unknown"]),
    targets=st.dictionaries(st.sampled_from(["ttft_ms_mean", "tpot_ms_mean", "output_tok_s"]), st.floats(0.1, 1e5), max_size=2),
)  # fmt: skip
def test_no_recommendation_breaks_a_policy_or_check_compat(
    flags: list[str], load: dict[str, float], verdict: object, version: str, gpu: str | None, model: str, targets: dict[str, float]
) -> None:
    s = situation(" ".join(["vllm serve", model, *flags]), version, gpu, load, (), verdict, **targets)  # type: ignore[arg-type]
    compat = check(s.deployment)
    found = recommend(s, compat)
    starts = compat.ok
    plans = [plan_for(s.verdict), *(plan_for_target(name) for name in targets)]
    known = {c.action: c for plan in plans for c in candidates(plan, s)}
    ways = {c.action: c for c in scale_outs(s, ()) if isinstance(c, Candidate)}
    for r in found.recommendations:
        if r.kind == "scale_out":
            assert r.exhausted
            launch = ways[r.action].deployment or s.deployment
            assert check(with_flags(launch, ways[r.action].changes)).ok
        elif starts and r.action in known:
            after = with_flags(known[r.action].deployment or s.deployment, known[r.action].changes)
            assert check(after).ok
            assert not (s.deployment.setting("enable_chunked_prefill") is True and after.setting("enable_chunked_prefill") is False)
        elif starts:
            assert r.action.startswith(("raise --gpu-memory-utilization", "measure the client first"))
        assert r.clearance is None or r.clearance.ok
        assert r.flag not in ("--tensor-parallel-size", "--data-parallel-size") or r.exhausted or not starts
    assert len(found.recommendations) <= 4
    assert not [r for r in found.recommendations if r.kind == "scale_out"] or not [
        r for r in found.recommendations if r.kind == "flag"
    ]
    if [x for x in s.verdict.refusals if not x.acknowledged and x.rule == "core-metrics"]:
        assert not found.recommendations


def test_what_would_keep_the_launch_from_starting_is_not_recommended() -> None:
    def flags(length: int) -> list[str | None]:
        command = f"vllm serve Qwen/Qwen3-32B --enforce-eager --max-model-len {length}"
        s = situation(command, verdict=bound("decode_bound", sub_bound="overhead"))
        return [r.flag for r in recommend(s, check(s.deployment)).recommendations]

    assert "--enforce-eager" in flags(16_384)
    assert "--enforce-eager" not in flags(40_960)  # graphs take what the longest request needs
