from verdicts.harness import fires, quiet, spec


def test_medusa_moves_no_experts() -> None:
    fires(
        "medusa-with-eplb",
        "Qwen/Qwen3-30B-A3B -tp 2 --enable-expert-parallel --enable-eplb "
        + spec(method="medusa", model="x/medusa", num_speculative_tokens=3),
        "0.31.0",
    )


def test_without_the_balancer_it_runs() -> None:
    quiet(
        "medusa-with-eplb",
        "Qwen/Qwen3-30B-A3B -tp 2 --enable-expert-parallel "
        + spec(method="medusa", model="x/medusa", num_speculative_tokens=3),
        "0.31.0",
    )
