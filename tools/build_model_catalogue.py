"""Build ``facts/data/models.json``: trimmed Hugging Face configs, one entry per line.

Two ways to run it::

    python tools/build_model_catalogue.py import --configs DIR --records models.json
    python tools/build_model_catalogue.py add --id ORG/NAME --config config.json --params 8.19 --source "..."

`import` rebuilds everything from a folder of config.json copies (files named ``ORG--NAME_config.json``, as
NVIDIA AIConfigurator packages them under Apache-2.0) and a list of recorded shapes for models whose config is not
among them. `add` writes one more entry into the existing catalogue.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from pathlib import Path
from typing import Any

CATALOGUE = Path(__file__).resolve().parents[1] / "server/vllm_triage/facts/data/models.json"

DROPPED = re.compile(
    r"(_token_id|_token_index|token_ids?)$|^(auto_map|_name_or_path|transformers_version|id2label|label2id|hidden_act"
    r"|hidden_activation|mlp_hidden_act|mamba_hidden_act|initializer_range|.*dropout.*|use_cache|pretraining_tp"
    r"|norm_topk_prob|router_.*|output_router_logits|.*_eps|.*_epsilon|chat_template|image_grid_pinpoints"
    r"|norm_type|.*_act|.*aux_loss.*|topk_method|scoring_func|routed_scaling_factor|topk_group|n_group"
    r"|time_step_.*|rescale_prenorm_residual|residual_in_fp32|use_mamba_kernels|use_conv_bias|use_bias"
    r"|.*_multiplier|.*_multipliers|activation_scheme|producer|is_decoder|problem_type|prefix"
    r"|return_dict|torchscript|pruned_heads|output_.*|chunk_size_feed_forward|cross_attention_hidden_size|top_.*"
    r"|temperature|repetition_penalty|num_beams.*|.*_length_penalty|length_penalty|diversity_penalty|bad_words_ids"
    r"|early_stopping|do_sample|exponential_decay_length_penalty|forced_.*|remove_invalid_values|suppress_tokens"
    r"|begin_suppress_tokens|typical_p|tf_legacy_loss|no_repeat_ngram_size|encoder_no_repeat_ngram_size"
    r"|finetuning_task|task_specific_params|tokenizer_class|num_return_sequences|min_length|max_length)$"
)
"""Keys that neither size a cache, nor a weight, nor a length."""

VISION_KEPT = {
    "hidden_size",
    "num_hidden_layers",
    "depth",
    "intermediate_size",
    "num_attention_heads",
    "out_hidden_size",
    "patch_size",
    "image_size",
    "model_type",
    "num_heads",
    "temporal_patch_size",
    "spatial_merge_size",
    "vision_output_dim",
    "projector_input_dim",
    "deepstack_visual_indexes",
    "layers",
    "width",
    "heads",
}


def layers_of(config: dict[str, Any]) -> int:
    """Layers of the language model, 0 where the config does not say."""
    text = config.get("text_config") or config
    return int(text.get("num_hidden_layers") or config.get("num_hidden_layers") or 0)


def trim(config: dict[str, Any], *, tower: bool = False, layers: int = 0) -> dict[str, Any]:
    """The keys that matter, nested configs included; None, False-by-default noise and token ids are left out."""
    kept: dict[str, Any] = {}
    layers = layers or layers_of(config)
    for key, value in config.items():
        if (value is None and key != "sliding_window") or value == {} or DROPPED.search(key):
            continue
        if tower and key not in VISION_KEPT:
            continue
        if key == "quantization_config":
            kept[key] = trim_quantization(value, layers)
        elif key == "block_configs":
            kept[key] = [trim_block(block) for block in value]
        elif isinstance(value, dict):
            kept[key] = trim(value, tower=key in ("vision_config", "audio_config") or tower, layers=layers)
        else:
            kept[key] = value
    return kept


def trim_block(block: dict[str, Any]) -> dict[str, Any]:
    """One entry of a NAS model's ``block_configs``: only what decides KV heads and inner size."""
    parts = {}
    for part, names in (
        ("attention", ("n_heads_in_group", "no_op", "replace_with_linear")),
        ("ffn", ("ffn_mult", "no_op", "replace_with_linear")),
    ):
        parts[part] = {name: block[part][name] for name in names if block.get(part, {}).get(name)}
    return parts


