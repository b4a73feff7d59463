"""From a deployment to its cost model: which efficiencies apply, and what has to be known first."""

from ...domain import Accelerator, Deployment, MemoryBudget, ModelShape
from ...facts.versions import at_least
from ..machine import Machine, machine
from .bands import widened
from .efficiencies import Kind, reached
from .fitted import BANDS, CALIBRATED_BANDS, FITTED
from .model import CannotPredict, CostModel
from .terms import Terms, terms_of

__all__ = ["cost_model", "kind_of"]

GENERATIONS = {
    "ampere": "ampere", "hopper": "hopper", "blackwell": "blackwell", "blackwell_ultra": "blackwell",
}  # fmt: skip
"""Accelerators whose servers were measured, by architecture."""

NEAREST = {
    "volta": "ampere", "turing": "ampere", "ada": "ampere", "ampere_jetson": "ampere", "cdna2": "ampere",
    "cdna4": "blackwell", "blackwell_consumer": "blackwell", "blackwell_jetson": "blackwell",
    "blackwell_spark": "blackwell",
}  # fmt: skip
"""Whose efficiencies stand for an architecture nobody measured; Hopper's for those not named."""

ASYNC_BY_DEFAULT = "0.14.0"
"""First release that schedules asynchronously unless told otherwise (the settings of 0.13.0 and 0.14.0 differ in it)."""

UNMEASURED = 1.6
"""By how much intervals widen, as logarithms, on an architecture nobody measured, and with speculation, which no usable
published run has. Assumed."""

PACKED_BITS = 5.0
"""Bits a weight below which experts are read by kernels for four-bit weights, scales included."""


def cost_model(deployment: Deployment, memory: MemoryBudget, engines: int = 1) -> CostModel:
    """The cost model of one replica.

    Args:
        deployment: the launch.
        memory: what the memory model says of it.
        engines: replicas the measurements show, where they are more than the launch says.

    Raises:
        CannotPredict: on a CPU, or where the device, the model or its size are not known.
    """
    box = machine(deployment, memory, engines)
    missing = _missing(deployment, box)
    gpu, model = deployment.gpu, deployment.model
    if missing or gpu is None or model is None:
        raise CannotPredict(missing)
    terms = terms_of(box, deployment, model, gpu, memory)
    got = reached(kind_of(deployment, gpu, model, terms), FITTED)
    measured = gpu.arch.lower() in GENERATIONS and not box.drafts
    return CostModel(
        terms=terms,
        reached=got,
        eager=deployment.setting("enforce_eager") is True or deployment.setting("cudagraph_mode") == "NONE",
        first_token_ms=got.first_token_ms,
        bands=BANDS if measured else widened(BANDS, UNMEASURED),
        calibrated=CALIBRATED_BANDS,
        assumptions=_assumptions(gpu, box),
    )


def kind_of(deployment: Deployment, gpu: Accelerator, model: ModelShape, terms: Terms) -> Kind:
    """What of a deployment its efficiencies depend on."""
    arch = gpu.arch.lower()
    scheme = model.quantization
    packed = scheme is not None and (scheme.weight_bits or 16.0) < PACKED_BITS
    return Kind(
        generation=GENERATIONS.get(arch) or NEAREST.get(arch, "hopper"),
        narrow=terms.narrow,
        experts="packed" if packed else "narrow" if terms.narrow_experts else "wide",
        latent=model.uses_mla,
        recurrent=model.is_hybrid,
        synchronous=deployment.setting("async_scheduling") is not True,
        early=not at_least(deployment.version, ASYNC_BY_DEFAULT),
    )


def _missing(deployment: Deployment, box: Machine) -> tuple[str, ...]:
    gpu, model = deployment.gpu, deployment.model
    found: list[str] = []
    if gpu is None:
        found.append("the GPU")
    elif gpu.vendor == "cpu":
        found.append("a GPU: no step time is known for a CPU")
    else:
        rates = (("memory bandwidth", box.bandwidth), ("peak FLOPs", box.peak))
        found += [f"the {name} of {gpu.name}" for name, value in rates if not value]
    if model is None:
        found.append("the model: a known name, or its config.json")
    else:
        sizes = (("active parameter count", box.active), ("weight size", box.weight_bytes))
        found += [f"the {name} of {model.id}" for name, value in sizes if not value]
    return tuple(found)


def _assumptions(gpu: Accelerator, box: Machine) -> tuple[str, ...]:
    said = ["step times are physics at peak rates over efficiencies fitted to published servers, not to this one"]
    arch = gpu.arch.lower()
    if arch not in GENERATIONS:
        near = NEAREST.get(arch, "hopper").capitalize()
        said.append(f"no server on {gpu.name} was measured: the efficiencies are those of {near}, the intervals wider")
    if box.experts > box.experts_active > 0:
        said.append("experts are taken to be picked evenly: a skewed router reads fewer of them")
    if box.drafts:
        said.append(
            "verifying drafts is a wider step, drafting a pass of its own: no published run tells how well that fits"
        )
    if box.tp > 1 and box.link is None:
        said.append("the link between the GPUs is not known: taken as PCIe at 32 GB/s")
    return tuple(said)
