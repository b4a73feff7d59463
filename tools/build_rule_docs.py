"""Write docs/rules.md from the rules themselves: ``python tools/build_rule_docs.py``, ``--check`` only compares."""

import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import groupby
from pathlib import Path

from vllm_triage.verdicts.registry import rules
from vllm_triage.verdicts.rule import HEADINGS, Rule

__all__ = ["main", "page"]

PAGE = Path(__file__).parent.parent / "docs" / "rules.md"


def page() -> str:
    """The page, made from every rule's docstring."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    everything = rules()
    yield "# Compatibility rules"
    yield ""
    yield f"{len(everything)} rules. Made by `tools/build_rule_docs.py` from the rules; edit those, not this page."
    yield ""
    yield "| severity | meaning |"
    yield "|---|---|"
    yield "| fatal | does not start, or refuses the request |"
    yield "| silent | the engine changes what was asked for |"
    yield "| degraded | runs slower or with less than it could |"
    yield "| advice | worth knowing |"
    for family, members in groupby(everything, key=lambda rule: rule.family):
        title = (import_module(f"vllm_triage.verdicts.rules.{family}").__doc__ or family).strip().rstrip(".")
        yield ""
        yield f"## {title}"
        for rule in members:
            yield from _entry(rule)


def _entry(rule: Rule) -> Iterator[str]:
    yield ""
    yield f"### {rule.id}"
    yield ""
    yield f"{rule.title}."
    yield ""
    facts = [f"Severity: {rule.severity}", f"basis: {rule.basis}"]
    if rule.flags:
        facts.append("about: " + ", ".join(f"`{flag}`" for flag in rule.flags))
    if rule.needs:
        facts.append("needs: " + ", ".join(need.replace("_", " ") for need in rule.needs))
    yield "; ".join(facts) + "."
    for heading in HEADINGS:
        yield ""
        yield f"**{heading}.** " + ("" if heading == "Evidence" else rule.sections[heading])
        if heading == "Evidence":
            yield ""
            yield from (f"- {item}" for item in rule.evidence)


def main() -> int:
    """Write the page, or say whether it is stale."""
    if "--check" not in sys.argv[1:]:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    fresh = PAGE.exists() and PAGE.read_text(encoding="utf-8") == page()
    if not fresh:
        sys.stderr.write("docs/rules.md is stale: run python tools/build_rule_docs.py\n")
    return 0 if fresh else 1


if __name__ == "__main__":
    raise SystemExit(main())
