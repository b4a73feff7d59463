from verdicts.harness import fires, quiet


def test_one_gpu_twice() -> None:
    fires("device-ids-repeat", "Qwen/Qwen3-8B -tp 2 --device-ids 0,0", "0.33.0")


def test_two_gpus() -> None:
    quiet("device-ids-repeat", "Qwen/Qwen3-8B -tp 2 --device-ids 0,1", "0.33.0")
