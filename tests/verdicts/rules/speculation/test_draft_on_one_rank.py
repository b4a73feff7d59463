from verdicts.harness import fires, quiet, spec


def test_an_independent_draft_on_one_rank_under_a_target_on_two_stops_the_worker() -> None:
    found = fires(
        "draft-on-one-rank",
        "Qwen/Qwen3-8B -tp 2 " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3, draft_tensor_parallel_size=1),
        "0.18.0",
    )
    assert "one rank" in found.message


def test_an_eagle_head_may_run_on_one_rank() -> None:
    quiet(
        "draft-on-one-rank",
        "Qwen/Qwen3-8B -tp 2 "
        + spec(model="x/Qwen3-8B_eagle3", method="eagle3", num_speculative_tokens=3, draft_tensor_parallel_size=1),
        "0.18.0",
    )
