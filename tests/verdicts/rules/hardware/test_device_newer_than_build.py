import pytest

from verdicts.harness import not_checked, quiet, tells


@pytest.mark.parametrize(("version", "gpu"), [("0.8.5", "B200"), ("0.8.5", "RTX 5090"), ("0.9.2", "RTX 5090"), ("0.7.3", "GB300")])
def test_builds_hold_no_kernels_for_devices_that_came_later(version: str, gpu: str) -> None:
    found = tells("device-newer-than-build", "Qwen/Qwen3-8B", version, gpu)
    assert not found.starts


@pytest.mark.parametrize(("version", "gpu"), [("0.9.0", "B200"), ("0.10.0", "RTX 5090"), ("0.8.5", "H200"), ("0.8.5", "8x MI300X")])
def test_builds_hold_kernels_for_the_devices_of_their_day(version: str, gpu: str) -> None:
    quiet("device-newer-than-build", "Qwen/Qwen3-8B", version, gpu)


def test_an_unknown_device_is_not_judged() -> None:
    assert not_checked("device-newer-than-build", "Qwen/Qwen3-8B", "0.8.5") == ("gpu",)
