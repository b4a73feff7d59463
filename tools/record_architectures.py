"""Record what vLLM makes of every architecture of its registry that it builds without a GPU.

    python tools/record_architectures.py configs OUT                    # config folders, from config classes' defaults
    python tools/record_architectures.py ask OUT > answers.jsonl        # caches, blocks and weights, by vLLM itself
    python tools/record_architectures.py pack answers.jsonl > tests/data/kv_plans/architectures.jsonl

`configs` and `ask` run inside an environment that has the vLLM release in question (``VLLM_TARGET_DEVICE=cpu`` where
its wheel was built for another device, torchvision importable for the multimodal ones). A model is built on torch's
meta device: no weights, no GPU. Models are cut to eight layers. What a class needs and its config does not give is an
error of that line, and the architecture is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

MEMORY = 20 * 2**30
ARGUMENTS = "--max-model-len 256 --block-size 16 --max-num-batched-tokens 2048 --max-num-seqs 64"
MOST_LAYERS = 8
SECONDS = 90
COUNTS = (
    "num_hidden_layers", "n_layer", "num_layers", "n_layers", "encoder_layers", "decoder_layers", "depth",
    "num_encoder_layers",
)  # fmt: skip
LEFT_OUT = frozenset({
    "id2label", "label2id", "bos_token_id", "eos_token_id", "pad_token_id", "transformers_version", "_name_or_path",
    "return_dict", "use_cache", "output_attentions", "output_hidden_states", "chunk_size_feed_forward", "problem_type",
    "initializer_range", "torchscript",
})  # fmt: skip
ENDS = (
    "ForConditionalGeneration", "ForCausalLM", "LMHeadModel", "BidirectionalModel", "EmbeddingModel", "ChatModel",
    "ForSequenceClassification", "ForTokenClassification", "ForRetrieval", "ForRewardModel", "Model",
)  # fmt: skip


def registered() -> Iterator[tuple[str, str]]:
    """Architectures of the release, with the module that implements each; drafts and generic back ends aside."""
    registry = import_module("vllm.model_executor.models.registry")
    for table in dir(registry):
        if table.endswith("_MODELS") and "SPECULATIVE" not in table and "BACKEND" not in table:
            found = getattr(registry, table)
            if isinstance(found, dict):
                yield from ((name, value[0]) for name, value in found.items() if isinstance(value, tuple))


def model_types(architecture: str, module: str) -> Iterator[str]:
    """Model types whose config class may describe an architecture, likeliest first."""
    auto = import_module("transformers.models.auto.modeling_auto")
    for name in dir(auto):
        if name.endswith("_MAPPING_NAMES"):
            yield from (
                t for t, c in getattr(auto, name).items() if architecture in ((c,) if isinstance(c, str) else c)
            )
    plain = re.sub("|".join(f"{end}$" for end in ENDS), "", architecture)
    wanted = {re.sub(r"[^a-z0-9]", "", name.lower()) for name in (plain, plain + "Text", module.rpartition(".")[2])}
    known = [*import_module("transformers.models.auto.configuration_auto").CONFIG_MAPPING_NAMES,
             *import_module("vllm.transformers_utils.config")._CONFIG_REGISTRY]  # fmt: skip
    yield from (t for t in known if re.sub(r"[^a-z0-9]", "", t.lower()) in wanted)


def default_config(model_type: str) -> dict[str, Any]:
    """The defaults of one config class."""
    own = import_module("vllm.transformers_utils.config")._CONFIG_REGISTRY
    made = own[model_type]() if model_type in own else import_module("transformers").AutoConfig.for_model(model_type)
    config: dict[str, Any] = made.to_dict()
    return config


def cleaned(config: dict[str, Any]) -> dict[str, Any]:
    """Without what sizes nothing."""
    return {
        key: cleaned(value) if isinstance(value, dict) and key != "rope_parameters" else value
        for key, value in config.items()
        if key not in LEFT_OUT and (value is not None or key == "sliding_window")
    }


def cut(config: dict[str, Any]) -> None:
    """Eight layers at most, and lists by layer as long."""
    for name in COUNTS:
        layers = config.get(name)
        if isinstance(layers, int) and layers > MOST_LAYERS:
            for key, value in config.items():
                if isinstance(value, list) and len(value) >= layers:
                    config[key] = value[: MOST_LAYERS + len(value) - layers]
            config[name] = MOST_LAYERS
    for value in config.values():
        if isinstance(value, dict):
            cut(value)


def write_configs(out: Path) -> None:
    """One folder with a config.json for every architecture that has a config class."""
    for architecture, module in registered():
        for model_type in dict.fromkeys(model_types(architecture, module)):
            try:
                config = cleaned(default_config(model_type))
            except Exception as error:
                print(f"{architecture}: {model_type}: {error}"[:200], file=sys.stderr)
                continue
            cut(config)
            config |= {"architectures": [architecture], "model_type": model_type}
            config.setdefault("torch_dtype", "bfloat16")
            config.pop("dtype", None)
            (out / architecture).mkdir(parents=True, exist_ok=True)
            (out / architecture / "config.json").write_text(json.dumps(config, default=str), encoding="utf-8")
            break


def ask(folders: Path) -> None:
    """Build every config of `folders`, plan its cache, print one JSON line each."""
    os.environ |= {"VLLM_LOGGING_LEVEL": "ERROR", "HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1"}
    version = import_module("vllm").__version__.split("+")[0]
    inspect_in_process()
    signal.signal(signal.SIGALRM, too_slow)
    for folder in sorted(folders.iterdir()):
        line: dict[str, Any] = {"name": folder.name, "version": version, "args": ARGUMENTS, "mem": MEMORY}
        signal.alarm(SECONDS)
        try:
            line |= built(folder)
        except BaseException as error:
            line["error"] = f"{type(error).__name__}: {error}"[:400]
        signal.alarm(0)
        line["config"] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        print(json.dumps(line), flush=True)


def too_slow(*_: object) -> None:
    """End of one model's time."""
    raise TimeoutError


