"""The GPUs there are: kinds, how many of each, how they are grouped in machines, and what an hour of one costs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ...domain import Accelerator, Deployment
from ...engine.accelerators import accelerator
from ...facts import gpus

__all__ = ["NODE", "Fleet", "Fleets", "read_fleets"]

NODE = 8
"""GPUs of one machine, where nothing else is known: what vendors' servers hold."""

MOST_GPUS = 4096


@dataclass(frozen=True, slots=True)
class Fleet:
    """GPUs of one kind."""

    gpu: Accelerator
    count: int
    price: float | None = None
    """Of one GPU hour, in the user's currency."""

    @property
    def node(self) -> int:
        """GPUs of one machine."""
        return min(self.count, NODE)

    @property
    def nodes(self) -> int:
        """Machines there are."""
        return self.count // self.node

    @property
    def linked(self) -> bool:
        """True where GPUs of a machine have a link faster than PCIe."""
        return self.gpu.interconnect not in (None, "pcie", "ethernet")


@dataclass(frozen=True, slots=True)
class Fleets:
    """What was read of the GPUs given."""

    fleets: tuple[Fleet, ...] = ()
    missing: tuple[str, ...] = ()
    """What has to be said first."""
    assumed: tuple[str, ...] = ()


def read_fleets(text: str | None, deployment: Deployment, prices: float | Mapping[str, float] | None) -> Fleets:
    """The GPUs of a text such as ``8x H200 or 16x L40S``; without one, those the launch names.

    Args:
        text: kinds of GPU with their counts, joined by commas, ``or`` or ``and``.
        deployment: the launch, which may name its own GPU and says how many it takes.
        prices: of one GPU hour; for several kinds an object by name.
    """
    named: list[tuple[Accelerator, int | None]] = []
    missing: list[str] = []
    assumed: list[str] = []
    for part in re.split(r"[,;\n+]|\bor\b|\band\b", text or ""):
        if not part.strip():
            continue
        found = gpus.match(part)
        if found.gpu is None:
            near = ", ".join(found.candidates or gpus.suggest(part))
            note = f" ({found.note})" if found.note else ""
            missing.append(f"gpu: {part.strip()[:60]!r} is not one device of the catalogue{note}"
                           + (f"; say one of: {near}" if near else ""))  # fmt: skip
            continue
        assumed += [found.note] if found.note else []
        named.append((accelerator(found.gpu), found.devices))
    if not named and not missing and deployment.gpu is not None:
        named.append((deployment.gpu, deployment.gpu_count))
    if not named and not missing:
        missing.append('gpu: which GPUs there are, and how many, such as "8x H200"')
    fleets = []
    for gpu, count in named:
        if gpu.vendor == "cpu":
            missing.append("gpu: a GPU; no step time is known for a CPU")
            continue
        if count == 0:
            missing.append(f"gpu: at least one {gpu.name}")
            continue
        have = count or max(NODE if text else 1, _ranks(deployment))
        if count is None:
            assumed.append(f"how many {gpu.name} there are was not given: up to {have} are planned with")
        fleets.append(Fleet(gpu, max(1, min(have, MOST_GPUS)), _price(gpu, prices)))
    return Fleets(tuple(fleets), tuple(missing), tuple(dict.fromkeys(assumed)))


def _ranks(deployment: Deployment) -> int:
    """GPUs the launch takes as it is."""
    ranks = 1
    for name in ("tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size"):
        size = deployment.args.get(name)
        ranks *= size if isinstance(size, int) and size > 0 else 1
    return ranks


def _price(gpu: Accelerator, prices: float | Mapping[str, float] | None) -> float | None:
    if prices is None or isinstance(prices, int | float):
        return prices
    for name, price in prices.items():
        found = gpus.find(name)
        if found is not None and found.name == gpu.name:
            return price
    return None
