"""Scenarios for hypothesis: small, tight, and of every kind of traffic."""

from typing import Any

from hypothesis import strategies as st


@st.composite
def scenarios(draw: st.DrawFn) -> dict[str, Any]:
    """A scenario as a JSONL line holds it; every request fits the pool by itself."""
    block = draw(st.sampled_from([4, 16]))
    longest = draw(st.sampled_from([40, 160]))
    seats = draw(st.integers(1, 8))
    chunked = draw(st.booleans())
    budget = max(seats, draw(st.sampled_from([8, 20, 64])), 0 if chunked else longest)
    return {
        "id": "drawn", "max_num_seqs": seats, "max_num_batched_tokens": budget, "max_model_len": longest,
        "block_size": block, "num_blocks": -(-longest // block) + 1 + draw(st.integers(0, 30)),
        "long_prefill_token_threshold": draw(st.sampled_from([0, 0, 3, 16])),
        "enable_prefix_caching": draw(st.booleans()), "enable_chunked_prefill": chunked,
        "policy": draw(st.sampled_from(["fcfs", "priority"])), "async_scheduling": draw(st.booleans()),
        "requests": draw(_requests(longest)),
    }  # fmt: skip


@st.composite
def _requests(draw: st.DrawFn, longest: int) -> list[list[int]]:
    rows: list[list[int]] = []
    step = 0
    for _ in range(draw(st.integers(1, 12))):
        step += draw(st.sampled_from([0, 0, 1, 7, 30]))
        prompt = draw(st.one_of(st.sampled_from([4, 16, 17]), st.integers(1, longest - 1)))
        output = draw(st.integers(1, longest - prompt))
        group = draw(st.integers(-1, 1))
        shared = draw(st.integers(0, prompt)) if group >= 0 else 0
        rows.append([step, prompt, output, draw(st.integers(0, 2)), group, shared])
    return rows
