from verdicts.harness import fires, quiet


def test_one_rank_does_not_divide_by_four() -> None:
    found = fires("dcp-does-not-divide", "Qwen/Qwen3-8B --decode-context-parallel-size 4", "0.33.0")
    assert "does not divide" in found.message


def test_sixteen_do() -> None:
    quiet("dcp-does-not-divide", "deepseek-ai/DeepSeek-V3 -tp 8 --decode-context-parallel-size 4", "0.33.0")
