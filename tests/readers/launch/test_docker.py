"""Containers by hand: ``docker run`` and its kin, and Dockerfiles."""

from collections.abc import Callable

import pytest

from vllm_triage.readers.launch.containers import image_version
from vllm_triage.readers.launches import Launch, read_launches

One = Callable[[str], Launch]


def test_what_follows_the_image_are_the_servers_arguments(one: One) -> None:
    launch = one(
        "docker run --runtime nvidia --gpus all \\\n  -v ~/.cache:/root/.cache -p 8000:8000 --ipc=host "
        '--env "A=1" -e B=2 \\\n'
        "  --shm-size 16g --name v --rm -it --ulimit memlock=-1 vllm/vllm-openai:v0.18.0 \\\n"
        "  --model m/x --max-num-seqs 8"
    )
    assert launch.words == ("--model", "m/x", "--max-num-seqs", "8")
    assert launch.env == {"A": "1", "B": "2"}
    assert (launch.source, launch.entrypoint, launch.version) == ("docker-run", "serve", "0.18.0")


@pytest.mark.parametrize(
    "engine", ["docker run", "podman run", "sudo docker run", "nerdctl run", "docker container run", "docker create"]
)
def test_every_engine_reads_alike(one: One, engine: str) -> None:
    assert one(f"{engine} -d vllm/vllm-openai:v0.18.0 m/x --a 1").words == ("m/x", "--a", "1")


def test_an_old_image_runs_the_module(one: One) -> None:
    assert one("docker run vllm/vllm-openai:v0.7.2 --model m/x").entrypoint == "api_server"


@pytest.mark.parametrize(
    "again", ["vllm serve m/x", "serve m/x", "python3 -m vllm.entrypoints.openai.api_server --model m/x"]
)
def test_naming_the_server_again_after_its_image_is_a_named_problem(one: One, again: str) -> None:
    launch = one(f"docker run vllm/vllm-openai:v0.18.0 {again} --a 1")
    assert launch.words[-2:] == ("--a", "1")
    assert [problem.code for problem in launch.problems] == ["entrypoint-repeated"]


@pytest.mark.parametrize(
    "text",
    [
        "docker run rocm/vllm:latest vllm serve m/x --a 1",
        "docker run --entrypoint vllm vllm/vllm-openai:latest serve m/x --a 1",
        'docker run my/image bash -c -i "vllm serve \\\n m/x \\\n --a 1"',
        'docker run --entrypoint /bin/bash "${IMAGE}" -lc "exec vllm serve m/x --a 1"',
        "docker run my/vllm-node vllm serve m/x --a 1",
        "apptainer run --nv vllm.sif vllm serve m/x --a 1",
    ],
)
def test_other_entrypoints_and_images_start_it_by_name(one: One, text: str) -> None:
    launch = one(text)
    assert launch.words == ("m/x", "--a", "1")
    assert launch.problems == ()


@pytest.mark.parametrize(
    ("option", "count"), [("--gpus '\"device=0,1\"'", 2), ("--gpus device=3", 1), ("--gpus 4", 4), ("--gpus all", None)]
)
def test_devices_are_counted_where_they_are_named(one: One, option: str, count: int | None) -> None:
    assert one(f"docker run {option} vllm/vllm-openai:v0.18.0 m/x").gpu_count == count


def test_variables_passed_through_take_their_value_from_the_paste(one: One) -> None:
    launch = one("export A=1\ndocker run -e A -e MISSING --env-file .env vllm/vllm-openai:v0.18.0 m/x")
    assert launch.env == {"A": "1"}
    assert any(".env is not in this paste" in line for line in launch.unread)


@pytest.mark.parametrize(
    ("image", "version"),
    [
        ("vllm/vllm-openai:v0.18.0", "0.18.0"),
        ("vllm/vllm-openai:v0.17.0-cu130", "0.17.0"),
        ("registry.x:5000/a/vllm-openai:0.11.0", "0.11.0"),
        ("rocm/vllm:rocm6.4_vllm_0.9.1_ubuntu", "0.9.1"),
        ("quay.io/ascend/vllm-ascend:v0.11.0rc1", "0.11.0rc1"),
        ("vllm/vllm-openai:v0.10.0-nixl-v0.4.1-lmcache-0.3.2", "0.10.0"),
        ("vllm/vllm-openai:v0.6.6.post1", "0.6.6.post1"),
        ("vllm/vllm-openai:latest", None),
        ("vllm/vllm-openai:nightly-0123abc", None),
        ("vllm/vllm-openai", None),
        ("nvcr.io/nvidia/vllm:25.09-py3", None),
        ("lmcache/vllm-openai:v0.3.2", None),
        ("ghcr.io/llm-d/llm-d-cuda:v0.9.0", None),
        ("my/app:v0.18.0", None),
        ("", None),
    ],
)
def test_only_a_tag_that_can_be_a_vllm_release_is_one(image: str, version: str | None) -> None:
    assert image_version(image) == version


