"""Manifests of every kind, whole and cut out, with what they ask of the hardware."""

from collections.abc import Callable
from textwrap import dedent

import pytest

from vllm_triage.readers.launch.resources import machine
from vllm_triage.readers.launches import Launch, read_launches

One = Callable[[str], Launch]
IMAGE = "vllm/vllm-openai:v0.18.0"


def pod(container: str, around: str = "") -> str:
    return f"apiVersion: v1\nkind: Pod\nspec:\n{around}  containers:\n  - name: server\n{container}"


@pytest.mark.parametrize(
    "container",
    [
        f"    image: {IMAGE}\n    args: ['--model', 'm/x', '--a', '1']\n",
        f'    image: {IMAGE}\n    args:\n    - --model\n    - m/x\n    # a comment\n    - --a\n    - "1"\n',
        f"    image: {IMAGE}\n    command: [vllm, serve]\n    args: [--model, m/x, --a, '1']\n",
        f"    image: {IMAGE}\n    command: [python3, -m, vllm.entrypoints.openai.api_server, --model, m/x, --a, '1']\n",
        (
            f"    image: {IMAGE}\n    command: [sh, -c]\n    args:\n"
            f"    - |\n      vllm serve \\\n        --model m/x \\\n"
            f"        --a 1\n"
        ),
        f"    image: {IMAGE}\n    command: [/bin/bash, -c, 'exec vllm serve --model m/x --a 1']\n",
        f"    image: {IMAGE}\n    command:\n    - sh\n    - -c\n    - >\n      vllm serve --model m/x\n      --a 1\n",
        "    image: my/own:1\n    command: [bash, -c]\n    args: ['vllm serve \"$@\"', --, --model, m/x, --a, '1']\n",
        f"    image: {IMAGE}\n    env: [{{name: M, value: m/x}}]\n    args: [--model, $(M), --a, '1']\n",
    ],
)
def test_a_container_starts_what_its_command_and_arguments_say(one: One, container: str) -> None:
    launch = one(pod(container))
    assert launch.words == ("--model", "m/x", "--a", "1")
    assert launch.source == "kubernetes"
    assert launch.version == (None if "my/own" in container else "0.18.0")
    assert "container server" in launch.place


def test_init_containers_and_sidecars_are_no_servers(one: One) -> None:
    text = pod(
        (
            f"    image: {IMAGE}\n    args: [m/x, --a, '1']\n"
            f"  - name: proxy\n    image: envoy:1\n    args: [--config, x]\n"
        ),
        around=f"  initContainers:\n  - image: {IMAGE}\n    args: [--model, other/x]\n",
    )
    assert one(text).words == ("m/x", "--a", "1")


def test_a_leader_worker_set_holds_a_launch_for_each_role() -> None:
    text = dedent(f"""
        kind: LeaderWorkerSet
        spec:
          leaderWorkerTemplate:
            leaderTemplate:
              spec:
                containers:
                - name: leader
                  image: {IMAGE}
                  command: [sh, -c, "ray start --head; vllm serve m/x -tp 8 -pp 2"]
            workerTemplate:
              spec:
                containers:
                - name: worker
                  image: {IMAGE}
                  command: [sh, -c, "ray start --block --address=$(LWS_LEADER_ADDRESS)"]
    """)
    assert [launch.words for launch in read_launches(text).launches] == [("m/x", "-tp", "8", "-pp", "2")]


def test_several_documents_are_read_in_order() -> None:
    role = (
        "kind: Deployment\nspec:\n  template:\n    spec:\n"
        "      containers:\n      - image: {image}\n        args: [m/x, --port, '{port}']\n"
    )
    text = role.format(image=IMAGE, port=1) + "---\nkind: Service\n---\n" + role.format(image=IMAGE, port=2)
    launches = read_launches(text).launches
    assert [launch.words[-1] for launch in launches] == ["1", "2"]
    assert [launch.place for launch in launches] == ["line 1, document 1", "line 1, document 3"]


def test_variables_whose_value_stands_elsewhere_are_named(one: One) -> None:
    container = (
        f"    image: {IMAGE}\n    env:\n    - name: M\n      valueFrom: {{fieldRef: {{fieldPath: "
        f"x}}}}\n    args: [--model, $(M), --b, $(N)]\n"
    )
    launch = one(pod(container))
    assert launch.words == ("--model", "$(M)", "--b", "$(N)")
    assert launch.unset == ("M", "N")


def test_an_item_that_holds_a_flag_and_its_value_is_a_named_problem(one: One) -> None:
    launch = one(pod(f"    image: {IMAGE}\n    args: [m/x, --max-model-len 8192]\n"))
    assert launch.words == ("m/x", "--max-model-len 8192")
    assert [problem.code for problem in launch.problems] == ["two-words-in-one-item"]


