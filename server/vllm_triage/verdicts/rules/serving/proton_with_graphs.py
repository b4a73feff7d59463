"""The Proton profiler where it sees nothing.

## What happens
The engine refuses to start.

## Why
Kernels replayed from CUDA graphs are hidden from it: 0.28 and 0.29 want graphs off, later releases want them off or
`proton_graph_attribution`. It is for NVIDIA devices.

## Versions
>=0.28

## Evidence
- vllm/config/vllm.py, VllmConfig.__post_init__ (0.28.0, 0.29.0) and _validate_profiler_config (0.30.0, 0.33.0 line 3265)

## Fix
Add --enforce-eager for the profiled run.
"""

from ...context import Context
from ...rule import Hit, drop, put, rule


@rule("fatal", flags=("--profiler-config", "--enforce-eager", "--compilation-config"), needs=("gpu",))
def check(ctx: Context) -> Hit | None:
    config = ctx.mapping("profiler_config")
    if config.get("profiler") != "proton":
        return None
    graphs = ctx.setting("cudagraph_mode")
    shown = config.get("proton_graph_attribution") is True and ctx.at_least(0, 30)
    sampling = str(config.get("proton_mode") or "").split(":")[0].lower() == "pcsampling"
    if ctx.gpu is not None and ctx.gpu.vendor != "nvidia":
        return Hit(
            message=f"The Proton profiler is asked for on {ctx.gpu.name}.", effect="vLLM stops before loading.",
            steps=(drop("--profiler-config"),),
        )  # fmt: skip
    off = ctx.arg("enforce_eager") is True or graphs in (None, "NONE")
    if off or (shown and not sampling):
        ctx.need_gpu()
        return None
    return Hit(
        message="The Proton profiler is asked for with CUDA graphs on.",
        effect="vLLM stops before loading.",
        steps=(put("--enforce-eager", True),),
    )
