from verdicts.harness import fires, quiet


def test_v0_eagle_reads_whole_prompts() -> None:
    fires(
        "v0-eagle-with-chunked-prefill",
        "meta-llama/Llama-3.1-8B-Instruct --enable-chunked-prefill --speculative-model x/EAGLE-LLaMA3-8B "
        "--num-speculative-tokens 3",
        "0.7.3",
    )


def test_a_draft_model_was_never_affected() -> None:
    quiet(
        "v0-eagle-with-chunked-prefill",
        "Qwen/Qwen2.5-7B-Instruct --enable-chunked-prefill --speculative-model Qwen/Qwen2.5-0.5B-Instruct "
        "--num-speculative-tokens 3",
        "0.7.3",
    )
