"""What advice looks at, and a candidate action before it is cleared."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from ...domain import Deployment, Json, Measured, MemoryBudget, Observation, Roofline, Verdict
from ...engine.change import pool_tokens_after
from ...facts.versions import at_least

__all__ = ["FEW_SEATS", "HARM_ACCURACY", "HARM_CONTENT", "HARM_HEADROOM", "Candidate", "Situation", "Unknown", "lowered", "round_seats"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action worth trying. `changes` are the parser values it sets; None takes a flag out."""

    action: str
    why: str
    expected: str
    watch: str
    risk: str
    undo: str
    flag: str | None = None
    old: Json = None
    new: Json = None
    kind: Literal["flag", "environment", "client", "workload", "scale_out"] = "flag"
    changes: Mapping[str, Json] = field(default_factory=dict)
    harm: float = 0.0
    """What the change costs that no simulation shows, as the gain it is worth: see :data:`HARM_HEADROOM` and others."""
    refutable: bool = True
    """False where its effect hangs on what is not modelled (launches on the host, what prompts share): a simulation that
    shows no gain then says nothing."""
    others: "tuple[Candidate, ...]" = ()
    """The same knob at other values."""
    deployment: Deployment | None = None
    """The launch it is made on, where that is not the one there is: more GPUs than there are now."""
    upgrade_to: str | None = None
    """The release it needs, where that is a later one."""
    replicas: int = 1
    """Servers that share the load afterwards."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A knob that may help, and what is not known to turn it. While there is one, nothing is exhausted."""

    change: str
    needs: str


HARM_HEADROOM = 0.03
"""Memory that was kept free is taken."""

HARM_ACCURACY = 0.3
"""Answers change a little: the model has to be evaluated again."""

HARM_CONTENT = 0.3
"""The gain depends on what the texts are."""


@dataclass(frozen=True)
class Situation:
    """One deployment under one load, with what was found of it."""

    deployment: Deployment
    observation: Observation
    memory: MemoryBudget | None
    roofline: Roofline
    verdict: Verdict
    targets: Mapping[str, float] = field(default_factory=dict)
    """What the user wants, by metric."""

    @property
    def shares_gpu(self) -> bool:
        """True when the user declared, by acknowledging `raise-ceiling-first`, that memory is left on purpose."""
        return any(r.rule == "raise-ceiling-first" and r.acknowledged for r in self.verdict.refusals)

    @property
    def default_utilization(self) -> float:
        """The version's default of --gpu-memory-utilization."""
        return 0.92 if at_least(self.deployment.version, "0.20.0") else 0.90

    def setting(self, name: str) -> Json:
        """The resolved setting, or None."""
        return self.deployment.setting(name)

    def number(self, name: str) -> float | None:
        """The resolved setting as a number, or None."""
        value = self.setting(name)
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

    def measured(self, name: str) -> float | None:
        """A measured value, or None."""
        found = getattr(self.observation, name)
        return found.value if isinstance(found, Measured) else None

    @cached_property
    def pool_tokens(self) -> int | None:
        """Tokens in the KV pool, measured or predicted."""
        return None if self.memory is None or self.memory.pool is None else self.memory.pool.tokens

    @cached_property
    def pool_gib(self) -> float | None:
        """GiB of KV pool on each GPU."""
        if self.memory is None or self.memory.budget.kv_pool_gib is None:
            return None
        return self.memory.budget.kv_pool_gib.mid

    @cached_property
    def tokens_per_request(self) -> float | None:
        """Mean tokens a running request holds: ISL + 0.75 OSL."""
        isl, osl = self.measured("input_tokens"), self.measured("output_tokens")
        return None if isl is None or osl is None else isl + 0.75 * osl

    @cached_property
    def concurrency(self) -> float | None:
        """Requests in the system: as offered, else by Little's law, else running + waiting."""
        offered = self.measured("concurrency") or self.roofline.in_system
        if offered is not None:
            return offered
        running, waiting = self.measured("running"), self.measured("waiting")
        return None if running is None else running + (waiting or 0.0)

    @cached_property
    def preempting(self) -> bool:
        """True when preemptions happen now, or the lifetime counter shows that they happened."""
        return bool(self.measured("preemption_rate") or self.measured("preemptions_total"))

    def pool_with(self, changes: Mapping[str, Json]) -> int | None:
        """Pool tokens once `changes` are made."""
        return pool_tokens_after(self.deployment, self.memory, changes)

    def pool_gain(self, changes: Mapping[str, Json]) -> str:
        """The change of the pool in words: tokens before, after, and requests of this load they hold."""
        after = self.pool_with(changes)
        if after is None or self.pool_tokens is None:
            return "the startup log prints the pool that results"
        each = self.tokens_per_request
        held = [] if not each else [f"{n:.1f}" if n < 10 else f"{n:.0f}" for n in (self.pool_tokens / each, after / each)]
        seats = f", {held[0]} -> {held[1]} requests of this length" if held else ""
        return f"KV pool {self.pool_tokens:,} -> {after:,} tokens{seats}"


FEW_SEATS = 64
"""Seats few enough for any device, and enough for most loads on a small one: tried where the default is not known."""


def round_seats(seats: float) -> int:
    """A batch size a person would type: multiples of 8 below 64, of 32 below 512, of 64 above; at least 1."""
    if seats < 8:
        return max(1, int(seats))
    step = 8 if seats < 64 else 32 if seats < 512 else 64
    return int(seats // step * step)


def lowered(flag: str, old: float, new: float, *, why: str, expected: str, watch: str, risk: str) -> Candidate:
    """A flag with a smaller number than it has now."""
    now, dest = (int(old) if float(old).is_integer() else old), flag.removeprefix("--").replace("-", "_")
    return Candidate(
        action=f"lower {flag} from {now} to {new}", flag=flag, old=now, new=new, changes={dest: new},
        why=why, expected=expected, watch=watch, risk=risk, undo=f"{flag} {now}",
    )  # fmt: skip
