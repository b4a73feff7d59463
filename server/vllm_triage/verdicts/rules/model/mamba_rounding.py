"""Stochastic rounding of the Mamba state where it cannot be done.

## What happens
The engine refuses to start.

## Why
Rounding at random needs a float16 state and an instruction of data-centre Blackwell; FlashInfer's kernel does without
the instruction. Other vendors' devices have neither.

## Versions
>=0.20

## Evidence
- vllm/config/mamba.py, MambaConfig.__post_init__ (0.20.0 line 56, 0.33.0 line 86); vllm/config/vllm.py,
  VllmConfig.__post_init__ (0.20.0 line 732, 0.33.0 line 1595)
- vllm/model_executor/models/config.py: Nemotron-H and Qwen3.5 take the state's dtype from the checkpoint (0.28.0)

## Fix
Take --enable-mamba-cache-stochastic-rounding out, or give --mamba-backend flashinfer and --mamba-ssm-cache-dtype float16.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, put, rule


@rule(
    "fatal",
    flags=("--enable-mamba-cache-stochastic-rounding", "--mamba-backend", "--mamba-ssm-cache-dtype"),
    needs=("gpu",),
)  # fmt: skip
def check(ctx: Context) -> Iterator[Hit]:
    if ctx.arg("enable_mamba_cache_stochastic_rounding") is not True:
        return
    flag = "--enable-mamba-cache-stochastic-rounding"
    dtype = ctx.arg("mamba_ssm_cache_dtype")
    if dtype not in (None, "auto", "float16"):  # auto may be float16 in the checkpoint
        yield Hit(
            message=f"{flag} needs a float16 state, --mamba-ssm-cache-dtype is {dtype}.",
            effect="vLLM stops before loading.", flags=(flag, "--mamba-ssm-cache-dtype"),
            steps=(put("--mamba-ssm-cache-dtype", "float16"),),
        )  # fmt: skip
    gpu = ctx.need_gpu()
    have = ctx.need_capability()
    triton = str(ctx.arg("mamba_backend") or "triton").lower() == "triton"
    if gpu.vendor != "nvidia":
        why = f"{gpu.name} cannot: it is for NVIDIA devices"
    elif triton and have is not None and have[0] != 10:
        why = f"the Triton kernel needs compute capability 10.x, {gpu.name} has {have[0]}.{have[1]}"
    else:
        return
    yield Hit(
        message=f"{flag} is given, and {why}.",
        effect="vLLM stops before loading.",
        flags=(flag,),
        steps=(drop(flag),),
    )
