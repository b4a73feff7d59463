from verdicts.harness import fires, not_checked, quiet

NEMOTRON = "nvidia/NVIDIA-Nemotron-Nano-9B-v2 --use-replayssm"
NIXL = '--kv-transfer-config \'{"kv_connector":"NixlConnector","kv_role":"kv_both"}\''


def test_a_model_opts_in() -> None:
    fires("replayssm-refused", "Qwen/Qwen3-8B --use-replayssm", "0.28.0")
    quiet("replayssm-refused", NEMOTRON, "0.28.0")


def test_an_unknown_model_is_not_judged() -> None:
    assert "model" in not_checked("replayssm-refused", "acme/nobody-knows --use-replayssm", "0.28.0")


def test_connectors_and_other_kernels_are_refused() -> None:
    fires("replayssm-refused", f"{NEMOTRON} {NIXL}", "0.28.0")
    fires("replayssm-refused", f"{NEMOTRON} --mamba-backend flashinfer", "0.28.0")
    quiet("replayssm-refused", f"{NEMOTRON} --mamba-backend flashinfer", "0.33.0")


def test_states_are_cached_aligned_with_it() -> None:
    fires("replayssm-refused", f"{NEMOTRON} --enable-prefix-caching --mamba-cache-mode all", "0.28.0")
