"""``check_compat``: what fails, is silently changed, or is slow in this version."""

from pydantic import Field

from ...domain import CompatReport, Finding, NotChecked
from ...engine.deployment import deploy
from ...verdicts.compat import check
from ..answer import ToolAnswer
from ..arguments import DeploymentArguments, Version
from ..text import row, section

__all__ = ["Answer", "Arguments", "answer", "run"]

MOST = 50
"""Longest list in an answer; findings come most severe first."""


class Arguments(DeploymentArguments):
    """*deployment*, and the version to move to."""

    upgrade_to: Version | None = Field(None, description="Version to upgrade to: what changes or breaks.")


class Answer(ToolAnswer):
    """All findings, most severe first."""

    vllm_version: str
    ok: bool
    """True when nothing is fatal."""
    findings: tuple[Finding, ...]
    not_checked: tuple[NotChecked, ...]
    rules_checked: int
    omitted: dict[str, int] = Field({}, exclude_if=lambda v: not v)
    """How many entries of a list were left out, by its name: no real launch comes near."""

    def found(self) -> bool:
        """True when a finding is more than advice."""
        return any(finding.severity != "advice" for finding in self.findings)

    def to_text(self) -> str:
        """A few lines per finding."""
        lines = [self.summary, *(line for finding in self.findings for line in _finding(finding))]
        lines += section("Not checked", (f"- {item.rule}: needs {', '.join(item.needs)}" for item in self.not_checked))
        lines += [f"{count} more {name} left out" for name, count in self.omitted.items()]
        lines.append(f"vLLM {self.vllm_version}, {self.rules_checked} rules checked")
        return "\n".join(lines)


def _finding(finding: Finding) -> list[str]:
    changed = "; ".join(f"{c.setting}: asked {c.asked}, got {c.got}" for c in finding.changed)
    return [
        f"[{finding.severity}] {finding.title} ({finding.rule}, vLLM {finding.versions}, basis {finding.basis})",
        f"  {finding.message}",
        *([f"  changed: {changed}"] if changed else []),
        f"  {row({'flags': list(finding.flags), 'effect': finding.effect, 'fix': finding.fix})}",
        f"  evidence: {'; '.join(finding.evidence)}",
    ]


def run(arguments: Arguments) -> Answer:
    """Check the first launch of the paste."""
    deployment = deploy(**arguments.deployment())
    return answer(check(deployment, arguments.upgrade_to), arguments.upgrade_to)


def answer(report: CompatReport, upgrade_to: str | None = None) -> Answer:
    """The report in the tool's shape."""
    omitted = {"findings": len(report.findings) - MOST} if len(report.findings) > MOST else {}
    return Answer(
        summary=_summary(report, upgrade_to), vllm_version=report.vllm_version, ok=report.ok,
        findings=report.findings[:MOST], not_checked=report.not_checked, rules_checked=report.rules_checked,
        omitted=omitted,
    )


def _summary(report: CompatReport, upgrade_to: str | None) -> str:
    fatal = [f for f in report.findings if f.severity == "fatal"]
    stops = [f for f in fatal if f.basis != "policy"]
    more = f" (and {len(stops) - 1} more)" if len(stops) > 1 else ""
    counts = {name: sum(f.severity == name for f in report.findings) for name in ("silent", "degraded", "advice")}
    going = f" going to {upgrade_to}" if upgrade_to else ""
    told = f"{report.rules_checked} rules checked for vLLM {report.vllm_version}{going}"
    if stops:
        first = f"It does not start: {stops[0].message.rstrip('.')}{more}."
    elif fatal:
        first = f"{fatal[0].title.rstrip('.')}: refused by this product, not by vLLM."
    elif report.findings:
        first = f"Nothing stops the launch; first: {report.findings[0].title.rstrip('.')}."
    else:
        first = "Nothing found that fails, is silently changed, or is slow."
    rest = ", ".join(f"{n} {name}" for name, n in counts.items() if n)
    fix = f" Fix: {report.findings[0].fix.rstrip('.')}." if report.findings and report.findings[0].fix else ""
    taken = "".join(f" {x.rule} is not known: {x.needs[0].removeprefix('a release known here: ')}."
                    for x in report.not_checked if x.rule.startswith("vLLM "))  # fmt: skip
    undecided = sum(not x.rule.startswith("vLLM ") for x in report.not_checked)
    open_ = f" {undecided} could not be decided for want of information." if undecided else ""
    return f"{first}{fix} {told}{': ' + rest if rest else ''}.{taken}{open_}"
