from verdicts.harness import fires, quiet, spec


def test_ray_turns_it_off_in_0_18() -> None:
    assert "ray" in fires("async-lost", "Qwen/Qwen3-8B -tp 2 --distributed-executor-backend ray", "0.18.0").message


def test_mp_keeps_it() -> None:
    quiet("async-lost", "Qwen/Qwen3-8B -tp 2", "0.18.0")


def test_the_v1_runner_of_a_pipeline_turns_it_off() -> None:
    drafting = spec(method="ngram_gpu", num_speculative_tokens=2, prompt_lookup_max=1, parallel_drafting=True)
    found = fires(
        "async-lost", f"meta-llama/Llama-3.1-70B-Instruct -pp 4 --kv-sharing-fast-prefill {drafting}", "0.33.0"
    )
    assert "V1 model runner" in found.message
