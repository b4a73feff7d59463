"""GPU utilisation, which this product never takes as evidence (house rule ``gpu-util-ignored``).

``DCGM_FI_DEV_GPU_UTIL`` and the ``GPU-Util`` column of ``nvidia-smi`` are the share of time in which at least one
kernel was resident. A decode step that waits for memory and a saturated GPU both read 100 %, so the figure tells
nothing apart.
"""

import re

from ..domain import Ignored
from .lazy import Lazy

__all__ = ["gpu_utilisation", "ignored"]

_HINT = Lazy(r"util|duty_cycle", re.IGNORECASE)
_NAME = Lazy(
    r"DCGM_FI_DEV_GPU_UTIL|nvidia_gpu_duty_cycle|gpu_duty_cycle|nvidia_smi_utilization_gpu\w*"
    r"|(?:nvml|nvidia|dcgm|amd|rocm|smi)\w{0,40}(?:gpu_?util(?:i[sz]ation)?|utili[sz]ation_gpu)\w{0,20}"
    r"|\bGPU[-_ ]?Util(?:i[sz]ation)?\b|\butili[sz]ation\.gpu\b|\bnvidia-smi\b[^\n]{0,40}?\butil\w*",
    re.IGNORECASE,
)
_AROUND = 80
"""Characters before and after a hint in which the whole name stands."""
_WHY = "GPU utilisation only says that some kernel was running; it does not tell a bottleneck from useful work"


def gpu_utilisation(text: str) -> str | None:
    """The first name of a GPU-utilisation signal in `text`."""
    for hint in _HINT.finditer(text):
        found = _NAME.search(text, max(0, hint.start() - _AROUND), hint.end() + _AROUND)
        if found is not None:
            return found.group()[:60]
    return None


def ignored(signal: str) -> Ignored:
    """The entry for a signal that was dropped by the house rule."""
    return Ignored(signal=signal, why=f"gpu-util-ignored: {_WHY}")
