from verdicts.harness import fires, quiet


def test_more_local_engines_than_engines_are_refused() -> None:
    found = fires(
        "local-dp-above-dp", "Qwen/Qwen3-30B-A3B --data-parallel-size 2 --data-parallel-size-local 4", "0.33.0"
    )
    assert "4 is larger" in found.message


def test_all_engines_may_be_local() -> None:
    quiet("local-dp-above-dp", "Qwen/Qwen3-30B-A3B --data-parallel-size 2 --data-parallel-size-local 2", "0.33.0")
