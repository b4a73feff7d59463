"""The server as clients start it: a child process on stdio, in both protocol eras."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from vllm_triage.report import tools

SERVER = Path(__file__).parents[2] / "server"


class Child:
    """`vllm-triage mcp` and line-by-line JSON-RPC with it."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "vllm_triage", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, encoding="utf-8", env={**os.environ, "PYTHONPATH": str(SERVER)},
        )
        self.asked = 0

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.asked += 1
        self.send({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params})
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert answer["id"] == self.asked
        return answer

    def close(self) -> str:
        _, errors = self.process.communicate(timeout=20)
        return errors


@pytest.fixture
def child() -> Iterator[Child]:
    started = Child()
    yield started
    if started.process.poll() is None:
        started.process.kill()
        started.process.communicate()


def test_a_client_of_the_handshake_era_is_served(child: Child) -> None:
    hello = child.ask("initialize", {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    })["result"]
    child.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert hello["protocolVersion"] == "2025-11-25"
    assert hello["serverInfo"]["name"] == "vllm-triage"
    assert "diagnose" in hello["instructions"]
    listed = child.ask("tools/list", {})["result"]["tools"]
    assert [tool["name"] for tool in listed] == [tool.name for tool in tools.TOOLS]
    got = child.ask("tools/call", {"name": "explain", "arguments": {"term": "core-metrics"}})["result"]
    assert got["structuredContent"]["kind"] == "house_rule"
    wrong = child.ask("tools/call", {"name": "explain", "arguments": {"trm": "core-metrics"}})["result"]
    assert wrong["isError"]
    assert wrong["content"][0]["text"] == "Unknown argument trm: did you mean term?"
    refused = child.ask("prompts/get", {"name": "scheduler_diagnosis", "arguments": {"nope": "x"}})["error"]
    assert refused["code"] == -32602
    errors = child.close()
    assert child.process.returncode == 0
    assert "Traceback" not in errors


def test_a_stateless_client_is_served(child: Child) -> None:
    meta = {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }}
    found = child.ask("server/discover", meta)["result"]
    assert "2026-07-28" in found["supportedVersions"]
    assert "diagnose" in found["instructions"]
    listed = child.ask("tools/list", meta)["result"]
    assert listed["resultType"] == "complete"
    assert len(listed["tools"]) == len(tools.TOOLS)
    got = child.ask("tools/call", {"name": "explain", "arguments": {"term": "decode_bound"}, **meta})["result"]
    assert got["structuredContent"]["term"] == "decode_bound"
    prompt = child.ask("prompts/get", {"name": "scheduler_diagnosis", "arguments": {"gpu": "H100"}, **meta})["result"]
    assert "H100" in prompt["messages"][0]["content"]["text"]
    errors = child.close()
    assert child.process.returncode == 0
    assert "Traceback" not in errors
