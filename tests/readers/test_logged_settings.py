from captures import capture
from vllm_triage.readers.logged_settings import cache_settings, resolved_settings


def test_resolved_settings_are_typed() -> None:
    line = (
        "Initializing a V1 LLM engine (v0.32.0) with config: model='m', dtype=torch.bfloat16, max_seq_len=8192, "
        "quantization=None, enforce_eager=True,"
    )
    assert resolved_settings(line) == {
        "dtype": "bfloat16", "max_model_len": 8192, "quantization": None, "enforce_eager": True,
    }  # fmt: skip


def test_v0_names_chunked_prefill_otherwise() -> None:
    assert resolved_settings("LLM engine (v0.6.6) with config: chunked_prefill_enabled=False, use_v2=True") == {
        "enable_chunked_prefill": False
    }


def test_a_cut_or_endless_line_is_read_as_far_as_it_goes() -> None:
    line = next(line for line in capture("seqs4", "startup.log").splitlines() if "LLM engine (v" in line)
    assert resolved_settings(line[:600])["max_model_len"] == 8192
    assert resolved_settings("with config: " + "x=1, " * 100_000) == {}


def test_cache_settings_are_those_all_engines_agree_on() -> None:
    one = {
        "gpu_memory_utilization": "0.92",
        "enable_prefix_caching": "True",
        "block_size": "16",
        "kv_cache_memory_bytes": "None",
    }
    assert cache_settings([one]) == {"gpu_memory_utilization": 0.92, "enable_prefix_caching": True, "block_size": 16}
    assert cache_settings([one, one | {"block_size": "32"}]) == {
        "gpu_memory_utilization": 0.92,
        "enable_prefix_caching": True,
    }
    assert cache_settings([]) == {}
