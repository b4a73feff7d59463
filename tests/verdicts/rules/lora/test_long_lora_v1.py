from verdicts.harness import fires, quiet


def test_the_v1_engine_has_no_long_lora() -> None:
    fires("long-lora-v1", "meta-llama/Llama-3.1-8B-Instruct --enable-lora --long-lora-scaling-factors 4.0", "0.8.5")


def test_the_v0_engine_has() -> None:
    quiet(
        "long-lora-v1",
        "VLLM_USE_V1=0 vllm serve meta-llama/Llama-3.1-8B-Instruct --enable-lora --long-lora-scaling-factors 4.0",
        "0.8.5",
    )
