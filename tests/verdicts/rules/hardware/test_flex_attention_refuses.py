from verdicts.harness import fires, not_checked, quiet

FLEX = "VLLM_ATTENTION_BACKEND=FLEX_ATTENTION vllm serve"
RULE = "flex-attention-refuses"


def test_it_has_no_soft_cap_and_reads_no_eight_bits() -> None:
    fires(RULE, f"{FLEX} google/gemma-2-9b-it", "0.10.0")
    fires(RULE, "Qwen/Qwen3-8B --attention-backend FLEX_ATTENTION --kv-cache-dtype fp8", "0.33.0")


def test_windows_came_with_0_11() -> None:
    fires(RULE, f"{FLEX} mistralai/Mistral-7B-v0.1", "0.10.0")
    quiet(RULE, f"{FLEX} mistralai/Mistral-7B-v0.1", "0.11.0")


def test_plain_attention_runs_and_an_unknown_model_is_not_judged() -> None:
    quiet(RULE, "Qwen/Qwen3-8B --attention-backend FLEX_ATTENTION", "0.33.0")
    assert not_checked(RULE, f"{FLEX} a/b", "0.10.0", "H100-SXM") == ("model",)
