"""Traffic in every form people have it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.domain import Lengths, TraceRow, Workload
from vllm_triage.readers.workload.trace import MOST_ROWS
from vllm_triage.readers.workloads import BadWorkload, read_workload

RUNS = Path(__file__).parent.parent / "data" / "runs"


def shape(given: Any) -> tuple[Any, ...]:
    """Arrivals with their number, and both mean lengths."""
    read = read_workload(given)
    number = {"closed": read.concurrency, "open": read.request_rate, "at_once": read.requests}[read.arrivals]
    return read.arrivals, number, read.input.mean, read.output.mean


# -- words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("64 users, 2k in, 300 out", ("closed", 64, 2000, 300)),
        ("concurrency 256, ISL 1000 OSL 250", ("closed", 256, 1000, 250)),
        ("256 concurrent requests, 8192/1024", ("closed", 256, 8192, 1024)),
        ("16 users 32k context, 500 out", ("closed", 16, 32000, 500)),
        ("10 users each sending 4000 token prompts, answers of 300 tokens", ("closed", 10, 4000, 300)),
        ("4 req/s poisson, 1024/128", ("open", 4, 1024, 128)),
        ("we have 50 RPS with 1.5k prompt and 200 answers", ("open", 50, 1500, 200)),
        ("30 requests per minute, input 8k, output 1k", ("open", 0.5, 8000, 1000)),
        ("200 prompts at once, 1k in 100 out", ("at_once", 200, 1000, 100)),
        ("1,500 users, 2,000 in and 100 out", ("closed", 1500, 2000, 100)),
    ],
)
def test_a_sentence_is_numbers_with_what_they_count(words: str, expected: tuple[Any, ...]) -> None:
    assert shape(words) == expected


def test_a_sentence_may_tell_of_conversations_and_shared_prefixes() -> None:
    read = read_workload("64 users with a 512 token shared prefix, 2000 in and 200 out, 5 turns, 3 s think time")
    assert (read.shared_prefix_tokens, read.turns, read.think_s, read.input.mean) == (512, 5, 3.0, 2000)


def test_what_a_sentence_does_not_say_is_assumed_aloud_and_what_is_not_read_is_told() -> None:
    read = read_workload("8 users on 4 H100s, 500 in")
    assert any("output length is not said" in note for note in read.notes)
    assert any("4 h" in note for note in read.notes)


def test_a_sentence_without_a_load_is_refused_with_what_is_accepted() -> None:
    with pytest.raises(BadWorkload, match=r"nothing says how many users.*vllm bench serve"):
        read_workload("2k in, 300 out")


# -- vllm bench ----------------------------------------------------------------------------------------------------


def test_a_benchmark_command_is_read_with_its_defaults() -> None:
    read = read_workload("vllm bench serve --model x --max-concurrency 64")
    assert (read.arrivals, read.concurrency, read.requests) == ("closed", 64, 1000)
    assert (read.input, read.output) == (Lengths(mean=1024), Lengths(mean=128))


def test_the_random_prefix_comes_on_top_and_does_not_vary() -> None:
    read = read_workload(
        "$ vllm bench serve --dataset-name random \\\n  --random-input-len 1000 --random-output-len=200 \\\n"
        "  --random-prefix-len 100 --random-range-ratio 0.5 --num-prompts 640 --request-rate 4 --burstiness 0.5"
    )
    assert (read.arrivals, read.request_rate, read.burstiness, read.requests) == ("open", 4, 0.5, 640)
    assert read.shared_prefix_tokens == 100
    assert read.input.mean * (1 - read.input.spread) == pytest.approx(600)
    assert read.output == Lengths(mean=200, shape="uniform", spread=0.5)


def test_without_a_rate_or_a_limit_all_prompts_are_sent_at_once() -> None:
    assert shape("vllm bench serve --num-prompts 50 --input-len 10 --output-len 20") == ("at_once", 50, 10, 20)
    assert shape("vllm bench throughput --input-len 512 --output-len 64 -tp 2") == ("at_once", 1000, 512, 64)
    assert shape("vllm bench latency --batch-size 4") == ("at_once", 4, 32, 128)
    assert shape("vllm bench serve --request-rate inf --max-concurrency 10 --num-prompts 10")[0] == "at_once"


def test_prefix_repetition_is_a_prefix_in_groups() -> None:
    read = read_workload("vllm bench serve --dataset-name prefix_repetition --prefix-repetition-prefix-len 1000")
    assert (read.shared_prefix_tokens, read.prefix_groups, read.input.mean, read.output.mean) == (1000, 10, 1256, 128)


def test_a_ratio_for_each_length_is_a_json_object() -> None:
    read = read_workload("""vllm bench serve --random-range-ratio '{"input": 0.2, "output": 0}' --request-rate 1""")
    assert (read.input.spread, read.output.shape) == (0.2, "fixed")


def test_a_data_set_that_is_not_at_hand_needs_its_lengths() -> None:
    with pytest.raises(BadWorkload, match="data set hf"):
        read_workload("vllm bench serve --dataset-name hf --dataset-path a/b")
    assert shape("vllm bench serve --dataset-name hf --dataset-path a/b --input-len 9 --output-len 8 --num-prompts 2") == (
        "at_once", 2, 9, 8,
    )  # fmt: skip
    sharegpt = read_workload("python3 benchmarks/benchmark_serving.py --dataset-name sharegpt --request-rate 2")
    assert sharegpt.input.shape == "lognormal"
    assert "ShareGPT is not at hand" in sharegpt.notes[0]


def test_options_that_were_not_used_are_told() -> None:
    read = read_workload("vllm bench serve --request-rate 2 --ignore-eos --lora-modules a b --host h | tee log.txt --x")
    assert read.notes == ("options that were not used: --lora-modules",)


@pytest.mark.parametrize("path", sorted(RUNS.glob("*/bench.json")), ids=lambda path: path.parent.name)
def test_a_real_result_tells_the_traffic_its_command_asked_for(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    read = read_workload(document)
    assert read.requests == document["num_prompts"]
    assert read.concurrency == document["max_concurrency"] or document["max_concurrency"] is None
    assert read.input.mean * document["completed"] == pytest.approx(document["total_input_tokens"])


def test_a_detailed_result_has_every_length() -> None:
    read = read_workload({
        "num_prompts": 3, "completed": 3, "total_input_tokens": 60, "total_output_tokens": 9, "request_rate": "inf",
        "max_concurrency": 2, "input_lens": [10, 20, 30], "output_lens": [3, 3, 3],
    })  # fmt: skip
    assert (read.arrivals, read.input.values, read.output.mean) == ("closed", (10, 20, 30), 3)


# -- files ---------------------------------------------------------------------------------------------------------


def lines(*rows: dict[str, Any]) -> str:
    return "\n".join(map(json.dumps, rows))


def test_a_mooncake_trace_is_in_ms_with_blocks_of_512() -> None:
    read = read_workload(
        lines(
            {"timestamp": 0, "input_length": 6758, "output_length": 500, "hash_ids": list(range(14))},
            {"timestamp": 3000, "input_length": 7322, "output_length": 490, "hash_ids": [0, *range(14, 28)]},
        )
    )
    assert (read.arrivals, read.trace_block_tokens) == ("trace", 512)
    assert read.trace[1] == TraceRow(3.0, 7322, 490, (0, *range(14, 28)))


def test_burstgpt_is_in_seconds_and_its_failed_requests_are_left_out() -> None:
    read = read_workload(
        "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
        "5,ChatGPT,472,18,490,Conversation log\n45,GPT-4,1087,230,1317,API log\n46,GPT-4,0,0,0,API log\n"
    )
    assert read.trace == (TraceRow(0.0, 472, 18), TraceRow(40.0, 1087, 230))
    assert read.notes == ("rows without both lengths, left out: 1",)


def test_azure_has_dates() -> None:
    read = read_workload(
        "TIMESTAMP,ContextTokens,GeneratedTokens\n"
        "2023-11-16 18:15:46.6805900,374,44\n2023-11-16 18:15:50.9951690,396,109\n"
    )
    assert read.trace[1].at_s == pytest.approx(4.314579, abs=1e-5)


def test_rows_without_times_are_a_crowd() -> None:
    read = read_workload([{"prompt_tokens": 10, "completion_tokens": 5}, {"prompt_tokens": 30, "completion_tokens": 5}])
    assert (read.arrivals, read.requests, read.input.values) == ("at_once", 2, (10, 30))


def test_rows_out_of_order_are_sorted() -> None:
    rows = ({"timestamp_s": at, "input_tokens": 5, "output_tokens": 5} for at in (3, 1, 2))
    assert [row.at_s for row in read_workload(lines(*rows)).trace] == [0, 1, 2]


def test_a_long_trace_is_read_up_to_a_limit_that_is_told() -> None:
    row = json.dumps({"timestamp_s": 1, "input_tokens": 5, "output_tokens": 5})
    read = read_workload("\n".join([row] * (MOST_ROWS + 7)))
    assert len(read.trace) == MOST_ROWS
    assert "7 were not" in read.notes[0]


def test_sharegpt_is_the_first_question_and_answer_of_the_lengths_the_benchmark_takes() -> None:
    def conversation(prompt: int, answer: int) -> dict[str, Any]:
        turns = [{"from": "human", "value": "x" * prompt}, {"from": "gpt", "value": "y" * answer}]
        return {"id": "1", "conversations": turns}

    read = read_workload(json.dumps([conversation(400, 800), conversation(8, 800), conversation(9000, 10)]))
    assert (read.requests, read.input.values, read.output.values) == (1, (100,), (200,))
    assert any(note.startswith("2 conversations") for note in read.notes)


# -- objects -------------------------------------------------------------------------------------------------------


def test_an_object_has_the_fields_of_the_noun() -> None:
    workload = Workload(
        arrivals="open", request_rate=2.5, input=Lengths(mean=9, shape="lognormal", spread=1.0), turns=2
    )
    assert read_workload(workload.to_json()) == workload
    assert read_workload(json.dumps(workload.to_json())) == workload


def test_an_object_may_be_short() -> None:
    assert shape({"concurrency": 64, "input": 1000, "output": 200}) == ("closed", 64, 1000, 200)
    assert shape({"request_rate": 2, "input_tokens": 1000, "osl": 200}) == ("open", 2, 1000, 200)
    assert shape({"workload": "8 users, 10 in, 20 out"}) == ("closed", 8, 10, 20)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"concurency": 4}, "unknown: concurency"),
        ({"input": 4}, "nothing says how requests come"),
        ({"arrivals": "closed"}, "closed traffic needs concurrency"),
        ({"concurrency": 0}, "nothing says how"),
        ({"concurrency": 4, "input": -1}, "greater than 0"),
        ("", "empty"),
        ("[1, 2]", "no objects"),
        ("{", "neither JSON"),
        ("[" * 100_000, "neither JSON"),
        ([{"text": "hello"}], "no input and output length"),
    ],
)
def test_what_is_no_traffic_is_refused_with_the_reason(given: Any, said: str) -> None:
    with pytest.raises(BadWorkload, match=said):
        read_workload(given)


FRAGMENTS = st.sampled_from([
    "64 users", "2k in", "300 out", ",", "4 req/s", "vllm bench serve", "--request-rate", "--random-input-len", "inf", "nan",
    "--max-concurrency", "1e999", "-5", "0", '{"concurrency": 3}', "[", "{", '"', "'", "\n", "k", "\\", "turns", "prefix",
    "timestamp,input_length,output_length\n1,2,3", '{"input_tokens": 5, "output_tokens": 5}', "9" * 22, "at once", "\x00",
    "\u2028", "=", ";",
])  # fmt: skip


@given(st.lists(st.one_of(FRAGMENTS, st.text(max_size=12)), max_size=14))
@settings(max_examples=150, deadline=None)
def test_any_text_is_traffic_or_refused(parts: list[str]) -> None:
    for text in (" ".join(parts), "".join(parts)):
        try:
            read = read_workload(text)
        except BadWorkload:
            continue
        assert read_workload(read.to_json()).arrivals == read.arrivals
        assert all(len(note) <= 200 for note in read.notes)


NAMES = (
    "arrivals concurrency request_rate requests input output input_tokens output_tokens timestamp hash_ids trace "
    "conversations num_prompts completed total_input_tokens total_output_tokens turns seed mean"
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(NAMES.split()), inner, max_size=6)
    ),
    max_leaves=20,
)


@given(JSON)
@settings(max_examples=150, deadline=None)
def test_any_json_is_traffic_or_refused(document: Any) -> None:
    if not isinstance(document, dict | list):
        return
    try:
        read = read_workload(document)
    except BadWorkload:
        return
    assert isinstance(read, Workload)


def test_a_number_by_its_power_of_ten_is_refused_not_taken_for_its_last_digits() -> None:
    with pytest.raises(BadWorkload, match="1e9"):
        read_workload("1e9 req/s, 1k in, 100 out")