@pytest.mark.parametrize(
    ("resources", "count"),
    [
        ("limits: {nvidia.com/gpu: 4}", 4),
        ("requests: {nvidia.com/gpu: '2'}", 2),
        ("limits: {amd.com/gpu: 8}", 8),
        ("limits: {google.com/tpu: 4}", 4),
        ("limits: {cpu: 4}", None),
    ],
)
def test_the_devices_a_container_asks_for_are_counted(one: One, resources: str, count: int | None) -> None:
    assert one(pod(f"    image: {IMAGE}\n    args: [m/x]\n    resources: {{{resources}}}\n")).gpu_count == count


@pytest.mark.parametrize(
    ("selector", "gpu"),
    [
        ("  nodeSelector: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}\n", "NVIDIA-H100-80GB-HBM3"),
        ("  nodeSelector: {cloud.google.com/gke-accelerator: nvidia-l4}\n", "nvidia-l4"),
        ("  nodeSelector: {node.kubernetes.io/instance-type: p5.48xlarge}\n", "H100"),
        (
            (
                "  affinity:\n    nodeAffinity:\n      required:\n        nodeSelectorTerms:\n"
                "        - matchExpressions:\n"
                "          - {key: nvidia.com/gpu.product, operator: In, values: [NVIDIA-L40S]}\n"
            ),
            "NVIDIA-L40S",
        ),
        ("", None),
    ],
)
def test_a_node_selector_names_the_accelerator(selector: str, gpu: str | None) -> None:
    paste = read_launches(pod(f"    image: {IMAGE}\n    args: [m/x]\n", around=selector))
    assert paste.gpu == paste.launches[0].gpu == gpu


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("p5.48xlarge", ("H100", 8)),
        ("p5en.48xlarge", ("H200", 8)),
        ("a3-highgpu-8g", ("H100", 8)),
        ("a3-highgpu-2g", ("H100", 2)),
        ("g5.12xlarge", ("A10G", 4)),
        ("g6.xlarge", ("L4", 1)),
        ("Standard_ND96isr_H100_v5", ("H100", 8)),
        ("m5.large", None),
    ],
)
def test_machine_types_stand_for_their_accelerators(name: str, found: tuple[str, int] | None) -> None:
    assert machine(name) == found


@pytest.mark.parametrize(
    "text",
    [
        "args:\n            - '--model'\n            - m/x\n            - '--max-num-seqs'\n            - '8'\n",
        (
            "            nvidia.com/gpu : 4\n        command: [python3, -m, vllm.entrypoints.openai.api_server]\n"
            "        args:\n        - --model\n        - m/x\n"
            "        - --max-num-seqs\n        - '8'\n"
        ),
        (
            "        - -m\n        - vllm.entrypoints.openai.api_server\n"
            "      args:\n        - --model\n        - m/x\n"
            "        - --max-num-seqs\n        - '8'\n"
        ),
        (
            '        exec vllm serve "$@"\n      - --\n    command:\n'
            "      - --model\n      - m/x\n      - --max-num-seqs\n"
            "      - '8'\n"
        ),
        "        fi\n      - --\n    command:\n      - --model\n      - m/x\n      - --max-num-seqs\n      - '8'\n",
        '["--model", "m/x", "--max-num-seqs", "8"]',
        (
            '{"Config": {"Cmd": ["--model", "m/x", "--max-num-seqs", "8"], "Image": "vllm/vllm-openai:v0.18.0",'
            ' "Entrypoint": null}}'
        ),
        (
            "kind: Pod\n    spec:\n      containers:\n        - name: v\n"
            "          image: vllm/vllm-openai:v0.18.0\n          args:\n"
            "          - --model\n          - m/x\n          - --max-num-seqs\n"
            "          - '8'\n"
        ),
    ],
    ids=[
        "args",
        "beside-resources",
        "half-a-command",
        "end-of-a-script",
        "end-of-an-unseen-script",
        "json",
        "inspect",
        "broken",
    ],
)
def test_a_piece_cut_out_of_a_file_is_read(one: One, text: str) -> None:
    assert one(text).words == ("--model", "m/x", "--max-num-seqs", "8")


