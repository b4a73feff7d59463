from verdicts.harness import fires, quiet, spec

NGRAM = f"vllm serve Qwen/Qwen2.5-7B-Instruct {spec(method='ngram', num_speculative_tokens=3, prompt_lookup_max=4)}"


def test_v0_drafts_no_more() -> None:
    fires("speculation-on-v0", f"VLLM_USE_V1=0 {NGRAM}", "0.10.0")
    quiet("speculation-on-v0", NGRAM, "0.10.0")
