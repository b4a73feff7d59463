from verdicts.harness import fires, quiet, spec

HALVES = "deepseek-ai/DeepSeek-V3 -dp 8 --enable-expert-parallel --enable-dbo --all2all-backend deepep_low_latency"


def test_halves_of_a_batch_are_not_made_for_drafters() -> None:
    fires("drafts-with-microbatches", f"{HALVES} {spec(method='mtp', num_speculative_tokens=1)}", "0.28.0")
    quiet("drafts-with-microbatches", HALVES, "0.28.0")
    quiet("drafts-with-microbatches", f"{HALVES} {spec(method='ngram', num_speculative_tokens=3, prompt_lookup_max=4)}", "0.28.0")
