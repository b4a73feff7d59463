"""The parts of a step at the rates that are reached: one number for each thing a step carries, ms."""

from dataclasses import dataclass

from .efficiencies import Efficiencies
from .terms import Terms

__all__ = ["Rates", "rates_of"]


@dataclass(frozen=True, slots=True)
class Rates:
    """What a step costs, by what it carries. `dense` and `experts` are pairs: reading, and multiplying one token."""

    stages: int
    width: int
    fixed: float
    """Of every step: kernels that start and end, collectives that start, the host."""
    hidden_below: float
    """Least time of what the device does, where the host launches every kernel; 0 with CUDA graphs."""
    host: float
    dense: tuple[float, float]
    experts: tuple[float, float]
    pick: float
    """Share of the experts one token picks; 0 without experts."""
    meeting: float
    """Tokens that meet in one set of experts, per token of this replica."""
    held: float
    """Per token that decoding sequences hold."""
    windows: tuple[tuple[float, float, float], ...]
    """Of each kind of window: its tokens, ms per held token, ms per pair of a prompt."""
    state: float
    """Per sequence."""
    pair: float
    """Per pair of tokens of a prompt."""
    seen: float
    """Per token of a prompt that its attention reads back."""
    moved: float
    """Per token, over the link."""
    sequence: float
    """Per decoding sequence, on the host."""
    token: float
    """Per prompt token, on the host."""
    sharpness: float
    skew: float
    rows: float

    def step_ms(self, decodes: float, context: float, new: float, pairs: float, seen: float, prompts: float) -> float:
        """Time of one step.

        Args:
            decodes: sequences that decode.
            context: tokens they hold together.
            new: prompt tokens computed.
            pairs: pairs of tokens their attention makes.
            seen: prompt tokens of theirs that it reads, the new ones included.
            prompts: prompts they are of.
        """
        # Pipeline stages work on micro-batches one behind the other; there cannot be more of them than sequences.
        batches = 1.0 if self.stages == 1 else min(self.stages, max(1.0, decodes + prompts))
        tokens = (decodes * self.width + new) / batches
        device = self.fixed + self.moved * tokens + _longer(self.dense[0], self.dense[1] * tokens, self.sharpness)
        if self.pick:
            hit = 1.0 - (1.0 - self.pick) ** max(1.0, tokens * self.meeting) ** self.skew
            filled = tokens + self.rows * hit / (self.pick * self.meeting)
            device += _longer(self.experts[0] * hit, self.experts[1] * filled, self.sharpness)
        attention = self.held * context
        if self.state:
            attention += self.state * (decodes + prompts)
        if new:
            attention += self.pair * pairs + self.seen * seen
        for window, held, pair in self.windows:
            attention += held * min(window * decodes, context)
            if new:
                attention += pair * min(pairs, new * window)
        device = max(self.hidden_below, device + attention / batches)
        return device + self.host + self.sequence * decodes + self.token * new


def rates_of(at: Terms, got: Efficiencies, eager_layer_us: float = 0.0) -> Rates:
    """Join what is to be done with what is reached.

    Args:
        at: the parts at peak rates.
        got: the efficiencies.
        eager_layer_us: host time to launch the kernels of a layer, where they are not replayed from graphs.
    """
    start = 1e-3 * got.collective_us
    fixed = 1e-3 * got.layer_us * at.layers
    fixed += start * (at.reduces * (at.tp.bit_length() - 1) + at.exchanges + 2 * (at.pp - 1))
    fixed += at.draft_read / got.weights + 1e-3 * got.layer_us * at.draft_layers
    if at.expert_pick:
        fixed += 1e-3 * got.expert_layer_us * at.layers
    return Rates(
        stages=at.pp,
        width=at.width,
        fixed=fixed,
        hidden_below=1e-3 * eager_layer_us * at.layers,
        host=got.host_ms,
        dense=(at.dense_read / got.weights, at.dense_flops / got.gemm),
        experts=(at.expert_read / got.experts, at.expert_flops / got.expert_gemm),
        pick=at.expert_pick,
        meeting=at.expert_tokens,
        held=max(at.kv_read / got.kv, at.kv_flops * at.width / got.attention),
        windows=tuple(
            (one.tokens, max(one.read / got.kv, one.flops * at.width / got.attention), one.flops / got.attention)
            for one in at.windows
        ),
        state=at.state_read / got.kv,
        pair=at.pair_flops / got.attention,
        seen=at.kv_read / got.kv,
        moved=(at.link_read + at.exchange_read) / got.link,
        sequence=1e-3 * got.sequence_us,
        token=1e-3 * got.token_us,
        sharpness=got.sharpness,
        skew=got.skew,
        rows=got.rows,
    )


def _longer(read: float, compute: float, sharpness: float) -> float:
    """A smooth maximum: near the crossing neither hides the other fully."""
    high, low = (read, compute) if read > compute else (compute, read)
    if low <= 0.0:
        return high
    return float(high * (1.0 + (low / high) ** sharpness) ** (1.0 / sharpness))
