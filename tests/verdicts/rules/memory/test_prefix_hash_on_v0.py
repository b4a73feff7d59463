from verdicts.harness import fires, quiet

HASHED = "vllm serve Qwen/Qwen2.5-7B-Instruct --enable-prefix-caching --prefix-caching-hash-algo sha256"


def test_v0_knows_pythons_hash_alone() -> None:
    fires("prefix-hash-on-v0", f"VLLM_USE_V1=0 {HASHED}", "0.9.0")
    quiet("prefix-hash-on-v0", HASHED, "0.9.0")
