from verdicts.harness import fires, quiet

ADAPTED = "Qwen/Qwen3-30B-A3B -tp 2 --enable-lora"
RULE = "experts-adapted-in-parallel"


def test_whole_experts_are_not_adapted_before_0_21() -> None:
    fires(RULE, f"{ADAPTED} --enable-expert-parallel", "0.18.0")
    quiet(RULE, ADAPTED, "0.18.0")


def test_later_they_are_with_one_exchange_and_plain_shards() -> None:
    fires(RULE, f"{ADAPTED} --enable-expert-parallel --fully-sharded-loras", "0.33.0")
    fires(RULE, f"{ADAPTED} --enable-expert-parallel --all2all-backend deepep_low_latency", "0.33.0")
    quiet(RULE, f"{ADAPTED} --enable-expert-parallel", "0.33.0")
