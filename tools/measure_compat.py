"""Hold check_compat against what vLLM's own configuration code answered.

``python tools/measure_compat.py DIR [VERSION...]``: DIR holds the recorded answers (``launches/VERSION.jsonl.gz`` and
``configs/NAME/config.json``). Prints every disagreement and the share that agrees on fatal or not.
"""

import gzip
import json
import re
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vllm_triage.domain import CompatReport
from vllm_triage.engine.deployment import deploy
from vllm_triage.verdicts.compat import check

NAMES = {
    "qwen3-8b": "Qwen/Qwen3-8B",
    "llama31-70b": "meta-llama/Llama-3.1-70B-Instruct",
    "gpt-oss-20b": "openai/gpt-oss-20b",
    "gemma3-1b": "google/gemma-3-1b-it",
    "dsv2-lite": "deepseek-ai/DeepSeek-V2-Lite",
}
NOT_VLLM = re.compile(
    r"Ray|Arctic|bitsandbytes|tokenizer|Cannot find the config file|Failed to (import|infer)|No module named|compiled"
    r"|cutlass",
    re.I,
)
"""What the recording environment refused, not vLLM."""


def records(folder: Path, version: str) -> Iterator[dict[str, Any]]:
    """The recorded launches of one release, without those the environment decided."""
    with gzip.open(folder / "launches" / f"{version}.jsonl.gz", "rt") as lines:
        for record in map(json.loads, lines):
            if record["ok"] or record["stage"] == "parse" or not NOT_VLLM.search(str(record["error"])):
                yield record


def report(record: dict[str, Any], version: str, folder: Path) -> CompatReport:
    """check_compat's answer on one recorded launch."""
    words = shlex.split(record["argv"])
    key = Path(words[1]).name
    config = json.loads((folder / "configs" / key / "config.json").read_text(encoding="utf-8"))
    command = "vllm " + shlex.join(["serve", NAMES.get(key, f"example/{key}"), *words[2:]])
    return check(deploy(command, version, record["gpu"], config))


def main() -> None:
    """Measure and print."""
    folder = Path(sys.argv[1])
    for version in sys.argv[2:] or ("0.18.0", "0.23.0", "0.31.0", "0.32.0", "0.33.0"):
        agree = total = 0
        started = time.perf_counter()
        for record in records(folder, version):
            found = report(record, version, folder)
            fatal = [f.rule for f in found.findings if f.severity == "fatal" and f.basis != "policy"]
            total += 1
            if bool(fatal) != record["ok"]:
                agree += 1
            else:
                said = "runs" if record["ok"] else " ".join(str(record["error"]).split("[type=")[0].split())[:160]
                print(f"  {record['gpu']} {record['argv']}\n      vLLM {version}: {said}; here: {fatal or 'not fatal'}")
        spent = (time.perf_counter() - started) / max(total, 1) * 1e3
        print(f"{version}: {agree}/{total} agree ({agree / total:.1%}), {spent:.2f} ms each with reading")


if __name__ == "__main__":
    main()
