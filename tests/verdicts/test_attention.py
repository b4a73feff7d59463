import pytest

from verdicts.harness import launch
from vllm_triage.verdicts.attention import dense_order, reasons
from vllm_triage.verdicts.context import Context


def against(name: str, command: str, version: str, gpu: str, **asked: str | int | None) -> str:
    ctx = Context(launch(command, version, gpu))
    have = ctx.need_capability()
    assert have is not None
    block, kv = asked.get("block"), asked.get("kv")
    found = reasons(
        name, ctx, have, block=block if isinstance(block, int) else None, kv=kv if isinstance(kv, str) else None
    )
    assert found is not None
    return "; ".join(found)


@pytest.mark.parametrize(
    ("name", "command", "version", "gpu", "why"),
    [
        ("FLASH_ATTN", "Qwen/Qwen3-8B", "0.18.0", "T4", "8.0 or newer"),
        ("FLASH_ATTN", "deepseek-ai/DeepSeek-V3", "0.18.0", "H200", "does not serve MLA"),
        ("FLASHMLA", "Qwen/Qwen3-8B", "0.18.0", "H200", "MLA models only"),
        ("CUTLASS_MLA", "deepseek-ai/DeepSeek-V3", "0.18.0", "H200", "10.x"),
        ("FLASHINFER", "openai/gpt-oss-20b", "0.18.0", "H100-SXM", "sinks"),
        ("FLASH_ATTN", "Qwen/Qwen3-8B --dtype float32", "0.18.0", "H100-SXM", "float32"),
    ],
)
def test_a_backend_says_why_it_cannot(name: str, command: str, version: str, gpu: str, why: str) -> None:
    assert why in against(name, command, version, gpu)


@pytest.mark.parametrize(
    ("name", "command", "version", "gpu"),
    [
        ("FLASH_ATTN", "Qwen/Qwen3-8B", "0.18.0", "H100-SXM"),
        ("FLASHINFER", "openai/gpt-oss-20b", "0.18.0", "B200"),
        ("TRITON_ATTN", "openai/gpt-oss-20b", "0.18.0", "L40S"),
        ("FLASHMLA", "deepseek-ai/DeepSeek-V3", "0.33.0", "H200"),
    ],
)
def test_a_backend_that_can_has_no_reason_against_it(name: str, command: str, version: str, gpu: str) -> None:
    assert against(name, command, version, gpu) == ""


@pytest.mark.parametrize(
    ("version", "gpu", "kv", "reads"),
    [
        ("0.18.0", "H100-SXM", "fp8", True),
        ("0.18.0", "H100-SXM", "fp8_e5m2", True),
        ("0.23.0", "H100-SXM", "fp8_e5m2", False),
        ("0.18.0", "A100-SXM-80GB", "fp8", False),
        ("0.18.0", "B200", "fp8", False),
        ("0.33.0", "B200", "fp8", True),
    ],
)
def test_flash_attention_reads_an_fp8_cache_where_its_version_does(
    version: str, gpu: str, kv: str, reads: bool
) -> None:
    assert (against("FLASH_ATTN", "Qwen/Qwen3-8B", version, gpu, kv=kv) == "") is reads


def test_block_sizes_are_those_of_the_kernels() -> None:
    assert "block size of 8" in against("FLASH_ATTN", "Qwen/Qwen3-8B", "0.18.0", "H100-SXM", block=8)
    assert against("FLASHINFER", "Qwen/Qwen3-8B", "0.18.0", "H100-SXM", block=128) == ""


def test_an_unknown_backend_is_not_judged() -> None:
    ctx = Context(launch("Qwen/Qwen3-8B", "0.33.0", "H100-SXM"))
    assert reasons("SOMETHING_NEW", ctx, (9, 0), block=None, kv=None) is None


def test_blackwell_prefers_flashinfer() -> None:
    assert dense_order((10, 0))[0] == "FLASHINFER"
    assert dense_order((9, 0))[0] == "FLASH_ATTN"
