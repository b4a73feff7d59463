from verdicts.harness import fires, quiet


def test_the_balancer_needs_expert_parallelism() -> None:
    fires("eplb-without-experts-parallel", "Qwen/Qwen3-30B-A3B -tp 2 --enable-eplb", "0.33.0")


def test_with_it_the_balancer_starts() -> None:
    quiet("eplb-without-experts-parallel", "Qwen/Qwen3-30B-A3B -tp 2 --enable-expert-parallel --enable-eplb", "0.33.0")
