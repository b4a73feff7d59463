"""Write docs/disagreements.md: every recorded launch of which check_compat and vLLM's configuration say different things.

    python tools/build_disagreements.py

Goes through all launches of tests/data/compat, which takes minutes; the test of the page checks what it lists, and that
what it samples is listed.
"""

import json
from collections import defaultdict
from pathlib import Path

from measure_compat import ENLARGED, Launch, compare, packed, place

ROOT = Path(__file__).parent.parent
RECORDED = ROOT / "tests" / "data" / "compat"
PAGE = ROOT / "docs" / "disagreements.md"
UNEXPLAINED = "unexplained"
BLOCK = "block-size-enlarged"

Listed = dict[str, dict[tuple[str, str], list[str]]]
"""Kind -> (GPU, command) -> releases."""

INTRO = """\
# Where check_compat and vLLM's configuration disagree

Made by `python tools/build_disagreements.py`; a test holds it.

`tests/data/compat` keeps what `create_engine_config` of five releases answered to random launches and to every flag alone at
unusual values (`tools/record_compat.py`). Listed here is every launch of those of which `check_compat` says something
else, by the rule that says it, with the place in vLLM that decides. All of them are refusals, or larger blocks, of a step
after the recorded one: the configuration is accepted and the server does not start all the same.
"""
TRITON = """
## Answers of a machine without Triton

A GPU machine has Triton; it is a requirement of PyTorch's CUDA builds. The recorded launches of development
(`oracle/launches`) were answered without it, which changes three things:

- `VllmConfig.use_v2_model_runner` (vllm/config/vllm.py 0.31.0 line 746, 0.33.0 line 754) takes the V1 model runner, on which
  async scheduling goes neither with pipeline parallelism (`_get_v1_model_runner_unsupported_features`, from 0.31) nor, in
  0.33, with n-gram speculation: left out it is off, asked for it is refused.
- A placeholder stands for Triton (vllm/triton_utils/importing.py, `TritonPlaceholder`), whose `Config` has no `num_stages`:
  NIXL's connector does not import in 0.32 and 0.33.

Asked again with `HAS_TRITON` true, vLLM answers as `check_compat` does. `tests/data/compat/without_triton.json` keeps both
answers.

| release | launches | without Triton | with Triton, and here |
|---|---|---|---|
"""


def kind_of(why: str, *, refusal: bool) -> str:
    """The rules that disagree, or what changed."""
    if refusal:
        return BLOCK
    rules = why.rpartition("here: ")[2]
    return rules.strip("()").replace("'", "").strip(", ") if rules != "starts" else UNEXPLAINED


def collect(launches: list[Launch], configs: dict[str, dict[str, object]]) -> tuple[Listed, dict[str, list[int]]]:
    """Every disagreement, and [launches, agreeing on refusals, accepted by both, agreeing on changes] by release."""
    listed: Listed = defaultdict(lambda: defaultdict(list))
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for launch in launches:
        found = compare(launch, configs)
        count = counts[launch.version]
        for column, one in enumerate((True, found.refusal, found.change is not None, found.change is True)):
            count[column] += one
        if found.why:
            kind = kind_of(found.why, refusal=found.refusal) if found.later else UNEXPLAINED
            listed[kind][launch.gpu, launch.argv].append(launch.version)
    return listed, counts


def decided(kind: str) -> str:
    """The place in vLLM that decides."""
    if kind == BLOCK:
        return f"Decided by {ENLARGED}."
    if kind == UNEXPLAINED:
        return "Not explained yet."
    return " ".join(f"`{rule}` is decided by {str(place(rule)).rstrip('.')}." for rule in kind.split(", "))


def page(listed: Listed, counts: dict[str, list[int]]) -> str:
    """The whole page."""
    lines = [INTRO, "| release | launches | refused or not | accepted by both | same changes |", "|---|---|---|---|---|"]
    for version, (total, right, both, same) in sorted(counts.items()):
        lines.append(f"| {version} | {total:,} | {right:,} ({right / total:.1%}) | {both:,} | {same:,} ({same / both:.1%}) |")
    for kind, found in sorted(listed.items(), key=lambda item: -sum(map(len, item[1].values()))):
        releases = sorted({version for versions in found.values() for version in versions})
        lines += ["", f"## {kind}", "", decided(kind), f"{sum(map(len, found.values()))} times, in {', '.join(releases)}.", ""]
        lines += [f"- {gpu} `{argv}` ({', '.join(versions)})" for (gpu, argv), versions in sorted(found.items())]
    rows = json.loads((RECORDED / "without_triton.json").read_text(encoding="utf-8"))
    grouped: dict[tuple[str, str, str], int] = defaultdict(int)
    for row in rows:
        grouped[row["version"], row["without"], row["with"]] += 1
    lines.append(TRITON.rstrip("\n"))
    lines += [f"| {version} | {count} | {without} | {known} |" for (version, without, known), count in sorted(grouped.items())]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the page."""
    launches, configs = packed(RECORDED)
    PAGE.write_text(page(*collect(launches, configs)), encoding="utf-8")


if __name__ == "__main__":
    main()
