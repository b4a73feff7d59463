"""Settings of compilation that exclude each other.

## What happens
The engine refuses to start.

## Why
Piecewise graphs are cut by vLLM's own compilation. Fusing attention with quantization needs attention inside the pieces.
Sizes to compile are numbers, or the word for those captured; sizes to capture are at least one.

## Versions
>=0.12

## Evidence
- vllm/config/compilation.py, CompilationConfig.post_init_cudagraph_sizes and set_splitting_ops_for_attn_fusion (0.12.0, 0.28.0
  lines 1119 and 1267, 0.33.0); vllm/config/vllm.py, VllmConfig.__post_init__ and _set_cudagraph_sizes (0.12.0, 0.28.0 lines
  1663 and 1954, 0.33.0 lines 2171 and 2561); vllm/v1/worker/utils.py, is_residual_scattered_for_sp (0.20.0, 0.28.0 line 630,
  0.31.0)

## Fix
Leave out the setting named.
"""

from collections.abc import Iterator

from ....domain import Json
from ...context import Context
from ...rule import Hit, drop, put, rule

Clash = tuple[str, tuple[str, ...]]
"""What is wrong, and the keys to take out."""


@rule("fatal", flags=("--compilation-config", "--enforce-eager"))
def check(ctx: Context) -> Iterator[Hit]:
    config = ctx.mapping("compilation_config")
    for message, keys in _clashes(ctx, config):
        kept: dict[str, Json] = {key: held for key, held in config.items() if key not in keys}
        yield Hit(
            message=message,
            effect="vLLM stops before loading.",
            steps=(put("--compilation-config", kept) if kept else drop("--compilation-config"),),
        )


def _clashes(ctx: Context, config: dict[str, Json]) -> Iterator[Clash]:
    sizes, eager = config.get("compile_sizes"), ctx.arg("enforce_eager") is True
    words = [size for size in sizes if isinstance(size, str) and size != "cudagraph_capture_sizes"] if isinstance(sizes, list) else []
    if words:
        yield f'"compile_sizes" holds {words[0][:40]!r}; a word there can be "cudagraph_capture_sizes" alone.', ("compile_sizes",)
    if config.get("cudagraph_capture_sizes") == [] and not eager:
        yield '"cudagraph_capture_sizes" is empty while CUDA graphs are on.', ("cudagraph_capture_sizes",)
    mode, graphs = config.get("mode"), str(config.get("cudagraph_mode") or "").upper()
    breakable = ctx.env.get("VLLM_USE_BREAKABLE_CUDAGRAPH", "0") not in ("0", "")
    if "PIECEWISE" in graphs and mode in (0, 1, 2, "NONE", "STOCK_TORCH_COMPILE", "DYNAMO_TRACE_ONCE") and not breakable and not eager:
        yield f'"cudagraph_mode" is {graphs}, and "mode" {mode} does not cut the model in pieces.', ("mode",)
    passes, cut = config.get("pass_config"), config.get("splitting_ops")
    fused = isinstance(passes, dict) and (passes.get("fuse_attn_quant") is True or passes.get("enable_attn_fusion") is True)
    if fused and isinstance(cut, list) and any("attention" in str(op) for op in cut) and not config.get("use_inductor_graph_partition"):
        yield "Attention is to be fused with quantization and to be cut out of the compiled pieces.", ("splitting_ops",)
    split = isinstance(passes, dict) and passes.get("enable_sp") is True and ctx.tp > 1 and ctx.within(">=0.20,<0.32")
    if split and cut and not config.get("use_inductor_graph_partition"):
        yield "Sequence parallelism needs the whole graph, and \"splitting_ops\" cuts it.", ("splitting_ops",)
