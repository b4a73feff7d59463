from verdicts.harness import fires, quiet


def test_a_cpu_cannot_sleep() -> None:
    fires("sleep-mode-platform", "Qwen/Qwen3-8B --enable-sleep-mode", "0.33.0", gpu="cpu")


def test_an_h100_can() -> None:
    quiet("sleep-mode-platform", "Qwen/Qwen3-8B --enable-sleep-mode", "0.33.0")


def test_the_allocator_alone_is_refused_there_too() -> None:
    fires("sleep-mode-platform", "Qwen/Qwen3-8B --enable-cumem-allocator", "0.28.0", gpu="CPU")
    quiet("sleep-mode-platform", "Qwen/Qwen3-8B --enable-cumem-allocator", "0.28.0")


def test_amd_sleeps_from_0_11_1() -> None:
    fires("sleep-mode-platform", "Qwen/Qwen3-8B --enable-sleep-mode", "0.9.0", gpu="MI300X")
    quiet("sleep-mode-platform", "Qwen/Qwen3-8B --enable-sleep-mode", "0.11.1", gpu="MI300X")
