"""The command line: the same answers, files or text as input, exit status 0, 1, 2."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from vllm_triage.report import tools
from vllm_triage.surfaces.cli import main

SERVER = Path(__file__).parents[2] / "server"
LAUNCH = "vllm serve Qwen/Qwen3-8B --max-num-seqs 64"


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(words)
    out, err = capsys.readouterr()
    return status, out, err


def test_json_is_the_tools_structured_content(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = printed(capsys, "parse", LAUNCH, "--gpu", "H100", "--vllm-version", "0.18.0", "--json")
    given = {"command": LAUNCH, "gpu": "H100", "vllm_version": "0.18.0"}
    assert json.loads(out) == tools.call("parse_vllm_command", given).to_json()


def test_without_json_the_text_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = printed(capsys, "explain", "core-metrics")
    assert status == 0
    assert out == tools.call("explain", {"term": "core-metrics"}).to_text() + "\n"
    assert err == ""


@pytest.mark.parametrize("words", [
    ("kv", LAUNCH), ("kv", "--", *LAUNCH.split()), ("kv", "FILE"), ("kv", "-"), ("kv", "--command", LAUNCH),
    ("estimate_kv_bytes", LAUNCH),
])
def test_a_launch_is_a_text_words_a_file_or_standard_input(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "launch.sh").write_text(LAUNCH, encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LAUNCH.encode()), encoding="utf-8"))
    given = [str(tmp_path / "launch.sh") if word == "FILE" else word for word in words]
    _, out, _ = printed(capsys, given[0], "--json", *given[1:])
    assert json.loads(out) == tools.call("estimate_kv_bytes", {"command": LAUNCH}).to_json()


def test_further_files_are_evidence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "launch.sh").write_text(LAUNCH, encoding="utf-8")
    bench = {"mean_ttft_ms": 300.0, "mean_tpot_ms": 20.0, "output_throughput": 1500.0, "max_concurrency": 32}
    (tmp_path / "bench.json").write_text(json.dumps(bench), encoding="utf-8")
    files = [str(tmp_path / "launch.sh"), str(tmp_path / "bench.json")]
    _, by_place, _ = printed(capsys, "classify", *files, "--json")
    _, by_name, _ = printed(capsys, "classify", files[0], "--evidence", files[1], "--json")
    want = tools.call("classify_bottleneck", {"command": LAUNCH, "evidence": [json.dumps(bench)]}).to_json()
    assert json.loads(by_place) == json.loads(by_name) == want


def test_metrics_are_options_under_the_tools_names(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--ttft-ms-mean", "300", "--itl-ms-mean", "20", "--output-tok-s", "1500", "--concurrency", "32")
    _, out, _ = printed(capsys, "classify", LAUNCH, *options, "--json")
    given = {"ttft_ms_mean": 300, "itl_ms_mean": 20, "output_tok_s": 1500, "concurrency": 32}
    assert json.loads(out) == tools.call("classify_bottleneck", {"command": LAUNCH, **given}).to_json()


def test_a_model_config_comes_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    config = {"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "num_hidden_layers": 2, "hidden_size": 64,
              "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 100,
              "intermediate_size": 128, "max_position_embeddings": 4096, "torch_dtype": "bfloat16"}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    _, out, _ = printed(capsys, "kv", "example/tiny", "--model-config", str(tmp_path / "config.json"), "--json")
    assert json.loads(out)["kv_bytes_per_token"] == 2 * 2 * 2 * 16 * 2


def test_explain_takes_a_flag_as_it_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = printed(capsys, "explain", "--max-num-batched-tokens", "--vllm-version", "0.31.0", "--json")
    answer = json.loads(out)
    assert (answer["term"], answer["vllm_version"]) == ("--max-num-batched-tokens", "0.31.0")


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("parse", "vllm serve Qwen/Qwen3-8B", "--gpu", "H100-SXM", "--vllm-version", "0.33.0"), 0),
        (("parse", "vllm serve Qwen/Qwen3-8B --no-such-flag", "--gpu", "H100"), 1),
        (("classify", LAUNCH, "--ttft-ms-mean", "300"), 1),
        (("explain", "core-metrics"), 0),
        (("parse", ""), 2),
        (("parse", "no launch in here, only words"), 2),
        (("kv",), 2),
        (("explain", "nothing-of-that-name"), 2),
        (("classify", LAUNCH, "--ttft-ms-mean", "fast"), 2),
        (("classify", LAUNCH, "--evidence", "/no/such/file"), 2),
    ],
)
def test_the_exit_status_says_fine_findings_or_bad_input(
    words: tuple[str, ...], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    got, out, err = printed(capsys, *words)
    assert got == status
    assert bool(err) == (status == 2)
    assert bool(out) == (status != 2)
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("kv", LAUNCH, "--gpus", "8"), "--gpus"),
        (("kv", "vllm", "serve", "Qwen/Qwen3-8B", "--max-model-len", "8192"), "--"),
        (("frobnicate",), "invalid choice"),
        (("call", "parse_vllm_command"), "TOOL and JSON are required"),
    ],
)
def test_a_wrong_option_is_answered_with_usage(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    assert said in capsys.readouterr().err


def test_without_a_command_the_help_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = printed(capsys)
    assert status == 0
    assert all(tool.word in out for tool in tools.TOOLS)


def test_call_prints_exactly_the_structured_content(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = printed(capsys, "call", "parse_vllm_command", json.dumps({"command": LAUNCH + " --no-such-flag"}))
    assert status == 0
    assert out.count("\n") == 1
    assert json.loads(out) == tools.call("parse_vllm_command", {"command": LAUNCH + " --no-such-flag"}).to_json()
    (tmp_path / "arguments.json").write_text('{"term": "decode_bound"}', encoding="utf-8")
    _, out, _ = printed(capsys, "call", "explain", str(tmp_path / "arguments.json"))
    assert json.loads(out)["term"] == "decode_bound"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("call", "explain", "{"), "not JSON"),
        (("call", "explain", "[1]"), "expected a JSON object"),
        (("call", "explian", "{}"), "did you mean explain?"),
        (("call", "explain", '{"trm": "x"}'), "did you mean term?"),
        (("mcp", "--http", "0.0.0.0:8000"), "--allow-host"),
        (("mcp", "--http", "localhost"), "expected HOST:PORT or PORT"),
        (("mcp", "--http", "127.0.0.1:99999"), "expected HOST:PORT or PORT"),
    ],
)
def test_bad_input_to_call_and_mcp_is_a_sentence(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = printed(capsys, *words)
    assert status == 2
    assert said in err


def test_a_batch_answers_line_by_line_and_goes_on_after_an_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    batch = tmp_path / "batch.jsonl"
    lines = ['{"term": "decode_bound"}', "", '{"term": "no-such"}', "not json", '{"term": "kv_starvation"}']
    batch.write_text("\n".join(lines), encoding="utf-8")
    status, out, _ = printed(capsys, "call", "explain", "--batch", str(batch))
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 2
    assert [answer.get("term") or answer["line"] for answer in answers] == ["decode_bound", 2, 3, 4, "kv_starvation"]
    assert all(list(answer) == ["error", "line"] for answer in answers[1:4])
    assert answers[1]["error"] == "the line is blank"
    batch.write_text('{"tool": "explain", "arguments": {"term": "queue_stall"}}\n', encoding="utf-8")
    status, out, _ = printed(capsys, "call", "--batch", str(batch))
    assert (status, json.loads(out)["term"]) == (0, "queue_stall")


def test_a_batch_has_as_many_lines_as_its_file_whatever_a_text_holds(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    batch = tmp_path / "batch.jsonl"
    odd = "vllm serve Qwen/Qwen3-8B --served-model-name a\u2028b\x85c"
    lines = [json.dumps({"command": command}, ensure_ascii=False) for command in (odd, "Qwen/Qwen3-8B")]
    batch.write_bytes("\r\n".join(["", *lines]).encode())
    status, out, _ = printed(capsys, "call", "parse", "--batch", str(batch))
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 2
    assert [answer.get("line", answer.get("model")) for answer in answers] == [1, "Qwen/Qwen3-8B", "Qwen/Qwen3-8B"]


def test_sizing_from_the_shell_loads_no_more_than_it_needs() -> None:
    script = (
        "import sys; sys.argv = ['vllm-triage', 'kv', 'Qwen/Qwen3-8B', '--gpu', 'H100']; "
        "from vllm_triage.surfaces.cli import main; main(); print(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={"PYTHONPATH": str(SERVER)}
    )
    loaded = set(done.stderr.split())
    assert "147,456 bytes (144 KiB)" in done.stdout
    assert not loaded & {
        "mcp", "jinja2", "yaml", "numpy", "asyncio", "importlib.metadata", "_hashlib", "vllm_triage.verdicts.registry",
        "vllm_triage.readers.evidence",
    }


def test_what_a_start_is_spared_is_there_for_who_asks() -> None:
    script = (
        "from vllm_triage.surfaces.cli import main; main(); import secrets, tokenize, pydantic, sys; "
        "assert '_hashlib' not in sys.modules; assert len(secrets.token_hex(4)) == 8; assert tokenize.NAME == 1; "
        "assert sys.modules['secrets'].token_hex is secrets.token_hex; "
        "assert pydantic.SecretStr('a') == pydantic.SecretStr('a')"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script, "explain", "decode_bound"], capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(SERVER)},
    )
    assert done.returncode == 0, done.stderr


def test_the_module_runs_and_a_closed_pipe_is_quiet() -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "vllm_triage", "explain", "core-metrics"], env={"PYTHONPATH": str(SERVER)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    assert child.stdout is not None
    child.stdout.close()
    assert child.stderr is not None
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait(timeout=20) == 0
