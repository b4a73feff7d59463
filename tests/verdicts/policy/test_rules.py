from vllm_triage.verdicts.policy import RULES


def test_the_house_rules_are_the_eight_of_the_design() -> None:
    assert set(RULES) == {
        "core-metrics", "chunked-prefill-cleared", "gpu-util-ignored", "not-vllm-first", "raise-ceiling-first",
        "no-draft-chunked-0180", "tune-before-scale", "measure-next",
    }  # fmt: skip


def test_only_three_rules_can_be_acknowledged() -> None:
    assert {rule.id for rule in RULES.values() if rule.acknowledgeable} == {
        "not-vllm-first", "raise-ceiling-first", "no-draft-chunked-0180",
    }  # fmt: skip


def test_each_rule_states_itself_and_its_reason() -> None:
    for rule in RULES.values():
        assert rule.statement.endswith(".")
        assert rule.justification.endswith(".")
