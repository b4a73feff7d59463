from verdicts.harness import fires, quiet, spec


def test_asking_for_async_scheduling_with_ngram_is_refused() -> None:
    found = fires(
        "async-refused-by-drafting",
        "Qwen/Qwen3-8B --async-scheduling " + spec(method="ngram", num_speculative_tokens=3),
        "0.31.0",
    )
    assert "ngram" in found.message


def test_ngram_on_the_gpu_supports_it() -> None:
    quiet(
        "async-refused-by-drafting",
        "Qwen/Qwen3-8B --async-scheduling " + spec(method="ngram_gpu", num_speculative_tokens=3),
        "0.18.0",
    )


def test_the_v2_runner_of_0_33_runs_ngram_under_it() -> None:
    quiet(
        "async-refused-by-drafting",
        "Qwen/Qwen3-8B --async-scheduling " + spec(method="ngram", num_speculative_tokens=3),
        "0.33.0",
    )


def test_no_method_overlaps_before_0_11_1() -> None:
    eagle = spec(method="eagle", model="yuhuili/EAGLE-LLaMA3.1-Instruct-8B", num_speculative_tokens=3)
    fires("async-refused-by-drafting", f"meta-llama/Llama-3.1-8B-Instruct --async-scheduling {eagle}", "0.10.2")
    quiet("async-refused-by-drafting", f"meta-llama/Llama-3.1-8B-Instruct --async-scheduling {eagle}", "0.12.0")
