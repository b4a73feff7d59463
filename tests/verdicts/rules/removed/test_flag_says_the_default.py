from verdicts.harness import fires, quiet


def test_chunked_prefill_is_on_anyway() -> None:
    found = fires("flag-says-the-default", "Qwen/Qwen3-8B --enable-chunked-prefill", "0.33.0")
    assert "--enable-chunked-prefill" in found.message


def test_a_choice_is_not_a_default() -> None:
    quiet("flag-says-the-default", "Qwen/Qwen3-8B --max-num-seqs 64", "0.33.0")
