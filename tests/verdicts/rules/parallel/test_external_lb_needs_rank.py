from verdicts.harness import fires, quiet


def test_a_server_must_know_its_rank() -> None:
    fires("external-lb-needs-rank", "Qwen/Qwen3-30B-A3B -dp 2 --data-parallel-external-lb", "0.33.0")


def test_with_a_rank_it_starts() -> None:
    quiet(
        "external-lb-needs-rank",
        "Qwen/Qwen3-30B-A3B -dp 2 --data-parallel-external-lb --data-parallel-rank 0",
        "0.33.0",
    )
