import pytest

from captures import capture
from engine.physics import deployment
from verdicts.bottleneck.hearing import hear, load
from verdicts.bottleneck.pasting import paste

SPIKES = {
    "itl_ms_mean": 25.0,
    "itl_ms_p50": 12.0,
    "itl_ms_p99": 340.0,
    "tpot_ms_mean": 25.0,
    "ttft_ms_mean": 500.0,
    "input_tokens": 6000.0,
}


def test_a_tail_of_the_length_of_a_full_step_is_a_budget_too_large() -> None:
    verdict = hear(load(**SPIKES, output_tok_s=380.0))
    assert (verdict.bottleneck, verdict.sub_bound) == ("chunked_prefill_missized", "budget_too_large")


def test_no_queue_on_the_gauge_makes_it_sure() -> None:
    verdict = hear(load(**SPIKES, output_tok_s=380.0, running=10, waiting=0, kv_usage=0.4))
    assert verdict.bottleneck == "chunked_prefill_missized"
    assert verdict.confidence >= 0.8


def test_a_tail_that_is_only_relatively_long_harms_nobody() -> None:
    verdict = hear(load(itl_ms_p50=2.0, itl_ms_p99=60.0, running=10, waiting=0, kv_usage=0.1))
    assert verdict.status == "healthy"


def test_short_prompts_do_not_fill_a_large_budget() -> None:
    verdict = hear(load(**{**SPIKES, "input_tokens": 100.0, "itl_ms_p99": 900.0}, running=10, waiting=0, kv_usage=0.1))
    assert verdict.bottleneck != "chunked_prefill_missized"


def test_a_queue_comes_first() -> None:
    verdict = hear(
        load(**{**SPIKES, "ttft_ms_mean": 9000.0, "concurrency": 200.0}, running=64, waiting=100, kv_usage=0.3),
        deployment(max_num_seqs=64),
    )
    assert verdict.bottleneck == "queue_stall"


def test_a_prompt_cut_into_many_steps_is_a_budget_too_small() -> None:
    where = deployment(max_num_batched_tokens=256)
    verdict = hear(
        load(
            input_tokens=32_000.0,
            ttft_ms_mean=2200.0,
            tpot_ms_mean=15.0,
            itl_ms_mean=15.0,
            itl_ms_p99=20.0,
            itl_ms_p50=14.0,
            running=8,
            waiting=0,
            kv_usage=0.5,
            output_tok_s=500.0,
        ),
        where,
    )
    assert (verdict.bottleneck, verdict.sub_bound) == ("chunked_prefill_missized", "budget_too_small")


@pytest.mark.parametrize("p99", [13.0, 20.0])
def test_an_even_tail_rules_it_out_with_the_ratio(p99: float) -> None:
    verdict = hear(load(itl_ms_p50=12.0, itl_ms_p99=p99, running=10, waiting=0, kv_usage=0.1))
    because = next(r.because for r in verdict.ruled_out if r.bottleneck == "chunked_prefill_missized")
    assert "times the usual gap" in because


def test_a_client_that_reads_in_bursts_is_told_as_such() -> None:
    texts = [capture("seqs4", name) for name in ("startup.log", "bench.json", "metrics_during.txt")]
    verdict = paste(capture("seqs4", "command.txt"), texts)
    [because] = [r.because for r in verdict.ruled_out if r.bottleneck == "chunked_prefill_missized"]
    assert "in bursts" in because
