from verdicts.harness import fires, not_checked, quiet


def test_sixteen_ranks_do_not_fit_eight_gpus() -> None:
    assert "16" in fires("more-ranks-than-gpus", "Qwen/Qwen3-8B -tp 8 -pp 2", "0.33.0", gpu="8x H100-SXM").message


def test_ray_may_span_nodes() -> None:
    quiet(
        "more-ranks-than-gpus",
        "Qwen/Qwen3-8B -tp 8 -pp 2 --distributed-executor-backend ray",
        "0.33.0",
        gpu="8x H100-SXM",
    )


def test_without_a_count_nothing_is_said() -> None:
    assert not_checked("more-ranks-than-gpus", "Qwen/Qwen3-8B -tp 8 -pp 2", "0.33.0", gpu="H100") == ("gpu_count",)


def test_the_way_out_divides_the_heads_and_holds_the_weights() -> None:
    found = fires("more-ranks-than-gpus", "meta-llama/Llama-3.1-70B-Instruct -tp 8", gpu="6x H100")
    assert [(step.name, step.to) for step in found.steps] == [("--tensor-parallel-size", 4)]
