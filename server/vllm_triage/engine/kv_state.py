"""How recurrent state takes part in prefix caching, and the extra blocks that costs."""

from ..domain import Deployment, ModelShape

__all__ = ["checkpoints", "mamba_mode"]


def mamba_mode(deployment: Deployment, shape: ModelShape, release: tuple[int, int, int]) -> str:
    """How recurrent state takes part in prefix caching: ``none``, ``align`` or ``all``; as resolved, from 0.15 on."""
    mixers = {run.mixer for run in shape.runs if run.state}
    if not mixers or deployment.setting("enable_prefix_caching") is not True:
        return "none"
    resolved = deployment.setting("mamba_cache_mode")
    if isinstance(resolved, str):
        return resolved
    if release < (0, 15, 0):
        return "all" if mixers <= {"mamba1", "mamba2"} else "none"
    return "align"


def checkpoints(deployment: Deployment, shape: ModelShape, mode: str, release: tuple[int, int, int]) -> int:
    """Extra state blocks in ``align`` mode for the state exported mid-prefill.

    Mamba-2 from 0.32; Gated DeltaNet from 0.33 where FlashInfer prefills it (Hopper); GLM-5.3's delta attention where
    FlashKDA does (``Glm5NextLinearAttention``, NVIDIA's devices from Hopper on).
    """
    if mode != "align":
        return 0
    mixers = {run.mixer for run in shape.runs if run.state}
    if "mamba2" in mixers and release >= (0, 32, 0):
        return 1
    major = "" if deployment.gpu is None else str(deployment.gpu.compute_capability).partition(".")[0]
    if "kimi_delta" in mixers and any(run.index_pool for run in shape.runs) and release >= (0, 32, 0):
        return int(major in ("9", "10", "12"))
    hopper = major == "9"
    return int("gated_delta" in mixers and release >= (0, 33, 0) and hopper)
