"""A number an older release refuses.

## What happens
The engine refuses to start while it builds its configuration.

## Why
Before the bounds moved into the configuration classes' fields, each class tested its own numbers by hand.

## Versions
<0.11

## Evidence
- vllm/config.py, CacheConfig._verify_args, SchedulerConfig._verify_args, LoRAConfig.__post_init__,
  PromptAdapterConfig.__post_init__ (0.6.6.post1 to 0.10.0); vllm/engine/arg_utils.py, EngineArgs.create_engine_config,
  cpu_offload_gb (0.6.6.post1 to 0.7.3)
- vllm/config.py, ParallelConfig.__post_init__, num_redundant_experts (0.9.2 and 0.10.0)

## Fix
Give a value within the range, or leave the flag out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...context import Context
from ...rule import Hit, drop, rule

_RANKS = (8, 16, 32, 64, 128, 256)
_EXTRA = (0, 256, 512)


@dataclass(frozen=True, slots=True)
class _Bound:
    flag: str
    dest: str
    allows: Callable[[float], bool]
    words: str
    versions: str = "<0.11"
    only_with: str | None = None
    """The destination of the switch without which the configuration class is not built."""


_BOUNDS = (
    _Bound("--gpu-memory-utilization", "gpu_memory_utilization", lambda n: n <= 1, "at most 1.0"),
    _Bound("--cpu-offload-gb", "cpu_offload_gb", lambda n: n >= 0, "0 or more"),
    _Bound("--num-lookahead-slots", "num_lookahead_slots", lambda n: n >= 0, "0 or more"),
    _Bound("--num-scheduler-steps", "num_scheduler_steps", lambda n: n >= 1, "1 or more", "<0.10.1"),
    _Bound("--max-num-partial-prefills", "max_num_partial_prefills", lambda n: n >= 1, "1 or more", ">=0.7.3,<0.11"),
    _Bound("--max-long-partial-prefills", "max_long_partial_prefills", lambda n: n >= 1, "1 or more", ">=0.7.3,<0.11"),
    _Bound("--max-loras", "max_loras", lambda n: n >= 1, "1 or more", only_with="enable_lora"),
    _Bound("--max-lora-rank", "max_lora_rank", lambda n: n in _RANKS, "8, 16, 32, 64, 128 or 256", only_with="enable_lora"),
    _Bound("--lora-extra-vocab-size", "lora_extra_vocab_size", lambda n: n in _EXTRA, "0, 256 or 512", only_with="enable_lora"),
    _Bound("--max-prompt-adapters", "max_prompt_adapters", lambda n: n >= 1, "1 or more", "<0.10", "enable_prompt_adapter"),
    _Bound(
        "--max-prompt-adapter-token", "max_prompt_adapter_token", lambda n: n != 0, "more than 0", "<0.10",
        "enable_prompt_adapter",
    ),
    _Bound("--num-redundant-experts", "num_redundant_experts", lambda n: n >= 0, "0 or more", ">=0.9.2,<0.10.2"),
)  # fmt: skip


@rule("fatal", flags=tuple(bound.flag for bound in _BOUNDS))
def check(ctx: Context) -> Iterator[Hit]:
    for bound in _BOUNDS:
        value = ctx.arg(bound.dest)
        if not isinstance(value, (int, float)) or isinstance(value, bool) or bound.allows(value):
            continue
        if not ctx.within(bound.versions) or (bound.only_with and ctx.arg(bound.only_with) is not True):
            continue
        yield Hit(
            message=f"{bound.flag} is {value:g}; it must be {bound.words}.",
            effect="vLLM stops before loading.",
            flags=(bound.flag,),
            steps=(drop(bound.flag),) if bound.dest != "max_prompt_adapter_token" else (drop("--enable-prompt-adapter"),),
            fix=f"Give a value that is {bound.words}, or remove `{bound.flag}`.",
        )
