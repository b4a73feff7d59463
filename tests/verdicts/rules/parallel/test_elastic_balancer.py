from verdicts.harness import fires, quiet

ELASTIC = "Qwen/Qwen3-30B-A3B -dp 2 --enable-expert-parallel --enable-eplb --enable-elastic-ep"


def test_an_external_balancer_is_served_from_0_33() -> None:
    fires("elastic-balancer", f"{ELASTIC} --data-parallel-external-lb --data-parallel-rank 0", "0.28.0")
    quiet("elastic-balancer", f"{ELASTIC} --data-parallel-external-lb --data-parallel-rank 0", "0.33.0")


def test_a_hybrid_one_is_not() -> None:
    fires("elastic-balancer", f"{ELASTIC} --data-parallel-hybrid-lb --data-parallel-size-local 1", "0.33.0")


def test_vllms_own_is() -> None:
    quiet("elastic-balancer", ELASTIC, "0.28.0")
