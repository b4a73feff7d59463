"""parse_vllm_command: the contract's fields, the text, the caps."""

import pytest

from vllm_triage.report.answers.parse import MOST, Answer, Arguments, run

FIXED = {
    "summary", "source", "vllm_version", "model", "gpu", "flags", "env", "settings", "problems", "redacted",
}
FLAG = {
    "flag", "given_as", "value", "default", "default_why", "is_default", "controls", "note", "status", "did_you_mean",
}
SETTINGS = {
    "gpu_memory_utilization", "max_num_batched_tokens", "max_num_seqs", "max_model_len", "enable_chunked_prefill",
    "enable_prefix_caching", "block_size", "kv_cache_dtype", "async_scheduling", "long_prefill_token_threshold",
    "scheduling_policy", "tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size", "speculative_config",
    "kv_cache_memory_bytes",
}


def parsed(command: str, **more: str) -> Answer:
    return run(Arguments(command=command, **more))


@pytest.fixture(scope="module")
def answer() -> Answer:
    return parsed(
        "HF_HOME=/models vllm serve Qwen/Qwen3-8B -tp 2 --max_num_seqs=64 --swap-space 4 --max-model-length 8k",
        vllm_version="0.31.0", gpu="2x H100-SXM",
    )


def test_every_field_of_the_contract_is_there(answer: Answer) -> None:
    data = answer.to_json()
    assert set(data) >= FIXED
    assert next(iter(data)) == "summary"
    assert set(data["vllm_version"]) >= {"value", "origin"}
    assert all(set(flag) >= FLAG for flag in data["flags"])
    assert set(data["settings"]) >= SETTINGS
    assert all(set(setting) == {"value", "origin", "why"} for setting in data["settings"].values())
    assert all(set(problem) >= {"severity", "flag", "message", "fix"} for problem in data["problems"])


def test_each_flag_is_under_its_canonical_name_with_its_status(answer: Answer) -> None:
    statuses = {flag.flag: flag.status for flag in answer.flags}
    assert statuses["--tensor-parallel-size"] == "ok"
    assert statuses["--max-num-seqs"] == "ok"
    assert statuses["--swap-space"] == "removed"
    [unknown] = [flag for flag in answer.flags if flag.status == "unknown"]
    assert unknown.did_you_mean == "--max-model-len"
    assert answer.found()


def test_empty_extras_are_left_out(answer: Answer) -> None:
    data = answer.to_json()
    assert data["gpu_count"] == 2
    assert not {"other_launches", "omitted", "catalogue_version"} & set(data)


def test_the_text_says_everything_the_data_does(answer: Answer) -> None:
    text = answer.to_text()
    assert text.startswith(answer.summary)
    for flag in answer.flags:
        assert flag.flag in text
        assert flag.note.rstrip(".") in text
    for problem in answer.problems:
        assert problem.message in text
    assert all(f"- {name} = " in text for name in answer.settings)
    assert "HF_HOME /models" in text


def test_the_summary_names_what_the_parser_refuses(answer: Answer) -> None:
    assert "This version refuses it" in answer.summary
    assert "vLLM 0.31.0 (given)" in answer.summary


def test_an_assumed_version_is_called_assumed() -> None:
    assert "(assumed)" in parsed("vllm serve Qwen/Qwen3-8B").summary


def test_a_clean_launch_finds_nothing() -> None:
    clean = parsed("vllm serve Qwen/Qwen3-8B", vllm_version="0.33.0", gpu="H100-SXM")
    assert not clean.found()
    assert "Problems:" not in clean.to_text()


def test_an_unknown_release_is_answered_by_the_nearest_and_says_so() -> None:
    near = parsed("vllm serve Qwen/Qwen3-8B", vllm_version="0.33.7")
    assert near.catalogue_version == "0.33.0"
    assert "flags as of vLLM 0.33.0" in near.to_text()


def test_further_launches_of_a_paste_are_named() -> None:
    both = parsed("vllm serve Qwen/Qwen3-8B --port 1\nvllm serve Qwen/Qwen3-14B --no-such-flag\n")
    assert both.model == "Qwen/Qwen3-8B"
    [other] = both.other_launches
    assert other.startswith("Qwen/Qwen3-14B: 1 flag")


def test_lists_are_capped_and_say_how_much_is_left_out() -> None:
    many = parsed("vllm serve Qwen/Qwen3-8B " + " ".join(f"--x{i} 1" for i in range(300)))
    assert len(many.problems) <= MOST
    assert many.omitted["flags"] == 300 - MOST
    assert f"{300 - MOST} more flags left out" in many.to_text()
