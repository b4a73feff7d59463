"""Which of the two engines a launch of 0.7 to 0.10 runs on, and what sends it back to the older one.

``EngineArgs._is_v1_supported_oracle`` (vllm/engine/arg_utils.py, 0.8.0 to 0.10.2): with VLLM_USE_V1=1 every cause listed
here is refused instead, except those it only warns of.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ..domain import Json
from .context import Context

__all__ = ["Cause", "causes_of_v0", "runs_v0"]


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing the V1 engine of a release does not have."""

    what: str
    """In words that can begin a sentence."""
    flag: str | None = None
    """The flag that asks for it."""
    env: str | None = None
    """The environment variable that asks for it."""
    refused: bool = True
    """With VLLM_USE_V1=1 vLLM stops; False where it goes on and warns."""


@dataclass(frozen=True, slots=True)
class _Flag:
    flag: str
    dest: str
    versions: str = ">=0.8,<0.11"
    kept: tuple[Json, ...] = ()
    """Values that V1 takes, besides the flag not given."""


_FLAGS = (
    _Flag("--preemption-mode", "preemption_mode"),
    _Flag("--disable-async-output-proc", "disable_async_output_proc", kept=(False,)),
    _Flag("--scheduler-delay-factor", "scheduler_delay_factor", kept=(0, 0.0)),
    _Flag("--logits-processor-pattern", "logits_processor_pattern"),
    _Flag("--scheduling-policy", "scheduling_policy", ">=0.8,<0.9.2", kept=("fcfs",)),
    _Flag("--num-scheduler-steps", "num_scheduler_steps", ">=0.8,<0.10.1", kept=(1,)),
    _Flag("--enable-prompt-adapter", "enable_prompt_adapter", ">=0.8,<0.10", kept=(False,)),
    _Flag("--enable-prompt-embeds", "enable_prompt_embeds", ">=0.9,<0.11", kept=(False,)),
    _Flag("--max-num-partial-prefills", "max_num_partial_prefills", kept=(1,)),
    _Flag("--max-long-partial-prefills", "max_long_partial_prefills", kept=(1,)),
    _Flag("--otlp-traces-endpoint", "otlp_traces_endpoint", ">=0.8,<0.10.2"),
    _Flag("--collect-detailed-traces", "collect_detailed_traces", ">=0.8,<0.10.2"),
    _Flag("--additional-config", "additional_config", ">=0.8,<0.8.5", kept=({},)),
    _Flag("--cpu-offload-gb", "cpu_offload_gb", ">=0.8,<0.8.3", kept=(0, 0.0)),
    _Flag("--worker-cls", "worker_cls", ">=0.8,<0.8.3", kept=("auto",)),
    _Flag("--worker-extension-cls", "worker_extension_cls", ">=0.8,<0.8.3", kept=("",)),
)

_BACKENDS = (
    ((0, 8, 0), "FLASH_ATTN_VLLM_V1 FLASH_ATTN PALLAS PALLAS_VLLM_V1 TRITON_MLA FLASHMLA"),
    ((0, 8, 2), "TRITON_ATTN_VLLM_V1"),
    ((0, 8, 5), "FLASHINFER FLASHINFER_VLLM_V1"),
    ((0, 9, 0), "ROCM_AITER_MLA"),
    ((0, 9, 1), "CUTLASS_MLA_VLLM_V1 TORCH_SDPA_VLLM_V1 FLEX_ATTENTION"),
    ((0, 10, 1), "CUTLASS_MLA TREE_ATTN XFORMERS_VLLM_V1"),
    ((0, 10, 2), "FLASHMLA_VLLM_V1 FLASH_ATTN_MLA FLASHINFER_MLA"),
)
"""V1_BACKENDS of the same function: the first release with each name."""


def causes_of_v0(ctx: Context) -> Iterator[Cause]:
    """What V1 of this release lacks and the launch asks for; nothing outside 0.8 to 0.10.

    Where the device is not known, what hangs on it is left out.
    """
    if not ctx.within(">=0.8,<0.11"):
        return
    for row in _FLAGS:
        value = ctx.arg(row.dest)
        if value is not None and value not in row.kept and ctx.within(row.versions):
            yield Cause(row.flag, flag=row.flag)
    if ctx.arg("load_format") == "sharded_state" or (ctx.arg("load_format") == "tensorizer" and not ctx.at_least(0, 9)):
        yield Cause(f"--load-format {ctx.arg('load_format')}", flag="--load-format")
    yield from _guided(ctx)
    yield from _speculative(ctx)
    yield from _device(ctx)
    yield from _model(ctx)


