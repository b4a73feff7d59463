import json

from verdicts.harness import fires, quiet
from vllm_triage.domain import Json


def compiled(**config: Json) -> str:
    return f"Qwen/Qwen3-8B --compilation-config '{json.dumps(config)}'"


def test_pieces_are_cut_by_vllms_own_compilation() -> None:
    fires("compilation-settings-clash", compiled(mode=0, cudagraph_mode="PIECEWISE"), "0.28.0")
    quiet("compilation-settings-clash", compiled(mode=3, cudagraph_mode="PIECEWISE"), "0.28.0")
    quiet("compilation-settings-clash", compiled(mode=0, cudagraph_mode="FULL"), "0.28.0")


def test_sizes_are_numbers_and_some() -> None:
    fires("compilation-settings-clash", compiled(compile_sizes=["foo"]), "0.28.0")
    fires("compilation-settings-clash", compiled(cudagraph_capture_sizes=[]), "0.28.0")
    quiet("compilation-settings-clash", compiled(compile_sizes=[1, "cudagraph_capture_sizes"]), "0.28.0")


def test_fused_attention_is_not_cut_out() -> None:
    cut = ["vllm::unified_attention_with_output"]
    fires("compilation-settings-clash", compiled(pass_config={"fuse_attn_quant": True}, splitting_ops=cut), "0.28.0")


def test_sequence_parallelism_needs_the_whole_graph() -> None:
    whole = compiled(pass_config={"enable_sp": True}, splitting_ops=["vllm::unified_attention_with_output"])
    fires("compilation-settings-clash", f"{whole} -tp 2", "0.28.0")
    quiet("compilation-settings-clash", f"{whole} -tp 2", "0.33.0")
