"""Scenario lines: read as they are, or refused by line, field and reason."""

import json
from typing import Any

import pytest

from vllm_triage.readers.scenarios import BadScenario, ScenarioRequest, read_scenarios

LINE: dict[str, Any] = {
    "id": "one", "max_num_seqs": 4, "max_num_batched_tokens": 64, "max_model_len": 128, "block_size": 16,
    "num_blocks": 40, "long_prefill_token_threshold": 0, "enable_prefix_caching": True, "enable_chunked_prefill": True,
    "policy": "fcfs", "async_scheduling": False, "requests": [[0, 20, 5, 1, 2, 16], [3, 8, 2]],
}  # fmt: skip


def test_a_line_is_read_with_its_defaults() -> None:
    (scenario,) = read_scenarios(json.dumps(LINE) + "\n\n")
    assert scenario.requests == (ScenarioRequest(0, 20, 5, 1, 2, 16), ScenarioRequest(3, 8, 2, 0, -1, 0))
    assert (scenario.watermark, scenario.max_num_active_seqs) == (0.0, None)
    assert scenario.given == LINE


def test_settings_of_later_releases_are_read_when_they_are_given() -> None:
    (scenario,) = read_scenarios(json.dumps({**LINE, "watermark": 0.1, "max_num_active_seqs": 2}))
    assert (scenario.watermark, scenario.max_num_active_seqs) == (0.1, 2)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 1: not JSON"),
        ("[" * 100_000, "line 1: not JSON"),
        ("7", "line 1: not a JSON object"),
        ("{}", "line 1: id, max_num_seqs"),
        (json.dumps({**LINE, "policy": "random"}), "policy: expected"),
        (json.dumps({**LINE, "max_num_seqs": "four"}), "max_num_seqs: expected a whole number"),
        (json.dumps({**LINE, "max_num_seqs": True}), "max_num_seqs: expected a whole number"),
        (json.dumps({**LINE, "block_size": 10**12}), "block_size: expected a whole number"),
        (json.dumps({**LINE, "block_size": 100_000}), "block_size: expected a whole number from 0 to 65,536"),
        (json.dumps({**LINE, "requests": [[10**7, 1, 1]]}), r"requests\[0\].arrival_step"),
        (json.dumps({**LINE, "enable_prefix_caching": 1}), "enable_prefix_caching: expected true or false"),
        (json.dumps({**LINE, "watermark": "low"}), "watermark: expected a number"),
        (json.dumps({**LINE, "requests": 3}), "requests: expected a list"),
        (json.dumps({**LINE, "requests": [[1, 2]]}), r"requests\[0\]: expected a list of 3 to 6"),
        (json.dumps({**LINE, "requests": [[0, 20, 5], [0, -1, 5]]}), r"requests\[1\].prompt_tokens"),
        (json.dumps({**LINE, "requests": [[0, 20, 5, 0.5]]}), r"requests\[0\].priority"),
        (json.dumps({**LINE, "requests": [[0, 20, 5, 0, 1, 21]]}), "longer than the prompt"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(line: str, says: str) -> None:
    with pytest.raises(BadScenario, match=says):
        list(read_scenarios(line))


def test_the_line_that_is_wrong_is_told() -> None:
    lines = read_scenarios(json.dumps(LINE) + "\n{}")
    next(lines)
    with pytest.raises(BadScenario, match="line 2"):
        next(lines)
