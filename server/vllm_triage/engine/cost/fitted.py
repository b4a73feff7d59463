"""Efficiencies and intervals of real servers. Written by tools/fit_cost.py: change that, not this.

Source: 1069 published vLLM runs (AIConfigurator silicon samples and the GPUStack performance lab),
27 model x GPU groups. Median error on groups left out of the fit: TPOT 13.0%, throughput 12.8%, TTFT 22.9%.
"""

from .bands import Bands
from .efficiencies import Fitted, Generation

__all__ = ["BANDS", "CALIBRATED_BANDS", "FITTED"]

FITTED = Fitted(
    generations={
        "ampere": Generation(
            weights=0.8176, experts=0.4401, experts_packed=0.5079, kv=0.781, gemm=0.5851, gemm_narrow=0.4951,
            expert_gemm=0.1623, expert_gemm_narrow=0.08875, expert_gemm_packed=0.3398, attention=0.3356,
            layer_us=34.85, expert_layer_us=21.84, collective_us=5.381,
        ),
        "hopper": Generation(
            weights=0.7997, experts=0.4272, experts_packed=0.5845, kv=0.95, gemm=0.3671, gemm_narrow=0.8,
            expert_gemm=0.2809, expert_gemm_narrow=0.06823, expert_gemm_packed=0.1963, attention=0.5498,
            layer_us=38.53, expert_layer_us=23.87, collective_us=4.691,
        ),
        "blackwell": Generation(
            weights=0.6914, experts=0.5032, experts_packed=0.7254, kv=0.8801, gemm=0.5471, gemm_narrow=0.408,
            expert_gemm=0.2295, expert_gemm_narrow=0.07785, expert_gemm_packed=0.1501, attention=0.4509,
            layer_us=40.94, expert_layer_us=20.18, collective_us=4.745,
        ),
    },
    latent_layer=1.098, recurrent_layer=0.6864, host_ms=0.1787, synchronous_ms=0.7198, sequence_us=5.671,
    synchronous_sequence_us=18, early_sequence_us=30, link=0.343, first_token_ms=34.76, token_us=0.2713, sharpness=2.31, skew=0.8272,
)  # fmt: skip

BANDS = Bands(
    ttft=(0.523, 2.327),
    itl=(0.694, 1.446),
    tpot=(0.694, 1.446),
    throughput=(0.757, 1.447),
    ratio_ttft=(0.697, 1.435),
    ratio_itl=(0.816, 1.226),
    ratio_tpot=(0.816, 1.226),
    ratio_throughput=(0.814, 1.229),
)

CALIBRATED_BANDS = Bands(
    ttft=(0.778, 1.285),
    itl=(0.866, 1.155),
    tpot=(0.866, 1.155),
    throughput=(0.858, 1.166),
    ratio_ttft=(0.778, 1.285),
    ratio_itl=(0.866, 1.155),
    ratio_tpot=(0.866, 1.155),
    ratio_throughput=(0.858, 1.166),
)
