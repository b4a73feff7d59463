"""check_compat: findings in order, policy told from fact, the text."""

from vllm_triage.report.answers.compat import Answer, Arguments, run
from vllm_triage.report.arguments import read_arguments

SPECULATION = '{"method":"draft_model","model":"meta-llama/Llama-3.2-1B-Instruct","num_speculative_tokens":3}'
DRAFT = f"vllm serve meta-llama/Llama-3.1-8B-Instruct --speculative-config '{SPECULATION}'"
ORDER = ["fatal", "silent", "degraded", "advice"]


def checked(command: str, version: str, **more: object) -> Answer:
    return run(read_arguments(Arguments, {"command": command, "vllm_version": version, "gpu": "H100-SXM", **more}))


def test_every_field_of_the_contract_is_there() -> None:
    data = checked(DRAFT, "0.18.0").to_json()
    assert list(data) == ["summary", "vllm_version", "ok", "findings", "not_checked", "rules_checked"]
    wanted = {"rule", "severity", "title", "message", "flags", "versions", "effect", "fix", "basis", "evidence"}
    assert all(set(finding) >= wanted for finding in data["findings"])


def test_a_refusal_by_policy_is_not_presented_as_a_crash() -> None:
    answer = checked(DRAFT, "0.18.0")
    assert "refused by this product, not by vLLM" in answer.summary
    assert "does not start" not in answer.summary
    [finding] = [f for f in answer.findings if f.rule == "no-draft-chunked-0180"]
    assert finding.basis == "policy"
    assert "ngram_gpu" in finding.fix
    assert "EAGLE-3" in finding.fix


def test_a_launch_that_does_not_start_says_so_first_with_the_way_out() -> None:
    answer = checked("vllm serve Qwen/Qwen3-8B --tensor-parallel-size 3", "0.31.0")
    assert not answer.ok
    assert answer.found()
    assert answer.summary.startswith("It does not start: ")
    assert "Fix: " in answer.summary


def test_the_most_severe_come_first_and_all_are_in_the_text() -> None:
    answer = checked(DRAFT + " --tensor-parallel-size 3", "0.18.0")
    severities = [ORDER.index(finding.severity) for finding in answer.findings]
    assert severities == sorted(severities)
    text = answer.to_text()
    assert text.startswith(answer.summary)
    for finding in answer.findings:
        assert finding.rule in text
        assert finding.fix in text
        assert all(source in text for source in finding.evidence)


def test_a_clean_launch_has_nothing_to_say() -> None:
    answer = checked("vllm serve Qwen/Qwen3-8B", "0.33.0")
    assert answer.ok
    assert not answer.found()
    assert answer.summary.startswith("Nothing found")


def test_a_device_that_is_not_known_is_said_and_listed_as_not_checked() -> None:
    answer = checked("vllm serve Qwen/Qwen3-8B", "0.31.0", gpu="h101")
    assert "'h101' is not one device of the catalogue" in answer.summary
    assert answer.not_checked[0].rule == "GPU"
    assert "needs the device's name" in answer.to_text()


def test_a_device_that_may_be_several_is_said() -> None:
    answer = checked("vllm serve Qwen/Qwen3-8B", "0.31.0", gpu="a100")
    assert "A100-40GB-SXM" in answer.summary
    assert "A100-40GB-SXM" in answer.not_checked[0].needs[0]
    assert not any(entry.rule == "GPU" for entry in checked("vllm serve Qwen/Qwen3-8B", "0.31.0").not_checked)


def test_weights_that_do_not_fit_are_not_called_a_start() -> None:
    answer = checked("vllm serve meta-llama/Llama-3.1-70B-Instruct", "0.31.0", gpu="1x L4")
    assert answer.summary.startswith("vLLM accepts the configuration, but the start is expected to fail: ")
    assert "Nothing stops" not in answer.summary


def test_findings_of_the_assumed_release_say_that_it_is_assumed() -> None:
    command = "vllm serve Qwen/Qwen3-8B --gpu-memory-utilization 1.7"
    assumed = run(read_arguments(Arguments, {"command": command, "gpu": "H100-SXM"}))
    assert f"at the assumed vLLM {assumed.vllm_version}" in assumed.findings[0].message
    assert f"the assumed vLLM {assumed.vllm_version}" in assumed.summary
    assert "assumed" not in checked(command, "0.31.0").summary


def test_a_flag_that_says_the_default_never_leads_another_finding() -> None:
    answer = checked("vllm serve Qwen/Qwen3-8B --pipeline-parallel-size 1 --enforce-eager --swap-space 0", "0.12.0")
    rules = [finding.rule for finding in answer.findings]
    assert "flag-says-the-default" in rules
    assert rules[0] != "flag-says-the-default"
