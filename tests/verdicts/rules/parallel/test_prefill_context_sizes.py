from verdicts.harness import fires, quiet

SPLIT = "deepseek-ai/DeepSeek-V3 -tp 2 --prefill-context-parallel-size 2"


def test_data_parallelism_beside_split_prompts_came_with_0_30() -> None:
    fires("prefill-context-sizes", f"{SPLIT} -dp 2", "0.28.0")
    quiet("prefill-context-sizes", f"{SPLIT} -dp 2", "0.33.0")


def test_decode_context_ranks_span_the_prompts_ranks_or_all() -> None:
    fires("prefill-context-sizes", f"{SPLIT} -dcp 3", "0.33.0")
    for size in (1, 2, 4):
        quiet("prefill-context-sizes", f"{SPLIT} -dcp {size}", "0.33.0")
