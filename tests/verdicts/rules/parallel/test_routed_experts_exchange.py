from verdicts.harness import fires, quiet


def test_experts_are_recorded_on_one_rank() -> None:
    fires(
        "routed-experts-exchange",
        "deepseek-ai/DeepSeek-V3 -tp 8 --decode-context-parallel-size 2 --enable-return-routed-experts",
        "0.31.0",
    )


def test_without_context_ranks_they_are() -> None:
    quiet("routed-experts-exchange", "deepseek-ai/DeepSeek-V3 -tp 8 --enable-return-routed-experts", "0.31.0")
