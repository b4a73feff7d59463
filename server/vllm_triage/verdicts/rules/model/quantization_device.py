"""A quantization method the platform does not have.

## What happens
The engine refuses to start.

## Why
AMD, TPU, Neuron and, from 0.27, Intel GPUs each list the methods their kernels exist for; a checkpoint in another
format is refused there before it is loaded. NVIDIA GPUs and CPUs have no such list.

## Versions
all

## Evidence
- vllm/platforms/interface.py, Platform.verify_quantization (0.6.6.post1 line 209, 0.33.0 line 1159); the lists are
  supported_quantization of vllm/platforms/rocm.py, tpu.py and xpu.py, read for each release
- vllm/config.py, rocm_supported_quantization and tpu_supported_quantization (0.6.0 to 0.6.3.post1)

## Fix
Serve a checkpoint in a format of the list.
"""

from ....facts.quantization import methods
from ...context import Context
from ...rule import Hit, drop, rule
from ._quantization import claimed_by_loader

_AMD = (
    ((0, 6), "awq gptq fp8 compressed-tensors fbgemm_fp8 gguf squeezellm"),
    ((0, 7), "quark"),
    ((0, 7, 3), "ptpc_fp8"),
    ((0, 10, 1), "mxfp4"),
    ((0, 10, 2), "petit_nvfp4 torchao"),
    ((0, 14), "awq_marlin gptq_marlin"),
    ((0, 17), "bitsandbytes"),
    ((0, 20), "gpt_oss_mxfp4 modelopt_fp4"),
    ((0, 21), "deepseek_v4_fp8 mxfp8 modelopt modelopt_mxfp8 modelopt_mixed fp8_per_tensor fp8_per_block online"),
    ((0, 22), "auto_gptq"),
    ((0, 24), "auto_awq fp8_per_channel"),
    ((0, 28), "inc"),
)
_AMD_GONE = (((0, 19), "ptpc_fp8"), ((0, 20), "petit_nvfp4"), ((0, 24), "gguf"), ((0, 28), "bitsandbytes"))
_TPU = (((0, 6), "tpu_int8"), ((0, 7), "compressed-tensors"), ((0, 10), "fp8"))
_INTEL = (
    ((0, 27), "awq gptq auto_awq auto_gptq inc fp8 deepseek_v4_fp8 mxfp4 mxfp8 fp8_per_tensor fp8_per_block online"),
    ((0, 27), "gpt_oss_mxfp4 modelopt compressed-tensors"),
    ((0, 30), "moe_wna16"),
    ((0, 32), "fp8_per_channel"),
)


def _listed(ctx: Context) -> set[str] | None:
    """The platform's methods; None where it has no list."""
    vendor, release = ctx.need_gpu().vendor, ctx.release
    if vendor == "google" and release >= (0, 14):
        return None
    lists = {"amd": (_AMD, _AMD_GONE), "google": (_TPU, ())}
    if vendor == "intel" and "gaudi" not in ctx.need_gpu().arch and release >= (0, 27):
        lists["intel"] = (_INTEL, ())
    if vendor not in lists:
        return None
    came, gone = lists[vendor]
    held = {name for first, names in came if release >= first for name in names.split()}
    return held - {name for last, names in gone if release >= last for name in names.split()}


@rule("fatal", flags=("--quantization",), needs=("model", "gpu"))
def check(ctx: Context) -> Hit | None:
    asked = ctx.arg("quantization")
    given = isinstance(asked, str)
    stored = None if given or ctx.model is None else ctx.model.quantization
    name = asked if isinstance(asked, str) else stored.method if stored is not None else None
    if name is None:
        if ctx.model is None:
            ctx.need_model()
        return None
    listed = _listed(ctx)
    if listed is None or (ctx.model is not None and claimed_by_loader(ctx, ctx.model)):
        return None
    # A checkpoint's plain method runs under another name of the same loader in some releases.
    names = {name, name.replace("_", "-"), name.replace("-", "_"), f"auto_{name}", f"{name}_marlin", f"gpt_oss_{name}"}
    if names & listed or names.isdisjoint(methods(ctx.version)):
        return None
    return Hit(
        message=f"{name} quantization is {'asked for' if given else 'what the checkpoint has'}; "
        f"{ctx.need_gpu().name} takes {', '.join(sorted(listed))} in {ctx.version}.",
        effect="vLLM stops before loading: the quantization is not supported on this platform.",
        steps=(drop("--quantization"),) if given and (ctx.model is None or ctx.model.quantization is None) else (),
        fix="Serve a checkpoint in one of these formats.",
    )
