from verdicts.harness import fires, not_checked, quiet


def test_32_heads_do_not_divide_by_three() -> None:
    assert "32 attention heads" in fires("heads-not-divisible", "Qwen/Qwen3-8B -tp 3", "0.33.0").message


def test_they_divide_by_four() -> None:
    quiet("heads-not-divisible", "Qwen/Qwen3-8B -tp 4", "0.33.0")


def test_an_unknown_model_is_not_judged() -> None:
    assert not_checked("heads-not-divisible", "nobody/unheard-of -tp 3", "0.33.0", gpu="H100") == ("model",)


def test_the_way_out_holds_the_weights() -> None:
    found = fires("heads-not-divisible", "deepseek-ai/DeepSeek-V3 -tp 3", gpu="8x H200")
    assert [(step.name, step.to) for step in found.steps] == [("--tensor-parallel-size", 8)]


def test_stages_share_what_ranks_alone_do_not_hold() -> None:
    found = fires("heads-not-divisible", "deepseek-ai/DeepSeek-V3 -tp 6", gpu="6x H200")
    assert {step.name: step.to for step in found.steps} == {
        "--tensor-parallel-size": 2, "--pipeline-parallel-size": 3,
    }  # fmt: skip
