from verdicts.harness import fires, quiet, spec

SEVEN = "Qwen/Qwen3-8B " + spec(method="ngram", num_speculative_tokens=7, prompt_lookup_max=4)


def test_a_sequence_with_its_drafts_fits_a_graph() -> None:
    fires("capture-sizes-below-drafts", f"{SEVEN} --cudagraph-capture-sizes 1 2", "0.28.0")
    quiet("capture-sizes-below-drafts", f"{SEVEN} --cudagraph-capture-sizes 1 16", "0.28.0")
    quiet("capture-sizes-below-drafts", "Qwen/Qwen3-8B --cudagraph-capture-sizes 1 2", "0.28.0")
    quiet("capture-sizes-below-drafts", SEVEN, "0.28.0")
