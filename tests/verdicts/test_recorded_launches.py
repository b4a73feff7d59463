"""check_compat says of a launch what vLLM's own configuration code made of it."""

import importlib.util
import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from vllm_triage.verdicts.compat import check
from vllm_triage.verdicts.repair import repaired

ROOT = Path(__file__).parent.parent.parent
RECORDED = ROOT / "tests" / "data" / "compat"
PAGE = ROOT / "docs" / "disagreements.md"
EACH = 61
"""Every how many launches one is checked here; ``tools/measure_compat.py`` checks them all."""


@cache
def tool(name: str = "measure_compat") -> Any:
    """The script that compares with recorded answers, or the one that lists what differs."""
    if name != "measure_compat":
        tool()  # it imports the other by name
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
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


@cache
def listed() -> dict[tuple[str, str, str], str]:
    """(release, GPU, command) -> kind of what the page of disagreements lists."""
    kind, out = "", {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            kind = line[3:]
        elif found := re.fullmatch(r"- (\w+) `(.+)` \(([\d., ]+)\)", line):
            out.update({(version, found[1], found[2]): kind for version in found[3].split(", ")})
    return out


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


def test_every_disagreement_is_listed_and_explained() -> None:
    launches, configs = recorded()
    pages = tool("build_disagreements")
    assert pages.UNEXPLAINED not in listed().values()
    for launch in launches[::EACH]:
        found = tool().compare(launch, configs)
        if found.why:
            kind = pages.kind_of(found.why, refusal=found.refusal)
            assert listed()[launch.version, launch.gpu, launch.argv] == kind
            assert pages.decided(kind) in PAGE.read_text(encoding="utf-8")


def test_what_is_listed_is_a_disagreement() -> None:
    launches, configs = recorded()
    by_name = {(launch.version, launch.gpu, launch.argv): launch for launch in launches}
    names = sorted(listed())
    assert len(names) > 500
    for name in names[::17]:
        found = tool().compare(by_name[name], configs)
        assert found.later, name
        assert tool("build_disagreements").kind_of(found.why, refusal=found.refusal) == listed()[name]


def test_a_launch_answered_without_triton_is_told_as_it_is_with_it() -> None:
    _, configs = recorded()
    rows = json.loads((RECORDED / "without_triton.json").read_text(encoding="utf-8"))
    assert len(rows) > 50
    for row in rows:
        launch = tool().Launch(row["version"], row["gpu"], row["argv"], "ok", {})
        deployment = tool().deployed(launch, configs)
        assert all(tool().place(rule) for rule in tool().refuses(check(deployment))), row
        assert str(deployment.settings["async_scheduling"].value) == row["with"].rpartition(" ")[2], row
