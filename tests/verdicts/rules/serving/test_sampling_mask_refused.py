from verdicts.harness import fires, quiet, spec

ASKED = "Qwen/Qwen3-8B --return-sampling-mask"
MASK = f"{ASKED} --logprobs-mode processed_logprobs"
NGRAM = spec(method="ngram_gpu", num_speculative_tokens=3, prompt_lookup_max=4)


def test_masks_go_with_processed_log_probabilities() -> None:
    fires("sampling-mask-refused", ASKED, "0.28.0")
    quiet("sampling-mask-refused", MASK, "0.28.0")


def test_processors_of_ones_own_hide_the_distribution() -> None:
    fires("sampling-mask-refused", f"{MASK} --logits-processors my.mod:Proc", "0.33.0")


def test_drafts_are_masked_from_0_32() -> None:
    fires("sampling-mask-refused", f"{MASK} {NGRAM}", "0.28.0")
    quiet("sampling-mask-refused", f"{MASK} {NGRAM}", "0.32.0")


def test_the_v1_runner_has_no_masks() -> None:
    fires("sampling-mask-refused", f"VLLM_USE_V2_MODEL_RUNNER=0 vllm serve {MASK}", "0.28.0")
