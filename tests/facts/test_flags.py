"""The flag catalogue says of each release what that release's own parser says."""

import importlib.util
from pathlib import Path

import pytest

from vllm_triage.facts.flags import FlagTable, history, knowledge, of_another_engine, table
from vllm_triage.facts.versions import KNOWN

ROOT = Path(__file__).parent.parent.parent
EVERY = pytest.mark.parametrize("version", KNOWN)

@EVERY
def test_a_release_has_every_option_once_and_finds_it_by_every_spelling(version: str) -> None:
    flags = table(version)
    assert len(flags.specs) == len(flags.by_dest) > 100
    for spec in flags.specs:
        for spelling in spec.option_strings:
            assert flags.by_option(spelling) is spec
        assert spec.negatives <= set(spec.option_strings)
        assert spec.flag in {*spec.option_strings, spec.dest}


def test_the_model_can_be_named_in_every_release() -> None:
    assert all(table(version).by_option("--model") for version in KNOWN)


def test_underscores_find_the_option_too() -> None:
    assert table("0.32.0").by_option("--max_num_seqs") is table("0.32.0").by_dest["max_num_seqs"]


@pytest.mark.parametrize(
    ("version", "default"), [("0.8.5", 0.9), ("0.18.0", 0.9), ("0.19.1", 0.9), ("0.20.0", 0.92), ("0.33.0", 0.92)]
)
def test_memory_utilisation_defaults_to_092_from_020(version: str, default: float) -> None:
    assert table(version).by_dest["gpu_memory_utilization"].default == default


def kind_of(version: str, dest: str) -> str:
    return table(version).by_dest[dest].type


def test_which_options_take_human_numbers_follows_the_release() -> None:
    assert kind_of("0.12.0", "max_model_len") == "human"
    assert kind_of("0.14.1", "max_model_len") == "human_auto"
    assert kind_of("0.18.0", "max_num_batched_tokens") == "human"
    assert kind_of("0.33.0", "kv_cache_memory_bytes") == "human"
    assert kind_of("0.33.0", "max_num_queued_tokens") == "human"
    assert kind_of("0.33.0", "max_num_seqs") == "int"
    assert kind_of("0.33.0", "long_prefill_token_threshold") == "int"


def test_block_size_is_a_choice_until_017_and_free_from_018() -> None:
    assert 8 in table("0.17.1").by_dest["block_size"].choices
    assert not table("0.18.0").by_dest["block_size"].choices


def test_kv_cache_dtypes_grow_with_the_releases() -> None:
    assert "fp8_e4m3" in table("0.10.2").by_dest["kv_cache_dtype"].choices
    assert "nvfp4" not in table("0.19.1").by_dest["kv_cache_dtype"].choices
    assert "nvfp4" in table("0.20.2").by_dest["kv_cache_dtype"].choices


def accepted(flags: FlagTable, *spellings: str) -> list[bool]:
    return [spelling in flags.options for spelling in spellings]


def test_enable_and_disable_are_pairs_only_from_033() -> None:
    pair = ("--enable-chunked-prefill", "--no-enable-chunked-prefill", "--disable-chunked-prefill")
    assert accepted(table("0.32.0"), *pair) == [True, True, False]
    assert accepted(table("0.33.0"), *pair) == [True, True, True]
    assert "--disable-chunked-prefill" in table("0.33.0").by_dest["enable_chunked_prefill"].negatives


@pytest.mark.parametrize(
    ("flag", "last"),
    [
        ("--swap-space", "0.17.1"), ("--max-num-partial-prefills", "0.26.0"), ("--guided-decoding-backend", "0.11.2"),
        ("--cuda-graph-sizes", "0.12.0"), ("--disable-frontend-multiprocessing", "0.18.1"),
    ],
)  # fmt: skip
def test_history_knows_the_last_release_of_what_is_gone(flag: str, last: str) -> None:
    found = history(flag)
    assert found is not None
    assert found.last_seen == last


