"""The skill: what an agent loads must be valid, short, true to the tables, and without broken links."""

import re
import runpy
from pathlib import Path

import pytest
import yaml

from vllm_triage.report.tools import TOOLS
from vllm_triage.verdicts.policy import RULES

ROOT = Path(__file__).parent.parent
SKILL = (ROOT / "SKILL.md").read_text(encoding="utf-8")
FRONT, BODY = SKILL.split("\n---\n", 1)


def test_the_frontmatter_is_what_the_format_allows() -> None:
    fields = yaml.safe_load(FRONT.removeprefix("---\n"))
    assert set(fields) <= {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
    assert fields["name"] == "vllm-triage"
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fields["name"])
    assert 200 <= len(fields["description"]) <= 1024
    assert len(fields["compatibility"]) <= 500


@pytest.mark.parametrize("word", [
    "production", "engine comparison", "out of memory", "throughput", "TTFT", "preemption", "multi-GPU", "quantization",
    "how many users fit", "PagedAttention", "prefix caching", "chunked prefill", "speculative decoding",
    "Not for training", "CPU-only edge", "Apple Silicon", "hosted APIs",
])
def test_the_description_says_when_to_activate_and_when_not(word: str) -> None:
    assert word in yaml.safe_load(FRONT.removeprefix("---\n"))["description"]


def test_the_body_is_short_enough_to_be_loaded() -> None:
    assert len(BODY.splitlines()) < 200
    assert len(BODY) < 16_000


def test_every_link_leads_to_a_file() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", SKILL)
    assert links
    assert [link for link in links if not (ROOT / link).is_file()] == []
    assert {Path(link).name for link in links} == {path.name for path in (ROOT / "skill" / "references").glob("*.md")}


def test_the_body_names_every_tool_and_the_prompt_forbids_what_the_house_rules_forbid() -> None:
    prompt = (ROOT / "prompts" / "scheduler_diagnosis.j2").read_text(encoding="utf-8")
    assert [tool.name for tool in TOOLS if f"`{tool.name}`" not in BODY] == []
    asked = {"parse_vllm_command", "check_compat", "estimate_kv_bytes", "diagnose", "explain"}
    assert {name for name in asked if f"`{name}`" in prompt} == asked
    marks = {
        "core-metrics": "TTFT, ITL, throughput and concurrency",
        "chunked-prefill-cleared": "`--enable-chunked-prefill`",
        "gpu-util-ignored": "`DCGM_FI_DEV_GPU_UTIL`", "not-vllm-first": "Under 100 output tok/s",
        "raise-ceiling-first": "below 0.70", "no-draft-chunked-0180": "0.18.x",
        "tune-before-scale": "More GPUs or replicas",
        "measure-next": "WAITING queue depth",
    }
    assert set(RULES) <= set(marks)
    for text in (BODY, prompt):
        assert [rule for rule, mark in marks.items() if mark not in " ".join(text.split())] == []


def test_the_references_are_fresh() -> None:
    """When this fails on purpose: python tools/build_skill_references.py."""
    made = runpy.run_path(str(ROOT / "tools" / "build_skill_references.py"))["pages"]()
    assert {name: (ROOT / "skill" / "references" / name).read_text(encoding="utf-8") for name in made} == made
