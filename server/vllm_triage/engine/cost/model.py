"""The time of one step, as arithmetic on what the step carries."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from .bands import Bands
from .efficiencies import Efficiencies
from .rates import Rates, rates_of
from .terms import Terms

__all__ = ["CannotPredict", "CostModel"]

EAGER_LAYER_US = 300.0
"""Host time to launch the kernels of one layer without CUDA graphs. Assumed: the one published pair with and without
``--enforce-eager`` (gpt-oss-120b on a DGX Spark, 59 and 26 tok/s for one user) comes to 1,070 us of a slow host."""


class CannotPredict(ValueError):
    """Something the arithmetic needs is not known; `missing` names it."""

    def __init__(self, missing: tuple[str, ...]) -> None:
        super().__init__("cannot predict: needs " + "; ".join(missing))
        self.missing = missing


@dataclass(frozen=True, slots=True)
class CostModel:
    """Step times of one replica of a deployment."""

    terms: Terms
    reached: Efficiencies
    eager: bool
    """Whether decode steps are launched kernel by kernel, without CUDA graphs."""
    first_token_ms: float
    """Outside the steps, to be added once to each TTFT."""
    bands: Bands
    calibrated: Bands
    """The bands after calibration on a measured point."""
    basis: Literal["predicted", "calibrated"] = "predicted"
    fit: str = ""
    unmet: tuple[str, ...] = ()
    """Measured figures that calibration cannot meet together with the others: they contradict one another, or the launch."""
    assumptions: tuple[str, ...] = ()
    decode: float = 1.0
    """Multiplier of the time decoding takes, from calibration."""
    prefill: float = 1.0
    """Multiplier of the time prompt tokens add to a step."""
    rates: Rates = field(init=False, repr=False, compare=False)
    """`terms` at the rates `reached`."""

    def __post_init__(self) -> None:
        rates = rates_of(self.terms, self.reached, EAGER_LAYER_US if self.eager else 0.0)
        object.__setattr__(self, "rates", rates)

    def step_ms(self, decodes: int, context: int, chunks: Sequence[tuple[int, int]] = ()) -> float:
        """One step: `decodes` sequences advance, holding `context` tokens together, beside `chunks` of prompts.

        Args:
            decodes: sequences that decode.
            context: tokens they hold together before the step.
            chunks: parts of prompts: tokens computed in this step, and tokens of that prompt computed before them.
        """
        tokens = pairs = seen = 0.0
        for size, before in chunks:
            tokens += size
            pairs += size * (before + size / 2)
            seen += before + size
        alone = self.rates.step_ms(decodes, context, 0.0, 0.0, 0.0, 0.0) if decodes else 0.0
        if not chunks:
            return self.decode * alone
        whole = self.rates.step_ms(decodes, context, tokens, pairs, seen, len(chunks))
        return self.decode * alone + self.prefill * max(0.0, whole - alone)

    def stretch_ms(self, decodes: int, context: int, growth: float, count: int) -> float:
        """`count` steps that only decode, the held context growing by `growth` tokens a step: the sum of their times.

        A step's time is linear in the context but where a window fills up, so the sum is taken at the mean context of
        each piece between such places.
        """
        if count <= 0 or not decodes:
            return 0.0
        total, done = 0.0, 0
        for end in (*self._bends(decodes, context, growth, count), count):
            steps = end - done
            if steps > 0:
                mean = context + growth * (done + (steps - 1) / 2)
                total += steps * self.decode * self.rates.step_ms(decodes, mean, 0.0, 0.0, 0.0, 0.0)
                done = end
        return total

    def refit(
        self, *, decode: float = 1.0, prefill: float = 1.0, first_token_ms: float | None = None, fit: str = ""
    ) -> "CostModel":
        """The same model with its decode and prefill times multiplied, as a measured point shows them."""
        return replace(
            self,
            decode=self.decode * decode,
            prefill=self.prefill * prefill,
            first_token_ms=self.first_token_ms if first_token_ms is None else first_token_ms,
            bands=self.calibrated,
            basis="calibrated",
            fit=fit,
        )

    def _bends(self, decodes: int, context: float, growth: float, count: int) -> list[int]:
        """Steps at which the mean context of a sequence passes the end of a window."""
        if growth <= 0:
            return []
        found = {int((w.tokens * decodes - context) / growth) + 1 for w in self.terms.windows}
        return sorted(step for step in found if 0 < step < count)
