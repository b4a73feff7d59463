"""Whatever the arguments hold, every rule answers: no type, no size and no sign makes one stumble."""

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from verdicts.harness import launch
from vllm_triage.domain import Deployment, Json, Sourced
from vllm_triage.facts.flags import table
from vllm_triage.facts.versions import KNOWN
from vllm_triage.verdicts.compat import check

MODELS = (
    "Qwen/Qwen3-8B",
    "deepseek-ai/DeepSeek-V3.2",
    "tiiuae/Falcon-H1-7B-Instruct",
    "openai/gpt-oss-20b",
    "nobody/unheard-of",
)
DESTS = tuple(sorted({dest for version in KNOWN[::6] for dest in table(version).by_dest}))
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-5, 9)
    | st.integers()
    | st.floats(allow_nan=False)
    | st.sampled_from(["ngram", "fp8", "auto", "mtp", "eagle3", "FLASH_ATTN", "", "x", "all", "ray", "NixlConnector"])
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["method", "model", "num_speculative_tokens", "kv_connector", "backend", "cudagraph_mode", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=6,
)


@cache
def base(model: str, gpu: str | None) -> Deployment:
    return launch(model, "0.33.0", gpu)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(MODELS),
    st.sampled_from(["8x H100-SXM", "T4", "cpu", None]),
    st.sampled_from(KNOWN),
    st.dictionaries(st.sampled_from(DESTS), VALUES, max_size=12),
)
def test_every_rule_answers_whatever_the_arguments_hold(
    model: str, gpu: str | None, version: str, args: dict[str, Json]
) -> None:
    deployment = base(model, gpu).but(args=args, vllm_version=Sourced(value=version, origin="given"))
    report = check(deployment)
    assert report.ok is not any(finding.severity == "fatal" for finding in report.findings)
