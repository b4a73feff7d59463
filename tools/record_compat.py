"""Ask vLLM's own configuration code about launches, on GPUs that are not there. No weights are needed.

    PYTHONPATH=SOURCES/0.33.0 python tools/record_compat.py LAUNCHES.tsv --configs DIR > answers-0.33.0.jsonl

Runs inside an environment that holds vLLM, or its dependencies beside the sources of the release in question. LAUNCHES
holds ``GPU<TAB>serve MODEL ...`` lines as ``tools/make_compat_launches.py`` makes them, best sorted by GPU; DIR holds a
folder with a config.json for each MODEL. Answers each with what ``create_engine_config`` resolved, or where it stopped.

The platform is CUDA's, asked without NVML and told what the GPU is; compiled operations are empty modules; Triton and
the memory allocator of sleep mode count as there, as they are on a machine with GPUs.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import importlib
import importlib.machinery
import importlib.util
import io
import json
import os
import shlex
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

GPUS = {
    "h100": ("NVIDIA H100 80GB HBM3", 80, (9, 0)),
    "h200": ("NVIDIA H200", 140, (9, 0)),
    "a100": ("NVIDIA A100-SXM4-80GB", 80, (8, 0)),
    "b200": ("NVIDIA B200", 180, (10, 0)),
    "l4": ("NVIDIA L4", 22, (8, 9)),
    "l40s": ("NVIDIA L40S", 45, (8, 9)),
    "t4": ("Tesla T4", 15, (7, 5)),
}
"""Name, GiB and compute capability."""
COUNT = 8
"""GPUs of the machine."""
COMPILED = ("_C", "_C_stable_libtorch", "_moe_C", "_moe_C_stable_libtorch", "_qutlass_C", "_flashmla_C")
FLASH = ("", ".flash_attn_interface", ".layers", ".layers.rotary")
CUTLASS = ("supports_fp8", "supports_block_fp8", "supports_fp4")
KEPT = {
    "model_config": ("max_model_len", "dtype", "quantization", "enforce_eager"),
    "cache_config": (
        "block_size", "gpu_memory_utilization", "cache_dtype", "enable_prefix_caching", "mamba_block_size",
        "mamba_cache_mode", "user_specified_block_size",
    ),
    "scheduler_config": (
        "max_num_batched_tokens", "max_num_scheduled_tokens", "max_num_seqs", "enable_chunked_prefill",
        "long_prefill_token_threshold", "policy", "async_scheduling", "disable_hybrid_kv_cache_manager",
        "scheduler_reserve_full_isl",
    ),
    "parallel_config": ("tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size", "world_size"),
    "speculative_config": ("method", "num_speculative_tokens", "prompt_lookup_max", "prompt_lookup_min"),
    "compilation_config": ("mode", "cudagraph_mode", "max_cudagraph_capture_size", "cudagraph_capture_sizes"),
}  # fmt: skip
"""What is written of a configuration that was accepted."""


class TritonConfig:
    """What Triton's own ``Config`` holds; the placeholder for a missing Triton holds nothing, and is read on Hopper."""

    def __init__(self, kwargs: dict[str, Any], num_warps: int = 4, num_stages: int = 3, **_more: Any) -> None:
        self.kwargs, self.num_warps, self.num_stages = kwargs, num_warps, num_stages


class Gpu:
    """The GPU that is pretended to be there."""

    name, gib, capability = GPUS["h100"]


def stand_in() -> None:
    """Put empty modules where compiled ones are missing. Must run before vLLM is imported."""
    for name in COMPILED:
        module = types.ModuleType(f"vllm.{name}")
        module.__spec__ = importlib.machinery.ModuleSpec(module.__name__, None)
        sys.modules.setdefault(module.__name__, module)
    found = importlib.util.find_spec("vllm")
    assert found is not None
    root = Path((found.submodule_search_locations or [""])[0])
    if list((root / "vllm_flash_attn").glob("*.so")):
        return
    for tail in FLASH:
        module = types.ModuleType(f"vllm.vllm_flash_attn{tail}")
        module.__path__ = []
        module.__spec__ = importlib.machinery.ModuleSpec(module.__name__, None, is_package=True)
        module.__getattr__ = _yes  # type: ignore[method-assign]
        sys.modules[module.__name__] = module


