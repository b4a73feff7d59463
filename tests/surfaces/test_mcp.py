"""The MCP door, in memory: both protocol eras, strict arguments, errors in words, lean schemas."""

import json
from typing import Any

import anyio
import anyio.from_thread
import httpx2
import jsonschema
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolResult, TextContent

from vllm_triage.report import tools
from vllm_triage.report.progress import current
from vllm_triage.surfaces.mcp import INSTRUCTIONS, build

pytestmark = pytest.mark.anyio

ERAS = ["legacy", "2026-07-28"]
LAUNCH = "vllm serve Qwen/Qwen3-8B --max-num-seqs 64"
MEASURED = {"ttft_ms_mean": 300, "itl_ms_mean": 20, "output_tok_s": 1500, "concurrency": 32}
CALLS: dict[str, dict[str, Any]] = {
    "parse_vllm_command": {"command": LAUNCH, "gpu": "H100"},
    "estimate_kv_bytes": {"command": LAUNCH, "gpu": "H100", "input_tokens": 1000, "output_tokens": 200},
    "classify_bottleneck": {"command": LAUNCH, "gpu": "H100", **MEASURED},
    "check_compat": {"command": LAUNCH, "gpu": "H100"},
    "diagnose": {"command": LAUNCH, "gpu": "H100", **MEASURED},
    "simulate_change": {
        "command": LAUNCH, "gpu": "H100", **MEASURED, "input_tokens": 500, "output_tokens": 100,
        "changes": ["--max-num-seqs 16", "without --max-num-seqs"],
    },
    "explain": {"term": "--max-num-seqs"},
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def text_of(result: CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text


async def called(name: str, arguments: dict[str, Any], mode: str = "2026-07-28") -> CallToolResult:
    async with Client(build(), mode=mode) as client:
        result = await client.call_tool(name, arguments)
    assert isinstance(result, CallToolResult)
    return result


@pytest.mark.parametrize("mode", ERAS)
async def test_every_tool_is_listed_with_explicit_hints_in_both_eras(mode: str) -> None:
    async with Client(build(), mode=mode) as client:
        listed = (await client.list_tools()).tools
    assert [tool.name for tool in listed] == [tool.name for tool in tools.TOOLS]
    for tool in listed:
        hints = tool.annotations
        assert hints is not None
        assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint) == (
            True, False, True, False,
        )
        assert tool.input_schema["additionalProperties"] is False


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("name", CALLS)
async def test_each_channel_of_a_result_is_complete_by_itself(name: str, mode: str) -> None:
    result = await called(name, CALLS[name], mode)
    assert not result.is_error
    structured = result.structured_content
    assert isinstance(structured, dict)
    assert next(iter(structured)) == "summary"
    assert structured == tools.call(name, CALLS[name]).to_json()
    text = text_of(result)
    assert structured["summary"] in text
    assert '{"' not in text.split("\n", 1)[0]
    if name != "diagnose":  # its text is the page, which leads with its own wording
        assert len(text) < 1.2 * len(json.dumps(structured))


@pytest.mark.parametrize("name", CALLS)
async def test_a_result_fits_the_schema_that_is_published_for_it(name: str) -> None:
    async with Client(build(), mode="2026-07-28") as client:
        [schema] = [tool.output_schema for tool in (await client.list_tools()).tools if tool.name == name]
    assert schema is not None
    structured = (await called(name, CALLS[name])).structured_content
    jsonschema.validate(structured, schema)
    assert isinstance(structured, dict)
    assert set(structured) <= set(schema["properties"])


async def test_what_every_user_pays_for_stays_small() -> None:
    async with Client(build(), mode="2026-07-28") as client:
        listed = (await client.list_tools()).tools
    sent = sum(len(t.name) + len(t.description or "") + len(json.dumps(t.input_schema)) for t in listed)
    whole = len(json.dumps([t.model_dump(mode="json", by_alias=True, exclude_none=True) for t in listed]))
    assert sent < 12_000
    assert whole < 30_000
    assert len(INSTRUCTIONS) < 2048


@pytest.mark.parametrize("mode", ERAS)
async def test_an_unknown_argument_is_refused_with_the_nearest_name(mode: str) -> None:
    result = await called("parse_vllm_command", {"command": LAUNCH, "vllm_verison": "0.18.0"}, mode)
    assert result.is_error
    assert text_of(result) == "Unknown argument vllm_verison: did you mean vllm_version?"


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("parse_vllm_command", {}, "command: required, and missing."),
        ("parse_vllm_command", {"command": ""}, "vllm serve"),
        ("check_compat", {"command": "   "}, "vllm serve"),
        ("estimate_kv_bytes", {}, "command: required"),
        ("classify_bottleneck", {"ttft_ms_mean": "slow"}, "ttft_ms_mean: expected a number."),
        ("explain", {"term": "--max-num-seq"}, "did you mean --max-num-seqs"),
        ("explain", {"term": "kv_starving"}, "did you mean kv_starvation"),
    ],
)
async def test_bad_input_comes_back_as_a_sentence(name: str, arguments: dict[str, Any], said: str) -> None:
    result = await called(name, arguments)
    assert result.is_error
    assert said in text_of(result)
    assert "Traceback" not in text_of(result)
    assert "pydantic" not in text_of(result)