def _guided(ctx: Context) -> Iterator[Cause]:
    asked = ctx.arg("guided_decoding_backend")
    if not isinstance(asked, str) or not ctx.within("<0.10.1"):
        return
    known = {"auto", "xgrammar"} | ({"guidance"} if ctx.at_least(0, 8, 3) else set())
    if asked.split(":")[0] not in known | ({"outlines"} if ctx.at_least(0, 10) else set()):
        yield Cause(f"--guided-decoding-backend {asked}", flag="--guided-decoding-backend")


def _speculative(ctx: Context) -> Iterator[Cause]:
    spec = ctx.spec
    if spec is None or ctx.at_least(0, 10):
        return
    if spec.method == "ngram":
        if not ctx.at_least(0, 9):
            yield Cause("N-gram speculation", refused=False)
    elif spec.asked_method in ("eagle", "eagle3") and ctx.at_least(0, 8, 3):  # a head found by its name is not looked for
        if not ctx.at_least(0, 9):
            yield Cause("EAGLE speculation", refused=False)
    elif not (ctx.at_least(0, 9) and spec.asked_method in ("medusa", "deepseek_mtp")):
        yield Cause(f"Speculation by {spec.method}", flag="--speculative-config" if ctx.given("speculative_config") else None)


def _reads(kv: str, have: tuple[int, int], ctx: Context) -> bool:
    """Whether V1 takes this KV cache: FP8 by FlashAttention 3 from 0.8.2, on Blackwell by any backend from 0.10."""
    if have[0] == 10 and ctx.at_least(0, 10):
        return True
    asked = ctx.env.get("VLLM_ATTENTION_BACKEND")
    if ctx.at_least(0, 10, 1) and asked in ("FLASHINFER", "TRITON_ATTN_VLLM_V1", "FLASHMLA", "CUTLASS_MLA"):
        return True
    return have[0] == 9 and kv.startswith("fp8") and ctx.at_least(0, 8, 2) and asked in (None, "FLASH_ATTN_VLLM_V1")


def _device(ctx: Context) -> Iterator[Cause]:
    kv = ctx.arg("kv_cache_dtype", "auto")
    if ctx.gpu is None:
        return
    have = ctx.need_capability()
    if have is not None and have < (8, 0) and not ctx.at_least(0, 10, 2):
        yield Cause(f"{ctx.gpu.name} (compute capability below 8.0)")
    if kv != "auto" and ctx.gpu.vendor == "nvidia" and have is not None and not _reads(str(kv), have, ctx):
        yield Cause("--kv-cache-dtype", flag="--kv-cache-dtype")
    asked = ctx.env.get("VLLM_ATTENTION_BACKEND")
    known = {name for first, names in _BACKENDS if ctx.at_least(*first) for name in names.split()}
    if asked and ctx.gpu.vendor == "nvidia" and asked not in known:
        yield Cause(f"VLLM_ATTENTION_BACKEND={asked}", env="VLLM_ATTENTION_BACKEND")
    if ctx.gpu.vendor in ("amd", "google", "cpu", "intel") and not ctx.at_least(0, 9, 2):
        yield Cause(f"{ctx.gpu.name}, not an NVIDIA device,", refused=False)


def _model(ctx: Context) -> Iterator[Cause]:
    model = ctx.model
    if ctx.arg("dtype") in ("float32", "float") and not ctx.at_least(0, 9, 2):
        yield Cause(f"--dtype {ctx.arg('dtype')}", flag="--dtype")
    if ctx.arg("task") not in (None, "auto", "generate") and not ctx.at_least(0, 9, 2):
        yield Cause(f"--task {ctx.arg('task')}", flag="--task")
    if model is not None and model.is_encoder_decoder:
        yield Cause(f"{model.architecture}, an encoder-decoder model,")


def runs_v0(ctx: Context) -> bool | None:
    """True on the V0 engine, False on V1; None where it hangs on a device that is not known.

    Before 0.8 V1 runs only where it is asked for; from 0.11 there is nothing else.
    """
    told = ctx.env.get("VLLM_USE_V1")
    if ctx.at_least(0, 11):
        return False
    if told in ("0", "1"):
        return told == "0"
    if not ctx.at_least(0, 8):
        return True
    if next(causes_of_v0(ctx), None) is not None:
        return True
    return None if ctx.gpu is None else False
