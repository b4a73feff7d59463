"""What each tool costs in process, and the reading of a command beside vLLM's own parser.

    python benchmarks/tools_in_process.py                       # from a checkout
    python benchmarks/tools_in_process.py --vllm ENV/bin/python # beside the vLLM installed in that environment

Medians and minima of calls in one warm process; vLLM's figure is one fresh process: import, build the parser, parse.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from vllm_triage.engine.deployment import deploy
from vllm_triage.engine.memory import estimate
from vllm_triage.readers.arguments import read_arguments
from vllm_triage.readers.launches import read_launches
from vllm_triage.report.tools import call
from vllm_triage.verdicts.compat import check

ROUNDS = 200
FLAGS = "--max-num-seqs 256 --max-num-batched-tokens 8k --gpu-memory-utilization 0.92 --enable-prefix-caching -tp 2 --max-model-len 16384"
COMMAND = f"vllm serve Qwen/Qwen3-8B {FLAGS}"
LAUNCH = {"command": COMMAND, "vllm_version": "0.33.0", "gpu": "2x H100"}
LOAD = {
    "input_tokens": 1000, "output_tokens": 200, "concurrency": 64, "output_tok_s": 1600, "ttft_ms_mean": 900, "tpot_ms_mean": 36,
}  # fmt: skip
PLANNED = {"input_tokens": 1000, "output_tokens": 200, "concurrency": 64, "slo": {"tpot_ms_mean": 50}}

ASK_VLLM = f"""
import sys, time
start = time.perf_counter()
import vllm
try:
    from vllm.utils.argparse_utils import FlexibleArgumentParser
except ImportError:
    from vllm.utils import FlexibleArgumentParser
for place in ("common", "launchers", "openai"):
    try:
        module = __import__(f"vllm.entrypoints.{{place}}.cli_args", fromlist=["make_arg_parser"])
        break
    except ImportError:
        pass
imported = time.perf_counter()
root = FlexibleArgumentParser(prog="vllm")
serve = module.make_arg_parser(root.add_subparsers(dest="subparser").add_parser("serve"))
built = time.perf_counter()
words = {COMMAND.split()[1:]!r}
sys.argv = ["vllm", *words]
root.parse_args(words)
parsed = time.perf_counter()
print(vllm.__version__, imported - start, built - imported, parsed - built)
"""


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Median and least ms of one call, warm."""
    work()
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times), min(times)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vllm", metavar="PYTHON", help="interpreter of an environment that has vLLM")
    chosen = parser.parse_args()
    words = COMMAND.split()[2:]
    deployment = deploy(COMMAND, "0.33.0", "2x H100")
    rows: tuple[tuple[str, Callable[[], object]], ...] = (
        ("words as the release's parser reads them", lambda: read_arguments(words, "0.33.0")),
        ("the paste, to words", lambda: read_launches(COMMAND)),
        ("the launch, resolved", lambda: deploy(COMMAND, "0.33.0", "2x H100")),
        ("one memory estimate", lambda: estimate(deployment)),
        ("one check of all rules", lambda: check(deployment)),
        ("parse_vllm_command", lambda: call("parse_vllm_command", LAUNCH)),
        ("estimate_kv_bytes", lambda: call("estimate_kv_bytes", LAUNCH)),
        ("classify_bottleneck", lambda: call("classify_bottleneck", {**LAUNCH, **LOAD})),
        ("check_compat", lambda: call("check_compat", LAUNCH)),
        ("diagnose", lambda: call("diagnose", {**LAUNCH, **LOAD})),
        ("plan_deployment", lambda: call("plan_deployment", {**LAUNCH, **PLANNED})),
        ("simulate_change", lambda: call("simulate_change", {**LAUNCH, **LOAD, "changes": ["--max-num-seqs 512"]})),
    )
    print(f"{'ms, one call':<44}{'median':>9}{'least':>9}")
    for name, work in rows:
        print("{:<44}{:>9.3f}{:>9.3f}".format(name, *timed(work)))
    if chosen.vllm:
        done = subprocess.run([chosen.vllm, "-c", ASK_VLLM], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"vLLM could not be asked: {done.stderr.strip().splitlines()[-1]}")
        version, *seconds = done.stdout.split()[-4:]
        told = ", ".join(
            f"{what} {float(s) * 1e3:,.0f} ms" for what, s in zip(("import", "build", "parse"), seconds, strict=True)
        )
        print(f"vLLM {version}'s own parser, fresh process: {told}")


if __name__ == "__main__":
    main()
