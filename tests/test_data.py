"""The locator finds the prompts and the skill in a source tree; tests/test_packaging.py looks into the wheel."""

from vllm_triage.data import prompts, skill


def test_prompts_and_skill_are_found() -> None:
    assert (prompts() / "scheduler_diagnosis.j2").is_file()
    assert (prompts() / "report.j2").is_file()
    assert (skill() / "SKILL.md").is_file()
    assert (skill() / "skill" / "references" / "tools.md").is_file()
