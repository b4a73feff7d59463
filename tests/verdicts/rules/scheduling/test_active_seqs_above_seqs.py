from verdicts.harness import fires, quiet


def test_more_active_than_seated_is_refused() -> None:
    found = fires("active-seqs-above-seqs", "Qwen/Qwen3-8B --max-num-active-seqs 64 --max-num-seqs 32", "0.33.0")
    assert "64" in found.message


def test_fewer_are_fine() -> None:
    quiet("active-seqs-above-seqs", "Qwen/Qwen3-8B --max-num-active-seqs 16 --max-num-seqs 32", "0.33.0")
