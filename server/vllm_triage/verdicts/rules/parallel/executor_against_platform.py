"""An executor that cannot be used with the rest of the launch, in older releases.

## What happens
The engine refuses to start.

## Why
Up to 0.9.0 TPUs and other accelerators were spread by Ray alone; `--worker-use-ray` means Ray and contradicts another
executor by name; the SPMD workers of VLLM_USE_RAY_SPMD_WORKER exist in Ray alone; ranks started from outside must draw
the same random numbers.

## Versions
<0.12

## Evidence
- vllm/config.py, ParallelConfig._verify_args (0.6.3.post1 to 0.9.0), "only supports Ray for distributed inference"; line 1272
  (0.6.6.post1), worker-use-ray
- vllm/engine/llm_engine.py line 496 (0.6.6.post1) to line 443 (0.10.2), VLLM_USE_RAY_SPMD_WORKER;
  vllm/executor/ray_distributed_executor.py line 88 (0.6.6.post1 to 0.11.0), VLLM_USE_RAY_COMPILED_DAG
- vllm/config.py, ModelConfig.verify_with_parallel_config line 775 (0.8.3) to vllm/config/model.py line 1141 (0.11.2), the seed

## Fix
Name the executor that fits, or leave it to vLLM; give --seed with the external launcher.
"""

from collections.abc import Iterator

from ...context import Context
from ...engines import runs_v0
from ...rule import Hit, drop, drop_env, put, rule

_FLAG = "--distributed-executor-backend"
_SPMD, _DAG = "VLLM_USE_RAY_SPMD_WORKER", "VLLM_USE_RAY_COMPILED_DAG"


@rule("fatal", flags=(_FLAG, "--worker-use-ray", "--seed"), needs=("gpu",))
def check(ctx: Context) -> Iterator[Hit]:
    asked = ctx.arg("distributed_executor_backend")
    stops = "vLLM stops before loading."
    if asked == "external_launcher" and ctx.within(">=0.8.3") and ctx.arg("seed") is None and (
        not ctx.at_least(0, 9) or runs_v0(ctx) is True
    ):
        yield Hit(message=f"{_FLAG} external_launcher is given without --seed.", effect=stops, flags=("--seed",),
                  steps=(put("--seed", 0),))  # fmt: skip
    if asked == "mp" and ctx.env.get(_SPMD) == "1" and runs_v0(ctx) is True:
        yield Hit(message=f"{_SPMD}=1 is set with {_FLAG} mp.", effect=stops, flags=(_FLAG,), steps=(drop_env(_SPMD),))
    if asked == "ray" and ctx.within("<0.11.1") and runs_v0(ctx) is True:
        held = {name: ctx.env.get(name) == "1" for name in (_SPMD, _DAG)}
        if held[_SPMD] != held[_DAG]:
            on = _SPMD if held[_SPMD] else _DAG
            yield Hit(message=f"{on}=1 is set without {_DAG if on == _SPMD else _SPMD}=1.", effect=stops, steps=(drop_env(on),))
    if ctx.within("<0.7") and ctx.arg("worker_use_ray") is True and asked not in (None, "ray"):
        yield Hit(message=f"--worker-use-ray is given with {_FLAG} {asked}.", effect=stops,
                  flags=("--worker-use-ray", _FLAG), steps=(drop("--worker-use-ray"),))  # fmt: skip
    if asked in (None, "ray", "uni") or not ctx.within("<0.9.1") or ctx.tp * ctx.pp <= 1:
        return
    if ctx.need_gpu().vendor == "google":
        yield Hit(message=f"{_FLAG} {asked} is given on {ctx.need_gpu().name}, which is spread by Ray alone.", effect=stops,
                  flags=(_FLAG,), steps=(put(_FLAG, "ray"),))  # fmt: skip
