"""FP8 scales of the vision encoder that cannot be used together.

## What happens
The engine refuses to start.

## Why
Scales belong to FP8 attention in the encoder; they are read from a file or measured and saved, not both.

## Versions
>=0.21

## Evidence
- vllm/config/multimodal.py, MultiModalConfig._validate_multimodal_config (0.21.0, 0.28.0, 0.33.0 line 526)

## Fix
Add --mm-encoder-attn-dtype fp8, or take the scale flags out.
"""

from collections.abc import Iterator

from ...context import Context
from ...rule import Hit, drop, rule

SCALES = {
    "mm_encoder_fp8_scale_path": "--mm-encoder-fp8-scale-path",
    "mm_encoder_fp8_scale_save_path": "--mm-encoder-fp8-scale-save-path",
}


@rule("fatal", flags=("--mm-encoder-attn-dtype", *SCALES.values()), needs=("model",))
def check(ctx: Context) -> Iterator[Hit]:
    given = [flag for dest, flag in SCALES.items() if ctx.arg(dest) is not None]
    if not given or not ctx.need_model().is_multimodal:
        return
    if ctx.arg("mm_encoder_attn_dtype") != "fp8":
        yield Hit(
            message=f"{' and '.join(given)} given without --mm-encoder-attn-dtype fp8.",
            effect="vLLM stops before loading.",
            steps=tuple(map(drop, given)),
        )
    if len(given) == len(SCALES):
        yield Hit(
            message="Scales are to be read from a file and to be measured and saved.",
            effect="vLLM stops before loading.",
            steps=(drop("--mm-encoder-fp8-scale-save-path"),),
        )
