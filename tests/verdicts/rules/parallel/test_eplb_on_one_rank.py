from verdicts.harness import fires, quiet


def test_one_rank_has_nothing_to_balance() -> None:
    fires("eplb-on-one-rank", "Qwen/Qwen3-30B-A3B --enable-expert-parallel --enable-eplb", "0.18.0")


def test_two_ranks_have() -> None:
    quiet("eplb-on-one-rank", "Qwen/Qwen3-30B-A3B -tp 2 --enable-expert-parallel --enable-eplb", "0.18.0")
