"""What ``kubectl describe`` prints."""

from vllm_triage.readers.launches import read_launches

POD = """Name:             vllm-0
Namespace:        default
Containers:
  vllm:
    Container ID:  containerd://abc
    Image:         vllm/vllm-openai:v0.18.0
    Port:          8000/TCP
    Args:
      --model
      m/x
      --max-num-seqs=64
    State:          Running
    Limits:
      nvidia.com/gpu:  2
    Environment:
      HF_TOKEN:            <set to the key 'token' in secret 'hf'>  Optional: false
      VLLM_LOGGING_LEVEL:  DEBUG
  sidecar:
    Container ID:  containerd://def
    Image:         busybox:1
    Args:
      sleep
      1d
Node-Selectors:  nvidia.com/gpu.product=NVIDIA-H100-80GB-HBM3
"""

SCRIPT = """  Containers:
   server:
    Image:      vllm/vllm-openai:v0.18.0
    Port:       8000/TCP
    Command:
      /bin/sh
      -c
      exec vllm serve m/x \\
        --max-num-seqs 64
    Environment:  <none>
"""


def test_a_described_pod_is_read_as_its_manifest_is() -> None:
    (launch,) = read_launches(POD).launches
    assert launch.words == ("--model", "m/x", "--max-num-seqs=64")
    assert (launch.source, launch.version, launch.gpu_count) == ("kubernetes", "0.18.0", 2)
    assert launch.env == {"VLLM_LOGGING_LEVEL": "DEBUG"}
    assert launch.gpu is not None
    assert "H100" in launch.gpu


def test_a_script_of_several_lines_is_one_word() -> None:
    (launch,) = read_launches(SCRIPT).launches
    assert launch.words == ("m/x", "--max-num-seqs", "64")
