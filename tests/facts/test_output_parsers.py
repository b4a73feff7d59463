from vllm_triage.facts.output_parsers import first_seen, parsers


def test_parsers_are_those_of_the_release() -> None:
    assert "hermes" in parsers("tool", "0.8.5")
    assert "deepseek_v4" not in parsers("tool", "0.18.0")
    assert "deepseek_v4" in parsers("tool", "0.33.0")
    assert "deepseek_r1" in parsers("reasoning", "0.9.2")


def test_a_parser_has_a_first_release() -> None:
    assert first_seen("tool", "hermes") is not None
    assert first_seen("tool", "nobodys_parser") is None
