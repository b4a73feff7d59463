import pytest

from vllm_triage.readers.evidence import read_evidence
from vllm_triage.readers.named_values import field_of, read_named


@pytest.mark.parametrize(
    ("name", "field", "factor"),
    [
        ("ttft_p50_s", "ttft_ms_p50", 1000),
        ("itl_p99_ms", "itl_ms_p99", 1),
        ("mean_ttft_ms", "ttft_ms_mean", 1),
        ("gen_tok_s", "output_tok_s", 1),
        ("req_s", "request_rate", 1),
        ("kv_usage", "kv_usage", 1),
        ("output_tok_s", "output_tok_s", 1),
        ("concurrency", "concurrency", 1),
    ],
)
def test_a_name_says_field_and_unit(name: str, field: str, factor: float) -> None:
    assert field_of(name) == (field, factor)


@pytest.mark.parametrize("name", ["ttft", "max_num_seqs", "gpu_util", "swap_space", "latency", "max_model_len", ""])
def test_a_name_that_does_not_say_is_nothing(name: str) -> None:
    assert field_of(name) is None


def test_an_object_of_named_numbers_is_read_and_what_is_no_single_number_is_said() -> None:
    part = read_named({"metrics": {"ttft_p99_s": 9, "running": [1, 2], "kv_usage": 97, "output_tok_s": 850}})
    assert part is not None
    assert {r.name: r.value for r in part.readings} == {"ttft_ms_p99": 9000, "kv_usage": 0.97, "output_tok_s": 850}
    assert part.unread == ["running = [1, 2]: not one number"]


def test_an_object_within_an_object_is_another_run() -> None:
    part = read_named({"ttft_ms": 400, "itl_ms": 20, "baseline": {"output_tok_s": 1}})
    assert part is not None
    assert part.get("output_tok_s") is None


def test_a_stranger_s_object_is_left_alone() -> None:
    assert read_named({"concurrency": 4, "name": "x"}) is None
    assert read_named([1, 2]) is None


@pytest.mark.parametrize(
    "text",
    [
        '{"ttft_p50_s": 6.5, "itl_ms": 40, "output_tok_s": 1200, "concurrency": 128}',
        "ttft_p50_s: 6.5, itl_ms: 40, output_tok_s: 1200, concurrency: 128",
        "{'ttft_p50_s': 6.5, 'itl_ms': 40, 'output_tok_s': 1200, 'concurrency': 128}",
        "ttft_p50_s=6.5\nitl_ms=40\noutput_tok_s=1,200\nconcurrency=128",
    ],
)
def test_the_same_values_are_read_however_they_are_written(text: str) -> None:
    seen = read_evidence([text])
    assert not seen.missing_core()
    assert seen.ttft_ms_p50 is not None
    assert seen.ttft_ms_p50.value == 6500
    assert seen.output_tok_s is not None
    assert seen.output_tok_s.value == 1200


def test_a_pool_among_the_names_is_read_and_too_little_memory_is_a_failed_start() -> None:
    seen = read_evidence(['{"gpu_kv_cache_tokens": 299584, "ttft_ms": 900, "output_tok_s": 10}'])
    assert seen.pool is not None
    assert (seen.pool.tokens, seen.pool.error_kind) == (299_584, None)
    short = read_evidence(['{"needed_kv_gib": 6.66, "available_kv_gib": 5.44}'])
    assert short.pool is not None
    assert short.pool.error_kind == "max_len_exceeds_kv"
    none = read_evidence(['{"weights_gib": 67.7, "available_kv_gib": -1.44}'])
    assert none.pool is not None
    assert none.pool.error_kind == "no_kv_memory"


def test_the_sentences_of_a_ticket_are_read() -> None:
    seen = read_evidence(['{"title": "slow", "body": "mean TTFT 9 s, ITL 45 ms at 64 users, 900 tok/s output"}'])
    assert not seen.missing_core()
