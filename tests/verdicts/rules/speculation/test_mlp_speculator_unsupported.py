from verdicts.harness import fires, quiet, spec


def test_an_mlp_speculator_has_no_proposer() -> None:
    fires(
        "mlp-speculator-unsupported",
        "Qwen/Qwen3-8B " + spec(method="mlp_speculator", model="x/accelerator", num_speculative_tokens=3),
        "0.18.0",
    )


def test_an_eagle_head_has_one() -> None:
    quiet(
        "mlp-speculator-unsupported",
        "Qwen/Qwen3-8B " + spec(method="eagle3", model="x/head", num_speculative_tokens=3),
        "0.18.0",
    )
