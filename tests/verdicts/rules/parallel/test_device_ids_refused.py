from verdicts.harness import fires, quiet


def test_a_word_is_no_gpu() -> None:
    fires("device-ids-refused", "Qwen/Qwen3-8B --device-ids x", "0.33.0")


def test_numbers_and_uuids_are() -> None:
    quiet("device-ids-refused", "Qwen/Qwen3-8B --device-ids 0,GPU-1a2b", "0.33.0")
