from verdicts.harness import fires, quiet


def test_a_dense_model_has_nothing_to_spread() -> None:
    found = fires("expert-parallel-on-dense", "Qwen/Qwen3-8B -tp 2 --enable-expert-parallel", "0.33.0")
    assert "no experts" in found.message


def test_a_mixture_of_experts_has() -> None:
    quiet("expert-parallel-on-dense", "Qwen/Qwen3-30B-A3B -tp 2 --enable-expert-parallel", "0.33.0")
