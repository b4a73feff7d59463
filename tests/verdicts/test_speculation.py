import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.domain import Json
from vllm_triage.verdicts.speculation import Speculation, ngram, read_speculation


def read(**config: Json) -> Speculation:
    found = read_speculation({"speculative_config": dict(config)})
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("config", "method"),
    [
        ({"model": "ngram", "num_speculative_tokens": 3}, "ngram"),
        ({"method": "[ngram]", "num_speculative_tokens": 3}, "ngram"),
        ({"method": "deepseek_mtp", "num_speculative_tokens": 1}, "mtp"),
        ({"model": "x/EAGLE-LLaMA3-8B", "num_speculative_tokens": 3}, "eagle"),
        ({"model": "x/EAGLE3-LLaMA3.1-8B", "num_speculative_tokens": 3}, "eagle3"),
        ({"model": "x/Qwen3-8B_dflash", "num_speculative_tokens": 3}, "dflash"),
        ({"model": "Qwen/Qwen3-0.6B", "num_speculative_tokens": 3}, "draft_model"),
        ({"method": "draft_model", "model": "x/eagle3-head", "num_speculative_tokens": 3}, "eagle3"),
        ({"method": "medusa", "model": "x/eagle3-head", "num_speculative_tokens": 3}, "medusa"),
    ],
)
def test_the_method_is_found_as_vllm_finds_it(config: dict[str, Json], method: str) -> None:
    assert read(**config).method == method


def test_without_any_of_the_flags_there_is_no_speculation() -> None:
    assert read_speculation({}) is None
    assert read_speculation({"speculative_config": None}) is None


def test_the_short_flags_are_folded_in() -> None:
    found = read_speculation({"spec_method": "ngram", "spec_tokens": 5})
    assert found is not None
    assert (found.method, found.tokens) == ("ngram", 5)


def test_a_text_that_is_json_is_read_and_another_is_not() -> None:
    found = read_speculation({"speculative_config": json.dumps(ngram(3))})
    assert found is not None
    assert found.tokens == 3
    assert read_speculation({"speculative_config": "{bad json}"}) is None


@pytest.mark.parametrize(
    ("config", "slots"),
    [
        ({"model": "a/b", "num_speculative_tokens": 4}, 1),
        ({"model": "a/b", "num_speculative_tokens": 4, "parallel_drafting": True}, 4),
        ({"model": "a/eagle3", "num_speculative_tokens": 4, "parallel_drafting": True}, 3),
        ({"model": "a/eagle3", "num_speculative_tokens": 4}, 0),
        ({"method": "ngram", "num_speculative_tokens": 4}, 0),
    ],
)
def test_slots_are_those_the_scheduler_of_0_17_to_0_27_reserves(config: dict[str, Json], slots: int) -> None:
    assert read(**config).slots == slots


@settings(max_examples=60)
@given(
    st.dictionaries(st.text(max_size=12), st.none() | st.booleans() | st.integers() | st.text(max_size=8), max_size=5)
)
def test_any_object_is_read_without_an_error(config: dict[str, Json]) -> None:
    assert read_speculation({"speculative_config": config}) is not None


def test_changes_are_applied_and_none_takes_a_key_out() -> None:
    assert read(method="ngram", num_speculative_tokens=3).but(num_speculative_tokens=None, prompt_lookup_max=2) == {
        "method": "ngram", "prompt_lookup_max": 2,
    }  # fmt: skip
