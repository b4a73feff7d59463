"""``auto`` where a checkpoint's config names no dtype: told where its quantization computes in one type alone."""

from vllm_triage.engine.deployment import deploy


def test_mxfp4_experts_are_computed_in_bfloat16_whatever_the_config_leaves_out() -> None:
    setting = deploy("vllm serve openai/gpt-oss-20b", "0.18.0", "A100-80GB-SXM").settings["dtype"]
    assert setting.value == "bfloat16"
    assert "mxfp4" in setting.why


def test_a_re_release_by_awq_leaves_the_type_open_and_does_not_call_the_model_unknown() -> None:
    setting = deploy("vllm serve Qwen/Qwen3-14B-AWQ", "0.18.0", "A100-80GB-SXM").settings["dtype"]
    assert setting.value is None
    assert "not known" not in setting.why
