"""Efficiencies of real servers. Starting values: tools/fit_cost.py writes this file."""

from .bands import Bands
from .efficiencies import Efficiencies

__all__ = ["BANDS", "BY_FAMILY", "CALIBRATED_BANDS"]

_DENSE = Efficiencies(
    weights=0.8, experts=0.55, kv=0.7, gemm=0.55, expert_gemm=0.25, attention=0.4, layer_us=30.0, expert_layer_us=30.0,
    host_ms=2.0, sequence_us=10.0, reduce_us=8.0, link=0.6, first_token_ms=30.0, token_us=2.0,
)  # fmt: skip

BY_FAMILY: dict[str, Efficiencies] = {
    "ampere": _DENSE,
    "hopper": _DENSE,
    "blackwell": _DENSE,
    "other": _DENSE,
}

BANDS = Bands(
    ttft=(0.5, 2.0), itl=(0.75, 1.35), tpot=(0.75, 1.35), throughput=(0.75, 1.3),
    ratio_ttft=(0.8, 1.25), ratio_itl=(0.9, 1.1), ratio_tpot=(0.9, 1.1), ratio_throughput=(0.9, 1.1),
)  # fmt: skip

CALIBRATED_BANDS = Bands(
    ttft=(0.8, 1.25), itl=(0.9, 1.1), tpot=(0.9, 1.1), throughput=(0.9, 1.1),
    ratio_ttft=(0.85, 1.2), ratio_itl=(0.93, 1.08), ratio_tpot=(0.93, 1.08), ratio_throughput=(0.93, 1.08),
)  # fmt: skip
