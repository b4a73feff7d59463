"""check_compat says of a launch what vLLM's own configuration code made of it."""

import importlib.util
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from vllm_triage.verdicts.compat import check
from vllm_triage.verdicts.repair import repaired

ROOT = Path(__file__).parent.parent.parent
RECORDED = ROOT / "tests" / "data" / "compat"
EACH = 41
"""Every how many launches one is checked here; ``tools/measure_compat.py`` checks them all."""


@cache
def tool() -> Any:
    """The script that compares with recorded answers."""
    spec = importlib.util.spec_from_file_location("measure_compat", ROOT / "tools" / "measure_compat.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@cache
def recorded() -> tuple[list[Any], dict[str, Any]]:
    launches, configs = tool().packed(RECORDED)
    return launches, configs


@pytest.mark.parametrize("version", ["0.18.0", "0.23.0", "0.31.0", "0.32.0", "0.33.0"])
def test_what_vllm_refuses_and_changes_is_what_is_told(version: str) -> None:
    launches, configs = recorded()
    mine = [launch for launch in launches if launch.version == version]
    assert len(mine) > 5_000
    assert 0.3 < sum(launch.outcome == "ok" for launch in mine) / len(mine) < 0.7
    found = [(launch.argv, tool().compare(launch, configs)) for launch in mine[::EACH]]
    assert [(argv, one.why) for argv, one in found if one.why and not one.later] == []
    assert sum(one.refusal for _, one in found) >= 0.95 * len(found)
    changes = [one.change for _, one in found if one.change is not None]
    assert sum(changes) >= 0.95 * len(changes)


def test_no_fix_leaves_its_finding_or_starts_a_refusal() -> None:
    launches, configs = recorded()
    told = 0
    for launch in launches[:: EACH * 4]:
        deployment = tool().deployed(launch, configs)
        before = check(deployment)
        for finding in before.findings:
            if not finding.steps:
                assert finding.fix
                continue
            told += 1
            after = check(repaired(deployment, finding))
            rules = [each.rule for each in before.findings]
            assert [f.rule for f in after.findings].count(finding.rule) < rules.count(finding.rule), (launch, finding)
            assert {f.rule for f in after.fatal()} <= set(rules), (launch, finding)
    assert told > 200