async def test_a_defect_leaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str, given: object) -> None:
        raise ValueError("hf_secretsecretsecret")

    monkeypatch.setattr(tools, "call", broken)
    result = await called("explain", {"term": "x"})
    assert result.is_error
    assert text_of(result) == "explain failed; this is a defect, please report the input"


@pytest.mark.parametrize("mode", ERAS)
async def test_the_prompt_takes_no_required_argument(mode: str) -> None:
    async with Client(build(), mode=mode) as client:
        [prompt] = (await client.list_prompts()).prompts
        got = await client.get_prompt("scheduler_diagnosis")
    assert prompt.arguments
    assert not any(argument.required for argument in prompt.arguments)
    [message] = got.messages
    assert isinstance(message.content, TextContent)
    assert "Not given: Launch, vLLM version, GPU, Measurements, Startup log." in message.content.text


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("scheduler_diagnosis", {"comand": "x"}, "Unknown prompt argument 'comand': did you mean command?"),
        ("scheduler_diagnosiss", {}, "Unknown prompt 'scheduler_diagnosiss': there is scheduler_diagnosis."),
    ],
)
async def test_a_wrong_prompt_request_is_invalid_params(
    name: str, arguments: dict[str, str], said: str, mode: str
) -> None:
    async with Client(build(), mode=mode) as client:
        with pytest.raises(MCPError) as error:
            await client.get_prompt(name, arguments)
    assert error.value.error.code == INVALID_PARAMS
    assert said in error.value.error.message


@pytest.mark.parametrize("mode", ERAS)
async def test_nothing_that_never_changes_is_offered_for_subscription(mode: str) -> None:
    async with Client(build(), mode=mode) as client:
        capabilities = client.server_capabilities
    for offered in (capabilities.tools, capabilities.prompts, capabilities.resources):
        assert offered is None or not offered.list_changed
    assert capabilities.logging is None


async def test_lists_may_be_cached_for_an_hour() -> None:
    async with Client(build(), mode="2026-07-28") as client:
        listed = await client.list_tools()
    assert (listed.ttl_ms, listed.cache_scope) == (3_600_000, "public")


@pytest.mark.parametrize(
    ("headers", "status"), [({"host": "evil.example"}, 421), ({"origin": "http://evil.example"}, 403)]
)
async def test_http_on_loopback_refuses_foreign_hosts_and_origins(headers: dict[str, str], status: int) -> None:
    app = build().streamable_http_app(host="127.0.0.1", json_response=True, stateless_http=True)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://127.0.0.1:8000") as client,
    ):
        asked = {"accept": "application/json, text/event-stream", **headers}
        got = await client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=asked)
    assert got.status_code == status


SIMULATE = {
    "command": LAUNCH, "gpu": "H100", "workload": "200 users, 2000 in, 200 out",
    "changes": [f"--max-num-seqs {seats}" for seats in (16, 24, 32, 48, 96, 128, 192, 256)],
}


@pytest.mark.parametrize("mode", ERAS)
async def test_a_long_call_tells_how_far_it_is(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vllm_triage.surfaces.mcp.PROGRESS_EVERY_S", 0.0)
    told: list[float] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        told.append(done)

    async with Client(build(), mode=mode) as client:
        result = await client.call_tool(
            "simulate_change", {**SIMULATE, "changes": ["--max-num-seqs 32"]}, progress_callback=progress
        )
    assert not result.is_error  # type: ignore[union-attr]
    assert len(told) > 3
    assert told == sorted(told)


async def test_a_cancelled_call_stops_working(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread it runs in ends with the request: the event loop is not kept, and no work is left behind."""
    stopped = anyio.Event()
    begun = anyio.Event()

    def endless(*_: Any) -> None:
        tell = current()
        assert tell is not None
        try:
            while True:
                anyio.from_thread.run_sync(begun.set)
                tell(0.5)
        finally:
            anyio.from_thread.run_sync(stopped.set)

    monkeypatch.setattr("vllm_triage.report.answers.simulate.run", endless)
    async with Client(build(), mode="2026-07-28") as client, anyio.create_task_group() as group:
        group.start_soon(client.call_tool, "simulate_change", SIMULATE)
        with anyio.fail_after(30):
            await begun.wait()
            group.cancel_scope.cancel()
        with anyio.CancelScope(shield=True), anyio.fail_after(30):
            await stopped.wait()
    assert stopped.is_set()
