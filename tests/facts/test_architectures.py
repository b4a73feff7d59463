from vllm_triage.facts.architectures import first_seen, implements, last_seen, supported


def test_an_architecture_is_supported_from_its_first_release_on() -> None:
    first = first_seen("GptOssForCausalLM")
    assert first is not None
    assert supported("GptOssForCausalLM", "0.33.0")
    assert not supported("GptOssForCausalLM", "0.9.2")


def test_interfaces_are_those_of_the_release() -> None:
    assert implements("DeepseekV4ForCausalLM", "0.33.0", "pipeline") is True
    assert implements("LlamaForCausalLM", "0.33.0", "lora") is True
    assert implements("WhisperForConditionalGeneration", "0.33.0", "pipeline") is False
    assert implements("NobodyForCausalLM", "0.33.0", "pipeline") is None


def test_a_removed_architecture_has_a_last_release() -> None:
    assert last_seen("MotifForCausalLM") is not None
    assert last_seen("LlamaForCausalLM") is None
    assert last_seen("NobodyForCausalLM") is None
    assert first_seen("NobodyForCausalLM") is None
