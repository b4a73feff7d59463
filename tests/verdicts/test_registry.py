"""Every rule keeps the shape: documented, evidenced, tested both ways at the mirrored path, and its page is fresh."""

import ast
import importlib.util
from pathlib import Path

import pytest

from vllm_triage.facts.flags import table
from vllm_triage.facts.versions import KNOWN
from vllm_triage.verdicts.registry import find, for_version, rules
from vllm_triage.verdicts.rule import HEADINGS, Rule
from vllm_triage.verdicts.specifier import holds

ROOT = Path(__file__).parent.parent.parent
RULES = rules()
OPTIONS = {version: frozenset(table(version).options) for version in KNOWN}


def calls(path: Path) -> set[str]:
    """Names of the functions a test file calls."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_is_documented_under_every_heading_and_names_its_evidence(rule: Rule) -> None:
    assert all(rule.sections[heading] for heading in HEADINGS)
    assert rule.evidence
    assert rule.title
    assert len(rule.title) < 100


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_holds_for_some_known_release(rule: Rule) -> None:
    assert any(holds(rule.versions, version) for version in KNOWN)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_names_flags_that_exist_in_a_release_it_holds_for(rule: Rule) -> None:
    for flag in rule.flags:
        assert any(flag in options for version, options in OPTIONS.items() if holds(rule.versions, version))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_has_a_firing_and_a_quiet_case_at_the_mirrored_path(rule: Rule) -> None:
    path = ROOT / "tests" / "verdicts" / "rules" / rule.family / f"test_{rule.id.replace('-', '_')}.py"
    assert path.exists()
    assert calls(path) & {"fires", "tells"}
    assert "quiet" in calls(path)


def test_rules_are_found_by_id_and_by_version() -> None:
    assert find("heads-not-divisible") in for_version("0.33.0")
    assert find("no-draft-chunked-0180") not in for_version("0.19.1")
    assert find("nothing-of-the-kind") is None


def test_the_page_of_rules_is_fresh() -> None:
    spec = importlib.util.spec_from_file_location("build_rule_docs", ROOT / "tools" / "build_rule_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run python tools/build_rule_docs.py"
