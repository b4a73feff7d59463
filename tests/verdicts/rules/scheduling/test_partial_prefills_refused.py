from verdicts.harness import fires, quiet


def test_two_partial_prefills_are_refused() -> None:
    found = fires("partial-prefills-refused", "Qwen/Qwen3-8B --max-num-partial-prefills 2", "0.18.0")
    assert "--max-num-partial-prefills 2" in found.message


def test_one_is_the_default() -> None:
    quiet("partial-prefills-refused", "Qwen/Qwen3-8B --max-num-partial-prefills 1", "0.18.0")
