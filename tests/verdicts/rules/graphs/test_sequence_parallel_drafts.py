from verdicts.harness import fires, quiet, spec

SPLIT = """Qwen/Qwen3-8B -tp 4 --compilation-config '{"pass_config":{"enable_sp":true},"cudagraph_mode":"FULL_AND_PIECEWISE"}'"""


def test_sizes_are_multiples_of_drafts_and_of_ranks() -> None:
    three = spec(method="ngram", num_speculative_tokens=2, prompt_lookup_max=4)
    four = spec(method="ngram", num_speculative_tokens=3, prompt_lookup_max=4)
    fires("sequence-parallel-drafts", f"{SPLIT} {three}", "0.28.0")
    quiet("sequence-parallel-drafts", f"{SPLIT} {four}", "0.28.0")
    quiet("sequence-parallel-drafts", SPLIT, "0.28.0")
