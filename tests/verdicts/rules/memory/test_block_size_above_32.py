from verdicts.harness import fires, quiet


def test_sixty_four_are_too_many() -> None:
    fires("block-size-above-32", "Qwen/Qwen2.5-7B-Instruct --block-size 64", "0.6.6")


def test_thirty_two_are_not() -> None:
    quiet("block-size-above-32", "Qwen/Qwen2.5-7B-Instruct --block-size 32", "0.6.6")