def collapse(modules: list[str], layers: int = 0) -> list[str]:
    """Module names with their layer and expert numbers replaced by ``*``, each once.

    Names that stand for less than half of the layers are left out.
    """
    seen: dict[str, set[str]] = {}
    for name in modules:
        numbers = re.findall(r"\.(\d+)(?=\.|$)", str(name))
        seen.setdefault(re.sub(r"\.\d+(?=\.|$)", ".*", str(name)), set()).update(numbers[:1] or ["all"])
    return [pattern for pattern, found in seen.items() if "all" in found or len(found) * 2 >= layers]


def trim_quantization(quantization: dict[str, Any], layers: int) -> dict[str, Any]:
    """``quantization_config`` with its module lists collapsed over layers and its per-layer table summarised."""
    kept: dict[str, Any] = {}
    for key, value in quantization.items():
        if value is None or key in (
            "producer",
            "activation_scheme",
            "version",
            "format_version",
            "quantization_status",
        ):
            continue
        if key in ("ignore", "exclude_modules", "modules_to_not_convert") and isinstance(value, list):
            kept[key] = collapse(value, layers)
        elif key == "quantized_layers":
            summary: dict[str, Any] = {}
            for name, how in value.items():
                summary.setdefault(re.sub(r"\.\d+(?=\.|$)", ".*", name), how)
            kept[key] = summary
        elif key == "config_groups":
            kept[key] = {group: trim_group(spec) for group, spec in value.items()}
        else:
            kept[key] = value
    return kept


def trim_group(group: dict[str, Any]) -> dict[str, Any]:
    """One compressed-tensors group: targets, and the bits of weights and activations."""
    kept: dict[str, Any] = {}
    if group.get("targets"):
        kept["targets"] = collapse(group["targets"])
    for side in ("weights", "input_activations"):
        if isinstance(group.get(side), dict):
            kept[side] = {
                k: group[side][k] for k in ("num_bits", "type", "group_size", "strategy") if group[side].get(k)
            }
    return kept


FAMILIES = {
    "meta-llama/": ("LlamaForCausalLM", "llama"),
    "Qwen/Qwen2.5": ("Qwen2ForCausalLM", "qwen2"),
    "Qwen/Qwen3-Next": ("Qwen3NextForCausalLM", "qwen3_next"),
    "Qwen/Qwen3": ("Qwen3ForCausalLM", "qwen3"),
    "deepseek-ai/DeepSeek-V2": ("DeepseekV2ForCausalLM", "deepseek_v2"),
    "moonshotai/Kimi-Linear": ("KimiLinearForCausalLM", "kimi_linear"),
    "zai-org/GLM-4.5": ("Glm4MoeForCausalLM", "glm4_moe"),
    "mistralai/Mistral-Small-3": ("Mistral3ForConditionalGeneration", "mistral3"),
    "mistralai/Ministral-3": ("Mistral3ForConditionalGeneration", "mistral3"),
    "mistralai/": ("MistralForCausalLM", "mistral"),
    "google/gemma-2": ("Gemma2ForCausalLM", "gemma2"),
    "google/gemma-3-1b": ("Gemma3ForCausalLM", "gemma3_text"),
    "google/gemma-3": ("Gemma3ForConditionalGeneration", "gemma3"),
    "microsoft/Phi-": ("Phi3ForCausalLM", "phi3"),
    "microsoft/phi-4": ("Phi3ForCausalLM", "phi3"),
    "allenai/OLMo-2": ("Olmo2ForCausalLM", "olmo2"),
    "allenai/Olmo-3": ("Olmo3ForCausalLM", "olmo3"),
    "tiiuae/Falcon3": ("LlamaForCausalLM", "llama"),
    "tiiuae/Falcon-H1": ("FalconH1ForCausalLM", "falcon_h1"),
    "ibm-granite/granite-4": ("GraniteMoeHybridForCausalLM", "granitemoehybrid"),
    "ibm-granite/granite-3": ("GraniteForCausalLM", "granite"),
    "nvidia/NVIDIA-Nemotron": ("NemotronHForCausalLM", "nemotron_h"),
    "ai21labs/": ("JambaForCausalLM", "jamba"),
    "CohereLabs/c4ai-command-r": ("CohereForCausalLM", "cohere"),
    "CohereLabs/c4ai-command-a": ("Cohere2ForCausalLM", "cohere2"),
    "openai/whisper": ("WhisperForConditionalGeneration", "whisper"),
    "OpenGVLab/": ("InternVLChatModel", "internvl_chat"),
}
"""Architecture and model type by id prefix, for records that carry a shape but no config.json."""


