"""A value the paste leaves open is neither refused nor taken for the default."""

import pytest

from vllm_triage.engine.change import with_flags
from vllm_triage.engine.deployment import deploy, redeploy
from vllm_triage.engine.memory import estimate
from vllm_triage.verdicts.compat import check

OPEN = [
    "vllm serve Qwen/Qwen3-8B --max-num-seqs $SEQS",
    "vllm serve Qwen/Qwen3-8B --max-num-seqs=${SEQS}",
    "vllm serve Qwen/Qwen3-8B --max-num-seqs $(nproc)",
    "vllm serve Qwen/Qwen3-8B --max-num-seqs {{ .Values.seqs }}",
    "vllm serve Qwen/Qwen3-8B --max-num-seqs {{.Values.seqs}}",
    "vllm serve Qwen/Qwen3-8B --max-num-seqs %SEQS%",
    "vllm serve Qwen/Qwen3-8B --max-num-seqs YOUR_SEQS",
    "vllm serve Qwen/Qwen3-8B --max-num-seqs=REPLACE_WITH_SEQS",
    "vllm serve Qwen/Qwen3-8B --max-num-seqs <seqs>",
    "vllm serve Qwen/Qwen3-8B --max-num-seqs xxx",
]


@pytest.mark.parametrize("command", OPEN)
def test_an_open_value_is_asked_for_and_nothing_is_refused(command: str) -> None:
    found = deploy(command, "0.33.0", "H100-SXM")
    assert [(p.severity, p.flag) for p in found.problems if p.code == "open-value"] == [("info", "--max-num-seqs")]
    assert not [p for p in found.problems if p.severity in ("fatal", "error")]
    assert check(found).ok


@pytest.mark.parametrize("command", OPEN)
def test_an_open_value_is_not_taken_for_the_default(command: str) -> None:
    setting = deploy(command, "0.33.0", "H100-SXM").settings["max_num_seqs"]
    assert (setting.value, setting.origin) == (None, "assumed")


def test_an_open_value_stays_open_when_another_flag_is_changed() -> None:
    changed = with_flags(deploy(OPEN[0], "0.33.0", "H100-SXM"), {"max_model_len": 4096})
    assert (changed.setting("max_model_len"), changed.setting("max_num_seqs")) == (4096, None)


def test_an_open_value_is_closed_by_a_change_of_that_flag() -> None:
    assert with_flags(deploy(OPEN[0], "0.33.0", "H100-SXM"), {"max_num_seqs": 64}).setting("max_num_seqs") == 64


def test_an_open_model_leaves_sizes_open_and_is_asked_for() -> None:
    found = deploy("vllm serve $MODEL --max-num-seqs 8", "0.33.0", "H100-SXM")
    assert (found.model, found.model_id) == (None, None)
    assert [p.code for p in found.problems] == ["open-value"]
    assert estimate(found).kv_bytes_per_token is None


def test_an_open_size_of_the_split_is_named_among_the_assumptions_of_a_pool() -> None:
    sized = estimate(deploy("vllm serve Qwen/Qwen3-8B -tp $GPUS", "0.33.0", "H100-SXM"))
    assert sized.pool is None or "tensor_parallel_size" in " ".join(sized.assumptions)


def test_a_value_set_in_the_paste_is_not_open() -> None:
    assert (
        deploy("SEQS=32\nvllm serve Qwen/Qwen3-8B --max-num-seqs $SEQS", "0.33.0", "H100-SXM").setting("max_num_seqs")
        == 32
    )


def test_what_an_open_value_hid_stays_asked_for_until_that_flag_is_changed() -> None:
    found = deploy("vllm serve Qwen/Qwen3-8B --max-num-seqs $SEQS", "0.33.0", "h100")
    others, itself = (redeploy(found, {name: 64}) for name in ("max_num_batched_tokens", "max_num_seqs"))
    assert [p.flag for p in others.problems if p.code == "open-value"] == ["--max-num-seqs"]
    assert [p.flag for p in itself.problems if p.code == "open-value"] == []


@pytest.mark.parametrize("model", ["<model>", "YOUR_MODEL", "REPLACE_WITH_MODEL", "/path/to/model"])
def test_a_model_left_to_be_filled_in_is_asked_for(model: str) -> None:
    found = deploy(f"vllm serve {model} --max-num-seqs 64", "0.33.0")
    assert (found.model, found.model_id) == (None, model)
    assert [p.message for p in found.problems if p.code == "open-value"] != []
    assert not [p for p in found.problems if p.code == "unknown-model"]
    assert not [p for p in found.problems if p.severity in ("fatal", "error")]
    assert found.setting("max_num_seqs") == 64


def test_a_placeholder_that_the_parser_takes_stays_a_value() -> None:
    found = deploy("vllm serve Qwen/Qwen3-8B --served-model-name your-model", "0.33.0")
    assert found.args["served_model_name"] == ["your-model"]


def test_a_wrong_value_beside_a_placeholder_is_still_refused() -> None:
    found = deploy("vllm serve <model> --max-num-seqs abc", "0.33.0")
    assert [p.flag for p in found.problems if p.severity == "fatal"] == ["--max-num-seqs"]


def test_a_variable_by_itself_may_hold_further_arguments() -> None:
    command = "services:\n  v:\n    image: a/b\n    command: vllm serve $$MORE --model Qwen/Qwen3-8B"
    found = deploy(command, "0.33.0")
    assert not [p for p in found.problems if p.severity == "fatal"]
