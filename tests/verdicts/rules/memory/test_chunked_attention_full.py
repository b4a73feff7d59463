from verdicts.harness import fires, quiet


def test_llama_4_keeps_everything() -> None:
    fires("chunked-attention-full", "meta-llama/Llama-4-Scout-17B-16E-Instruct -tp 8", "0.33.0")


def test_the_environment_may_allow_the_manager() -> None:
    quiet(
        "chunked-attention-full",
        "VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE=1 vllm serve "
        "meta-llama/Llama-4-Scout-17B-16E-Instruct -tp 8",
        "0.33.0",
    )
