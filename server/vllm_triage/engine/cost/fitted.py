"""Efficiencies and intervals of real servers. Written by tools/fit_cost.py: change that, not this.

Source: 1069 published vLLM runs (AIConfigurator silicon samples and the GPUStack performance lab),
27 model x GPU groups. Median error on groups left out of the fit: TPOT 13.0%, throughput 13.0%, TTFT 23.4%.
"""

from .bands import Bands
from .efficiencies import Fitted, Generation

__all__ = ["BANDS", "CALIBRATED_BANDS", "FITTED"]

FITTED = Fitted(
    generations={
        "ampere": Generation(
            weights=0.813, experts=0.4263, experts_packed=0.5481, kv=0.7853, gemm=0.5853, gemm_narrow=0.4954,
            expert_gemm=0.1606, expert_gemm_narrow=0.08857, expert_gemm_packed=0.3621, attention=0.3275,
            layer_us=34.57, expert_layer_us=21.75, collective_us=5.409,
        ),
        "hopper": Generation(
            weights=0.7952, experts=0.4244, experts_packed=0.5835, kv=0.95, gemm=0.3643, gemm_narrow=0.8,
            expert_gemm=0.2759, expert_gemm_narrow=0.06825, expert_gemm_packed=0.2024, attention=0.5495,
            layer_us=38.08, expert_layer_us=23.91, collective_us=4.751,
        ),
        "blackwell": Generation(
            weights=0.6911, experts=0.5029, experts_packed=0.7233, kv=0.8754, gemm=0.545, gemm_narrow=0.4094,
            expert_gemm=0.2277, expert_gemm_narrow=0.07747, expert_gemm_packed=0.1534, attention=0.4473,
            layer_us=40.94, expert_layer_us=20.17, collective_us=4.784,
        ),
    },
    latent_layer=1.09, recurrent_layer=0.7124, host_ms=0.1797, synchronous_ms=0.7759, sequence_us=4.595,
    synchronous_sequence_us=19.25, early_sequence_us=39.82, link=0.3406, first_token_ms=35.32, token_us=0.2732,
    sharpness=2.641, skew=0.8303,
)  # fmt: skip

BANDS = Bands(
    ttft=(0.527, 2.328),
    itl=(0.699, 1.441),
    tpot=(0.699, 1.441),
    throughput=(0.757, 1.451),
    ratio_ttft=(0.696, 1.438),
    ratio_itl=(0.814, 1.229),
    ratio_tpot=(0.814, 1.229),
    ratio_throughput=(0.812, 1.231),
)

CALIBRATED_BANDS = Bands(
    ttft=(0.778, 1.286),
    itl=(0.863, 1.158),
    tpot=(0.863, 1.158),
    throughput=(0.859, 1.165),
    ratio_ttft=(0.778, 1.286),
    ratio_itl=(0.863, 1.158),
    ratio_tpot=(0.863, 1.158),
    ratio_throughput=(0.859, 1.165),
)
