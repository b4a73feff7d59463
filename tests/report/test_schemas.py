"""Schemas: lean, closed, and published exactly as the models are."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import Field

from vllm_triage.domain import Json, Setting
from vllm_triage.report.answer import ToolAnswer
from vllm_triage.report.arguments import DeploymentArguments
from vllm_triage.report.schemas import PUBLISHED, input_schema, output_schema, published
from vllm_triage.report.tools import TOOLS

SERVER = Path(__file__).parents[2] / "server"


class Answer(ToolAnswer):
    """One field of each kind."""

    status: Literal["a", "b"]
    rows: tuple[Setting, ...]
    settings: dict[str, Setting]
    perhaps: Setting | None
    anything: Json
    extra: str = Field("", exclude_if=lambda v: not v)


def test_the_published_schemas_are_those_of_the_models() -> None:
    """When this fails on purpose: python tools/build_schemas.py."""
    made = {tool.name: {"input": input_schema(tool.arguments), "output": output_schema(tool.answer)} for tool in TOOLS}
    assert json.dumps(made, indent=1) + "\n" == PUBLISHED.read_text(encoding="utf-8")
    assert list(published()) == [tool.name for tool in TOOLS]


def test_an_input_schema_is_flat_closed_and_without_noise() -> None:
    schema = input_schema(DeploymentArguments)
    assert schema["required"] == ["command"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["model_config"] == {
        "type": "object", "description": "The model's config.json; outranks the catalogue.",
    }
    assert set(schema["properties"]["gpu"]) == {"type", "description"}


def test_an_output_schema_names_the_top_level_and_requires_what_is_always_there() -> None:
    assert output_schema(Answer) == {
        "type": "object",
        "properties": {
            "summary": {"type": "string"}, "status": {"type": "string"}, "rows": {"type": "array"},
            "settings": {"type": "object"}, "perhaps": {"type": ["null", "object"]}, "anything": {},
            "extra": {"type": "string"},
        },
        "required": ["summary", "status", "rows", "settings", "perhaps", "anything"],
    }


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_is_named_and_described_for_a_search(tool: Any) -> None:
    assert len(tool.name) <= 64
    assert 80 <= len(tool.description) <= 400
    assert "Use" in tool.description or tool.name == "explain"


def test_the_server_lists_its_tools_without_importing_any() -> None:
    script = "import sys, vllm_triage.surfaces.mcp as m; m.build(); print(*(n for n in sys.modules if 'triage' in n))"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={"PYTHONPATH": str(SERVER)}
    )
    assert "vllm_triage.surfaces.mcp" in done.stdout
    assert not any(room in done.stdout for room in ("domain", "readers", "engine", "verdicts", "answers"))
