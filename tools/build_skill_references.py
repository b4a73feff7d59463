"""Write skill/references/*.md: ``python tools/build_skill_references.py``, ``--check`` only compares."""

import sys
from collections.abc import Iterator
from pathlib import Path

from vllm_triage.facts import metrics
from vllm_triage.report.glossary import CLASSES, ClassNote
from vllm_triage.report.schemas import input_schema, output_schema
from vllm_triage.report.tools import TOOLS, Tool
from vllm_triage.verdicts.policy import RULES
from vllm_triage.verdicts.thresholds import THRESHOLDS

__all__ = ["main", "pages"]

FOLDER = Path(__file__).parent.parent / "skill" / "references"
ARITHMETIC = """\
Arithmetic first: R = output tok/s x TPOT is how many sequences decode at once. It is held against the seats in the KV
pool (tokens / (input + 0.75 output)), the seats in the scheduler (`max_num_seqs`), the offered concurrency, and the
floors of the hardware. The limit R sits on binds; gauges confirm or overrule. When two limits are as near, the answer
is `ambiguous` with the measurement that decides."""
POLICY = """\
A house rule is a policy: what the tools refuse to do even where vLLM would let you, never a fact about vLLM. Where it
can be waived, the user names it in `acknowledge`; the refusal then stays in the answer as a warning."""
TRAPS = """\
Traps: ITL is the gap between two streamed chunks, TPOT is (e2e - TTFT)/(output - 1). Output throughput is not total
throughput. A gauge holds one instant; a counter holds a lifetime, and only the difference of two scrapes says what
happens now. `vllm:kv_cache_usage_perc` runs from 0 to 1; the log line prints it in percent."""
NOTE = "Made by `tools/build_skill_references.py`; edit the tables it reads, not this page."


def pages() -> dict[str, str]:
    """File name -> text."""
    made = (
        ("bottlenecks.md", _bottlenecks()), ("house-rules.md", _house_rules()), ("metrics.md", _metrics()),
        ("tools.md", _tools()),
    )
    return {name: "\n".join(lines) + "\n" for name, lines in made}


def _bottlenecks() -> Iterator[str]:
    yield from ("# Bottlenecks", "", NOTE, "")
    yield ARITHMETIC
    yield from ("", "## The five", "")
    for note in CLASSES.values():
        if note.name == "client_or_upstream":
            yield from ("", "## Outside the five (`outside`)", "")
        yield from _class(note)


def _class(note: ClassNote) -> Iterator[str]:
    yield from (f"### `{note.name}`: {note.title}", "", note.means, "")
    yield f"- Shows: {note.shows}"
    yield f"- Refuted by: {note.refuted_by}"
    yield f"- Turn: {note.turn}"
    yield from (f"- In vain: {note.useless}", "")


def _house_rules() -> Iterator[str]:
    yield from ("# House rules and thresholds", "", NOTE, "")
    yield POLICY
    yield from ("", "| rule | says | why | can be waived |", "|---|---|---|---|")
    for rule in RULES.values():
        yield f"| `{rule.id}` | {rule.statement} | {rule.justification} | {'yes' if rule.acknowledgeable else 'no'} |"
    yield from ("", "## Thresholds", "", "| name | value | reason | source |", "|---|---|---|---|")
    for threshold in THRESHOLDS.values():
        yield f"| `{threshold.name}` | {threshold.value:g} {threshold.unit} | {threshold.reason} | {threshold.source} |"


_COLLECT = (
    ("TTFT", "`ttft_ms_mean`, `ttft_ms_p99`", "benchmark result, or `vllm:time_to_first_token_seconds`"),
    ("ITL or TPOT", "`itl_ms_mean`, `itl_ms_p99`, `tpot_ms_mean`",
     "benchmark result, `vllm:inter_token_latency_seconds`, `vllm:request_time_per_output_token_seconds`"),
    ("throughput", "`output_tok_s`, `total_tok_s`", "benchmark result, rate of `vllm:generation_tokens_total`"),
    ("concurrency", "`concurrency`", "what the clients keep in flight; `vllm:num_requests_running` plus `_waiting`"),
    ("lengths", "`input_tokens`, `output_tokens`", "benchmark result, histograms of prompt and generation tokens"),
)


def _metrics() -> Iterator[str]:
    yield from ("# What to collect, and vLLM's metric names", "", NOTE, "")
    yield "The first four are the core metrics: without one of them no bottleneck is named."
    yield from ("", "| what | argument | where it stands |", "|---|---|---|")
    yield from (f"| {what} | {argument} | {where} |" for what, argument, where in _COLLECT)
    yield from ("", "The commands, run while the load is on:", "", "```sh")
    yield "curl -s localhost:8000/metrics > metrics_1.txt; sleep 30; curl -s localhost:8000/metrics > metrics_2.txt"
    yield "vllm bench serve --model MODEL --dataset-name random --random-input-len 1024 --random-output-len 256 \\"
    yield "  --num-prompts 500 --max-concurrency 64 --save-result --result-filename bench.json"
    yield from ("```", "")
    yield TRAPS
    yield from ("", "| metric | kind, unit | vLLM | means |", "|---|---|---|---|")
    for name in metrics.names():
        found = metrics.find(name)
        if found is not None:
            span = f"{found.first} to {found.last}" if found.last else f"from {found.first}"
            then = f" Now `vllm:{found.replaced_by}`." if found.replaced_by else ""
            yield f"| `{found.exposed}` | {found.kind}, {found.unit} | {span} | {found.meaning}{then} |"


def _tools() -> Iterator[str]:
    yield from ("# Tools", "", NOTE, "")
    yield "Arguments are flat; an unknown name is an error that names the nearest."
    yield "Every answer begins with `summary`. `vllm-triage call TOOL JSON` gives the same object as MCP."
    for tool in TOOLS:
        yield from _tool(tool)


def _tool(tool: Tool) -> Iterator[str]:
    schema = input_schema(tool.arguments)
    required = schema.get("required", [])
    yield from ("", f"## `{tool.name}` (`vllm-triage {tool.word}`)", "", tool.description, "")
    yield from ("| argument | type | |", "|---|---|---|")
    for name, field in schema["properties"].items():
        needed = "required. " if name in required else ""
        yield f"| `{name}` | {field.get('type', 'any')} | {needed}{field.get('description', '')} |"
    yield from ("", "Answer: " + ", ".join(f"`{name}`" for name in output_schema(tool.answer)["properties"]) + ".")


def main(arguments: list[str]) -> int:
    """Write the pages, or with ``--check`` compare them; 1 when one is stale."""
    stale = [name for name, text in pages().items() if _on_disk(name) != text]
    if "--check" in arguments:
        print("\n".join(f"stale: skill/references/{name}" for name in stale) or "fresh")
        return 1 if stale else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


def _on_disk(name: str) -> str:
    path = FOLDER / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
