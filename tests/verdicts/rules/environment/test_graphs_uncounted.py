from verdicts.harness import fires, quiet


def test_graphs_take_memory_later() -> None:
    fires("graphs-uncounted", "VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=0 vllm serve Qwen/Qwen3-8B", "0.33.0")


def test_they_are_counted_by_default() -> None:
    quiet("graphs-uncounted", "Qwen/Qwen3-8B", "0.33.0")