@pytest.mark.parametrize(
    "command",
    [
        "command: --model m/x --a 1 --j '{\"k\":1}'",
        'command: ["--model", "m/x", "--a", "1", "--j", \'{"k":1}\']',
        "command: >\n      --model m/x\n      --a ${A:-1}\n      --j '{\"k\":1}'",
        "entrypoint: vllm serve\n    command: --model m/x --a 1 --j '{\"k\":1}'",
        'entrypoint: [bash, -c]\n    command: ["vllm serve --model m/x --a 1 --j \'{\\"k\\":1}\'"]',
        (
            "entrypoint:\n      - bash\n      - -c\n      - |\n"
            '        X=1\n        exec vllm serve "$$@" --a $$X --j \'{"k":1}\'\n'
            "      - --\n    command: [--model, m/x]"
        ),
    ],
)
def test_compose_reads_strings_lists_and_entrypoints(one: One, command: str) -> None:
    launch = one(
        f"services:\n  v:\n    image: {IMAGE}\n    environment:\n      - B=${{B:-2}}\n      - C\n    {command}\n"
    )
    assert launch.words == ("--model", "m/x", "--a", "1", "--j", '{"k":1}')
    assert (launch.source, launch.version, launch.env) == ("compose", "0.18.0", {"B": "2"})


def test_compose_counts_the_devices_it_reserves(one: One) -> None:
    device = "{driver: nvidia, device_ids: ['0', '1'], capabilities: [gpu]}"
    devices = f"deploy: {{resources: {{reservations: {{devices: [{device}]}}}}}}"
    assert one(f"services:\n  v:\n    image: {IMAGE}\n    command: --model m/x\n    {devices}\n").gpu_count == 2


def test_compose_arguments_that_stand_in_a_variable_are_said_to_be_missing() -> None:
    paste = read_launches(
        f"v:\n    <<: *base\n    image: {IMAGE}\n    environment: [A=1]\n    command: ${{ALL_ARGS}}\n"
    )
    assert paste.launches[0].words == ()
    assert any("not in this paste" in line for line in paste.launches[0].unread)
    assert any("anchor base" in line for line in paste.unread)


def test_merge_keys_are_followed(one: One) -> None:
    text = (
        f"x-base: &base\n  image: {IMAGE}\n  command: [--model, m/x]\n"
        f"services:\n  v:\n    <<: *base\n    container_name: c\n"
    )
    words = [launch.words for launch in read_launches(text).launches]
    assert words[0] == ("--model", "m/x")


def test_template_expressions_are_reported_and_never_guessed(one: One) -> None:
    text = pod(
        f"    image: {IMAGE}\n    args:\n    - --model={{{{ .Values.model }}}}\n"
        f"    {{{{- if .x }}}}\n    - --a\n    {{{{- end }}}}\n"
    )
    paste = read_launches(text)
    assert paste.launches[0].words == ("--model={{ .Values.model }}", "--a")
    assert paste.launches[0].unset == ("{{ .Values.model }}",)
    assert any("template" in line for line in paste.unread)


def test_the_production_stacks_values_become_the_command_its_chart_writes(one: One) -> None:
    launch = one(
        dedent("""
        servingEngineSpec:
          modelSpec:
          - name: one
            repository: vllm/vllm-openai
            tag: v0.18.0
            modelURL: org/m-7b
            requestGPU: 2
            vllmConfig:
              enableChunkedPrefill: false
              maxModelLen: 4096
              tensorParallelSize: 2
              gpuMemoryUtilization: 0.80
              extraArgs: ["--max-num-seqs", "8"]
            lmcacheConfig: {enabled: true}
            env: [{name: A, value: "1"}]
    """)
    )
    assert launch.words == (
        "org/m-7b",
        "--no-enable-chunked-prefill",
        "--no-enable-prefix-caching",
        "--max-model-len",
        "4096",
        "--tensor-parallel-size",
        "2",
        "--gpu-memory-utilization",
        "0.80",
        "--max-num-seqs",
        "8",
        "--kv-transfer-config",
        '{"kv_connector":"LMCacheConnectorV1","kv_role":"kv_both"}',
    )
    assert (launch.source, launch.version, launch.gpu_count, launch.env) == (
        "production-stack",
        "0.18.0",
        2,
        {"A": "1"},
    )
    assert any("prefix caching off" in note for note in launch.notes)


def test_the_production_stacks_resource_reads_as_its_values_do(one: One) -> None:
    launch = one(
        dedent("""
        kind: VLLMRuntime
        spec:
          model: {modelURL: org/m-7b, maxModelLen: 4096, maxNumSeqs: 32}
          vllmConfig: {enablePrefixCaching: true, tensorParallelSize: 1, gpuMemoryUtilization: "0.8"}
          deploymentConfig: {resources: {gpu: "1"}, image: {name: "vllm/vllm-openai:v0.18.0"}}
    """)
    )
    assert launch.words[:3] == ("org/m-7b", "--no-enable-chunked-prefill", "--enable-prefix-caching")
    assert launch.words[launch.words.index("--max-num-seqs") + 1] == "32"
    assert (launch.version, launch.gpu_count) == ("0.18.0", 1)


