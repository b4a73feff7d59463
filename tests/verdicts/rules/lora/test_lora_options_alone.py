from verdicts.harness import fires, quiet


def test_options_alone_serve_nothing() -> None:
    found = fires("lora-options-alone", "Qwen/Qwen3-8B --max-loras 4 --max-lora-rank 32", "0.33.0")
    assert "--max-loras" in found.message


def test_with_the_switch_they_do() -> None:
    quiet("lora-options-alone", "Qwen/Qwen3-8B --enable-lora --max-loras 4 --max-lora-rank 32", "0.33.0")