def rebuild(record: dict[str, Any]) -> dict[str, Any]:
    """A config.json in Hugging Face's vocabulary from a recorded shape."""
    architecture, model_type = next(family for prefix, family in FAMILIES.items() if record["id"].startswith(prefix))
    text: dict[str, Any] = {
        "hidden_size": record["hidden"],
        "num_hidden_layers": record["layers"],
        "num_attention_heads": record["q_heads"],
        "num_key_value_heads": record["kv_heads"],
        "head_dim": record["head_dim"],
        "intermediate_size": record["intermediate"],
        "vocab_size": record["vocab"],
        "max_position_embeddings": record["max_position_embeddings"],
        "tie_word_embeddings": record["tie_word_embeddings"],
        "sliding_window": record["sliding_window"],
        "torch_dtype": record["dtype"] or ("float16" if "Llama-2" in record["id"] else "bfloat16"),
    }
    if text["tie_word_embeddings"] is None:
        text["tie_word_embeddings"] = False
    if record["mla"]:
        text.update({k: v for k, v in record["mla"].items() if v is not None})
    if record["moe"]:
        text.update(rebuild_experts(record["moe"], model_type))
    text.update(rebuild_state(record, model_type))
    text = {key: value for key, value in text.items() if value is not None}
    if model_type == "whisper":
        sizes = {
            "d_model": record["hidden"],
            "decoder_layers": record["layers"],
            "decoder_attention_heads": record["q_heads"],
            "decoder_ffn_dim": record["intermediate"],
            "encoder_layers": record["layers"],
            "encoder_attention_heads": record["q_heads"],
            "encoder_ffn_dim": record["intermediate"],
            "max_target_positions": record["max_position_embeddings"],
            "max_source_positions": 1500,
            "vocab_size": record["vocab"],
            "torch_dtype": "float16",
        }
        return {"architectures": [architecture], "model_type": model_type, "is_encoder_decoder": True, **sizes}
    if model_type in ("mistral3", "gemma3", "internvl_chat"):
        name = "llm_config" if model_type == "internvl_chat" else "text_config"
        inner = {"mistral3": "mistral", "gemma3": "gemma3_text", "internvl_chat": "qwen2"}[model_type]
        text.pop("torch_dtype")
        return {
            "architectures": [architecture],
            "model_type": model_type,
            "torch_dtype": "bfloat16",
            name: {"model_type": inner, **text},
            "vision_config": {"model_type": "vision"},
        }
    return {"architectures": [architecture], "model_type": model_type, **text}


def rebuild_experts(moe: dict[str, Any], model_type: str) -> dict[str, Any]:
    """The expert keys of a family, from a recorded shape."""
    experts = {
        "num_experts_per_tok": moe["active"],
        "moe_intermediate_size": moe["moe_intermediate"],
        "first_k_dense_replace": moe["first_dense"],
        "moe_layer_freq": moe["moe_layer_freq"],
    }
    if model_type in ("deepseek_v2", "glm4_moe"):
        return experts | {"n_routed_experts": moe["experts"], "n_shared_experts": moe["shared"]}
    if model_type == "kimi_linear":
        return experts | {"num_experts": moe["experts"], "num_shared_experts": moe["shared"]}
    if model_type == "granitemoehybrid":
        return {
            "num_local_experts": moe["experts"],
            "num_experts_per_tok": moe["active"],
            "shared_intermediate_size": moe["shared_intermediate_total"],
        }
    if model_type == "jamba":
        return {
            "num_experts": moe["experts"],
            "num_experts_per_tok": moe["active"],
            "expert_layer_period": 2,
            "expert_layer_offset": 1,
        }
    return experts | {
        "num_experts": moe["experts"],
        "shared_expert_intermediate_size": moe["shared_intermediate_total"],
    }


