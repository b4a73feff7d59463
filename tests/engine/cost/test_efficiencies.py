from dataclasses import fields, replace

import pytest

from vllm_triage.engine.cost.efficiencies import Efficiencies, Generation, Kind, reached
from vllm_triage.engine.cost.fitted import FITTED

PLAIN = Kind("hopper", narrow=False, experts="wide", latent=False, recurrent=False, synchronous=False, early=False)


def test_every_share_of_a_peak_is_below_the_peak() -> None:
    for values in FITTED.generations.values():
        for one in fields(Generation):
            value = getattr(values, one.name)
            assert value > 0
            if not one.name.endswith("_us"):
                assert value < 1


def test_every_measured_generation_was_fitted() -> None:
    assert set(FITTED.generations) == {"ampere", "hopper", "blackwell"}


def test_the_format_of_weights_picks_the_share_they_reach() -> None:
    own = FITTED.generations["hopper"]
    assert reached(PLAIN, FITTED).gemm == own.gemm
    assert reached(replace(PLAIN, narrow=True), FITTED).gemm == own.gemm_narrow
    narrow = reached(replace(PLAIN, experts="narrow"), FITTED)
    assert (narrow.experts, narrow.expert_gemm) == (own.experts, own.expert_gemm_narrow)
    packed = reached(replace(PLAIN, experts="packed"), FITTED)
    assert (packed.experts, packed.expert_gemm) == (own.experts_packed, own.expert_gemm_packed)


@pytest.mark.parametrize(
    ("change", "field", "factor"),
    [({"latent": True}, "layer_us", "latent_layer"), ({"recurrent": True}, "layer_us", "recurrent_layer")],
)
def test_latent_and_recurrent_layers_have_a_time_of_their_own(change: dict[str, bool], field: str, factor: str) -> None:
    other = replace(PLAIN, latent="latent" in change, recurrent="recurrent" in change)
    ratio = getattr(reached(other, FITTED), field) / getattr(reached(PLAIN, FITTED), field)
    assert ratio == pytest.approx(getattr(FITTED, factor))


def test_without_async_scheduling_the_host_adds_to_every_step() -> None:
    waiting = reached(replace(PLAIN, synchronous=True), FITTED)
    assert waiting.host_ms > reached(PLAIN, FITTED).host_ms
    assert waiting.sequence_us > reached(PLAIN, FITTED).sequence_us
    same = {one.name for one in fields(Efficiencies)} - {"host_ms", "sequence_us"}
    assert all(getattr(waiting, name) == getattr(reached(PLAIN, FITTED), name) for name in same)


def test_early_releases_take_longer_for_every_sequence() -> None:
    assert reached(replace(PLAIN, early=True), FITTED).sequence_us > reached(PLAIN, FITTED).sequence_us
