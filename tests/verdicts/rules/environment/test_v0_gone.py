from verdicts.harness import fires, quiet


def test_0_11_has_one_engine_and_still_reads_the_variable() -> None:
    fires("v0-gone", "VLLM_USE_V1=0 vllm serve Qwen/Qwen3-8B", "0.11.0")


def test_before_and_after_and_without_it() -> None:
    for version in ("0.10.2", "0.11.1"):
        quiet("v0-gone", "VLLM_USE_V1=0 vllm serve Qwen/Qwen3-8B", version)
    for value in ("VLLM_USE_V1=1 ", ""):
        quiet("v0-gone", f"{value}vllm serve Qwen/Qwen3-8B", "0.11.0")
