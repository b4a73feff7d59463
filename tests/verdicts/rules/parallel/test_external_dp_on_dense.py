from verdicts.harness import fires, quiet


def test_dense_replicas_are_independent() -> None:
    fires("external-dp-on-dense", "Qwen/Qwen3-8B -dp 2 --data-parallel-external-lb --data-parallel-rank 0", "0.33.0")


def test_experts_are_shared() -> None:
    quiet(
        "external-dp-on-dense", "Qwen/Qwen3-30B-A3B -dp 2 --data-parallel-external-lb --data-parallel-rank 0", "0.33.0"
    )
