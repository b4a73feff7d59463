"""Efficiencies and intervals of real servers. Written by tools/fit_cost.py: change that, not this.

Source: 1048 published vLLM runs (AIConfigurator silicon samples and the GPUStack performance lab),
26 model x GPU groups. Median error on groups left out of the fit: TPOT 11.9%, throughput 12.1%, TTFT 23.7%.
"""

from .bands import Bands
from .efficiencies import Fitted, Generation

__all__ = ["BANDS", "CALIBRATED_BANDS", "FITTED"]

FITTED = Fitted(
    generations={
        "ampere": Generation(
            weights=0.8182, experts=0.5701, experts_packed=0.7099, kv=0.7945, gemm=0.6099, gemm_narrow=0.5148,
            expert_gemm=0.1932, expert_gemm_narrow=0.09085, expert_gemm_packed=0.4971, attention=0.2907,
            layer_us=33.65, expert_layer_us=20.58, collective_us=5.169,
        ),
        "hopper": Generation(
            weights=0.8167, experts=0.7692, experts_packed=0.8175, kv=0.9372, gemm=0.4565, gemm_narrow=0.4362,
            expert_gemm=0.2629, expert_gemm_narrow=0.06302, expert_gemm_packed=0.2676, attention=0.4723,
            layer_us=41.18, expert_layer_us=24, collective_us=4.481,
        ),
        "blackwell": Generation(
            weights=0.6899, experts=0.5646, experts_packed=0.7805, kv=0.8747, gemm=0.5037, gemm_narrow=0.4223,
            expert_gemm=0.2363, expert_gemm_narrow=0.08994, expert_gemm_packed=0.274, attention=0.4247,
            layer_us=42.2, expert_layer_us=19.12, collective_us=4.728,
        ),
    },
    latent_layer=1.093, recurrent_layer=0.6905, host_ms=0.1917, synchronous_ms=1.637, sequence_us=3.9,
    synchronous_sequence_us=26.12, early_sequence_us=62.48, link=0.5054, first_token_ms=29.84, token_us=3.437,
    sharpness=4.163, skew=0.8623, rows=24.73,
)  # fmt: skip

BANDS = Bands(
    ttft=(0.666, 2.830),
    itl=(0.762, 1.440),
    tpot=(0.762, 1.440),
    throughput=(0.747, 1.398),
    ratio_ttft=(0.690, 1.448),
    ratio_itl=(0.825, 1.212),
    ratio_tpot=(0.825, 1.212),
    ratio_throughput=(0.825, 1.212),
)

CALIBRATED_BANDS = Bands(
    ttft=(0.787, 1.270),
    itl=(0.860, 1.162),
    tpot=(0.860, 1.162),
    throughput=(0.855, 1.170),
    ratio_ttft=(0.787, 1.270),
    ratio_itl=(0.860, 1.162),
    ratio_tpot=(0.860, 1.162),
    ratio_throughput=(0.855, 1.170),
)
