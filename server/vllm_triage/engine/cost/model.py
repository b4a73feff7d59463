"""The time of one step, as arithmetic on what the step carries."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .bands import Bands
from .efficiencies import Efficiencies
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
    assumptions: tuple[str, ...] = ()
    decode: float = 1.0
    """Multiplier of the time decoding takes, from calibration."""
    prefill: float = 1.0
    """Multiplier of the time prompt tokens add to a step."""

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
        alone = self._parts(decodes, context, 0.0, 0.0, 0.0, 0) if decodes else 0.0
        if not chunks:
            return self.decode * alone
        whole = self._parts(decodes, context, tokens, pairs, seen, len(chunks))
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
                total += steps * self.decode * self._parts(decodes, mean, 0.0, 0.0, 0.0, 0)
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

    def _parts(self, decodes: int, context: float, new: float, pairs: float, seen: float, prompts: int) -> float:
        """Time of a step of `decodes` sequences and `new` prompt tokens, that make `pairs` and read back `seen`."""
        at, got = self.terms, self.reached
        # Pipeline stages work on micro-batches one behind the other; there cannot be more of them than sequences.
        batches = min(at.pp, max(1, decodes + prompts))
        verified = decodes * at.width / batches
        tokens = verified + new / batches
        dense = _longer(at.dense_read / got.weights, at.dense_flops * tokens / got.gemm, got.sharpness)
        expert = 0.0
        if at.expert_pick:
            hit = 1.0 - (1.0 - at.expert_pick) ** max(1.0, tokens * at.expert_tokens) ** got.skew
            expert = _longer(
                at.expert_read * hit / got.experts, at.expert_flops * tokens / got.expert_gemm, got.sharpness
            )
            expert += 1e-3 * got.expert_layer_us * at.layers
        held = context / batches
        attention = max(at.kv_read / got.kv, at.kv_flops * at.width / got.attention) * held
        attention += at.state_read * (decodes + prompts) / batches / got.kv
        attention += (at.pair_flops * pairs / got.attention + at.kv_read * seen / got.kv) / batches
        for window in at.windows:
            if decodes:
                each = min(window.tokens, context / decodes)
                attention += (
                    max(window.read / got.kv, window.flops * at.width / got.attention) * verified / at.width * each
                )
            if new:
                attention += window.flops * min(pairs, new * window.tokens) / got.attention / batches
        link = self._link(tokens)
        fixed = 1e-3 * got.layer_us * at.layers
        device = dense + expert + attention + link + fixed
        if self.eager:
            device = max(device, 1e-3 * EAGER_LAYER_US * at.layers)
        return device + got.host_ms + 1e-3 * (got.sequence_us * decodes + got.token_us * new)

    def _link(self, tokens: float) -> float:
        """Collectives: never faster than their start-up, then the link's rate."""
        at, got = self.terms, self.reached
        if not at.reduces and not at.exchanges and at.pp == 1:
            return 0.0
        start = 1e-3 * got.collective_us * (at.tp.bit_length() - 1)
        reduce = at.reduces * start + at.link_read * tokens / got.link
        exchange = at.exchanges * 1e-3 * got.collective_us + at.exchange_read * tokens / got.link
        return reduce + exchange + (at.pp - 1) * 2e-3 * got.collective_us


def _longer(read: float, compute: float, sharpness: float) -> float:
    """A smooth maximum: near the crossing neither hides the other fully."""
    high = max(read, compute)
    if high <= 0:
        return 0.0
    return float(high * (1.0 + (min(read, compute) / high) ** sharpness) ** (1.0 / sharpness))