def inspect_in_process() -> None:
    """vLLM inspects a class in a process of its own, which takes ten seconds for each."""
    registry = import_module("vllm.model_executor.models.registry")
    registry._LazyRegisteredModel.inspect_model_cls = lambda self: registry._ModelInfo.from_model_cls(
        self.load_model_cls()
    )


def built(folder: Path) -> dict[str, Any]:
    """Blocks, concurrency and weights of one model."""
    torch, config_room = import_module("torch"), import_module("vllm.config")
    arguments = import_module("vllm.engine.arg_utils").AsyncEngineArgs
    parser = arguments.add_cli_args(import_module("vllm.utils.argparse_utils").FlexibleArgumentParser())
    words = ["--model", str(folder), "--skip-tokenizer-init", "--trust-remote-code", *ARGUMENTS.split()]
    usage = import_module("vllm.usage.usage_lib").UsageContext.OPENAI_API_SERVER
    config = arguments.from_cli_args(parser.parse_args(words)).create_engine_config(usage_context=usage)
    with config_room.set_current_vllm_config(config):
        distributed = import_module("vllm.distributed")
        if not torch.distributed.is_initialized():
            store = Path(tempfile.mkdtemp()) / "store"
            distributed.init_distributed_environment(1, 0, f"file://{store}", 0, "gloo")
        distributed.destroy_model_parallel()
        distributed.ensure_model_parallel_initialized(1, 1)
        before = torch.get_default_dtype()
        torch.set_default_dtype(config.model_config.dtype)
        try:
            with torch.device("meta"):
                model = import_module("vllm.model_executor.model_loader.utils").initialize_model(vllm_config=config)
        finally:
            torch.set_default_dtype(before)
        import_module("vllm.platforms").current_platform.update_block_size_for_backend(config)
        base = import_module("vllm.model_executor.layers.attention_layer_base").AttentionLayerBase
        layers = config_room.get_layers_from_vllm_config(config, base)
        specs = {name: spec for name, layer in layers.items() if (spec := layer.get_kv_cache_spec(config)) is not None}
        weights = sum(tensor.numel() * tensor.element_size() for tensor in model.parameters())
        return {"weights": weights, **planned(config, specs)}


def planned(config: Any, specs: dict[str, Any]) -> dict[str, Any]:
    """What the release's planner makes of the caches."""
    if not specs:
        return {"blocks": 0, "concurrency": 0}
    if getattr(config.cache_config, "kv_cache_layout", "set") is None:
        config.cache_config.kv_cache_layout = "LBHNC"
    utils = import_module("vllm.v1.core.kv_cache_utils")
    try:
        planner = import_module("vllm.v1.core.kv_cache_planning")
        groups = planner.get_global_kv_cache_groups(config, [specs])
        plan = planner.get_kv_cache_configs(config, [specs], [MEMORY], groups)[0]
    except ImportError:
        plan = utils.get_kv_cache_configs(config, [specs], [MEMORY])[0]
    _, concurrency = utils.get_kv_cache_capacity(config, utils.generate_scheduler_kv_cache_config([plan]))
    return {"blocks": plan.num_blocks, "concurrency": round(concurrency, 3)}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("configs", "ask", "pack"))
    parser.add_argument("path", type=Path)
    given = parser.parse_args()
    if given.what == "configs":
        write_configs(given.path)
    elif given.what == "ask":
        ask(given.path)
    else:
        for line in given.path.read_text(encoding="utf-8").splitlines():
            if line.startswith("{") and "error" not in (found := json.loads(line)):
                print(json.dumps(found, separators=(",", ":")))


if __name__ == "__main__":
    main()
