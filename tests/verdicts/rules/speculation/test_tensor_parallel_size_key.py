from verdicts.harness import fires, quiet, spec


def test_the_wrong_key_is_named_with_the_right_one() -> None:
    found = fires(
        "tensor-parallel-size-key",
        "Qwen/Qwen3-8B " + spec(method="ngram", num_speculative_tokens=3, tensor_parallel_size=2),
        "0.18.0",
    )
    assert "draft_tensor_parallel_size" in found.message


def test_the_right_key_is_accepted() -> None:
    quiet(
        "tensor-parallel-size-key",
        "Qwen/Qwen3-8B -tp 2 " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3, draft_tensor_parallel_size=2),
        "0.18.0",
    )