def test_llm_d_values_hold_a_launch_for_each_role() -> None:
    launches = read_launches(
        dedent("""
        modelArtifacts: {name: org/m-7b, uri: "hf://org/m-7b"}
        decode:
          parallelism: {tensor: 2}
          acceleratorTypes: {labelKey: nvidia.com/gpu.product, labelValues: [NVIDIA-H100-80GB-HBM3]}
          containers:
          - {name: vllm, image: "ghcr.io/llm-d/llm-d-cuda:v0.3.0", modelCommand: vllmServe, args: ["--enforce-eager"]}
        prefill:
          containers:
          - {name: vllm, image: "x:1", command: [vllm, serve, org/m-7b], args: ["--max-num-seqs", "1"]}
    """)
    ).launches
    assert [launch.words for launch in launches] == [
        ("org/m-7b", "--tensor-parallel-size", "2", "--served-model-name", "org/m-7b", "--enforce-eager"),
        ("org/m-7b", "--max-num-seqs", "1"),
    ]
    assert (launches[0].gpu, launches[0].gpu_count, launches[0].version) == ("NVIDIA-H100-80GB-HBM3", 2, None)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (
            (
                "model: {modelFormat: {name: huggingface}, args: [--model_name=n, --model_id=org/m-7b,"
                " --max-model-len=4096]}"
            ),
            ("--served-model-name", "n", "--model", "org/m-7b", "--max-model-len=4096"),
        ),
        (
            "model: {modelFormat: {name: vLLM}, storageUri: 'hf://org/m-7b', args: [--max-num-seqs, '8']}",
            ("--model", "org/m-7b", "--max-num-seqs", "8"),
        ),
        (
            "model: {modelFormat: {name: vLLM}, storageUri: 's3://b/m', args: [--max-num-seqs, '8']}",
            ("--model", "/mnt/models", "--max-num-seqs", "8"),
        ),
    ],
)
def test_an_inference_service_is_read_as_kserve_starts_it(one: One, spec: str, words: tuple[str, ...]) -> None:
    launch = one(f"kind: InferenceService\nspec:\n  predictor:\n    {spec}\n")
    assert (launch.source, launch.words) == ("kserve", words)


def test_an_llm_inference_service_gets_the_command_kserve_writes(one: One) -> None:
    launch = one(
        dedent("""
        kind: LLMInferenceService
        spec:
          model: {uri: "hf://org/m-7b", name: n}
          parallelism: {tensor: 4}
          template:
            containers:
            - name: main
              image: "vllm/vllm-openai:v0.18.0"
              env: [{name: VLLM_ADDITIONAL_ARGS, value: "--max-num-seqs 8"}]
    """)
    )
    assert launch.words == (
        "org/m-7b",
        "--served-model-name",
        "n",
        "--tensor-parallel-size",
        "4",
        "--max-num-seqs",
        "8",
    )
    assert launch.version == "0.18.0"


def test_ray_serve_configurations_hold_the_engines_own_arguments(one: One) -> None:
    launch = one(
        dedent("""
        applications:
        - args:
            llm_configs:
            - model_loading_config: {model_id: served, model_source: org/m-7b}
              accelerator_type: L4
              engine_kwargs:
                {tensor_parallel_size: 2, enable_prefix_caching: true, enforce_eager: false, max_model_len: 8192}
              runtime_env: {env_vars: {A: "1"}}
    """)
    )
    assert launch.words == (
        "org/m-7b",
        "--tensor-parallel-size",
        "2",
        "--enable-prefix-caching",
        "--no-enforce-eager",
        "--max-model-len",
        "8192",
        "--served-model-name",
        "served",
    )
    assert (launch.source, launch.gpu, launch.env) == ("ray-serve", "L4", {"A": "1"})


def test_options_in_any_tools_own_mapping_are_a_launch(one: One) -> None:
    launch = one(
        "name: x\nmodel: {path: org/m-7b}\nbackend:\n  vllm_config:\n"
        "    decode:\n      max-model-len: 4096\n      max-num-seqs: 8\n"
        "vllm_args: none\n"
    )
    assert launch.words == ("org/m-7b", "--max-model-len", "4096", "--max-num-seqs", "8")
    assert "backend.vllm_config.decode" in launch.place


