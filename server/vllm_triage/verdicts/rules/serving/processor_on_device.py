"""Multimodal inputs processed on the GPU that also runs the model.

## What happens
The engine refuses to start.

## Why
The processor runs in the API server, and what it allocates is outside the memory measured for the KV cache. Only an
instance that encodes for others (`ec_role` `ec_producer`) may use the device.

## Versions
>=0.28

## Evidence
- vllm/config/multimodal.py, MultiModalConfig.validate_mm_processor_device (0.28.0, 0.33.0 line 651)

## Fix
Leave --mm-processor-device at auto or cpu.
"""

from ....domain import Json
from ...context import Context
from ...rule import Hit, drop, put, rule


def _on_gpu(device: Json) -> bool:
    return isinstance(device, str) and device.split(":")[0] not in ("", "auto", "cpu")


@rule(
    "fatal",
    flags=("--mm-processor-device", "--mm-processor-kwargs", "--ec-transfer-config"),
    needs=("model", "gpu"),
)  # fmt: skip
def check(ctx: Context) -> Hit | None:
    kwargs, asked = ctx.mapping("mm_processor_kwargs"), ctx.arg("mm_processor_device")
    own = kwargs.get("device")
    device = own if own is not None else asked
    if not _on_gpu(device) or ctx.mapping("ec_transfer_config").get("ec_role") == "ec_producer":
        return None
    if ctx.need_gpu().vendor in ("cpu", "google") or not ctx.need_model().is_multimodal:
        return None
    kept: dict[str, Json] = {key: held for key, held in kwargs.items() if key != "device"}
    rest = put("--mm-processor-kwargs", kept) if kept else drop("--mm-processor-kwargs")
    return Hit(
        message=f"Inputs are to be processed on {device!r}, and this instance runs the language model too.",
        effect="vLLM stops before loading.",
        steps=(drop("--mm-processor-device"), *((rest,) if kwargs else ())),
    )