def test_a_floating_tag_names_no_release_and_says_so() -> None:
    paste = read_launches("docker run vllm/vllm-openai:latest m/x")
    assert paste.version is None
    assert "latest" in paste.version_why


@pytest.mark.parametrize(
    "text",
    [
        'FROM vllm/vllm-openai:v0.18.0\nENV A=1 B="2"\nCMD ["--model", "m/x", "--a", "1"]',
        (
            "FROM vllm/vllm-openai:v0.18.0\nENV A 1\nENV B=2\n"
            'ENTRYPOINT ["python3", "-m", "vllm.entrypoints.openai.api_server"]\n'
            'CMD ["--model", \\\n  "m/x", "--a", "1"]'
        ),
        "ARG T=v0.18.0\nFROM vllm/vllm-openai:${T}\nENV A=1\nENV B=2\nENTRYPOINT []\nCMD vllm serve --model m/x --a 1",
        'FROM vllm/vllm-openai:v0.18.0\nENV A=1\nENV B=2\nENTRYPOINT ["bash", "-c", "vllm serve --model m/x --a 1"]',
    ],
)
def test_a_dockerfile_starts_what_its_entrypoint_and_command_say(one: One, text: str) -> None:
    launch = one(text)
    assert launch.words == ("--model", "m/x", "--a", "1")
    assert launch.env == {"A": "1", "B": "2"}
    assert launch.version == "0.18.0"


@pytest.mark.parametrize(
    "image", ["public.ecr.aws/q9t5s3a7/vllm-cpu-release-repo:v0.18.0", "vllm/vllm-openai-cpu:v0.31.0", "local/vllm:v0.18.0-cpu"]
)
def test_an_image_built_for_the_cpu_names_the_device(image: str) -> None:
    paste = read_launches(f"docker run --rm {image} --model m/x")
    assert (paste.gpu, paste.gpu_why) == ("cpu", f"{image} is vLLM's build for CPUs")
    assert "on the CPU" in paste.launches[0].notes[0]


def test_an_image_for_the_cpu_beside_another_tells_nothing() -> None:
    text = "docker run vllm/vllm-openai-cpu:v0.31.0 --model m/x\ndocker run vllm/vllm-openai:v0.31.0 --model m/y"
    assert read_launches(text).gpu is None


@pytest.mark.parametrize(
    ("image", "vendor"),
    [("vllm/vllm-openai-rocm:v0.18.0", "AMD"), ("rocm/vllm:latest", "AMD"), ("intel/vllm:0.10.2-xpu", "Intel GPUs"),
     ("vllm/vllm-tpu:nightly", "TPU")],
)  # fmt: skip
def test_an_image_built_for_a_vendor_says_whose_device_it_is_and_asks_which(image: str, vendor: str) -> None:
    paste = read_launches(f"docker run {image} vllm serve m/x")
    assert paste.gpu is None
    assert any(vendor in note and "which one is not said" in note for note in paste.launches[0].notes)


def test_an_instance_of_apptainer_has_a_name_before_its_arguments() -> None:
    (launch,) = read_launches("apptainer instance run --nv /c/vllm-openai_v0.8.5.sif name --model m/x --port 1").launches
    assert (launch.words, launch.version) == (("--model", "m/x", "--port", "1"), "0.8.5")


def test_a_job_of_runai_names_image_and_devices_by_letters() -> None:
    (launch,) = read_launches("runai submit v -i vllm/vllm-openai:v0.18.0 -g 2 -- --model m/x -tp 2").launches
    assert (launch.words, launch.version, launch.gpu_count) == (("--model", "m/x", "-tp", "2"), "0.18.0", 2)
