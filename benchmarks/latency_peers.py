"""What other tools predict for runs given on standard input, as JSON on standard output.

Run by ``latency_model.py --peers PYTHON`` in an environment of its own: nothing of vllm-triage is imported. Each tool is
asked what its documentation shows, with the model's config and parallel layout; what it refuses is counted, not guessed.
"""

import contextlib
import json
import logging
import os
import re
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

Case = dict[str, Any]
Answer = tuple[float, float, float]
"""TTFT ms, TPOT ms, output tokens per second."""

SYSTEMS = {"H100-SXM": "h100_sxm", "H200-SXM": "h200_sxm", "B200": "b200_sxm", "B300": "b300_sxm",
           "A100-80GB-SXM": "a100_sxm"}  # fmt: skip
CARDS = {"H100-SXM": "H100 80GB", "H200-SXM": "H200", "B200": "B200", "A100-80GB-SXM": "A100 80GB"}


def aiconfigurator(case: Case) -> Answer:
    """Measured kernel times, put together for one batch size."""
    from aiconfigurator.cli.api import cli_estimate  # noqa: PLC0415

    layout: dict[str, int] = {"tp_size": case["tp"], "pp_size": case["pp"], "attention_dp_size": case["dp"]}
    if case["moe"]:
        across = case["tp"] * case["dp"]
        layout["moe_tp_size"], layout["moe_ep_size"] = (1, across) if case["expert_parallel"] else (across, 1)
    quantized: dict[str, str] = {}
    if case["added_quantization"] and not case["moe"]:
        quantized["gemm_quant_mode"] = {"fp8": "fp8", "modelopt_fp4": "nvfp4"}.get(case["added_quantization"], "")
    batch = max(1, round(case["concurrency"] / case["dp"]))
    known = next(filter(None, map(_shipped, case["names"])), None)
    if known is None:
        raise ValueError("no config of this model is shipped")
    found = cli_estimate(
        known, SYSTEMS[case["gpu"]], backend_name="vllm", isl=case["isl"], osl=case["osl"], batch_size=batch,
        database_mode="HYBRID", **layout, **{name: value for name, value in quantized.items() if value},
    )  # fmt: skip
    return found.ttft, found.tpot, _rate(case, found.ttft, found.tpot)


def _shipped(name: str) -> str | None:
    """The model whose config comes with aiconfigurator under this name or a like one: others it would download."""
    import aiconfigurator_core  # noqa: PLC0415

    folder = Path(str(aiconfigurator_core.__file__)).parent / "model_configs"
    ends = "_config.json"
    shipped = [file.name.removesuffix(ends).replace("--", "/", 1) for file in folder.glob(f"*{ends}")]
    if name in shipped:
        return name
    return next((one for one in sorted(shipped) if _plain(one) == _plain(name)), None)


def _plain(name: str) -> str:
    return re.sub(r"-(?:Instruct|FP8|NVFP4|AWQ)|^Meta-", "", name.rsplit("/", maxsplit=1)[-1]).lower()


def servcalc(case: Case) -> Answer:
    """A roofline with prior ranges, of one GPU."""
    from servcalc.estimate import estimate  # noqa: PLC0415
    from servcalc.profiles import BUILTIN, with_quant  # noqa: PLC0415
    from servcalc.workload import Workload  # noqa: PLC0415

    if case["tp"] * case["pp"] * case["dp"] > 1:
        raise ValueError("one GPU only")
    if case["config"] is None:
        raise ValueError("no config.json")
    profile = BUILTIN["vllm"]()
    if case["quantization"]:
        profile = with_quant(profile, case["quantization"])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "config.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(case["config"], file)
        work = Workload(case["isl"], case["osl"], (case["concurrency"],))
        point = estimate(path, CARDS[case["gpu"]], workload=work, profile=profile).points[0]
    if not point.feasible or point.itl_ms is None or point.ttft_ms is None:
        raise ValueError("does not fit")
    ttft, itl = point.ttft_ms.mid, point.itl_ms.mid
    return ttft, itl, _rate(case, ttft, itl)


def _rate(case: Case, ttft: float, tpot: float) -> float:
    """By Little's law, as the published rows without a rate are taken."""
    return float(1e3 * case["concurrency"] * case["osl"] / (ttft + (case["osl"] - 1) * tpot))


def asked(tool: Callable[[Case], Answer], cases: list[Case]) -> dict[str, Any] | str:
    """All answers of a tool, or why there are none."""
    try:
        number = version(tool.__name__)
    except ImportError:
        return "not installed in that environment"
    answers: list[Answer | None] = []
    refusals: Counter[str] = Counter()
    for case in cases:
        try:
            answers.append(tool(case))
        except Exception as reason:
            answers.append(None)
            refusals[f"{type(reason).__name__}: {str(reason)[:60]}"] += 1
    return {"version": number, "answers": answers, "refusals": dict(refusals)}


def main() -> None:
    """Answer."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    cases = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):
        told = {tool.__name__: asked(tool, cases) for tool in (aiconfigurator, servcalc)}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
