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
    assumed = deployment.vllm_version.origin == "assumed"
    return answer(check(deployment, arguments.upgrade_to), arguments.upgrade_to, assumed=assumed)


def answer(report: CompatReport, upgrade_to: str | None = None, *, assumed: bool = False) -> Answer:
    """The report in the tool's shape; `assumed` when no version was given and the newest was taken."""
    omitted = {"findings": len(report.findings) - MOST} if len(report.findings) > MOST else {}
    return Answer(
        summary=_summary(report, upgrade_to, assumed), vllm_version=report.vllm_version, ok=report.ok,
        findings=report.findings[:MOST], not_checked=report.not_checked, rules_checked=report.rules_checked,
        omitted=omitted,
    )


def _summary(report: CompatReport, upgrade_to: str | None, assumed: bool) -> str:
    counts = {name: sum(f.severity == name for f in report.findings) for name in ("silent", "degraded", "advice")}
    going = f" going to {upgrade_to}" if upgrade_to else ""
    version = f"{'the assumed ' if assumed else ''}vLLM {report.vllm_version}"
    told = f"{report.rules_checked} rules checked for {version}{going}"
    lead, first = _first(report)
    rest = ", ".join(f"{n} {name}" for name, n in counts.items() if n)
    fix = f" Fix: {lead.fix.rstrip('.')}." if lead is not None and lead.fix else ""
    undecided = sum(not _is_input(x) for x in report.not_checked)
    open_ = f" {undecided} could not be decided for want of information." if undecided else ""
    return f"{first}{fix} {told}{': ' + rest if rest else ''}.{_taken(report)}{open_}"


def _first(report: CompatReport) -> tuple[Finding | None, str]:
    """The finding that leads, and the sentence that says what it means for the launch."""
    stops = [f for f in report.findings if f.severity == "fatal" and f.basis != "policy"]
    if stops:
        more = f" (and {len(stops) - 1} more)" if len(stops) > 1 else ""
        return stops[0], f"It does not start: {stops[0].message.rstrip('.')}{more}."
    for lead in report.findings:
        if lead.severity == "fatal":
            return lead, f"{lead.title.rstrip('.')}: refused by this product, not by vLLM."
    for lead in report.findings:
        if not lead.starts:
            return lead, f"vLLM accepts the configuration, but the start is expected to fail: {lead.message.rstrip('.')}."
    for lead in report.findings:
        return lead, f"Nothing stops the launch; first: {lead.title.rstrip('.')}."
    return None, "Nothing found that fails, is silently changed, or is slow."


def _is_input(entry: NotChecked) -> bool:
    """True when it is about a version or a device that was taken for another, and not about a rule."""
    return entry.rule == "GPU" or entry.rule.startswith("vLLM ")


def _taken(report: CompatReport) -> str:
    """What was taken for a version or a device that is not known."""
    told = ""
    for entry in filter(_is_input, report.not_checked):
        need = entry.needs[0]
        if entry.rule == "GPU":
            told += f" GPU: {need.partition(': ')[2]}."
        else:
            told += f" {entry.rule} is not known: {need.partition(': ')[2]}."
    return told
