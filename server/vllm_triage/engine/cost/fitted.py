"""Efficiencies and intervals of real servers. Written by tools/fit_cost.py: change that, not this.

Source: 1069 published vLLM runs (AIConfigurator silicon samples and the GPUStack performance lab),
27 model x GPU groups. Median error on groups left out of the fit: TPOT 12.7%, throughput 13.2%, TTFT 25.9%.
"""

from .bands import Bands
from .efficiencies import Fitted, Generation

__all__ = ["BANDS", "CALIBRATED_BANDS", "FITTED"]

FITTED = Fitted(
    generations={
        "ampere": Generation(
            weights=0.8154, experts=0.4637, experts_packed=0.5933, kv=0.7914, gemm=0.5957, gemm_narrow=0.5036,
            expert_gemm=0.1601, expert_gemm_narrow=0.0881, expert_gemm_packed=0.3768, attention=0.3156,
            layer_us=33.51, expert_layer_us=22.04, collective_us=5.533,
        ),
        "hopper": Generation(
            weights=0.8019, experts=0.4494, experts_packed=0.609, kv=0.95, gemm=0.4816, gemm_narrow=0.4771,
            expert_gemm=0.2577, expert_gemm_narrow=0.06809, expert_gemm_packed=0.1893, attention=0.5184,
            layer_us=36.95, expert_layer_us=25.38, collective_us=4.905,
        ),
        "blackwell": Generation(
            weights=0.6899, experts=0.521, experts_packed=0.7482, kv=0.8727, gemm=0.4926, gemm_narrow=0.4126,
            expert_gemm=0.2234, expert_gemm_narrow=0.07647, expert_gemm_packed=0.1553, attention=0.4196,
            layer_us=40.69, expert_layer_us=20.02, collective_us=4.992,
        ),
    },
    latent_layer=1.089, recurrent_layer=0.7893, host_ms=0.1929, synchronous_ms=1.173, sequence_us=5.117,
    synchronous_sequence_us=21.67, early_sequence_us=48.31, link=0.4387, first_token_ms=34.68, token_us=0.4679,
    sharpness=2.035, skew=0.8428,
)  # fmt: skip

BANDS = Bands(
    ttft=(0.510, 2.869),
    itl=(0.712, 1.513),
    tpot=(0.712, 1.513),
    throughput=(0.734, 1.447),
    ratio_ttft=(0.701, 1.427),
    ratio_itl=(0.814, 1.229),
    ratio_tpot=(0.814, 1.229),
    ratio_throughput=(0.810, 1.234),
)

CALIBRATED_BANDS = Bands(
    ttft=(0.779, 1.284),
    itl=(0.863, 1.159),
    tpot=(0.863, 1.159),
    throughput=(0.857, 1.166),
    ratio_ttft=(0.779, 1.284),
    ratio_itl=(0.863, 1.159),
    ratio_tpot=(0.863, 1.159),
    ratio_throughput=(0.857, 1.166),
)
