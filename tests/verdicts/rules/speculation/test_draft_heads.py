from verdicts.harness import fires, quiet, spec


def test_a_draft_whose_heads_do_not_divide_is_refused() -> None:
    found = fires(
        "draft-heads",
        "Qwen/Qwen3-32B -tp 8 "
        + spec(model="Qwen/Qwen2.5-0.5B-Instruct", num_speculative_tokens=3, method="draft_model"),
        "0.33.0",
    )
    assert "14 attention heads" in found.message


def test_a_draft_of_sixteen_heads_divides() -> None:
    quiet("draft-heads", "Qwen/Qwen3-32B -tp 8 " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3), "0.33.0")
