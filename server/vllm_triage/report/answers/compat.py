"""``check_compat``: what fails, is silently changed, or is slow in this version."""

from pydantic import Field

from ...domain import CompatReport, Deployment, Finding, NotChecked
from ...domain.base import Words
from ...engine.deployment import deploy
from ...verdicts.compat import check
from ..answer import ToolAnswer
from ..arguments import DeploymentArguments
from ..text import row, section

__all__ = ["Answer", "Arguments", "answer", "run"]

MOST_PROBLEMS = 20


class Arguments(DeploymentArguments):
    """*deployment*, and the version to move to."""

    upgrade_to: str | None = Field(None, max_length=64, description="Version to upgrade to: what changes or breaks.")


class Answer(ToolAnswer):
    """All findings, most severe first."""

    vllm_version: str
    ok: bool
    """True when nothing is fatal."""
    findings: tuple[Finding, ...]
    not_checked: tuple[NotChecked, ...]
    rules_checked: int
    parser_problems: Words = Field((), exclude_if=lambda v: not v)
    """What this version's parser already refuses, before any rule is asked."""

    def found(self) -> bool:
        """True when a finding is more than advice."""
        return bool(self.parser_problems) or any(finding.severity != "advice" for finding in self.findings)

    def to_text(self) -> str:
        """A few lines per finding."""
        lines = [self.summary, *section("Refused by the parser", (f"- {text}" for text in self.parser_problems))]
        lines += [line for finding in self.findings for line in _finding(finding)]
        lines += section("Not checked", (f"- {item.rule}: needs {', '.join(item.needs)}" for item in self.not_checked))
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
    return answer(deployment, check(deployment, arguments.upgrade_to), arguments.upgrade_to)


def answer(deployment: Deployment, report: CompatReport, upgrade_to: str | None = None) -> Answer:
    """The report in the tool's shape."""
    fatal = [problem.message for problem in deployment.problems if problem.severity == "fatal"]
    more = (f"{len(fatal) - MOST_PROBLEMS} more; parse_vllm_command lists them",) if len(fatal) > MOST_PROBLEMS else ()
    refused = (*fatal[:MOST_PROBLEMS], *more)
    return Answer(
        summary=_summary(report, refused, upgrade_to), vllm_version=report.vllm_version, ok=report.ok and not refused,
        findings=report.findings, not_checked=report.not_checked, rules_checked=report.rules_checked,
        parser_problems=refused,
    )


def _summary(report: CompatReport, refused: tuple[str, ...], upgrade_to: str | None) -> str:
    fatal = [f for f in report.findings if f.severity == "fatal"]
    stops = [*refused, *(f.title for f in fatal if f.basis != "policy")]
    more = f" (and {len(stops) - 1} more)" if len(stops) > 1 else ""
    counts = {name: sum(f.severity == name for f in report.findings) for name in ("silent", "degraded", "advice")}
    going = f" going to {upgrade_to}" if upgrade_to else ""
    told = f"{report.rules_checked} rules checked for vLLM {report.vllm_version}{going}"
    if stops:
        first = f"It does not start: {stops[0].rstrip('.')}{more}."
    elif fatal:
        first = f"{fatal[0].title.rstrip('.')}: refused by this product, not by vLLM."
    elif report.findings:
        first = f"Nothing stops the launch; first: {report.findings[0].title.rstrip('.')}."
    else:
        first = "Nothing found that fails, is silently changed, or is slow."
    rest = ", ".join(f"{n} {name}" for name, n in counts.items() if n)
    fix = f" Fix: {report.findings[0].fix.rstrip('.')}." if report.findings and report.findings[0].fix else ""
    open_ = f" {len(report.not_checked)} could not be decided for want of information." if report.not_checked else ""
    return f"{first}{fix} {told}{': ' + rest if rest else ''}.{open_}"
