from verdicts.harness import fires, quiet


def test_dense_engines_run_alone() -> None:
    fires("offline-dp-on-dense", "VLLM_DP_SIZE=2 vllm serve Qwen/Qwen3-8B", "0.33.0")


def test_experts_run_in_lockstep() -> None:
    quiet("offline-dp-on-dense", "VLLM_DP_SIZE=2 vllm serve Qwen/Qwen3-30B-A3B", "0.33.0")
