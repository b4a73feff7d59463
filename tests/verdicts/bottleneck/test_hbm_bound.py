from engine.physics import deployment, memory
from verdicts.bottleneck.hearing import hear, load

LONG = {
    "ttft_ms_mean": 500_000.0,
    "tpot_ms_mean": 43.0,
    "itl_ms_mean": 43.0,
    "output_tok_s": 120.0,
    "concurrency": 100.0,
    "input_tokens": 32_000.0,
    "output_tokens": 800.0,
}


def test_a_pool_of_one_request_is_no_batch() -> None:
    verdict = hear(load(**LONG), budget=memory(34_000, weights_gib=61.0))
    assert (verdict.status, verdict.bottleneck) == ("classified", "hbm_bound")


def test_one_client_on_a_pool_of_one_request_is_not_bound_by_it() -> None:
    verdict = hear(
        load(**{**LONG, "concurrency": 1.0, "output_tok_s": 23.0, "ttft_ms_mean": 1500.0}),
        budget=memory(34_000, weights_gib=61.0),
    )
    assert verdict.bottleneck != "hbm_bound"


def test_light_weights_leave_room_for_a_larger_pool() -> None:
    verdict = hear(load(**LONG), budget=memory(34_000, weights_gib=15.0))
    assert verdict.bottleneck != "hbm_bound"
    assert any("room for a larger pool" in r.because for r in verdict.ruled_out if r.bottleneck == "hbm_bound")


def test_a_typed_pool_is_not_the_weights_doing() -> None:
    verdict = hear(load(**LONG), deployment(kv_cache_memory_bytes=5_000_000_000), memory(34_000, weights_gib=61.0))
    assert verdict.bottleneck != "hbm_bound"


def test_weights_that_leave_no_pool_at_all_do_not_divide_by_zero() -> None:
    verdict = hear(load(**LONG), budget=memory(0, weights_gib=79.0))
    assert verdict.bottleneck == "hbm_bound"
