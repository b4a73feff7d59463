from verdicts.harness import fires, not_checked, quiet


def test_a_removed_flag_is_refused() -> None:
    fires("parser-refuses", "Qwen/Qwen3-8B --swap-space 4", "0.18.0")


def test_the_flag_was_still_there_in_0_17() -> None:
    quiet("parser-refuses", "Qwen/Qwen3-8B --swap-space 4", "0.17.1")


def test_a_platform_may_add_methods_of_its_own() -> None:
    assert not_checked("parser-refuses", "Qwen/Qwen2.5-7B-Instruct --quantization ascend", "0.8.5") == ("gpu",)
    found = fires("parser-refuses", "Qwen/Qwen2.5-7B-Instruct --quantization ascend", "0.8.5")
    assert found.flags == ("--quantization",)


def test_omni_takes_the_command_line_over() -> None:
    assert not_checked("parser-refuses", "Qwen/Qwen2.5-7B-Instruct --omni --stage-configs-path x", "0.33.0")
