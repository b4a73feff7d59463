"""Values on Helm's command line."""

import pytest

from vllm_triage.readers.launch.helm import values_of
from vllm_triage.readers.launches import read_launches


@pytest.mark.parametrize(("setting", "tree"), [
    ("a=1,b=x", {"a": "1", "b": "x"}),
    ("a.b[1].c=v", {"a": {"b": [{}, {"c": "v"}]}}),
    ("a={x,y=1}", {"a": ["x", "y=1"]}),
    ("a=x\\,y", {"a": "x,y"}),
    ("a.nvidia\\.com/gpu=2", {"a": {"nvidia.com/gpu": "2"}}),
    ("image.repository=r/v,image.tag=t", {"image": "r/v:t"}),
    ("a[999999]=1", {"a": "1"}),
    ("nonsense", {}),
])  # fmt: skip
def test_settings_become_the_tree_they_mean(setting: str, tree: object) -> None:
    assert values_of(["helm", "install", "n", "chart", "--set", setting]) == tree


def test_other_commands_set_nothing() -> None:
    assert values_of(["helm", "list"]) is None
    assert values_of(["vllm", "serve", "--set", "a=1"]) is None


@pytest.mark.parametrize("command", [
    "helm upgrade --install v c/d -n ns --set 'args={--model,m/x,--max-num-seqs,64}'",
    "helm install v c/d --set-string 'extraArgs[0]=--model=m/x' --set 'extraArgs[1]=--max-num-seqs=64'",
    "helm install v c/d --set-json 'args=[\"--model\",\"m/x\",\"--max-num-seqs\",\"64\"]'",
])  # fmt: skip
def test_arguments_of_a_chart_are_read(command: str) -> None:
    (launch,) = read_launches(command).launches
    assert " ".join(launch.words).replace("=", " ") == "--model m/x --max-num-seqs 64"


def test_the_production_stack_is_read_from_its_settings() -> None:
    at = "--set servingEngineSpec.modelSpec[0]"
    command = f"helm install v vllm/vllm-stack {at}.name=q {at}.modelURL=m/x {at}.requestGPU=2 {at}.vllmConfig.maxNumSeqs=64"
    (launch,) = read_launches(command).launches
    assert (launch.source, launch.words[0], launch.gpu_count) == ("production-stack", "m/x", 2)
    assert launch.words[-2:] == ("--max-num-seqs", "64")