def test_a_script_under_any_key_of_a_manifest_is_read(one: One) -> None:
    launch = one("name: x\nserver_cmd: >\n  vllm serve org/m-7b\n  --max-num-seqs 8\nbenchmark: none\n")
    assert launch.words == ("org/m-7b", "--max-num-seqs", "8")
    assert (launch.problems, launch.place) == ((), "line 1, server_cmd")


def test_a_vllm_config_file_alone_is_a_launch_with_it(one: One) -> None:
    launch = one("model: org/m-7b\nmax-model-len: 8192\nenable-prefix-caching: true\n")
    assert launch.words == ("--config", "config.yaml")
    assert launch.config == {"model": "org/m-7b", "max-model-len": 8192, "enable-prefix-caching": True}


@pytest.mark.parametrize(
    "text",
    [
        "cat > c.yaml <<EOF\nmax-model-len: 8192\nport: 1\nEOF\nvllm serve m/x --config c.yaml",
        "```bash\nvllm serve m/x --config c.yaml\n```\nand\n```yaml\nmax-model-len: 8192\nport: 1\n```",
        "vllm serve m/x --config c.yaml\n\nmax-model-len: 8192\nport: 1\n",
        "```yaml\nmax-model-len: 8192\nport: 1\n```\n```bash\nvllm serve m/x --config /etc/c.yaml\n```",
    ],
)
def test_a_config_file_pasted_alongside_belongs_to_the_command_that_names_it(one: One, text: str) -> None:
    assert one(text).config == {"max-model-len": 8192, "port": 1}


def test_a_config_file_that_is_not_pasted_is_said_to_be_missing(one: One) -> None:
    launch = one("vllm serve m/x --config c.yaml")
    assert launch.config is None
    assert any("c.yaml" in line for line in launch.unread)


@pytest.mark.parametrize(
    "text",
    [
        "args: " + "[" * 5000,
        "args:\n" + "- " * 5000 + "x",
        "a: &a [x]\n" + "".join(f"b{i}: &b{i} [*a, *a]\n" for i in range(200)) + "args: *b199\n",
        "a: &a {x: 1}\n" + "".join(f"b{i}: &b{i} {{<<: [*a, *a]}}\n" for i in range(200)) + "args: [--model, m/x]\n",
        "args: &x [*x]\n",
        "args: !!python/object/apply:os.system ['true']\n",
        "args:\n  - --model\n  - *missing\n",
        "args: [--model, \x00]\n",
        "args: {a: [}\n",
    ],
)
def test_hostile_yaml_is_refused_or_read_as_text(text: str) -> None:
    paste = read_launches("image: vllm\n" + text)
    assert len(paste.launches) <= 2
    assert paste.launches or paste.unread


def test_variables_of_a_playbook_are_filled_in_where_it_sets_them() -> None:
    text = """- hosts: gpu
  vars:
    model: m/x
  tasks:
    - community.docker.docker_container:
        image: "vllm/vllm-openai:{{ tag | default('v0.18.0') }}"
        command: "--model {{ model }} --max-num-seqs {{ seqs | default(64) }} --port {{ port }}"
"""
    (launch,) = read_launches(text).launches
    assert launch.words == ("--model", "m/x", "--max-num-seqs", "64", "--port", "{{ port }}")
    assert (launch.version, launch.unset) == ("0.18.0", ("{{ port }}",))


def test_a_task_with_its_words_in_a_list_is_read() -> None:
    (launch,) = read_launches('- name: v\n  command:\n    argv: [vllm, serve, m/x, --port, "1"]\n').launches
    assert launch.words == ("m/x", "--port", "1")


def test_options_under_the_engines_name_are_read() -> None:
    text = "vllm_container_name: v\nvllm_model: m/x\nvllm_max_model_len: 4096\nvllm_tensor_parallel_size: 2\n"
    (launch,) = read_launches(text).launches
    assert launch.words == ("m/x", "--max-model-len", "4096", "--tensor-parallel-size", "2")


@pytest.mark.parametrize("text", [
    '"Path": "vllm",\n"Args": ["serve", "m/x", "--port", "1"],',
    '[{"Path": "vllm", "Args": ["serve", "m/x", "--port", "1"]}]',
    """kubectl patch deploy v -p '[{"op": "replace", "path": "/a/args", "value": ["vllm", "serve", "m/x", "--port", "1"]}]'""",
])  # fmt: skip
def test_pieces_of_json_are_read(text: str) -> None:
    (launch,) = read_launches(text).launches
    assert launch.words == ("m/x", "--port", "1")


def test_resources_that_are_no_mapping_are_passed_over(one: One) -> None:
    assert one("resources: x\nrun: |\n  vllm serve m/x --port 1\n").words == ("m/x", "--port", "1")
