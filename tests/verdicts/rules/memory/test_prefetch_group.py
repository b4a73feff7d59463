from verdicts.harness import fires, quiet


def test_five_of_four_is_too_many() -> None:
    fires("prefetch-group", "Qwen/Qwen3-8B --offload-group-size 4 --offload-num-in-group 5", "0.33.0")


def test_one_of_four_is_fine() -> None:
    quiet("prefetch-group", "Qwen/Qwen3-8B --offload-group-size 4 --offload-num-in-group 1", "0.33.0")


def test_the_next_group_is_fetched_ahead() -> None:
    fires("prefetch-group", "Qwen/Qwen3-8B --offload-group-size 2 --offload-prefetch-step 0", "0.28.0")
