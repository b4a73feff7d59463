from verdicts.harness import fires, quiet


def test_a_cpu_cannot_sleep() -> None:
    fires("sleep-mode-platform", "Qwen/Qwen3-8B --enable-sleep-mode", "0.33.0", gpu="cpu")


def test_an_h100_can() -> None:
    quiet("sleep-mode-platform", "Qwen/Qwen3-8B --enable-sleep-mode", "0.33.0")
