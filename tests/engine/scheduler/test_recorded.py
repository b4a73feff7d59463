"""The decisions are vLLM's own, step for step."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from engine.scheduler.recorded import recordings, unpacked
from vllm_triage.engine.scheduler import CHANGES
from vllm_triage.facts.versions import at_least, number
from vllm_triage.readers.scenarios import read_scenarios
from vllm_triage.report.schedules import traced

SHARED = Path(os.environ.get("VLLM_TRIAGE_SHARED", Path(__file__).parents[4] / "shared")) / "oracle" / "traces"


def parted(scenario: dict[str, Any], trace: dict[str, Any], version: str) -> list[str]:
    """The fields in which our trace of the scenario differs."""
    ours = traced(next(read_scenarios(json.dumps(scenario))), version)
    return [name for name, value in trace.items() if ours.get(name) != value]


def test_every_step_is_the_one_vllm_recorded() -> None:
    wrong = [
        (one["scenario"]["id"], version, differs)
        for one in recordings()
        for answer in one["answers"]
        for version in {answer["vllm"][0], answer["vllm"][-1]}
        if (differs := parted(one["scenario"], unpacked(answer["trace"]), version))
    ]
    assert not wrong


def test_the_recordings_tell_every_rule_from_its_absence() -> None:
    told = set()
    for one in recordings():
        by_version = {version: place for place, answer in enumerate(one["answers"]) for version in answer["vllm"]}
        told |= {
            change.rule for change in CHANGES
            if len({by_version[version] for version in around(change.since, sorted(by_version, key=number))}) > 1
        }  # fmt: skip
    assert told == {change.rule for change in CHANGES}


def around(since: str, versions: list[str]) -> list[str]:
    """The last of the versions before `since` and the first that is not."""
    before = [version for version in versions if not at_least(version, since)]
    return [*before[-1:], *[version for version in versions if at_least(version, since)][:1]]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the large recordings are not on this machine")
@pytest.mark.parametrize("version", ["0.18.0", "0.23.0", "0.32.0", "0.33.0"])
def test_large_recordings_agree_as_well(version: str) -> None:
    keys = ("steps", "preempted", "waiting", "running", "free_blocks", "first_token_step", "finish_step")
    lines = gzip.decompress((SHARED / f"vllm-{version}.jsonl.gz").read_bytes()).decode().splitlines()
    for line in lines[::10]:
        row = json.loads(line)
        scenario = {name: value for name, value in row.items() if name not in keys}
        assert not parted(scenario, {name: row[name] for name in keys}, version), row["id"]
