from verdicts.harness import fires, quiet, spec


def test_a_draft_on_more_ranks_than_the_target_is_refused() -> None:
    found = fires(
        "draft-tensor-parallel",
        "Qwen/Qwen3-8B " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3, draft_tensor_parallel_size=2),
        "0.31.0",
    )
    assert "2 ranks" in found.message


def test_a_draft_on_all_ranks_of_the_target_is_accepted() -> None:
    quiet(
        "draft-tensor-parallel",
        "Qwen/Qwen3-8B -tp 2 " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3, draft_tensor_parallel_size=2),
        "0.31.0",
    )