def _yes(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return always(lambda: True)


def always(get: Callable[[], Any]) -> Callable[..., Any]:
    """A function that takes anything and returns what `get` does."""

    def told(*_args: Any, **_kwargs: Any) -> Any:
        return get()

    return told


def install() -> None:
    """Make the pretended GPU vLLM's current platform."""
    platforms, cuda = _maybe("vllm.platforms"), _maybe("vllm.platforms.cuda")
    interface, torch = _maybe("vllm.platforms.interface"), _maybe("torch")
    told: dict[str, Callable[[], Any]] = {
        "get_device_capability": lambda: interface.DeviceCapability(*Gpu.capability),
        "get_device_name": lambda: Gpu.name,
        "get_device_uuid": lambda: "GPU-0",
        "get_device_total_memory": lambda: Gpu.gib << 30,
        "device_count": lambda: COUNT,
        "num_compute_units": lambda: 132,
        "is_integrated_gpu": lambda: False,
        "is_fully_connected": lambda: True,
        "set_device": lambda: None,
    }
    kind = type("Pretended", (cuda.NonNvmlCudaPlatform,), {n: staticmethod(always(told[n])) for n in told})
    platforms._current_platform = platforms.current_platform = kind()
    torch.cuda.device_count = lambda: COUNT
    for name in ("vllm.utils.torch_utils", "vllm.utils", "vllm.platforms.cuda"):
        module = _maybe(name)
        for counter in ("cuda_device_count_stateless", "_cuda_device_count_stateless"):
            if hasattr(module, counter):
                setattr(module, counter, always(lambda: COUNT))
    for tail in CUTLASS:
        if not hasattr(torch.ops._C, f"cutlass_scaled_mm_{tail}"):
            setattr(torch.ops._C, f"cutlass_scaled_mm_{tail}", always(lambda: False))
    if not hasattr(torch.ops._C, "cutlass_group_gemm_supported"):
        torch.ops._C.cutlass_group_gemm_supported = always(lambda: False)
    for name, flag in (("vllm.config.vllm", "HAS_TRITON"), ("vllm.device_allocator.cumem", "cumem_available")):
        module = _maybe(name)
        if hasattr(module, flag):
            setattr(module, flag, True)
    placeholder = getattr(_maybe("vllm.triton_utils"), "triton", None)
    if placeholder is not None and not isinstance(placeholder.Config, type):
        placeholder.Config = TritonConfig
    registry = _maybe("vllm.model_executor.models.registry")
    lazy: Any = getattr(registry, "_LazyRegisteredModel", None)
    if hasattr(lazy, "_save_modelinfo_to_cache"):  # it may import what needs a GPU
        lazy._save_modelinfo_to_cache = _tried(lazy._save_modelinfo_to_cache)


def _tried(call: Callable[..., Any]) -> Callable[..., Any]:
    """`call`, with nothing said when it fails."""

    def told(*args: Any, **kwargs: Any) -> None:
        with contextlib.suppress(Exception):
            call(*args, **kwargs)

    return told


def _maybe(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def forget() -> None:
    """Empty vLLM's caches of what it learned about the GPU before."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("vllm.platforms", "vllm.config", "vllm.v1", "vllm.engine", "vllm.attention")):
            for held in list(vars(module).values()):
                if type(held).__name__ == "_lru_cache_wrapper":
                    with contextlib.suppress(Exception):
                        held.cache_clear()


def parser() -> Any:
    """The parser of ``vllm serve``, wherever the release keeps it."""
    tools = _maybe("vllm.utils.argparse_utils") or importlib.import_module("vllm.utils")
    for name in (
        "vllm.entrypoints.common.cli_args",
        "vllm.entrypoints.launchers.cli_args",
        "vllm.entrypoints.openai.cli_args",
    ):
        module = _maybe(name)
        if hasattr(module, "make_arg_parser"):
            root = tools.FlexibleArgumentParser(prog="vllm")
            module.make_arg_parser(root.add_subparsers(dest="subparser").add_parser("serve"))
            return root
    raise SystemExit("this release has its parser elsewhere")


def answer(root: Any, argv: list[str]) -> dict[str, Any]:
    """What vLLM makes of one command line."""
    engine = importlib.import_module("vllm.engine.arg_utils")
    usage = importlib.import_module("vllm.usage.usage_lib").UsageContext.OPENAI_API_SERVER
    complaint, before = io.StringIO(), sys.argv
    try:
        sys.argv = ["vllm", *argv]
        with contextlib.redirect_stderr(complaint):
            read = copy.deepcopy(root.parse_args(argv))
        if getattr(read, "model_tag", None):
            read.model = read.model_tag
        config = engine.AsyncEngineArgs.from_cli_args(read).create_engine_config(usage_context=usage)
    except SystemExit:
        return {"ok": False, "stage": "parse", "error": complaint.getvalue().strip().splitlines()[-1:]}
    except BaseException as error:
        return {"ok": False, "stage": "config", "error": f"{type(error).__name__}: {error}"[:1500]}
    finally:
        sys.argv = before
    return {"ok": True, **{section: _held(getattr(config, section, None), names) for section, names in KEPT.items()}}


def _held(section: Any, names: tuple[str, ...]) -> dict[str, Any] | None:
    return None if section is None else {n: _plain(getattr(section, n)) for n in names if hasattr(section, n)}


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value if type(value) in (str, int, float, bool, type(None)) else str(value)


def main() -> None:
    """Answer every launch of the file."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("launches", type=Path)
    options.add_argument("--configs", type=Path, required=True)
    given = options.parse_args()
    for name, value in (("VLLM_LOGGING_LEVEL", "CRITICAL"), ("HF_HUB_OFFLINE", "1"), ("VLLM_NO_USAGE_STATS", "1")):
        os.environ.setdefault(name, value)
    answers, sys.stdout = sys.stdout, sys.stderr  # a launch may set its own logging up, to the standard output
    stand_in()
    install()
    root = parser()
    last = ""
    for line in given.launches.read_text(encoding="utf-8").splitlines():
        gpu, command = line.split("\t", 1)
        if gpu != last:
            Gpu.name, Gpu.gib, Gpu.capability = GPUS[gpu]
            forget()
            last = gpu
        started = time.perf_counter()
        argv = shlex.split(command)
        argv[1] = str(given.configs / argv[1])
        found = answer(root, argv)
        spent = round(1e3 * (time.perf_counter() - started), 1)
        print(json.dumps({"argv": command, "gpu": gpu, **found, "ms": spent}), file=answers, flush=True)


if __name__ == "__main__":
    main()
