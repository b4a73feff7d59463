"""The report: order, what could not be checked, and what clears chunked prefill."""

import pytest

from verdicts.harness import launch, spec
from vllm_triage.domain import CompatReport
from vllm_triage.engine.deployment import deploy
from vllm_triage.verdicts.compat import check

DRAFT = spec(model="Qwen/Qwen3-0.6B", num_speculative_tokens=3)


def report(command: str, version: str = "0.33.0", gpu: str | None = "8x H100-SXM") -> CompatReport:
    return check(launch(command, version, gpu))


def test_an_ordinary_launch_has_nothing_fatal() -> None:
    found = report("Qwen/Qwen3-8B --max-num-seqs 64")
    assert found.ok
    assert not found.fatal()
    assert not found.not_checked
    assert found.rules_checked > 100


def test_findings_come_most_severe_first() -> None:
    found = report("Qwen/Qwen3-8B --swap-space 4 --enforce-eager --kv-cache-dtype fp8 --gpu-memory-utilization 90")
    order = ["fatal", "silent", "degraded", "advice"]
    ranks = [order.index(finding.severity) for finding in found.findings]
    assert ranks == sorted(ranks)
    assert not found.ok


def test_an_unknown_model_fires_nothing_it_cannot_know_and_says_what_is_needed() -> None:
    found = report("nobody/unheard-of -tp 3 --enable-expert-parallel --max-model-len 9999999")
    assert not found.fatal()
    needs = {entry.rule: entry.needs for entry in found.not_checked}
    assert needs["heads-not-divisible"] == ("model",)
    assert needs["expert-parallel-on-dense"] == ("model",)
    assert needs["context-beyond-model"] == ("model",)


def test_an_unknown_gpu_is_asked_for_only_where_it_matters() -> None:
    found = report("Qwen/Qwen3-8B", gpu=None)
    assert not found.fatal()
    assert all("gpu" in entry.needs or "gpu_count" in entry.needs for entry in found.not_checked)


def test_every_finding_has_words_evidence_and_a_way_out() -> None:
    found = report(f"Qwen/Qwen3-8B --swap-space 4 --no-enable-chunked-prefill --max-model-len 8192 {DRAFT}", "0.18.0")
    assert len(found.findings) >= 4
    for finding in found.findings:
        assert finding.message
        assert finding.effect
        assert finding.fix
        assert finding.evidence
        assert finding.versions


def test_the_questions_about_0_18_are_answered_in_full() -> None:
    rules = {finding.rule: finding for finding in report(f"Qwen/Qwen3-8B {DRAFT}", "0.18.0").findings}
    assert rules["no-draft-chunked-0180"].basis == "policy"
    assert rules["async-lost-to-drafting"].changed[0].got is False
    trap = report(f"Qwen/Qwen3-8B --no-enable-chunked-prefill --max-model-len 8192 {DRAFT}", "0.18.0")
    assert "draft-needs-chunked-prefill" in {finding.rule for finding in trap.findings}


def test_speculation_counts_as_checked_only_when_every_rule_on_the_pair_was_decided() -> None:
    assert report(f"Qwen/Qwen3-8B {DRAFT}", "0.27.1").speculation_checked
    assert report("Qwen/Qwen3-8B").speculation_checked
    undecided = report(f"nobody/unheard-of --no-enable-chunked-prefill {DRAFT}", "0.27.1", gpu=None)
    assert not undecided.speculation_checked


@pytest.mark.parametrize(
    "version", ["0.6.6.post1", "0.8.5", "0.10.2", "0.14.1", "0.20.0", "0.33.0", "v0.32.0+cpu", "0.19.1rc1"]
)
def test_any_version_text_is_judged(version: str) -> None:
    assert report("Qwen/Qwen3-8B", version).rules_checked > 30


@pytest.mark.parametrize("size", ["-tp 0", "-pp -1", "--prefill-context-parallel-size 0"])
@pytest.mark.parametrize("model", ["tiiuae/Falcon-H1-7B-Instruct", "Qwen/Qwen3-8B"])
def test_a_parallel_size_that_is_not_positive_leaves_no_executor_to_overlap_with(size: str, model: str) -> None:
    report = check(launch(f"{model} {size}", "0.18.0", "8x H100-SXM"))
    assert ("async_scheduling", True, False) in {
        (change.setting, change.asked, change.got) for finding in report.findings for change in finding.changed
    }


def test_a_release_that_is_not_known_is_said_and_which_one_was_taken_for_it() -> None:
    for version, target in (("99.1", None), ("0.33.0", "0.99")):
        found = check(deploy("vllm serve Qwen/Qwen3-8B", vllm_version=version, gpu="H100"), target)
        assert [entry.rule for entry in found.not_checked] == [f"vLLM {target or version}"]
        assert "0.33.0" in found.not_checked[0].needs[0]
    for version in ("0.32.0+cpu", "v0.18", "latest", "0.19.0rc1"):
        assert not check(deploy("vllm serve Qwen/Qwen3-8B", vllm_version=version, gpu="H100")).not_checked
