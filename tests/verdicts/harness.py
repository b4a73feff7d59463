"""What every rule's test is written with: a command on which it fires, one on which it stays quiet."""

import json
from collections.abc import Mapping

from vllm_triage.domain import CompatReport, Deployment, Finding, Json
from vllm_triage.engine.deployment import deploy
from vllm_triage.verdicts.compat import check
from vllm_triage.verdicts.registry import find
from vllm_triage.verdicts.repair import repaired

__all__ = ["fires", "launch", "not_checked", "quiet", "spec", "tells"]


def launch(command: str, version: str, gpu: str | None, model_config: Mapping[str, Json] | None = None) -> Deployment:
    """A command line, resolved; the model's name is enough for a model of the catalogue."""
    whole = " serve " in f" {command}" or "LLM(" in command
    return deploy(command if whole else f"vllm serve {command}", version, gpu, model_config)


def spec(**config: Json) -> str:
    """--speculative-config with these keys."""
    return f"--speculative-config '{json.dumps(config)}'"


def _report(deployment: Deployment, rule: str) -> CompatReport:
    assert find(rule) is not None, f"no rule named {rule}"
    return check(deployment)


def fires(
    rule: str, command: str, version: str = "0.33.0", gpu: str | None = "8x H100-SXM",
    model_config: Mapping[str, Json] | None = None,
) -> Finding:  # fmt: skip
    """The finding of `rule` on a command; its fix is applied, must silence it and must start nothing worse."""
    deployment = launch(command, version, gpu, model_config)
    before = _report(deployment, rule)
    found = [finding for finding in before.findings if finding.rule == rule]
    assert found, f"quiet on {command!r} in {version}: {[f.rule for f in before.findings]}, {before.not_checked}"
    after = check(repaired(deployment, found[0]))
    assert len([f for f in after.findings if f.rule == rule]) < len(found), "the fix leaves the finding standing"
    started = {f.rule for f in after.fatal()} - {f.rule for f in before.findings}
    assert not started, f"the fix starts {started}"
    return found[0]


def tells(
    rule: str, command: str, version: str = "0.33.0", gpu: str | None = "8x H100-SXM",
    model_config: Mapping[str, Json] | None = None,
) -> Finding:  # fmt: skip
    """The finding of `rule` where no flag is the way out (another release, a proxy, another GPU): words only."""
    report = _report(launch(command, version, gpu, model_config), rule)
    found = [finding for finding in report.findings if finding.rule == rule]
    assert found, f"quiet on {command!r} in {version}: {[f.rule for f in report.findings]}, {report.not_checked}"
    assert found[0].fix
    assert not found[0].steps
    return found[0]


def quiet(
    rule: str, command: str, version: str = "0.33.0", gpu: str | None = "8x H100-SXM",
    model_config: Mapping[str, Json] | None = None,
) -> None:  # fmt: skip
    """`rule` is decided on a command and does not fire, whether it holds for the version or not."""
    report = _report(launch(command, version, gpu, model_config), rule)
    assert rule not in {finding.rule for finding in report.findings}
    assert rule not in {entry.rule for entry in report.not_checked}


def not_checked(rule: str, command: str, version: str = "0.33.0", gpu: str | None = None) -> tuple[str, ...]:
    """What `rule` needs to be decided on a command where something is unknown."""
    report = _report(launch(command, version, gpu), rule)
    assert rule not in {finding.rule for finding in report.findings}
    return next((entry.needs for entry in report.not_checked if entry.rule == rule), ())
