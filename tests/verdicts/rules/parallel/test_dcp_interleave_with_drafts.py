from verdicts.harness import fires, quiet, spec

RUNS = "deepseek-ai/DeepSeek-V3 -tp 8 --decode-context-parallel-size 2 --cp-kv-cache-interleave-size"
MTP = spec(method="mtp", num_speculative_tokens=1)


def test_drafts_are_not_found_in_runs_of_tokens() -> None:
    fires("dcp-interleave-with-drafts", f"{RUNS} 16 {MTP}", "0.28.0", gpu="8x H200")
    quiet("dcp-interleave-with-drafts", f"{RUNS} 1 {MTP}", "0.28.0", gpu="8x H200")
    quiet("dcp-interleave-with-drafts", f"{RUNS} 16", "0.28.0", gpu="8x H200")
