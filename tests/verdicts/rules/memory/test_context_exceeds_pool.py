from verdicts.harness import fires, not_checked, quiet, tells

MODEL = "meta-llama/Llama-3.1-8B-Instruct"


def test_a_models_whole_context_stops_a_small_device() -> None:
    found = fires("context-exceeds-pool", MODEL, "0.18.0", gpu="L4")
    assert "131,072 tokens" in found.message
    assert not found.starts


def test_a_context_that_fits_does_not() -> None:
    quiet("context-exceeds-pool", f"{MODEL} --max-model-len 16384", "0.18.0", gpu="L4")
    quiet("context-exceeds-pool", f"{MODEL} --max-model-len -1", "0.18.0", gpu="L4")
    quiet("context-exceeds-pool", MODEL, "0.18.0", gpu="H100-SXM")


def test_a_pool_given_in_bytes_is_left_to_its_owner() -> None:
    quiet("context-exceeds-pool", f"{MODEL} --kv-cache-memory-bytes 1G", "0.18.0", gpu="L4")


def test_weights_that_do_not_fit_are_told_once() -> None:
    quiet("context-exceeds-pool", "meta-llama/Llama-3.1-70B-Instruct", "0.18.0", gpu="1x L4")


def test_an_unknown_device_is_not_judged() -> None:
    assert not_checked("context-exceeds-pool", MODEL, "0.18.0") == ("gpu",)


def test_a_length_fitted_to_the_pool_needs_a_pool() -> None:
    tells("context-exceeds-pool", f"{MODEL} --max-model-len -1 --gpu-memory-utilization 0.15", "0.28.0", gpu="H100-SXM")
