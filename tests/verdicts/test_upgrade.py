"""What an upgrade breaks, drops, renames and changes for one deployment."""

import pytest

from verdicts.harness import launch, spec
from vllm_triage.domain import CompatReport, Finding
from vllm_triage.verdicts.compat import check
from vllm_triage.verdicts.upgrade import KINDS, moved


def upgraded(command: str, version: str, target: str, gpu: str = "H100-SXM") -> CompatReport:
    return check(launch(command, version, gpu), target)


def of(report: CompatReport, kind: str) -> list[Finding]:
    return [finding for finding in report.findings if finding.rule == kind]


def test_a_flag_that_the_target_removed_breaks_the_launch() -> None:
    report = upgraded("Qwen/Qwen3-8B --swap-space 4", "0.17.1", "0.18.0")
    (broken,) = of(report, "upgrade-breaks")
    assert broken.severity == "fatal"
    assert "--swap-space" in broken.message
    assert broken.message.startswith("In 0.18.0")
    assert not report.ok


def test_the_share_of_memory_moves_with_0_20_and_so_does_the_pool() -> None:
    report = upgraded("Qwen/Qwen3-8B", "0.19.1", "0.20.2")
    moves = {change.setting: (change.asked, change.got) for f in report.findings for change in f.changed}
    assert moves["gpu_memory_utilization"] == (0.9, 0.92)


def test_the_token_budget_of_a_b200_moves_with_0_28() -> None:
    report = upgraded("Qwen/Qwen3-8B", "0.27.1", "0.28.0", "B200")
    moves = {change.setting: (change.asked, change.got) for f in report.findings for change in f.changed}
    assert moves["max_num_batched_tokens"] == (8192, 16384)
    assert of(report, "upgrade-moves-pool") or "kv_pool_tokens" not in moves


def test_a_given_value_does_not_move() -> None:
    report = upgraded("Qwen/Qwen3-8B --gpu-memory-utilization 0.85", "0.19.1", "0.20.2")
    assert not [f for f in of(report, "upgrade-moves-default") if f.changed[0].setting == "gpu_memory_utilization"]


def test_renamed_metrics_are_told_with_their_new_names() -> None:
    report = upgraded("Qwen/Qwen3-8B", "0.11.2", "0.33.0")
    (renamed,) = of(report, "upgrade-renames-metrics")
    assert "vllm:gpu_cache_usage_perc -> vllm:kv_cache_usage_perc" in renamed.message


def test_log_lines_that_change_are_told() -> None:
    (log,) = of(upgraded("Qwen/Qwen3-8B", "0.27.1", "0.30.0"), "upgrade-changes-log")
    assert "one line" in log.message
    assert "begin with the device" in log.message


def test_a_finding_of_today_that_goes_away_is_told() -> None:
    draft = "Qwen/Qwen3-8B " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3)
    (gone,) = of(upgraded(draft, "0.27.1", "0.28.0"), "upgrade-resolves")
    assert "async-lost-to-drafting" in gone.message


def test_a_house_rule_of_the_target_stays_a_policy() -> None:
    draft = "Qwen/Qwen3-8B " + spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3)
    broken = of(upgraded(draft, "0.17.1", "0.18.0"), "upgrade-breaks")
    assert {f.basis for f in broken} == {"policy"}


def test_a_downgrade_names_what_is_not_there_yet() -> None:
    report = upgraded("Qwen/Qwen3-8B --watermark 0.02", "0.33.0", "0.18.0")
    assert any("--watermark" in f.message for f in of(report, "upgrade-breaks"))


def test_staying_on_a_release_changes_nothing() -> None:
    report = upgraded("Qwen/Qwen3-8B", "0.33.0", "0.33.0")
    assert not {f.rule for f in report.findings} & set(KINDS)


def test_the_most_harmful_comes_first() -> None:
    report = upgraded("Qwen/Qwen3-8B --swap-space 4", "0.14.1", "0.33.0")
    order = ["fatal", "silent", "degraded", "advice"]
    ranks = [order.index(finding.severity) for finding in report.findings]
    assert ranks == sorted(ranks)
    assert report.findings[0].rule == "upgrade-breaks"


def test_a_target_that_is_no_version_is_an_error() -> None:
    with pytest.raises(ValueError, match="not a vLLM version"):
        upgraded("Qwen/Qwen3-8B", "0.33.0", "soon")


def test_the_launch_is_read_again_as_the_target_reads_it() -> None:
    after = moved(launch("Qwen/Qwen3-8B --swap-space 4", "0.17.1", "H100-SXM"), "0.18.0")
    assert after.version == "0.18.0"
    assert "swap_space" not in after.args
    assert [p.flag for p in after.problems if p.severity == "fatal"] == ["--swap-space"]
