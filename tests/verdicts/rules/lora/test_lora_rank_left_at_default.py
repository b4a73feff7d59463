from verdicts.harness import fires, quiet


def test_a_higher_rank_does_not_load() -> None:
    fires("lora-rank-left-at-default", "Qwen/Qwen3-8B --enable-lora --lora-modules a=x/adapter", "0.33.0")


def test_a_set_rank_is_meant() -> None:
    quiet(
        "lora-rank-left-at-default",
        "Qwen/Qwen3-8B --enable-lora --lora-modules a=x/adapter --max-lora-rank 64",
        "0.33.0",
    )
