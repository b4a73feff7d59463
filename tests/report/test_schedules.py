"""Each scenario comes back with its trace, or with why vLLM would not take it."""

import json

import pytest

from readers.test_scenarios import LINE
from vllm_triage.engine.scheduler import UnknownScheduler
from vllm_triage.report.schedules import schedules


def test_a_scenario_comes_back_whole_with_its_trace() -> None:
    (answer,) = schedules(json.dumps({**LINE, "note": "kept"}), "0.33.0")
    assert answer["note"] == "kept"
    assert answer["requests"] == LINE["requests"]
    assert answer["vllm"] == "0.33.0"
    assert answer["steps"][0] == [[0, 20]]
    assert answer["first_token_step"] == [0, 3]
    assert answer["finish_step"] == [4, 4]
    assert len(answer["steps"]) == len(answer["waiting"]) == len(answer["running"]) == len(answer["free_blocks"]) == 5
    assert answer["preempted"] == []


def test_requests_of_a_group_share_their_beginning_and_copies_their_output_too() -> None:
    rows = [[0, 32, 40, 0, 1, 32], [60, 40, 1, 0, 1, 32], [60, 32, 1, 0, 2, 32]]
    (answer,) = schedules(json.dumps({**LINE, "requests": rows}), "0.33.0")
    assert answer["steps"][60] == [[1, 8], [2, 32]]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"num_blocks": 2}, "does not fit"),
        ({"max_num_batched_tokens": 3}, "below max_num_seqs"),
        ({"watermark": 0.1}, "watermark came with vLLM 0.24.0"),
        ({"long_prefill_token_threshold_adaptive": True}, "came with vLLM 0.31.0"),
        ({"requests": [[0, 200, 5]]}, "max_model_len"),
        ({"max_model_len": 10**6, "max_num_seqs": 1, "requests": [[0, 1, 150_000]] * 2, "num_blocks": 10**6}, "too many to trace"),
    ],
)
def test_what_vllm_would_refuse_says_why(changes: dict[str, object], says: str) -> None:
    (answer,) = schedules(json.dumps({**LINE, **changes}), "0.23.0")
    assert says in answer["refused"]
    assert "steps" not in answer


def test_a_threshold_above_the_length_is_refused_since_0_27() -> None:
    line = json.dumps({**LINE, "long_prefill_token_threshold": 129})
    assert "steps" in next(schedules(line, "0.26.0"))
    assert "above max_model_len" in next(schedules(line, "0.27.0"))["refused"]


def test_a_release_that_is_too_old_is_refused_before_anything_is_read() -> None:
    with pytest.raises(UnknownScheduler, match=r"0\.12\.0"):
        next(schedules("not read", "0.8.5"))
