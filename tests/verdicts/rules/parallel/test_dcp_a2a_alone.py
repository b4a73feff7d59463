from verdicts.harness import fires, quiet


def test_one_rank_exchanges_nothing() -> None:
    fires("dcp-a2a-alone", "deepseek-ai/DeepSeek-V3 -tp 8 --dcp-comm-backend a2a", "0.18.0")


def test_two_ranks_do() -> None:
    quiet(
        "dcp-a2a-alone",
        "deepseek-ai/DeepSeek-V3 -tp 8 --decode-context-parallel-size 2 --dcp-comm-backend a2a",
        "0.18.0",
    )
