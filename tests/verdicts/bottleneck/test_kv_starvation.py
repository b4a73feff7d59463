from engine.physics import deployment, measured, memory
from verdicts.bottleneck.hearing import hear, load

STARVED = {"ttft_ms_mean": 30_000.0, "tpot_ms_mean": 60.0, "output_tok_s": 1400.0, "concurrency": 300.0}
POOL = memory(80_000, weights_gib=61.0)  # 84 requests of 800 + 150 tokens


def test_as_many_running_as_the_pool_holds_is_starvation() -> None:
    verdict = hear(load(**STARVED), budget=POOL)
    assert (verdict.status, verdict.bottleneck) == ("classified", "kv_starvation")
    assert verdict.confidence == 0.8
    assert verdict.derived["R"] == 84.0


def test_a_predicted_pool_is_never_sure() -> None:
    verdict = hear(load(**STARVED), budget=memory(80_000, weights_gib=61.0, measured=False))
    assert verdict.bottleneck == "kv_starvation"
    assert verdict.confidence < 0.8


def test_a_full_gauge_with_a_queue_makes_it_sure() -> None:
    verdict = hear(load(**STARVED, running=84, waiting=200, kv_usage=0.99), budget=POOL)
    assert verdict.bottleneck == "kv_starvation"
    assert verdict.confidence > 0.9


def test_a_gauge_with_room_overrules_the_arithmetic() -> None:
    verdict = hear(load(**STARVED, running=84, waiting=200, kv_usage=0.40), budget=POOL)
    assert verdict.bottleneck != "kv_starvation"
    assert any("prompt still fits" in r.because for r in verdict.ruled_out if r.bottleneck == "kv_starvation")


def test_preemptions_now_are_starvation_whatever_the_usage_at_that_instant() -> None:
    observed = load(**STARVED, running=84, waiting=3, kv_usage=0.85).but(preemption_rate=measured(2.0, "two scrapes"))
    assert hear(observed, budget=POOL).bottleneck == "kv_starvation"


def test_high_usage_without_a_queue_or_preemptions_is_heat_not_harm() -> None:
    verdict = hear(load(running=10, waiting=0, kv_usage=0.97))
    assert verdict.status == "healthy"


def test_a_prompt_that_does_not_fit_the_free_blocks_is_a_full_pool_at_any_percentage() -> None:
    observed = load(ttft_ms_mean=20_000.0, running=2, waiting=9, kv_usage=0.75, input_tokens=30_000.0, concurrency=11)
    verdict = hear(observed, budget=memory(100_000, weights_gib=40.0))
    assert verdict.bottleneck == "kv_starvation"


def test_a_pool_that_was_typed_small_is_starved_not_bound_by_weights() -> None:
    where = deployment(num_gpu_blocks_override=90)
    observed = load(ttft_ms_mean=9000.0, output_tok_s=120.0, tpot_ms_mean=12.0, concurrency=40)
    verdict = hear(observed, where, memory(1440, weights_gib=61.0))
    assert verdict.bottleneck == "kv_starvation"


def test_a_predicted_pool_that_the_load_refutes_is_dropped_and_said() -> None:
    verdict = hear(load(**STARVED), budget=memory(10_000, weights_gib=61.0, measured=False))
    assert verdict.bottleneck not in ("kv_starvation", "hbm_bound")
    assert any("prediction is wrong" in str(note) for note in verdict.derived["notes"])  # type: ignore[union-attr]


def test_the_queue_behind_a_starved_pool_is_named_a_symptom() -> None:
    verdict = hear(load(**STARVED, running=84, waiting=200, kv_usage=0.99), budget=POOL)
    assert any("symptom" in r.because for r in verdict.ruled_out if r.bottleneck == "queue_stall")
