from verdicts.harness import fires, quiet

TUNED = "Qwen/Qwen3-8B --enable-flashinfer-autotune"


def test_autotuning_is_said_once() -> None:
    fires("kernel-option-said-twice", f"""{TUNED} --kernel-config '{{"enable_flashinfer_autotune":true}}'""", "0.28.0")
    quiet("kernel-option-said-twice", TUNED, "0.28.0")


def test_the_priorities_of_an_operation_are_said_once() -> None:
    flag = """Qwen/Qwen3-8B --ir-op-priority '{"rms_norm":["native"]}'"""
    fires("kernel-option-said-twice", flag + """ --kernel-config '{"ir_op_priority":{"rms_norm":["native"]}}'""", "0.28.0")
    quiet("kernel-option-said-twice", flag, "0.28.0")