def rebuild_state(record: dict[str, Any], model_type: str) -> dict[str, Any]:
    """Layer patterns and recurrent-state keys of the hybrid families, from a recorded shape."""
    state = next((a for a in record["attention"] if a["type"].startswith(("linear", "mamba"))), None)
    layers = record["layers"]
    if model_type in ("gemma2", "gemma3", "gemma3_text", "olmo3", "cohere2"):
        period = {"gemma2": 2, "olmo3": 4, "cohere2": 4}.get(model_type, 6)
        return {
            "layer_types": ["full_attention" if (i + 1) % period == 0 else "sliding_attention" for i in range(layers)]
        }
    if state is None:
        return {}
    if model_type == "qwen3_next":
        return {
            "full_attention_interval": 4,
            "linear_num_key_heads": state["k_heads"],
            "linear_num_value_heads": state["v_heads"],
            "linear_key_head_dim": state["k_dim"],
            "linear_value_head_dim": state["v_dim"],
            "linear_conv_kernel_dim": state["conv"],
            "decoder_sparse_step": 1,
        }
    if model_type == "kimi_linear":
        full = [4, 8, 12, 16, 20, 24, 27]
        return {
            "linear_attn_config": {
                "full_attn_layers": full,
                "kda_layers": [i for i in range(1, 28) if i not in full],
                "num_heads": state["heads"],
                "head_dim": state["k_dim"],
                "short_conv_kernel_size": state["conv"],
            },
            "model_max_length": 1048576,
        }
    if model_type == "falcon_h1":
        return {
            "mamba_d_ssm": state["heads"] * state["head_dim"],
            "mamba_n_heads": state["heads"],
            "mamba_d_head": state["head_dim"],
            "mamba_d_state": state["state"],
            "mamba_n_groups": state["groups"],
            "mamba_d_conv": state["conv"],
            "mamba_expand": 2,
        }
    if model_type == "granitemoehybrid":
        attention = (5, 15, 25, 35)
        return {
            "layers_block_type": ["attention" if i in attention else "mamba" for i in range(layers)],
            "layer_types": ["attention" if i in attention else "mamba" for i in range(layers)],
            "mamba_n_heads": state["heads"],
            "mamba_d_head": state["head_dim"],
            "mamba_d_state": state["state"],
            "mamba_n_groups": state["groups"],
            "mamba_d_conv": state["conv"],
            "mamba_expand": 2,
        }
    if model_type == "nemotron_h":
        return {
            "hybrid_override_pattern": "M-M-M-MM-M-M-M*-M-M-M*-M-M-M-M*-M-M-M-M*-M-MM-M-M-M-M-M-",
            "mamba_num_heads": state["heads"],
            "mamba_head_dim": state["head_dim"],
            "ssm_state_size": state["state"],
            "n_groups": state["groups"],
            "conv_kernel": state["conv"],
            "expand": 2,
        }
    return {
        "attn_layer_period": 8,
        "attn_layer_offset": 4,
        "mamba_d_conv": 4,
        "mamba_d_state": 16,
        "mamba_expand": 2,
        "mamba_dt_rank": 256,
    }


ROWS = Path(__file__).with_name("models.tsv")
"""Models whose config is not among the packaged ones, one row each."""

NUMBERS = (
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "intermediate_size",
    "vocab_size",
    "max_position_embeddings",
)

INSTRUCT_LENGTH = {
    "max_position_embeddings": 32768,
    "also": ["max_position_embeddings: QwenLM/Qwen3#1133; max_seq_len in vLLM 0.18.0's log of the 7B"],
}
"""Of Qwen2.5's Instruct models: the 131,072 of their card needs YaRN."""

CORRECTED: dict[str, dict[str, Any]] = {
    "mistralai/Mistral-Small-3.2-24B-Instruct-2506": {
        "params_total_b": 24.01,
        "params_active_b": 24.01,
        "aliases": [
            "mistral-small-3",
            "mistral-small-3.1-24b",
            "mistral-small-3.1-24b-instruct-2503",
            "devstral-small",
            "magistral-small",
        ],
    },
    "Qwen/Qwen2.5-1.5B-Instruct": INSTRUCT_LENGTH,
    "Qwen/Qwen2.5-7B-Instruct": INSTRUCT_LENGTH,
    "Qwen/Qwen2.5-14B-Instruct": INSTRUCT_LENGTH,
    "Qwen/Qwen2.5-32B-Instruct": INSTRUCT_LENGTH,
    "Qwen/Qwen2.5-72B-Instruct": {"aliases": ["qwen2.5-72b"], **INSTRUCT_LENGTH},
    "zai-org/GLM-4.5": {"aliases": ["glm-4.5", "glm-4.6", "glm-4.7"]},
}
"""Recorded fields that startup logs or the publisher's card correct."""


def from_row(row: dict[str, str]) -> dict[str, Any]:
    """A config.json from one row of ``models.tsv``."""
    more = json.loads(row["more"]) if row["more"] else {}
    flat: dict[str, Any] = {"model_type": row["model_type"], **{name: int(row[name]) for name in NUMBERS}}
    flat |= {"tie_word_embeddings": row["tie_word_embeddings"] == "true", "torch_dtype": "bfloat16", **more}
    if not row["nest"]:
        return {"architectures": [row["architectures"]], **flat}
    outer = {
        "architectures": [row["architectures"]],
        "model_type": flat.pop("model_type"),
        "torch_dtype": flat.pop("torch_dtype"),
    }
    return {**outer, "text_config": {"model_type": row["nest"], **flat}, "vision_config": {"model_type": "vision"}}


