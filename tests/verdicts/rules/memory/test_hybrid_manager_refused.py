from verdicts.harness import fires, quiet


def test_llama_4_switches_it_off() -> None:
    fires(
        "hybrid-manager-refused",
        "meta-llama/Llama-4-Scout-17B-16E-Instruct -tp 8 --no-disable-hybrid-kv-cache-manager",
        "0.13.0",
    )


def test_llama_4_runs_with_it_from_0_14() -> None:
    words = "meta-llama/Llama-4-Scout-17B-16E-Instruct -tp 8 --no-disable-hybrid-kv-cache-manager"
    quiet("hybrid-manager-refused", words, "0.33.0")


def test_gemma_3_runs_with_it() -> None:
    quiet("hybrid-manager-refused", "google/gemma-3-27b-it --no-disable-hybrid-kv-cache-manager", "0.33.0")
