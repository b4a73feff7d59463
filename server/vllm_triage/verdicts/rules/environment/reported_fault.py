"""A combination that people reported broken in this release.

## What happens
What was reported: a crash, a hang, wrong output, or nothing at all of what was asked for. Not everyone met it.

## Why
Two features were each tested alone, on one kind of device. Every row of the table behind this rule names what was
combined and the public thread.

## Versions
all

## Evidence
- https://github.com/vllm-project/vllm/issues and /pull of the numbers named with each finding; the table is
  vllm_triage/verdicts/reported

## Fix
Take one of the two out, or use a release in which the thread says it works.
"""

from collections.abc import Iterator

from ...context import Context, Needs
from ...reported import matching
from ...rule import Hit, fix_text, rule


@rule("degraded", flags=(), needs=("model", "gpu"), basis="documentation")
def check(ctx: Context) -> Iterator[Hit]:
    missing: dict[str, None] = {}
    for report in matching(ctx, missing):
        yield Hit(
            message=f"With {report.what}, people reported of {report.versions or 'every release'}: {report.outcome} "
            f"({report.source}).",
            effect=f"It may end in the same: {report.outcome}.",
            flags=tuple(step.name for step in report.steps if step.name.startswith("--")),
            steps=report.steps,
            fix=f"If you meet it: {fix_text(report.steps)}." if report.steps else "If you meet it, the thread tells what helped.",
        )
    if missing:
        raise Needs(*missing)
