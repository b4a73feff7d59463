from verdicts.harness import launch
from vllm_triage.domain import Finding, FixStep
from vllm_triage.verdicts.repair import repaired


def finding(*steps: FixStep) -> Finding:
    return Finding(
        rule="r", severity="advice", title="t", message="m", versions="all", effect="e", fix="f", basis="source",
        evidence=("x",), steps=steps,
    )  # fmt: skip


def test_flags_are_set_and_dropped() -> None:
    before = launch("Qwen/Qwen3-8B --max-num-seqs 8 --enforce-eager", "0.33.0", "H100-SXM")
    after = repaired(before, finding(
        FixStep(action="set", name="--max-num-seqs", to=64), FixStep(action="drop", name="--enforce-eager"),
        FixStep(action="set", name="--async-scheduling", to=False),
    ))  # fmt: skip
    assert after.args["max_num_seqs"] == 64
    assert after.args["async_scheduling"] is False
    assert "enforce_eager" not in after.args


def test_variables_are_set_and_dropped() -> None:
    before = launch("VLLM_USE_V1=1 A=b vllm serve Qwen/Qwen3-8B", "0.33.0", "H100-SXM")
    after = repaired(before, finding(
        FixStep(action="drop_env", name="VLLM_USE_V1"), FixStep(action="set_env", name="C", to="d"),
    ))  # fmt: skip
    assert {reading.name: reading.value for reading in after.env} == {"A": "b", "C": "d"}


def test_a_flag_the_parser_refused_is_gone() -> None:
    before = launch("Qwen/Qwen3-8B --swap-space 4", "0.18.0", "H100-SXM")
    after = repaired(before, finding(FixStep(action="drop", name="--swap-space")))
    assert not [problem for problem in after.problems if problem.severity == "fatal"]
