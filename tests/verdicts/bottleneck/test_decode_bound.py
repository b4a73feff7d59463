from engine.physics import deployment
from verdicts.bottleneck.hearing import hear, load

CRAWL = {
    "ttft_ms_mean": 150.0,
    "tpot_ms_mean": 95.0,
    "itl_ms_mean": 95.0,
    "output_tok_s": 2526.0,
    "concurrency": 240.0,
    "input_tokens": 600.0,
}


def test_a_crawling_stream_without_a_queue_is_decode() -> None:
    verdict = hear(load(**CRAWL, running=240, waiting=0, kv_usage=0.55, itl_ms_p50=94.0, itl_ms_p99=130.0))
    assert (verdict.status, verdict.bottleneck) == ("classified", "decode_bound")
    assert verdict.confidence >= 0.8


def test_no_queue_and_no_gauges_is_enough_to_see_it() -> None:
    assert hear(load(**CRAWL)).bottleneck == "decode_bound"


def test_far_above_the_floor_is_overhead() -> None:
    assert hear(load(**CRAWL, running=240, waiting=0, kv_usage=0.55)).sub_bound == "overhead"


def test_one_stream_five_times_above_its_floor_is_overhead_though_it_looks_quick() -> None:
    verdict = hear(
        load(
            concurrency=1.0, tpot_ms_mean=26.0, itl_ms_mean=26.0, output_tok_s=38.0, running=1, waiting=0, kv_usage=0.01
        ),
        acknowledge=["not-vllm-first"],
    )
    assert (verdict.bottleneck, verdict.sub_bound) == ("decode_bound", "overhead")


def test_long_contexts_are_bound_by_reading_the_cache() -> None:
    verdict = hear(
        load(
            input_tokens=8000.0,
            output_tokens=1000.0,
            output_tok_s=1100.0,
            tpot_ms_mean=55.0,
            itl_ms_mean=55.0,
            concurrency=60.0,
            ttft_ms_mean=700.0,
        )
    )
    assert (verdict.bottleneck, verdict.sub_bound) == ("decode_bound", "kv_reads")


def test_a_quick_stream_at_its_floor_is_healthy_with_decode_as_the_next_limit() -> None:
    verdict = hear(load())
    assert (verdict.status, verdict.bottleneck, verdict.sub_bound) == ("healthy", None, "bandwidth")


def test_late_first_tokens_are_not_explained_by_decode() -> None:
    verdict = hear(load(**{**CRAWL, "ttft_ms_mean": 30_000.0}), deployment(max_num_seqs=None, gpu=None))
    assert verdict.bottleneck != "decode_bound"
