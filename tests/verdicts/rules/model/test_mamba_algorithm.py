from verdicts.harness import fires, quiet


def test_an_algorithm_needs_its_kernels() -> None:
    fires("mamba-algorithm", "Qwen/Qwen3-8B --mamba-ssu-algorithm auto", "0.33.0")


def test_flashinfer_has_them() -> None:
    quiet("mamba-algorithm", "Qwen/Qwen3-8B --mamba-backend flashinfer --mamba-ssu-algorithm auto", "0.33.0")
