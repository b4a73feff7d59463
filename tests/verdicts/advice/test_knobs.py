"""Single knobs where not everything is known, and those that came with the simulator."""

import pytest

from vllm_triage.domain import Exhausted
from vllm_triage.verdicts.advice import Situation, recommend
from vllm_triage.verdicts.advice.knobs import decode, memory, scheduler, serving, startup
from vllm_triage.verdicts.advice.situation import Candidate, Unknown
from vllm_triage.verdicts.compat import check

from .situations import QUEUE, bound, situation, spent

NOBODY = {"gpu": None, "command": "vllm serve someone/unknown", "verdict": bound("kv_starvation")}


def test_seats_are_offered_for_the_load_where_their_default_is_not_known() -> None:
    found = scheduler.more_seats(situation(**NOBODY))  # type: ignore[arg-type]
    assert isinstance(found, Candidate)
    assert found.new == 32


def test_seats_without_load_or_default_are_unknown_not_spent() -> None:
    found = scheduler.more_seats(situation(**{**NOBODY, "load": {}}))  # type: ignore[arg-type]
    assert isinstance(found, Unknown)


def test_seats_without_a_known_load_are_doubled() -> None:
    found = scheduler.more_seats(situation(load={}, verdict=bound("queue_stall")))
    assert isinstance(found, Candidate)
    assert (found.old, found.new) == (8, 16)


@pytest.mark.parametrize(("gpu", "offered"), [(None, True), ("H100", True), ("cpu", False), ("GB10", False)])
def test_utilisation_is_offered_unless_the_device_has_no_memory_of_its_own(gpu: str | None, offered: bool) -> None:
    found = memory.more_utilization(situation("vllm serve Qwen/Qwen3-8B", gpu=gpu, verdict=bound("kv_starvation")))
    assert isinstance(found, Candidate) == offered


def test_latent_caches_are_replicated_over_the_same_gpus() -> None:
    s = situation("vllm serve deepseek-ai/DeepSeek-V3 -tp 8", gpu="8x H200", verdict=bound("kv_starvation"))
    found = memory.replicated_latents(s)
    assert isinstance(found, Candidate)
    assert found.changes == {"tensor_parallel_size": 1, "data_parallel_size": 8, "enable_expert_parallel": True}
    assert "tensor parallelism divides" in spent(memory.replicated_latents(situation()))


def test_fewer_seats_are_offered_for_memory_only_where_they_free_some() -> None:
    few = memory.smaller_batch(situation("vllm serve Qwen/Qwen3-8B --max-num-seqs 2", verdict=bound("hbm_bound")))
    assert isinstance(few, Exhausted)
    idle = memory.smaller_batch(situation("vllm serve Qwen/Qwen3-8B --max-num-seqs 64", verdict=bound("hbm_bound")))
    assert "less than 3%" in spent(idle)


def test_speculation_is_taken_out_where_the_batch_fills_the_arithmetic_or_few_drafts_are_accepted() -> None:
    command = 'vllm serve Qwen/Qwen3-8B --speculative-config \'{"method":"ngram","num_speculative_tokens":4}\''
    load = {**QUEUE, "concurrency": 2000.0, "output_tok_s": 40_000.0, "tpot_ms_mean": 40.0}
    crowded = decode.without_speculation(situation(command, load=load, verdict=bound("decode_bound")))
    assert isinstance(crowded, Candidate)
    assert crowded.changes == {"speculative_config": None}
    calm = decode.without_speculation(situation(command, load={**QUEUE, "concurrency": 1.0}, verdict=bound("decode_bound")))
    assert isinstance(calm, Exhausted)
    assert spent(decode.without_speculation(situation())) == "it is off"


def test_a_sampler_that_ran_out_of_memory_gets_fewer_seats_than_its_own_words_name() -> None:
    log = ("RuntimeError: CUDA out of memory occurred when warming up sampler with 1024 dummy requests.",)
    s = situation("vllm serve someone/unknown --gpu-memory-utilization 0.95", gpu=None, load={}, evidence=log)
    seats, share = startup.fewer_seats_to_start(s), startup.lower_utilization(s)
    assert isinstance(seats, Candidate)
    assert isinstance(share, Candidate)
    assert (seats.old, seats.new, share.new) == (1024, 256, 0.9)


def test_knobs_are_tried_at_several_values() -> None:
    s = situation("vllm serve Qwen/Qwen3-8B --max-num-batched-tokens 8192", verdict=bound("queue_stall"))
    for knob in (scheduler.more_budget, scheduler.smaller_chunks, scheduler.long_prefill_cap):
        found = knob(s)
        assert isinstance(found, Candidate)
        values = [one.new for one in (found, *found.others)]
        assert len(values) == len(set(values)) >= 2


OOM = "INFO:     Application startup complete.\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 96.00 MiB."


def dead(flags: str = "", gpu: str = "H100") -> Situation:
    return situation(f"vllm serve Qwen/Qwen3-8B {flags}", gpu=gpu, load={}, evidence=(OOM,))


def test_a_server_that_dies_out_of_memory_gets_headroom_and_smaller_steps_and_no_larger_pool() -> None:
    s = dead()
    advice = recommend(s, check(s.deployment))
    flags = [r.flag for r in advice.recommendations]
    assert flags[:3] == ["--gpu-memory-utilization", "--max-num-batched-tokens", "--max-num-seqs"]
    assert all(r.to < r.from_ for r in advice.recommendations[:3])  # type: ignore[operator]
    assert any("raising --gpu-memory-utilization" in words for words in advice.will_not_help)


def test_headroom_leaves_a_pool_for_the_longest_request_and_a_pinned_pool_is_cut_instead() -> None:
    some = serving.more_headroom(dead("--max-model-len 18000 --gpu-memory-utilization 0.9", gpu="L4"))
    assert isinstance(some, Candidate)
    assert some.new == 0.88
    none = serving.more_headroom(dead("--max-model-len 18000 --gpu-memory-utilization 0.88", gpu="L4"))
    assert "one request of max_model_len" in spent(none)
    pinned = dead("--kv-cache-memory-bytes 20000000000")
    assert "pinned" in spent(serving.more_headroom(pinned))
    cut = serving.smaller_pin(pinned)
    assert isinstance(cut, Candidate)
    assert isinstance(cut.new, int)
    assert 0.85 < cut.new / 20_000_000_000 < 0.91
    assert "not set" in spent(serving.smaller_pin(dead()))


def test_what_is_small_already_is_not_offered_to_a_dead_server() -> None:
    assert "small already" in spent(serving.smaller_steps(dead("--max-num-batched-tokens 1024 --max-num-seqs 64")))
    assert "chunked prefill" in spent(serving.smaller_steps(dead("--no-enable-chunked-prefill --max-model-len 8192")))
    assert "one already" in spent(serving.fewer_seats(dead("--max-num-seqs 1")))
    assert "low already" in spent(serving.more_headroom(dead("--gpu-memory-utilization 0.75")))
