# ruff: noqa: E501 - printed lines are kept as they are printed
"""What people write, taken from how they write it in issues."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.readers.prose import read_prose
from vllm_triage.readers.reading import Partial

NAMES = frozenset({"ttft_ms_mean", "itl_ms_mean", "output_tok_s", "concurrency"})


def values(part: Partial | None) -> dict[str, float]:
    return {} if part is None else {r.name: pytest.approx(r.value) for r in part.readings}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("TTFT p99 9s, ITL 45ms at 64 users", {"ttft_ms_p99": 9000, "itl_ms_mean": 45, "concurrency": 64}),
        ("p99 TTFT is 9.2 seconds and ITL around 45 ms, concurrency 64, throughput 850 tok/s",
         {"ttft_ms_p99": 9200, "itl_ms_mean": 45, "concurrency": 64, "output_tok_s": 850}),
        ("we get 3174 tok/s output, TTFT 22.1 s, TPOT 226 ms with 1000 concurrent requests, 217 in / 202 out",
         {"output_tok_s": 3174, "ttft_ms_mean": 22100, "tpot_ms_mean": 226, "concurrency": 1000, "input_tokens": 217, "output_tokens": 202}),
        ("TTFT: mean 350ms, p99 1.2s. ISL 4000, OSL 200",
         {"ttft_ms_mean": 350, "ttft_ms_p99": 1200, "input_tokens": 4000, "output_tokens": 200}),
        ("TTFT went from 300ms to 9s; KV cache usage 98%, 118 running, 40 waiting, preemptions 56",
         {"ttft_ms_mean": 9000, "kv_usage": 0.98, "running": 118, "waiting": 40, "preemptions_total": 56}),
        ("ISL/OSL 1k/128, QPS 4, TTFT (p99) 9 s", {"input_tokens": 1000, "output_tokens": 128, "request_rate": 4, "ttft_ms_p99": 9000}),
        ("total throughput 2,149 tok/s, output 102.2 tok/s, 500 concurrent, mean TTFT 482 s",
         {"total_tok_s": 2149, "output_tok_s": 102.2, "concurrency": 500, "ttft_ms_mean": 482_000}),
        ("TTFT 482s TPOT 66.6ms out 102.2 tok/s total 2149 tok/s",
         {"ttft_ms_mean": 482_000, "tpot_ms_mean": 66.6, "output_tok_s": 102.2, "total_tok_s": 2149}),
        ("64 users, 45ms ITL, 9s TTFT", {"concurrency": 64, "itl_ms_mean": 45, "ttft_ms_mean": 9000}),
        ("ITL p50 43ms / p99 1395ms", {"itl_ms_p50": 43, "itl_ms_p99": 1395}),
        ("acceptance rate 0.71, hit rate 12%", {"acceptance_rate": 0.71, "prefix_hit_rate": 0.12}),
        ("GPU KV cache usage: 28.9%", {"kv_usage": 0.289}),
        ("并发 64，TTFT 9s，吞吐 850 tok/s", {"concurrency": 64, "ttft_ms_mean": 9000, "output_tok_s": 850}),
        ("ttft_ms_mean: 350\noutput_tok_s = 900", {"ttft_ms_mean": 350, "output_tok_s": 900}),
        ("Time to first token of about 9 seconds", {"ttft_ms_mean": 9000}),
        ("ITL 45 ms, no waiting and zero preemptions", {"itl_ms_mean": 45, "waiting": 0, "preemptions_total": 0}),
    ],
)  # fmt: skip
def test_a_sentence_is_read(text: str, wanted: dict[str, float]) -> None:
    assert values(read_prose(text, NAMES)) == wanted


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("TTFT 9 s at 64 users", "TTFT 9000 ms at 64 users"),
        ("ITL 45ms", "ITL 0.045 s"),
        ("kv usage 98%", "kv usage 0.98"),
        ("input 4k tokens", "input 4000 tokens"),
        ("2,149 tok/s total throughput", "2149 tokens per second total throughput"),
    ],
)
def test_another_unit_for_the_same_quantity_changes_nothing(one: str, other: str) -> None:
    assert values(read_prose(one)) == values(read_prose(other)) != {}


@pytest.mark.parametrize(
    "text",
    [
        "our target is TTFT under 500 ms",
        "SLO: TTFT < 500 ms",
        "we want ITL below 50ms",
        "ITL should be 40 ms",
        "TTFT <= 1s",
    ],
)
def test_a_goal_is_no_measurement_and_is_listed(text: str) -> None:
    part = read_prose(text)
    assert part is not None
    assert not part.readings
    assert "goal" in part.unread[0]


def test_the_measurement_beside_a_goal_is_read() -> None:
    assert values(read_prose("our target is TTFT under 500 ms but we see TTFT 3.2s")) == {"ttft_ms_mean": 3200}


@pytest.mark.parametrize(
    "text",
    [
        "--max-num-seqs 256 --gpu-memory-utilization 0.9",
        "running vLLM 0.18.0 on 8xH100 80GB with Qwen3-32B",
        "max_num_seqs 256, gpu_memory_utilization 0.9, max_model_len 8192",
        "vllm serve m --max-num-batched-tokens 8192",
        "GPU util is 98%",
        "terminates when a sequence group is preempted by SWAP with swap_space=0",
        "hello world",
        "I have 4 GPUs",
        "",
    ],
)
def test_configuration_hardware_and_gpu_utilisation_are_no_measurements(text: str) -> None:
    assert not values(read_prose(text))


def test_a_time_without_a_unit_is_listed_and_not_guessed() -> None:
    part = read_prose("TTFT 350 with 32 users")
    assert values(part) == {"concurrency": 32}
    assert part is not None
    assert part.unread == ["statement: TTFT 350: unit missing"]


def test_a_percentile_without_a_place_is_listed() -> None:
    part = read_prose("median TTFT 800 ms, p95 TTFT 1.4 s, p75 TTFT 1.1 s")
    assert values(part) == {"ttft_ms_p50": 800, "ttft_ms_p95": 1400}
    assert part is not None
    assert "p75" in part.unread[0]


@pytest.mark.parametrize("text", ["each user gets 25 tok/s with 40 users", "25 tokens/s per user at 40 users", "25 tok/s/user"])
def test_the_speed_of_one_stream_is_a_time_per_token_and_no_throughput(text: str) -> None:
    found = values(read_prose(text))
    assert found["tpot_ms_mean"] == 40
    assert "output_tok_s" not in found


def test_total_generation_is_the_output_of_all() -> None:
    assert values(read_prose("we see 1200 tokens/sec total generation")) == {"output_tok_s": 1200}


def test_a_time_without_a_statistic_is_taken_for_the_mean_and_says_so() -> None:
    part = read_prose("TTFT is 9 s")
    assert part is not None
    assert "taken for the mean" in part.readings[0].source


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("the scrapes are 30 s apart", 30), ("second one 2 minutes later", 120), ("interval: 15s", 15)],
)
def test_the_time_between_scrapes_is_heard(text: str, seconds: float) -> None:
    part = read_prose(text)
    assert part is not None
    assert part.interval_s == seconds


def test_words_above_and_below_a_log_are_read_and_the_log_is_not() -> None:
    log = "INFO 01-01 10:00:00 [loggers.py:1] Engine 000: something took 12 s\n" * 40
    found = read_prose(f"TTFT is 9 s\n{log}and ITL 45 ms", around=True)
    assert values(found) == {"ttft_ms_mean": 9000, "itl_ms_mean": 45}


@given(st.text(max_size=200))
@settings(max_examples=150, deadline=None)
def test_no_text_breaks_the_reader(text: str) -> None:
    for found in (read_prose(text, NAMES), read_prose(text, around=True)):
        readings = [] if found is None else found.readings
        assert all(math.isfinite(reading.value) and reading.source for reading in readings)
        assert not readings or any(map(str.isnumeric, text))


@given(
    st.lists(
        st.sampled_from(
            [
                "TTFT",
                "p99",
                "9s",
                "45",
                "ms",
                "ITL",
                "users",
                "64",
                ",",
                "from",
                "->",
                "to",
                "%",
                "KV",
                "in/",
                "1k",
                "/",
                "tok/s",
                "<",
            ]
        ),
        max_size=14,
    )
)
@settings(max_examples=150, deadline=None)
def test_no_order_of_known_words_breaks_the_reader(words: list[str]) -> None:
    part = read_prose(" ".join(words))
    assert part is None or all(r.value >= 0 for r in part.readings)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("prompts 12k tokens, outputs 300 tokens", {"input_tokens": 12_000, "output_tokens": 300}),
        ("prompts are about 4,000 tokens and answers are 200 tokens", {"input_tokens": 4000, "output_tokens": 200}),
    ],
)
def test_lengths_are_read_from_the_words_for_what_is_that_long(text: str, expected: dict[str, float]) -> None:
    assert values(read_prose(text)) == expected


def test_a_count_of_prompts_is_no_length() -> None:
    assert "input_tokens" not in values(read_prose("1065 preemptions on 450 prompts, ITL p99 40 ms"))
    assert "output_tokens" not in values(read_prose("mean TTFT 1 s, outputs 900 tok/s"))
