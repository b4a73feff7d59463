from verdicts.harness import fires, quiet


def test_llama_4_keeps_everything() -> None:
    fires("chunked-attention-full", "meta-llama/Llama-4-Scout-17B-16E-Instruct -tp 8", "0.13.0")


def test_the_environment_may_allow_the_manager() -> None:
    quiet(
        "chunked-attention-full",
        "VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE=1 vllm serve "
        "meta-llama/Llama-4-Scout-17B-16E-Instruct -tp 8",
        "0.13.0",
    )


def test_the_manager_stays_on_from_0_14_unless_the_environment_forbids_it() -> None:
    words = "meta-llama/Llama-4-Scout-17B-16E-Instruct -tp 8"
    quiet("chunked-attention-full", words, "0.14.0")
    forbidden = f"VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE=0 vllm serve {words}"
    fires("chunked-attention-full", forbidden, "0.33.0")
