"""What a configuration fails on, has silently changed, or runs slowly with, in one version.

:func:`check` hands the deployment to every rule that holds for its version. It decides nothing itself: severities,
words and ways out are the rules'.
"""

from ..domain import AskedVersusGot, CompatReport, Deployment, Finding, NotChecked
from .context import Context, Needs
from .registry import for_version
from .rule import Hit, Rule, fix_text

__all__ = ["check"]

_ORDER = {"fatal": 0, "silent": 1, "degraded": 2, "advice": 3}


def check(deployment: Deployment, upgrade_to: str | None = None) -> CompatReport:
    """The findings for a deployment, most severe first.

    `upgrade_to` adds what moving to that release breaks, drops and changes for this deployment.
    """
    context = Context(deployment)
    findings: list[Finding] = []
    unknown: list[NotChecked] = []
    rules = for_version(deployment.version)
    for rule in rules:
        try:
            answer = rule.check(context)
            hits = () if answer is None else (answer,) if isinstance(answer, Hit) else tuple(answer)
        except Needs as need:
            unknown.append(NotChecked(rule=rule.id, needs=need.what))
            continue
        findings.extend(_finding(rule, hit) for hit in hits)
    findings.sort(key=lambda finding: _ORDER[finding.severity])
    return CompatReport(
        vllm_version=deployment.version, ok=not any(f.severity == "fatal" for f in findings), findings=tuple(findings),
        not_checked=tuple(unknown), rules_checked=len(rules) - len(unknown),
        speculation_checked=not {entry.rule for entry in unknown} & {r.id for r in rules if _clears_chunked_prefill(r)},
    )


def _clears_chunked_prefill(rule: Rule) -> bool:
    """True for the rules that hold chunked prefill against speculation; all must be decided to clear either."""
    return "--speculative-config" in rule.flags and "--enable-chunked-prefill" in rule.flags


def _finding(rule: Rule, hit: Hit) -> Finding:
    return Finding(
        rule=rule.id, severity=rule.severity, title=rule.title, message=hit.message, flags=hit.flags or rule.flags,
        versions=rule.versions or "all", effect=hit.effect, fix=hit.fix or fix_text(hit.steps), basis=rule.basis,
        evidence=rule.evidence, steps=hit.steps,
        changed=tuple(AskedVersusGot(setting=name, asked=asked, got=got) for name, asked, got in hit.changed),
    )
