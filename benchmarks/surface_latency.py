"""What the two doors cost: ``python benchmarks/surface_latency.py [--starts N] [--calls N]``.

In one run, taking turns so that a busy machine is unfair to nobody:

- cold start of ``vllm-triage mcp`` until ``tools/list`` is answered, beside an empty ``MCPServer`` with one no-op tool;
- the median stdio call of each tool, beside that no-op tool: with arguments the server has never seen (a launch and
  figures of its own each time), and with the same ones again, as when one launch is asked about in turn;
- ``vllm-triage kv`` from the shell, wall time;
- characters of names, descriptions and input schemas of all tools, and of ``tools/list`` as a whole.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import IO, Any, cast

__all__ = ["main"]

SERVER = Path(__file__).parent.parent / "server"
EMPTY = """
from mcp.server.mcpserver import MCPServer

server = MCPServer("empty")

@server.tool()
async def noop(text: str) -> str:
    return text

server.run()
"""
SCRIPT = "from vllm_triage.surfaces.cli import run; run()"
"""What the installed ``vllm-triage`` runs."""

LAUNCH = (
    "vllm serve meta-llama/Llama-3.1-8B-Instruct --tensor-parallel-size 2 --max-model-len 32k --max-num-seqs 256 "
    "--gpu-memory-utilization 0.92 --enable-prefix-caching --kv-cache-dtype fp8"
)
WHERE = {"command": LAUNCH, "gpu": "2x H100", "vllm_version": "0.31.0"}
MEASURED = {
    "ttft_ms_mean": 900, "ttft_ms_p99": 4000, "itl_ms_mean": 24, "itl_ms_p99": 160, "output_tok_s": 5200,
    "concurrency": 256, "input_tokens": 2000, "output_tokens": 300,
}
CALLS: dict[str, dict[str, Any]] = {
    "parse_vllm_command": WHERE, "estimate_kv_bytes": {**WHERE, "input_tokens": 2000, "output_tokens": 300},
    "classify_bottleneck": {**WHERE, **MEASURED}, "check_compat": WHERE, "diagnose": {**WHERE, **MEASURED},
    "simulate_change": {**WHERE, **MEASURED, "changes": ["--max-num-seqs 512"]},
    "plan_deployment": {
        **WHERE, "concurrency": 64, "input_tokens": 2000, "output_tokens": 300, "slo": {"tpot_ms_mean": 50},
    },
    "explain": {"term": "--max-num-batched-tokens"},
}
QUICK = ("parse_vllm_command", "estimate_kv_bytes", "classify_bottleneck", "check_compat", "explain")
LONG = ("diagnose", "simulate_change", "plan_deployment")
META = {"_meta": {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
}}


# As installed: with compiled bytecode on disk, whatever the caller's environment says.
ENVIRONMENT = {
    **{name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}, "PYTHONPATH": str(SERVER),
}


class Child:
    """A server on stdio, spoken to line by line."""

    def __init__(self, command: list[str]) -> None:
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            encoding="utf-8", env=ENVIRONMENT,
        )
        self.tools = self.ask("tools/list", {})["tools"]
        self.started = time.perf_counter() - self.begun

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """One request, answered."""
        to_child, from_child = cast("IO[str]", self.process.stdin), cast("IO[str]", self.process.stdout)
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, **META}}
        to_child.write(json.dumps(message) + "\n")
        to_child.flush()
        result: dict[str, Any] = json.loads(from_child.readline())["result"]
        return result

    def call(self, tool: str, arguments: dict[str, Any]) -> float:
        """Seconds of one call."""
        begun = time.perf_counter()
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        taken = time.perf_counter() - begun
        if result.get("isError"):
            raise RuntimeError(f"{tool}: {result['content'][0]['text']}")
        return taken

    def close(self) -> None:
        """End the child by closing its input."""
        self.process.communicate(timeout=30)


def main(argv: list[str]) -> int:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=9)
    parser.add_argument("--calls", type=int, default=300)
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / "empty.py"
        empty.write_text(EMPTY, encoding="utf-8")
        commands = {"empty": [sys.executable, str(empty)], "ours": [sys.executable, "-m", "vllm_triage", "mcp"]}
        starts(commands, options.starts)
        calls(commands, options.calls)
    shell(options.starts)
    return 0


def starts(commands: dict[str, list[str]], rounds: int) -> None:
    """Cold start to ``tools/list``, in turns."""
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(rounds + 1):
        for name, command in commands.items():
            child = Child(command)
            child.close()
            if turn:  # the first round fills the disk cache
                taken[name].append(child.started)
    least = {name: min(times) * 1000 for name, times in taken.items()}
    middle = {name: statistics.median(times) * 1000 for name, times in taken.items()}
    print(f"start to tools/list, ms (least / median of {rounds})")
    for name in commands:
        print(f"  {name:22} {least[name]:7.0f} {middle[name]:7.0f}")
    print(f"  {'ratio':22} {least['ours'] / least['empty']:7.2f} {middle['ours'] / middle['empty']:7.2f}")


def calls(commands: dict[str, list[str]], rounds: int) -> None:
    """Median call of each tool and of the no-op, in turns."""
    empty, ours = (Child(command) for command in commands.values())
    print(f"stdio call, ms (median of {rounds}): first seen, over the no-op; seen before, over the no-op")
    for names, turns in ((QUICK, rounds), (LONG, max(3, rounds // 30))):  # a long call leaves the caches cold for the next
        new, again = (in_turn(empty, ours, names, turns, seen=seen) for seen in (False, True))
        for name in ("no-op", *names):
            told = "".join(f" {found[name]:8.2f} {found[name] - found['no-op']:+8.2f}" for found in (new, again))
            print(f"  {name:22}{told}")
    empty.close()
    ours.close()
    sent = sum(len(t["name"]) + len(t["description"]) + len(json.dumps(t["inputSchema"])) for t in ours.tools)
    print(f"characters: names, descriptions and input schemas {sent}, tools/list {len(json.dumps(ours.tools))}")


def in_turn(empty: Child, ours: Child, names: tuple[str, ...], rounds: int, *, seen: bool) -> dict[str, float]:
    """Median ms of a call of each tool."""
    taken: dict[str, list[float]] = {name: [] for name in ("no-op", *names)}
    for turn in range(-5, rounds):
        for name, times in taken.items():
            arguments = CALLS.get(name, {"text": LAUNCH})
            if not seen and name in CALLS:
                arguments = unseen(arguments)
            seconds = empty.call("noop", arguments) if name == "no-op" else ours.call(name, arguments)
            if turn >= 0:
                times.append(seconds)
    return {name: statistics.median(times) * 1000 for name, times in taken.items()}


NUMBERS = count(1)


def unseen(arguments: dict[str, Any]) -> dict[str, Any]:
    """The same question about a launch nobody asked about yet."""
    number = next(NUMBERS)
    new = {
        name: value.replace("--max-num-seqs 256", f"--max-num-seqs {256 + number} --port {8000 + number}")
        if isinstance(value, str) else value for name, value in arguments.items()
    }  # fmt: skip
    if isinstance(rate := new.get("output_tok_s"), float | int):
        new["output_tok_s"] = rate + number / 10
    return new


def shell(rounds: int) -> None:
    """``vllm-triage kv`` as a person runs it, beside an interpreter that does nothing, and one that loads pydantic."""
    commands = {
        "vllm-triage kv": [sys.executable, "-c", SCRIPT, "kv", LAUNCH, "--gpu", "2x H100"],
        "import pydantic alone": [sys.executable, "-c", "from pydantic import BaseModel"],
        "python -c pass": [sys.executable, "-c", "pass"],
    }
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(rounds + 1):  # the first round fills the disk cache
        for name, command in commands.items():
            begun = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=False, env=ENVIRONMENT)
            if turn:
                taken[name].append(time.perf_counter() - begun)
    print(f"from the shell, ms (least / median of {rounds})")
    for name, times in taken.items():
        print(f"  {name:22} {min(times) * 1000:7.0f} {statistics.median(times) * 1000:7.0f}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