def listed(text: str) -> list[str]:
    """A comma-separated cell."""
    return text.split(",") if text else []


def entry(model_id: str, config: dict[str, Any], record: dict[str, Any] | None, source: str) -> dict[str, Any]:
    """One line of the catalogue."""
    record = record or {}
    found: dict[str, Any] = {
        "id": model_id,
        "aliases": [name for name in record.get("aliases", []) if not re.search("fp8", name, re.I)],
        "config": trim(config),
        "sources": [source, *record.get("also", [])],
    }
    for name in ("params_total", "params_active"):
        if record.get(name + "_b"):
            found[name] = round(record[name + "_b"] * 1e9)
    if record.get("unverified"):
        found["unverified"] = record["unverified"]
    return found


def import_all(configs: Path, records: Path) -> list[dict[str, Any]]:
    """Every entry: true configs first, then recorded shapes."""
    recorded = {
        record["id"]: {**record, **CORRECTED.get(record["id"], {})}
        for record in json.loads(records.read_text())["models"]
    }
    entries = {}
    for path in sorted(configs.glob("*_config.json")):
        if path.name.endswith("_hf_quant_config.json"):
            continue
        model_id = path.name.removesuffix("_config.json").replace("--", "/", 1)
        config = json.loads(path.read_text())
        quantized = path.with_name(path.name.replace("_config.json", "_hf_quant_config.json"))
        if quantized.exists() and not config.get("quantization_config"):
            config["quantization_config"] = {
                "quant_method": "modelopt",
                **json.loads(quantized.read_text())["quantization"],
            }
        entries[model_id] = entry(
            model_id, config, recorded.get(model_id), "config.json packaged in NVIDIA AIConfigurator (Apache-2.0)"
        )
    with ROWS.open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE):
            told = {
                "aliases": listed(row["aliases"]),
                "params_total_b": float(row["params_b"]),
                "unverified": listed(row["unverified"]),
            }
            entries[row["id"]] = entry(row["id"], from_row(row), told, row["source"])
    for model_id, record in recorded.items():
        if model_id in entries:
            continue
        if record["source"].startswith("AIC:"):
            name = record["source"].removeprefix("AIC:").removesuffix("_config.json").replace("--", "/", 1)
            config = {k: v for k, v in entries[name]["config"].items() if k != "quantization_config"}
            entries[model_id] = entry(
                model_id, config, record, f"config.json of {name}, packaged in NVIDIA AIConfigurator (Apache-2.0)"
            )
        else:
            entries[model_id] = entry(model_id, rebuild(record), record, named_source(record["source"]))
    return [entries[model_id] for model_id in sorted(entries, key=str.lower)]


def named_source(source: str) -> str:
    """A recorded source key in words."""
    names = {
        "LG:": "litgpt 0.5.13 litgpt/config.py (Apache-2.0)",
        "MT:": "MaxText hf_model_configs.py (Apache-2.0)",
        "IDX:": "config printed in public repositories",
        "VK": "recalled, not verified",
    }
    return next((words for key, words in names.items() if source.startswith(key)), source)


def write(entries: list[dict[str, Any]]) -> None:
    """Write the catalogue, one entry per line."""
    lines = ",\n".join(json.dumps(e, separators=(",", ":"), ensure_ascii=False) for e in entries)
    CATALOGUE.write_text('{"models":[\n' + lines + "\n]}\n")
    print(f"{len(entries)} models, {CATALOGUE.stat().st_size / 1000:.0f} kB")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    everything = commands.add_parser("import")
    everything.add_argument("--configs", type=Path, required=True)
    everything.add_argument("--records", type=Path, required=True)
    one = commands.add_parser("add")
    one.add_argument("--id", required=True)
    one.add_argument("--config", type=Path, required=True)
    one.add_argument("--params", type=float, help="billions, total")
    one.add_argument("--active", type=float, help="billions, per token")
    one.add_argument("--alias", action="append", default=[])
    one.add_argument("--source", required=True)
    given = parser.parse_args()
    if given.command == "import":
        write(import_all(given.configs, given.records))
        return
    record = {"aliases": given.alias, "params_total_b": given.params, "params_active_b": given.active}
    known = {e["id"]: e for e in json.loads(CATALOGUE.read_text())["models"]}
    known[given.id] = entry(given.id, json.loads(given.config.read_text()), record, given.source)
    write([known[model_id] for model_id in sorted(known, key=str.lower)])


if __name__ == "__main__":
    main()
