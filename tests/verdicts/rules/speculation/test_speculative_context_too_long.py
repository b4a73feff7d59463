from verdicts.harness import fires, quiet, spec


def test_speculation_past_the_target_is_refused() -> None:
    found = fires(
        "speculative-context-too-long",
        "Qwen/Qwen3-8B --max-model-len 8192 "
        + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3, max_model_len=16384),
        "0.33.0",
    )
    assert "16384" in found.message


def test_speculation_within_it_is_fine() -> None:
    quiet(
        "speculative-context-too-long",
        "Qwen/Qwen3-8B --max-model-len 8192 "
        + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3, max_model_len=4096),
        "0.33.0",
    )


def test_the_flag_of_early_releases() -> None:
    line = "Qwen/Qwen2.5-7B-Instruct --max-model-len 8192 --speculative-model Qwen/Qwen2.5-0.5B-Instruct --num-speculative-tokens 3"
    fires("speculative-context-too-long", f"{line} --speculative-max-model-len 16384", "0.7.3")
    quiet("speculative-context-too-long", f"{line} --speculative-max-model-len 4096", "0.7.3")
