"""Efficiencies and intervals of real servers. Written by tools/fit_cost.py: change that, not this.

First figures, of a fit without cross-validated intervals.
"""

from .bands import Bands
from .efficiencies import Fitted, Generation

__all__ = ["BANDS", "CALIBRATED_BANDS", "FITTED"]

FITTED = Fitted(
    generations={
        "ampere": Generation(
            weights=0.875, experts=0.364, experts_packed=0.432, kv=0.760, gemm=0.584, gemm_narrow=0.450,
            expert_gemm=0.25, expert_gemm_narrow=0.153, expert_gemm_packed=0.359, attention=0.380, layer_us=25.0, expert_layer_us=21.2,
            collective_us=7.43,
        ),
        "hopper": Generation(
            weights=0.785, experts=0.352, experts_packed=0.510, kv=0.950, gemm=0.361, gemm_narrow=0.800,
            expert_gemm=0.25, expert_gemm_narrow=0.094, expert_gemm_packed=0.194, attention=0.655, layer_us=35.0, expert_layer_us=23.8,
            collective_us=5.05,
        ),
        "blackwell": Generation(
            weights=0.765, experts=0.451, experts_packed=0.666, kv=0.911, gemm=0.442, gemm_narrow=0.396,
            expert_gemm=0.25, expert_gemm_narrow=0.080, expert_gemm_packed=0.131, attention=0.525, layer_us=43.3, expert_layer_us=19.4,
            collective_us=4.33,
        ),
    },
    latent_layer=1.15, recurrent_layer=0.68, host_ms=0.19, synchronous_ms=0.83, sequence_us=4.6,
    synchronous_sequence_us=19.7, link=0.334, first_token_ms=34.0, token_us=0.24, sharpness=2.77, skew=0.78,
)  # fmt: skip

BANDS = Bands(
    ttft=(0.5, 2.0), itl=(0.75, 1.35), tpot=(0.75, 1.35), throughput=(0.75, 1.3),
    ratio_ttft=(0.8, 1.25), ratio_itl=(0.9, 1.1), ratio_tpot=(0.9, 1.1), ratio_throughput=(0.9, 1.1),
)  # fmt: skip

CALIBRATED_BANDS = Bands(
    ttft=(0.8, 1.25), itl=(0.9, 1.1), tpot=(0.9, 1.1), throughput=(0.9, 1.1),
    ratio_ttft=(0.85, 1.2), ratio_itl=(0.93, 1.08), ratio_tpot=(0.93, 1.08), ratio_throughput=(0.93, 1.08),
)  # fmt: skip
