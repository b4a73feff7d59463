from verdicts.harness import fires, quiet


def test_a_forced_pool_is_for_tests() -> None:
    fires("kv-blocks-forced", "Qwen/Qwen3-8B --num-gpu-blocks-override 1000", "0.33.0")


def test_the_pool_is_measured() -> None:
    quiet("kv-blocks-forced", "Qwen/Qwen3-8B", "0.33.0")
