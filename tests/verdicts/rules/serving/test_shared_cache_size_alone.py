from verdicts.harness import fires, not_checked, quiet

SIZED = "Qwen/Qwen3-VL-8B-Instruct --mm-shm-cache-max-object-size-mb 64"


def test_a_size_goes_with_a_shared_cache() -> None:
    fires("shared-cache-size-alone", SIZED, "0.28.0")
    quiet("shared-cache-size-alone", f"{SIZED} --mm-processor-cache-type shm", "0.28.0")
    quiet("shared-cache-size-alone", "Qwen/Qwen3-8B --mm-shm-cache-max-object-size-mb 64", "0.28.0")


def test_an_unknown_model_is_not_judged() -> None:
    command = "acme/nobody-knows --mm-shm-cache-max-object-size-mb 64"
    assert not_checked("shared-cache-size-alone", command, "0.28.0") == ("model",)
