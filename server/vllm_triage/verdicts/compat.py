"""What a configuration fails on, has silently changed, or runs slowly with, in one version.

:func:`check` hands the deployment to every rule that holds for its version. It decides nothing itself: severities,
words and ways out are the rules'.
"""

from collections import deque
from collections.abc import Iterator
from functools import cache

from ..domain import AskedVersusGot, CompatReport, Deployment, Finding, NotChecked
from ..facts.versions import nearest, number
from .context import Context, Needs
from .registry import for_version
from .repair import also_edited
from .rule import Hit, Rule, fix_text
from .upgrade import upgrade_findings

__all__ = ["check"]

_ORDER = {"fatal": 0, "silent": 1, "degraded": 2, "advice": 3}
_LEAST = "flag-says-the-default"
"""Told last: it changes nothing, so it never leads an answer that has anything else to say."""


_RECENT: deque[tuple[Deployment, str | None, CompatReport]] = deque(maxlen=8)
"""The last reports: a session asks several tools about one launch, whose deployment is one object then."""


def check(deployment: Deployment, upgrade_to: str | None = None) -> CompatReport:
    """The findings for a deployment, most severe first.

    `upgrade_to` adds what moving to that release breaks, drops, renames and changes for this deployment, in order of
    harm; those findings are named ``upgrade-...``.

    Raises:
        ValueError: when `upgrade_to` is not a version.
    """
    for known, asked, report in tuple(_RECENT):
        if known is deployment and asked == upgrade_to:
            return report
    report = _report(deployment, upgrade_to)
    _RECENT.append((deployment, upgrade_to, report))
    return report


def _report(deployment: Deployment, upgrade_to: str | None) -> CompatReport:
    findings, unknown = _judge(deployment)
    rules = for_version(deployment.version)
    if upgrade_to is not None:
        findings += upgrade_findings(deployment, upgrade_to, findings, lambda after: _judge(after)[0])
    findings.sort(key=lambda finding: (_ORDER[finding.severity], finding.starts, finding.rule == _LEAST))
    undecided = {entry.rule for entry in unknown}
    beyond = tuple(_not_known(version) for version in (deployment.version, upgrade_to) if version and _is_unknown(version))
    return CompatReport(
        vllm_version=deployment.version, ok=not findings or findings[0].severity != "fatal", findings=tuple(findings),
        not_checked=(*beyond, *_device(deployment), *unknown), rules_checked=len(rules) - len(unknown),
        speculation_checked=not undecided & _clearing_chunked_prefill(deployment.version),
    )  # fmt: skip


def _judge(deployment: Deployment) -> tuple[list[Finding], list[NotChecked]]:
    """Every rule's findings, and the rules that could not be decided."""
    context = Context(deployment)
    findings: list[Finding] = []
    unknown: list[NotChecked] = []
    for rule in for_version(deployment.version):
        try:
            answer = rule.check(context)
            for hit in (answer,) if isinstance(answer, Hit) else answer or ():
                findings.append(_finding(rule, hit, context))  # noqa: PERF401 - what was found before a `Needs` stands
        except Needs as need:
            also = (name for name in rule.needs if name in context.unknown)
            unknown.append(NotChecked(rule=rule.id, needs=tuple(dict.fromkeys((*need.what, *also)))))
    return findings, unknown


def _is_unknown(version: str) -> bool:
    """Whether no release of that number is known here, so that another one's rules were applied."""
    return number(nearest(version)) != number(version)


def _not_known(version: str) -> NotChecked:
    return NotChecked(
        rule=f"vLLM {version}", needs=(f"a release known here: {nearest(version)}, the nearest, was taken for it",)
    )


def _device(deployment: Deployment) -> Iterator[NotChecked]:
    """A device that was named and is not known, or may be one that does less than the one taken."""
    for problem in deployment.problems:
        lesser = problem.code == "ambiguous-gpu" and (problem.severity != "info" or deployment.gpu is None)
        if lesser or problem.code == "unknown-gpu":
            told = "; ".join(filter(None, (problem.message.rstrip("."), problem.fix)))
            yield NotChecked(rule="GPU", needs=(f"the device's name: {told}",))


@cache
def _clearing_chunked_prefill(version: str) -> frozenset[str]:
    """The rules that hold chunked prefill against speculation: all must be decided to clear either."""
    both = {"--speculative-config", "--enable-chunked-prefill"}
    return frozenset(rule.id for rule in for_version(version) if both <= set(rule.flags))


def _ended(message: str, words: str) -> str:
    """The message with `words` before its full stop."""
    return f"{message.removesuffix('.')}{words}." if words else message


def _finding(rule: Rule, hit: Hit, context: Context) -> Finding:
    steps = hit.steps + also_edited(context, hit.steps)
    assumed = context.deployment.vllm_version.origin == "assumed" and rule.versions
    at = f" (at the assumed vLLM {context.version})" if assumed else ""
    return Finding(
        rule=rule.id, severity=rule.severity, title=rule.title, message=_ended(hit.message, at), flags=hit.flags or rule.flags,
        versions=rule.versions or "all", effect=hit.effect, starts=rule.starts, fix=hit.fix or fix_text(steps), basis=rule.basis,
        evidence=rule.evidence, steps=steps,
        changed=tuple(AskedVersusGot(setting=name, asked=asked, got=got) for name, asked, got in hit.changed),
    )  # fmt: skip
