"""Hand-made nouns for the arithmetic: an H100 and an 8B model whose figures can be checked with a pencil."""

from vllm_triage.domain import (
    Accelerator,
    Budget,
    CacheGroup,
    Deployment,
    Interval,
    Json,
    LayerRun,
    Measured,
    MemoryBudget,
    MixtureOfExperts,
    ModelShape,
    Observation,
    Pool,
    Setting,
    Sourced,
)  # fmt: skip

__all__ = ["CPU", "H100", "dense", "deployment", "measured", "memory", "moe", "seen"]

H100 = Accelerator(
    name="H100-SXM",
    vendor="nvidia",
    arch="hopper",
    compute_capability="9.0",
    memory_mib=81559,
    bandwidth_gb_s=3350,
    bf16_tflops=989.4,
    fp8_tflops=1978.9,
    interconnect="nvlink",
    interconnect_gb_s=450,
)
CPU = Accelerator(name="CPU", vendor="cpu", arch="cpu")


def dense(params: float = 8e9) -> ModelShape:
    """36 layers of 8 KV heads of 128: 144 KiB of KV cache a token in BF16."""
    return ModelShape(
        id="example/dense",
        source="config",
        layers=36,
        runs=(LayerRun(kind="full", count=36, kv_heads=8, head_dim=128),),
        hidden=4096,
        q_heads=32,
        kv_heads=8,
        head_dim=128,
        params_total=params,
        params_active=params,
        tie_word_embeddings=True,
    )


def moe() -> ModelShape:
    """120B parameters of which 5B are used: 128 experts, 4 for each token."""
    return ModelShape(
        id="example/moe",
        source="config",
        layers=36,
        runs=(LayerRun(kind="full", count=36, kv_heads=8, head_dim=64),),
        hidden=2880,
        q_heads=64,
        kv_heads=8,
        head_dim=64,
        params_total=120e9,
        params_active=5e9,
        tie_word_embeddings=True,
        moe=MixtureOfExperts(experts=128, active=4),
    )


def deployment(
    model: ModelShape | None = None,
    gpu: Accelerator | None = H100,
    version: str = "0.31.0",
    given: bool = True,
    **settings: Json,
) -> Deployment:
    """A launch on one H100 with its defaults, and `settings` on top as if typed."""
    defaults: dict[str, Json] = {
        "max_num_seqs": 1024,
        "max_num_batched_tokens": 8192,
        "tensor_parallel_size": 1,
        "pipeline_parallel_size": 1,
        "data_parallel_size": 1,
        "gpu_memory_utilization": 0.92,
        "enable_chunked_prefill": True,
    }
    return Deployment(
        source="shell",
        vllm_version=Sourced(value=version, origin="given"),
        catalogue_version=version,
        model=dense() if model is None else model,
        gpu=gpu,
        gpu_count=1,
        gpu_origin="given",
        args=dict(settings) if given else {},
        settings={name: Setting(value=value, origin="default") for name, value in {**defaults, **settings}.items()},
    )


def memory(
    tokens: int | None = 100_000,
    *,
    weights_gib: float | None = None,
    measured: bool = True,
    spread: float = 0.0,
    groups: tuple[CacheGroup, ...] = (),
    blocks: int | None = None,
) -> MemoryBudget:
    """A pool of `tokens` tokens at 144 KiB each, on a device of 79.65 GiB."""
    gib = (tokens or 0) * 147456 / 2**30
    return MemoryBudget(
        kv_bytes_per_token=147456,
        kv_bytes_per_token_per_gpu=147456,
        groups=groups,
        budget=Budget(
            total_gib=79.65,
            weights_gib=weights_gib,
            kv_pool_gib=Interval(low=gib * (1 - spread), mid=gib, high=gib * (1 + spread)),
        ),
        pool=Pool(tokens=tokens, blocks=blocks, basis="measured" if measured else "predicted"),
    )


def measured(value: float, source: str = "given") -> Measured:
    """One value."""
    return Measured(value=float(value), source=source)


def seen(**values: float) -> Observation:
    """An observation of given numbers."""
    return Observation(**{name: measured(value) for name, value in values.items()})  # type: ignore[arg-type]