def test_history_knows_the_first_release_of_what_is_new() -> None:
    firsts = {flag: history(flag).first_seen for flag in ("--watermark", "--max-num-scheduled-tokens", "--performance-mode")}  # type: ignore[union-attr]
    assert firsts == {"--watermark": "0.24.0", "--max-num-scheduled-tokens": "0.26.0", "--performance-mode": "0.17.0"}


def test_history_keeps_the_gap_of_an_option_that_came_back() -> None:
    found = history("--disable-log-requests")
    assert found is not None
    assert found.spans[-1] == ("0.33.0", None)
    assert found.until("0.20.0") == "0.16.0"
    assert found.since("0.20.0") == "0.33.0"
    assert found.last_seen is None


def test_history_reads_underscores_and_does_not_know_what_never_was() -> None:
    assert history("--swap_space") == history("--swap-space")
    assert history("--never-was") is None


def test_every_replacement_is_an_option_of_some_release() -> None:
    for flag in ("--speculative-model", "--task", "--rope-scaling", "--eplb-window-size", "--disable-log-requests"):
        found = history(flag)
        assert found is not None
        assert found.replaced_by is not None
        assert any(table(version).by_option(found.replaced_by) for version in KNOWN)


@EVERY
def test_every_option_is_explained_in_our_words(version: str) -> None:
    for spec in table(version).specs:
        known = knowledge(spec.dest)
        assert known is not None, spec.dest
        assert known.one_line.endswith((".", "!")), spec.dest


def test_what_turns_the_scheduler_and_the_pool_says_both_directions_and_what_to_watch() -> None:
    for dest in (
        "max_num_seqs", "max_num_batched_tokens", "gpu_memory_utilization", "long_prefill_token_threshold", "enable_prefix_caching",
        "kv_cache_dtype", "tensor_parallel_size", "data_parallel_size", "speculative_config", "compilation_config", "block_size",
        "max_model_len", "enable_chunked_prefill", "kv_cache_memory_bytes", "watermark", "async_scheduling",
    ):  # fmt: skip
        known = knowledge(dest)
        assert known is not None
        assert all((known.controls, known.raising, known.lowering, known.watch)), dest


def test_about_120_options_say_what_they_control() -> None:
    told = [spec.dest for spec in table("0.33.0").specs if (known := knowledge(spec.dest)) is not None and known.controls]
    assert len(told) >= 115


def test_no_advice_repeats_the_circulating_errors() -> None:
    for dest, wrong in (("enable_chunked_prefill", "512"), ("block_size", "KB"), ("max_model_len", "reserves")):
        known = knowledge(dest)
        assert known is not None
        assert wrong not in f"{known.controls} {known.raising} {known.lowering}"
    assert "preempts" in knowledge("swap_space").one_line or "recomputes" in knowledge("swap_space").one_line  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("theirs", "engine", "ours"),
    [
        ("--mem-fraction-static", "SGLang", "--gpu-memory-utilization"), ("--context_length", "SGLang", "--max-model-len"),
        ("--max-batch-prefill-tokens", "TGI", "--max-num-batched-tokens"), ("--max_batch_size", "TensorRT-LLM", "--max-num-seqs"),
    ],
)  # fmt: skip
def test_options_of_other_engines_are_known_with_ours(theirs: str, engine: str, ours: str) -> None:
    found = of_another_engine(theirs)
    assert found is not None
    assert engine in found.engine
    assert found.ours == ours


def test_no_option_of_another_engine_is_one_of_ours() -> None:
    newest = table(KNOWN[-1])
    assert of_another_engine("--max-num-seqs") is None
    assert newest.by_option("--mem-fraction-static") is None


def test_the_tool_that_adds_a_release_writes_the_catalogue_it_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("add_release", ROOT / "tools" / "add_release.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    kept = {name: getattr(tool, name).read_text(encoding="utf-8") for name in ("FLAGS", "CONFIGS", "HISTORY", "VERSIONS")}
    for name, text in kept.items():
        copy = tmp_path / name
        copy.write_text(text, encoding="utf-8")
        monkeypatch.setattr(tool, name, copy)
    tool.Catalogue().write()
    assert {name: (tmp_path / name).read_text(encoding="utf-8") for name in kept} == kept
