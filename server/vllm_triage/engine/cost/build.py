"""From a deployment to its cost model: which efficiencies apply, and what has to be known first."""

from ...domain import Accelerator, Deployment, MemoryBudget
from ..machine import Machine, machine
from .fitted import BANDS, BY_FAMILY, CALIBRATED_BANDS
from .model import CannotPredict, CostModel
from .terms import terms_of

__all__ = ["cost_model", "generation"]

GENERATIONS = {
    "ampere": "ampere", "hopper": "hopper", "blackwell": "blackwell", "blackwell_ultra": "blackwell",
}  # fmt: skip
"""Accelerators whose servers were measured, by architecture; all others share the efficiencies of the oldest."""


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
    reached = BY_FAMILY[generation(gpu)]
    return CostModel(
        terms=terms_of(box, deployment, model, gpu, memory),
        reached=reached,
        eager=deployment.setting("enforce_eager") is True or deployment.setting("cudagraph_mode") == "NONE",
        first_token_ms=reached.first_token_ms,
        bands=BANDS,
        calibrated=CALIBRATED_BANDS,
        assumptions=_assumptions(gpu, box),
    )


def generation(gpu: Accelerator) -> str:
    """The generation whose efficiencies stand for this device."""
    return GENERATIONS.get(gpu.arch.lower(), "other")


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
    if generation(gpu) == "other":
        said.append(f"no server on {gpu.name} was measured: the efficiencies are those of A100")
    if box.experts > box.experts_active > 0:
        said.append("experts are taken to be picked evenly: a skewed router reads fewer of them")
    if box.tp > 1 and box.link is None:
        said.append("the link between the GPUs is not known: taken as PCIe at 32 GB/s")
    return tuple(said)
