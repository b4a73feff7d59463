from verdicts.harness import fires, not_checked, quiet

TOLD = "Qwen/Qwen2.5-7B-Instruct --override-neuron-config '{\"a\":1}'"


def test_they_are_held_against_other_devices() -> None:
    fires("neuron-options-elsewhere", TOLD, "0.9.0")
    quiet("neuron-options-elsewhere", "Qwen/Qwen2.5-7B-Instruct", "0.9.0")
    assert not_checked("neuron-options-elsewhere", TOLD, "0.9.0") == ("gpu",)
