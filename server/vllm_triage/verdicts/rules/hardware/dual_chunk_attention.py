"""Dual-chunk attention where it does not run.

## What happens
The engine refuses to start.

## Why
The backend exists for NVIDIA GPUs on the V0 engine, and cannot be captured in graphs.

## Versions
>=0.9,<0.11

## Evidence
- vllm/engine/arg_utils.py, EngineArgs.create_engine_config (0.9.0 lines 1011 to 1017, 0.10.2 lines 1155 to 1161)

## Fix
Use VLLM_USE_V1=0 and --enforce-eager on an NVIDIA GPU, or leave the backend out: the model then attends in full.
"""

from collections.abc import Iterator

from ...context import Context
from ...engines import runs_v0
from ...rule import Hit, drop_env, put, rule, set_env

_ENV, _NAME = "VLLM_ATTENTION_BACKEND", "DUAL_CHUNK_FLASH_ATTN"


@rule("fatal", flags=("--enforce-eager",), needs=("gpu",))
def check(ctx: Context) -> Iterator[Hit]:
    if ctx.env.get(_ENV) != _NAME:
        return
    stops = "vLLM stops before loading."
    if ctx.arg("enforce_eager") is not True:
        yield Hit(message=f"{_ENV}={_NAME} is set without --enforce-eager.", effect=stops, steps=(put("--enforce-eager", True),))
    if runs_v0(ctx) is False:
        yield Hit(message=f"{_ENV}={_NAME} is set on the V1 engine.", effect=stops, steps=(set_env("VLLM_USE_V1", "0"),))
    if ctx.need_gpu().vendor != "nvidia":
        yield Hit(message=f"{_ENV}={_NAME} is set on {ctx.need_gpu().name}.", effect=stops, steps=(drop_env(_ENV),))
