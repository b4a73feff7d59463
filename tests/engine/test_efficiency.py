from engine.physics import H100, dense, moe
from vllm_triage.engine.efficiency import DECODE_BANDS, GEMM_SHARES, decode_band, gemm_share


def test_bands_are_ordered_and_sourced() -> None:
    for band in (*DECODE_BANDS.values(), *GEMM_SHARES.values()):
        assert 0 < band.low <= band.mid <= band.high
        assert band.source


def test_a_mixture_of_experts_lies_further_from_its_floor_than_a_dense_model() -> None:
    assert decode_band(H100, moe()).low > decode_band(H100, dense()).high
    assert gemm_share(H100, moe()).high < gemm_share(H100, dense()).low


def test_an_unmeasured_device_gets_the_wide_band_marked_assumed() -> None:
    band = gemm_share(H100.but(arch="cdna3"), dense())
    assert band.source.startswith("assumed")
    assert band.low < gemm_share(H100, dense()).low
