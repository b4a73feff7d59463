from verdicts.harness import fires, quiet


def test_a_node_must_know_its_own() -> None:
    fires("hybrid-lb-needs-local-size", "Qwen/Qwen3-30B-A3B -dp 4 --data-parallel-hybrid-lb", "0.33.0")


def test_with_the_local_size_it_does() -> None:
    quiet(
        "hybrid-lb-needs-local-size",
        "Qwen/Qwen3-30B-A3B -dp 4 --data-parallel-hybrid-lb --data-parallel-size-local 2",
        "0.33.0",
    )
