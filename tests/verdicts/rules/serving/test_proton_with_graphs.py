import json

from verdicts.harness import fires, quiet


def proton(**more: object) -> str:
    return f"Qwen/Qwen3-8B --profiler-config '{json.dumps({'profiler': 'proton', 'proton_profiler_dir': '/p', **more})}'"


def test_replayed_kernels_are_hidden() -> None:
    fires("proton-with-graphs", proton(), "0.28.0")
    quiet("proton-with-graphs", proton() + " --enforce-eager", "0.28.0")


def test_attribution_shows_them_from_0_30() -> None:
    fires("proton-with-graphs", proton(), "0.33.0")
    quiet("proton-with-graphs", proton(proton_graph_attribution=True), "0.33.0")


def test_other_vendors_have_no_proton() -> None:
    fires("proton-with-graphs", proton(), "0.33.0", gpu="8x MI300X")
