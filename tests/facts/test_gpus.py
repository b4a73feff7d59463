"""The accelerator catalogue, and the reading of the names people give devices."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.facts import gpus

ROOT = Path(__file__).parent.parent.parent
SURVEY = Path(os.environ.get("VLLM_TRIAGE_SHARED", ROOT.parent / "shared")) / "data" / "gpus.json"


@pytest.mark.parametrize(
    ("text", "name", "count"),
    [
        ("h100", "H100-SXM", None),
        ("H100 80GB SXM", "H100-SXM", None),
        ("NVIDIA H100 80GB HBM3", "H100-SXM", None),
        ("H100-80GB-HBM3", "H100-SXM", None),
        ("nvidia-h100-80gb", "H100-SXM", None),
        ("H100-PCIe", "H100-PCIe", None),
        ("h100 94gb", "H100-NVL", None),
        ("8x H200", "H200-SXM", 8),
        ("8×H100", "H100-SXM", 8),
        ("H100:8", "H100-SXM", 8),
        ("H100 x 8", "H100-SXM", 8),
        ("8 H100s", "H100-SXM", 8),
        ("L40S (4)", "L40S", 4),
        ("4*A100-80GB", "A100-80GB-SXM", 4),
        ("1x A100 80GB PCIe", "A100-80GB-PCIe", 1),
        ("a100-40gb x4", "A100-40GB-PCIe", 4),
        ("NVIDIA-A100-SXM4-40GB", "A100-40GB-SXM", None),
        ("4090", "RTX 4090", None),
        ("2x4090", "RTX 4090", 2),
        ("2 x RTX 4090", "RTX 4090", 2),
        ("NVIDIA GeForce RTX 4090", "RTX 4090", None),
        ("RTX 6000 Ada", "RTX 6000 Ada", None),
        ("6000 Ada", "RTX 6000 Ada", None),
        ("nvidia-tesla-t4", "T4", None),
        ("p5.48xlarge", "H100-SXM", None),
        ("Standard_ND96isr_H100_v5", "H100-SXM", None),
        ("AMD Instinct MI300X OAM", "MI300X", None),
        ("Intel(R) Arc(TM) Pro B60", "Arc Pro B60", None),
        ("tpu-v5p-slice", "TPU v5p", None),
        ("DGX Spark", "GB10", None),
        ("cpu", "CPU", None),
        ("CPU", "CPU", None),
    ],
)
def test_a_device_is_found_by_any_of_its_names(text: str, name: str, count: int | None) -> None:
    found = gpus.match(text)
    assert found.gpu is not None
    assert (found.gpu.name, found.devices) == (name, count)


@pytest.mark.parametrize(
    "text",
    ["", "foo", "8", "H1000", "RTX 3090 Ti", "RTX 4090 Laptop GPU", "H20-3e", "NVIDIA-A100-SXM4-80GB-MIG-1g.10gb"],
)
def test_a_name_that_is_no_device_of_the_catalogue_is_not_read_as_a_similar_one(text: str) -> None:
    assert gpus.match(text).gpu is None


def test_a_family_name_says_which_member_was_taken_and_which_others_it_could_mean() -> None:
    found = gpus.match("A100")
    assert found.gpu is not None
    assert found.gpu.name == "A100-80GB-SXM"
    assert "A100-40GB-SXM" in found.note
    assert set(found.candidates) >= {"A100-40GB-PCIe", "A100-80GB-PCIe"}


def test_the_name_a_driver_reports_leaves_no_doubt() -> None:
    for gpu in gpus.catalogue():
        if gpu.device_name:
            found = gpus.match(gpu.device_name)
            assert (found.gpu, found.note) == (gpu, "")


def test_a_size_the_family_does_not_have_is_refused_with_the_sizes_it_has() -> None:
    found = gpus.match("H20 141GB")
    assert found.gpu is None
    assert found.candidates == ("H20",)


def test_a_misspelt_name_brings_suggestions() -> None:
    assert "H100-SXM" in gpus.suggest("H1000")
    assert gpus.suggest("zzzzzz") == ()


def test_every_catalogue_name_and_alias_finds_its_own_device() -> None:
    for gpu in gpus.catalogue():
        for alias in (gpu.name, *gpu.aliases):
            assert gpus.find(alias) is gpu, alias


def test_no_two_devices_share_a_name() -> None:
    squeezed = Counter(
        (alias.lower().replace(" ", "").replace("-", ""), gpu.name)
        for gpu in gpus.catalogue()
        for alias in {gpu.name, *gpu.aliases}
    )
    owners = Counter(name for name, _ in squeezed)
    assert [name for name, count in owners.items() if count > 1] == []


def test_figures_are_plausible_and_every_device_says_where_they_come_from() -> None:
    for gpu in gpus.catalogue():
        if gpu.vendor == "cpu":
            assert gpu.bandwidth_gb_s is None
            continue
        assert gpu.sources
        assert gpu.bandwidth_gb_s is not None
        assert 100 <= gpu.bandwidth_gb_s <= 10000
        if gpu.torch_total_gib is not None and gpu.memory_mib is not None:
            assert 0.94 < gpu.torch_total_gib / (gpu.memory_mib / 1024) <= 1
        if gpu.fp8_tflops is not None and gpu.bf16_tflops is not None:
            assert gpu.fp8_tflops / gpu.bf16_tflops == pytest.approx(2, rel=0.02) or gpu.name == "Gaudi3"


def test_the_catalogue_agrees_with_the_dense_rates_of_the_datasheets() -> None:
    h100, h200, l4 = (gpus.find(name) for name in ("H100-SXM", "H200-SXM", "L4"))
    assert h100 is not None
    assert h200 is not None
    assert l4 is not None
    assert (h100.bf16_tflops, h100.bandwidth_gb_s, h100.torch_total_gib) == (989.4, 3350, 79.19)
    assert (h200.bf16_tflops, h200.memory_mib) == (989.4, 143771)
    assert (l4.bf16_tflops, l4.compute_capability) == (121, "8.9")


@given(st.text(max_size=400))
@settings(max_examples=100, deadline=None)
def test_any_text_is_read_or_refused_without_an_error(text: str) -> None:
    found = gpus.match(text)
    assert found.gpu is None or found.gpu in gpus.catalogue()


@given(
    st.sampled_from(gpus.catalogue()),
    st.integers(1, 64),
    st.sampled_from(["{n}x {g}", "{n} x {g}", "{g} x{n}", "{n}*{g}"]),
)
@settings(max_examples=60, deadline=None)
def test_a_count_and_a_name_come_apart_again(gpu: gpus.GpuFacts, count: int, form: str) -> None:
    assert gpus.parse_gpu(form.format(n=count, g=gpu.name)) == (gpu, count)


def test_the_catalogue_is_what_the_tool_builds_from_the_survey() -> None:
    if not SURVEY.exists():
        pytest.skip("the survey is not beside this checkout")
    tool = ROOT / "tools" / "build_gpu_catalogue.py"
    done = subprocess.run([sys.executable, str(tool), str(SURVEY), "--check"], check=False)  # noqa: S603
    assert done.returncode == 0
    surveyed = {gpu["name"] for gpu in json.loads(SURVEY.read_text(encoding="utf-8"))["gpus"]}
    more = {gpu.name for gpu in gpus.catalogue()} - surveyed - {gpus.CPU.name}
    assert more == {"RTX 5060 Ti 16GB", "RTX 5070 Ti", "RTX 5080"}


@pytest.mark.parametrize(
    ("text", "name"), [("H100 80GB (79.19GiB)", "H100-SXM"), ("2x DGX Spark GB10 (121.63 GiB)", "GB10")]
)
def test_memory_as_a_log_shows_it_behind_a_name_is_passed_over(text: str, name: str) -> None:
    found, _ = gpus.parse_gpu(text)
    assert found is not None
    assert found.name == name
