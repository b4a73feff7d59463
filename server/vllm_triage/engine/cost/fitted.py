"""Efficiencies and intervals of real servers. Written by tools/fit_cost.py: change that, not this.

Source: 1068 published vLLM runs (AIConfigurator silicon samples and the GPUStack performance lab),
26 model x GPU groups. Median error on groups left out of the fit: TPOT 15.2%, throughput 15.1%, TTFT 25.5%.
"""

from .bands import Bands
from .efficiencies import Fitted, Generation

__all__ = ["BANDS", "CALIBRATED_BANDS", "FITTED"]

FITTED = Fitted(
    generations={
        "ampere": Generation(
            weights=0.828, experts=0.3611, experts_packed=0.3711, kv=0.7639, gemm=0.5729, gemm_narrow=0.45,
            expert_gemm=0.1595, expert_gemm_narrow=0.15, expert_gemm_packed=0.3532, attention=0.3162, layer_us=25,
            expert_layer_us=20.88, collective_us=7.589,
        ),
        "hopper": Generation(
            weights=0.7799, experts=0.2846, experts_packed=0.3806, kv=0.95, gemm=0.3347, gemm_narrow=0.8,
            expert_gemm=0.3464, expert_gemm_narrow=0.06696, expert_gemm_packed=0.1918, attention=0.6693,
            layer_us=31.33, expert_layer_us=22.06, collective_us=5.765,
        ),
        "blackwell": Generation(
            weights=0.7627, experts=0.3441, experts_packed=0.5007, kv=0.9149, gemm=0.4562, gemm_narrow=0.3876,
            expert_gemm=0.25, expert_gemm_narrow=0.07665, expert_gemm_packed=0.1199, attention=0.5302,
            layer_us=42.59, expert_layer_us=18.76, collective_us=4.477,
        ),
    },
    latent_layer=1.113, recurrent_layer=0.6917, host_ms=0.1768, synchronous_ms=0.6516, sequence_us=5.374,
    synchronous_sequence_us=41.29, link=0.335, first_token_ms=30.77, token_us=0.2164, sharpness=2.861, skew=0.6656,
)  # fmt: skip

BANDS = Bands(
    ttft=(0.528, 2.400),
    itl=(0.674, 1.488),
    tpot=(0.674, 1.488),
    throughput=(0.717, 1.463),
    ratio_ttft=(0.699, 1.431),
    ratio_itl=(0.843, 1.187),
    ratio_tpot=(0.843, 1.187),
    ratio_throughput=(0.839, 1.191),
)

CALIBRATED_BANDS = Bands(
    ttft=(0.769, 1.300),
    itl=(0.883, 1.132),
    tpot=(0.883, 1.132),
    throughput=(0.876, 1.141),
    ratio_ttft=(0.769, 1.300),
    ratio_itl=(0.883, 1.132),
    ratio_tpot=(0.883, 1.132),
    ratio_throughput=(0.876, 1.141),
)
