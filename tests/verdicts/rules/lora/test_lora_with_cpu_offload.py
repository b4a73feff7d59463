from verdicts.harness import fires, quiet


def test_adapters_read_weights_on_the_gpu() -> None:
    fires("lora-with-cpu-offload", "Qwen/Qwen2.5-7B-Instruct --enable-lora --cpu-offload-gb 4", "0.7.3")


def test_offloading_alone_works() -> None:
    quiet("lora-with-cpu-offload", "Qwen/Qwen2.5-7B-Instruct --cpu-offload-gb 4", "0.7.3")
