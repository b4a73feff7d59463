"""Record what vLLM's own KV-cache planner answers for generated layer mixes.

    python tools/record_kv_plans.py make --seed 11 --count 330 > tests/data/kv_plans/cases.json
    python tools/record_kv_plans.py make --compressed --seed 4 --count 60 > tests/data/kv_plans/compressed.json
    python tools/record_kv_plans.py make --rings --seed 7 --count 120 > tests/data/kv_plans/rings.json
    python tools/record_kv_plans.py ask tests/data/kv_plans/cases.json --model DIR > answers.jsonl
    python tools/record_kv_plans.py pack 0.18.0=answers-0.18.0.jsonl ... > tests/data/kv_plans/answers.json

`make` and `pack` need nothing; `ask` runs inside an environment that has the vLLM release in question and a folder with
any config.json of a full-attention model (the planner never looks at it).
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
import re
import shlex
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

GIB = 2**30
KINDS = (
    "full",
    "full2",
    "swa",
    "swa_hybrid",
    "swa_hybrid",
    "swa_hybrid",
    "chunk_hybrid",
    "mla",
    "mla_idx",
    "mamba",
    "mamba_hybrid",
    "swa2",
    "mixed_pages",
    "three",
)


def make(seed: int, count: int) -> list[dict[str, Any]]:
    """Cases: layers of every kind, budgets, lengths, block sizes and flags, the same for the same seed."""
    rng = random.Random(seed)  # noqa: S311 - reproducible cases, not secrets
    return [one_case(rng, index) for index in range(count)]


def one_case(rng: random.Random, index: int) -> dict[str, Any]:
    """One case. The order of the draws is part of the recording: do not change it."""
    block = rng.choice([16, 16, 16, 32, 64, 128])
    memory = rng.choice([GIB, 5 * GIB + 17, 10**10, 19.53 * GIB, 37 * GIB + 12345, 64 * GIB])
    length = rng.choice([1000, 2048, 4097, 8192, 32768, 40960, 131072])
    budget = rng.choice([512, 2048, 8192, 16384])
    kind = rng.choice(KINDS)
    heads, size = rng.choice([1, 2, 4, 8, 16]), rng.choice([64, 128, 256])
    dtype = rng.choice(["bfloat16", "bfloat16", "float8_e4m3fn"])
    window, layers = rng.choice([128, 512, 1024, 4096]), rng.choice([1, 4, 10, 24, 36])
    mix = mixes(
        rng,
        kind,
        {
            "heads": heads,
            "size": size,
            "dtype": dtype,
            "window": window,
            "layers": layers,
            "block": block,
            "length": length,
        },
    )
    flags = []
    if rng.random() < 0.12:
        flags.append("--disable-hybrid-kv-cache-manager")
    if rng.random() < 0.5:
        flags.append("--no-async-scheduling")
    if rng.random() < 0.1:
        flags += ["--num-gpu-blocks-override", str(rng.choice([100, 5000]))]
    return {
        "name": f"{kind}-{index}",
        "mem": int(memory),
        "max_model_len": length,
        "max_num_batched_tokens": budget,
        "block_size": block,
        "serve_args": " ".join(flags),
        "layers": mix,
    }


def mixes(rng: random.Random, kind: str, of: dict[str, Any]) -> list[dict[str, Any]]:
    """The layers of one kind of model."""
    heads, size, dtype, window, layers = of["heads"], of["size"], of["dtype"], of["window"], of["layers"]

    def full(n: int, kv: int = heads, **more: int) -> dict[str, Any]:
        return {"n": n, "kind": "full", "kv_heads": kv, "head": size, "dtype": dtype, **more}

    def swa(n: int, w: int = window, kv: int = heads) -> dict[str, Any]:
        return {"n": n, "kind": "swa", "kv_heads": kv, "head": size, "window": w, "dtype": dtype}

    if kind == "full2":
        return [full(layers), full(rng.choice([1, 3]), kv=heads * 2)]
    if kind == "swa":
        return [swa(layers)]
    if kind == "swa2":
        return [swa(layers), swa(rng.choice([layers, layers + 1, 2 * layers]), w=window * 2)]
    if kind == "swa_hybrid":
        ratio = rng.choice([1, 1, 2, 3, 5])
        some = rng.choice([2, 5, 10, 12, 13])
        others = some * ratio + rng.choice([0, 0, 1, 2])
        return [swa(others), full(some)] if rng.random() < 0.7 else [full(some), swa(others)]
    if kind == "chunk_hybrid":
        return [
            {"n": 3 * layers, "kind": "chunked", "kv_heads": heads, "head": size, "window": 8192, "dtype": dtype},
            full(layers),
        ]
    if kind == "mla":
        return [{"n": layers, "kind": "mla", "head": 576, "dtype": dtype}]
    if kind == "mla_idx":
        return [
            {"n": layers, "kind": "mla", "head": 576, "dtype": dtype},
            {"n": layers, "kind": "mla", "head": 132, "dtype": "uint8"},
        ]
    if kind == "mamba":
        return [
            {
                "n": layers,
                "kind": "mamba",
                "shapes": [[3, 8192], [64, 64, 128]],
                "dtypes": ["bfloat16", rng.choice(["bfloat16", "float32"])],
                "block_size": of["length"],
            }
        ]
    if kind == "mamba_hybrid":
        token = 2 * heads * size * (1 if dtype.startswith("float8") else 2)
        state = 3 * 8192 * 2 + 64 * 64 * 128 * 2
        block = max(16 * -(-state // (16 * token)), of["block"])
        recurrent = {
            "n": rng.choice([layers, 3 * layers, 7 * layers]),
            "kind": "mamba",
            "shapes": [[3, 8192], [64, 64, 128]],
            "dtypes": ["bfloat16", "bfloat16"],
            "block_size": of["length"],
        }
        if block * token > state:
            recurrent["page_size_padded"] = block * token
        return [recurrent, full(layers, block_size=block)]
    if kind == "mixed_pages":
        return [swa(rng.choice([5, 10, 20]), kv=heads * rng.choice([2, 4])), full(rng.choice([2, 5]))]
    return [swa(10), swa(10, w=window * 4), full(5)] if kind == "three" else [full(layers)]


def make_compressed(seed: int, count: int) -> list[dict[str, Any]]:
    """Cases of DeepSeek-V4's kind: latents of 4 and of 128 tokens, windows over latents, and compressor states."""
    rng = random.Random(seed)  # noqa: S311 - reproducible cases, not secrets
    return [one_compressed(rng, index) for index in range(count)]


def one_compressed(rng: random.Random, index: int) -> dict[str, Any]:
    """One case; mostly the layers of a real model, sometimes a mix that none has."""
    four, many, plain = rng.choice([(21, 20, 2), (30, 31, 0), (11, 10, 1), (5, 9, 3), (12, 12, 12), (3, 1, 0)])
    window = rng.choice([128, 128, 512])
    packed = {"alignment": 576, "model_version": "deepseek_v4", "cache_dtype_str": "fp8_ds_mla"}
    rows = {"alignment": 512, "model_version": "deepseek_v4", "cache_dtype_str": "bfloat16"}
    kept, dtype, align = (packed, "uint8", 576) if rng.random() < 0.75 else (rows, "bfloat16", 512)

    def latent(ratio: int) -> dict[str, Any]:
        return {"kind": "mla", "head": 512, "dtype": dtype, "extra": {**kept, "compress_ratio": ratio}}

    def windowed(head: int, block: int, size: int, kept: dict[str, Any], dtype: str) -> dict[str, Any]:
        return {"kind": "swa_mla", "head": head, "dtype": dtype, "block_size": block, "window": size,
                "extra": kept}  # fmt: skip

    swa = windowed(512, 64, window, kept, dtype)
    index_keys = {"kind": "mla", "head": 132, "dtype": "uint8", "extra": {"compress_ratio": 4,
                  "alignment": align}}  # fmt: skip
    states = {"alignment": align}
    of_four = [windowed(256 * 2, 4, 8, states, "float32"), index_keys, swa, latent(4),
               windowed(1024 * 2, 4, 8, states, "float32")]  # fmt: skip
    of_many = [swa, latent(128), windowed(512 * 2, 8, 128, states, "float32")]
    flags = rng.choice(["", "--no-async-scheduling", "--num-gpu-blocks-override 3000", ""])
    return {
        "name": f"compressed-{index}",
        "mem": int(rng.choice([GIB, 5 * GIB + 17, 19.53 * GIB, 32.08 * GIB, 64 * GIB])),
        "max_model_len": rng.choice([1000, 4096, 30000, 262144, 1048576]),
        "max_num_batched_tokens": rng.choice([512, 2048, 8192, 16384]),
        "block_size": 256,
        "layout": "BLHNC",
        "serve_args": flags,
        "layers": [{"n": plain, "of": [swa]}, {"n": four, "of": of_four}, {"n": many, "of": of_many}],
    }


def make_rings(seed: int, count: int) -> list[dict[str, Any]]:
    """Cases with a ring beside what it belongs to: latents with pooled indexer keys, recurrent state, full, windows."""
    rng = random.Random(seed)  # noqa: S311 - reproducible cases, not secrets
    return [one_ring(rng, index) for index in range(count)]


def one_ring(rng: random.Random, index: int) -> dict[str, Any]:
    """One case; half of them with the layers of a real model, in either memory layout."""
    block, pool, layers = rng.choice([128, 128, 256, 512]), rng.choice([4, 8, 16]), rng.choice([1, 3, 6, 12])
    rows = rng.choice([pool, 2 * pool, 4 * pool])
    ring: dict[str, Any] = {"kind": "ring", "kv_heads": rng.choice([1, 2]), "head": 128, "block_size": rows}
    keys = {"kind": "mla", "head": 132, "dtype": "uint8", "extra": {"compress_ratio": pool}}
    latent = {"kind": "mla", "head": rng.choice([512, 576]), "dtype": rng.choice(["bfloat16", "bfloat16", "uint8"])}
    full: dict[str, Any] = {"kind": "full", "kv_heads": rng.choice([1, 2, 8]), "head": 128, "dtype": "bfloat16"}
    window = {**full, "kind": "swa", "window": rng.choice([512, 1024])}
    state: dict[str, Any] = {"kind": "mamba", "shapes": [[3, 6144], [16, 128, 128]], "dtypes": ["bfloat16", "float32"],
             "block_size": 131072}  # fmt: skip
    if rng.random() < 0.5:
        state["page_size_padded"] = block * 576 * 2 * rng.choice([8, 16])
    own_page = {**ring, "block_size": block, "kv_heads": 2 * full["kv_heads"]}
    more = rng.choice([1, 2, 3])
    mix = rng.choice([
        [{"n": layers, "of": [*[state] * more, latent, keys, ring]}],
        [{"n": layers, "of": [*[state] * more, latent, keys, ring]}],
        [{"n": layers, "of": [latent, keys, ring]}],
        [{"n": layers, "of": [*[window] * more, full, own_page]}],
        [{"n": layers, "of": [*[window] * more, full, ring]}],
        [{"n": layers, "of": [full, ring]}, {"n": more, "of": [full]}],
        [{"n": layers, "of": [*[state] * more, full, ring]}],
        [{"n": layers, "of": [ring]}],
    ])  # fmt: skip
    case = {
        "name": f"ring-{index}",
        "mem": int(rng.choice([GIB, 5 * GIB + 17, 19.53 * GIB, 64 * GIB])),
        "max_model_len": rng.choice([1000, 4096, 30000, 131072]),
        "max_num_batched_tokens": rng.choice([512, 2048, 8192]),
        "block_size": block,
        "serve_args": rng.choice(["", "--no-async-scheduling", "--num-gpu-blocks-override 3000", ""]),
        "layers": mix,
    }
    return {**case, "layout": "BLHNC"} if rng.random() < 0.5 else case


def ask(cases: list[dict[str, Any]], model: str) -> None:
    """Put every case to the installed vLLM's planner; one JSON line per answer."""
    torch, vllm = import_module("torch"), import_module("vllm")
    arguments = import_module("vllm.engine.arg_utils").AsyncEngineArgs
    usage = import_module("vllm.usage.usage_lib").UsageContext.OPENAI_API_SERVER
    planner = import_module("vllm.v1.core.kv_cache_utils")
    grouping = first_module("vllm.v1.core.kv_cache_planning", "vllm.v1.core.kv_cache_utils")
    parser = arguments.add_cli_args(first_module("vllm.utils.argparse_utils", "vllm.utils").FlexibleArgumentParser())
    for case in cases:
        words = [
            "--model",
            model,
            "--max-model-len",
            case["max_model_len"],
            "--block-size",
            case["block_size"],
            "--max-num-batched-tokens",
            case["max_num_batched_tokens"],
            "--hf-overrides",
            json.dumps({"max_position_embeddings": case["max_model_len"]}),
        ]
        config = arguments.from_cli_args(
            parser.parse_args([*map(str, words), *shlex.split(case["serve_args"])])
        ).create_engine_config(usage_context=usage)
        if getattr(config.cache_config, "kv_cache_layout", "set") is None:
            config.cache_config.kv_cache_layout = case.get("layout", "LBHNC")
        flat = [layer for part in case["layers"] for _ in range(part["n"]) for layer in part.get("of", [part])]
        specs = {f"layers.{i}.attn": spec_of(torch, layer, case["block_size"]) for i, layer in enumerate(flat)}
        with import_module("vllm.config").set_current_vllm_config(config):
            print(json.dumps(answer(planner, grouping, config, specs, case) | {"vllm": vllm.__version__}), flush=True)


def first_module(*names: str) -> Any:
    """The first of these modules this release has."""
    for name in names[:-1]:
        try:
            return import_module(name)
        except ImportError:
            continue
    return import_module(names[-1])


def spec_of(torch: Any, layer: dict[str, Any], block: int) -> Any:
    """vLLM's own spec object for one layer."""
    interface = import_module("vllm.v1.kv_cache_interface")

    names = {
        "full": "FullAttentionSpec",
        "mla": "MLAAttentionSpec",
        "swa": "SlidingWindowSpec",
        "swa_mla": "SlidingWindowMLASpec",
        "chunked": "ChunkedLocalAttentionSpec",
        "mamba": "MambaSpec",
        "ring": "CircularBufferSpec",
    }
    # before 0.11 a latent is full attention with `use_mla`
    kind = getattr(interface, names[layer["kind"]], interface.FullAttentionSpec)
    fields = {
        "block_size": layer.get("block_size", block),
        "num_kv_heads": layer.get("kv_heads", 1),
        "head_size": layer.get("head"),
        "dtype": getattr(torch, layer.get("dtype", "bfloat16")),
        "sliding_window": layer.get("window"),
        "attention_chunk_size": layer.get("window"),
        "use_mla": layer["kind"] == "mla",
        "page_size_padded": layer.get("page_size_padded"),
        "shapes": tuple(map(tuple, layer.get("shapes", ()))),
        "dtypes": tuple(getattr(torch, d) for d in layer.get("dtypes", ())),
        **layer.get("extra", {}),
    }
    if layer["kind"] == "full":
        del fields["sliding_window"], fields["attention_chunk_size"]
    wanted = {field.name for field in dataclasses.fields(kind)}
    if "tokens_per_state" in wanted:  # from 0.29; the packed row's size is given with it from 0.28
        fields["tokens_per_state"] = fields.get("compress_ratio")
    if layer["kind"] == "ring":
        fields["head_size_v"] = 0
    if fields.get("cache_dtype_str") == "fp8_ds_mla":
        fields["state_content_bytes"] = 584
    return kind(**{name: value for name, value in fields.items() if name in wanted and value is not None})


def answer(planner: Any, grouping: Any, config: Any, specs: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    """Blocks, tokens, concurrency and groups, or the refusal."""
    try:
        if hasattr(grouping, "get_global_kv_cache_groups"):
            groups = grouping.get_global_kv_cache_groups(config, [specs])
            planned = grouping.get_kv_cache_configs(config, [specs], [case["mem"]], groups)[0]
        elif hasattr(grouping, "get_kv_cache_configs"):
            planned = grouping.get_kv_cache_configs(config, [specs], [case["mem"]])[0]
        else:  # before 0.11 each worker planned alone
            planned = grouping.get_kv_cache_config(config, specs, case["mem"])
    except (ValueError, NotImplementedError, AssertionError) as error:
        return {"name": case["name"], "error": f"{type(error).__name__}: {error}"[:900]}
    shown = planned.kv_cache_groups
    release = tuple(map(int, import_module("vllm").__version__.split("+")[0].split(".")[:3]))
    try:
        # until 0.26 the log is written from the worker's own configuration, then from the scheduler's
        logged = planned if release < (0, 27, 0) else planner.generate_scheduler_kv_cache_config([planned])
        tokens, concurrency = planner.get_kv_cache_capacity(config, logged)
    except AttributeError:  # older releases compute both where they log them
        concurrency = planner.get_max_concurrency_for_kv_cache_config(config, planned)
        per_group = planned.num_blocks // len(shown)
        tokens = per_group * min(g.kv_cache_spec.block_size for g in shown) if release < (0, 20, 1) else None
    return {
        "name": case["name"],
        "num_blocks": planned.num_blocks,
        "tokens": tokens,
        "concurrency": round(concurrency, 4),
        "groups": [{"n": len(g.layer_names), "block": g.kv_cache_spec.block_size} for g in shown],
    }


NEEDED = re.compile(r"\(([\d.]+) GiB KV")
LONGEST = re.compile(r"estimated maximum model length is (\d+)")


def pack(files: list[str]) -> dict[str, list[Any]]:
    """Answers by release, one short entry per case: what was planned, what was too small, or how it was refused."""
    packed: dict[str, list[Any]] = {}
    for pair in files:
        version, path = pair.split("=", 1)
        packed[version] = [shortened(json.loads(line)) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    return packed


def shortened(found: dict[str, Any]) -> Any:
    """One answer as a list, or the kind of refusal."""
    if "error" not in found:
        return [found["num_blocks"], found["tokens"], found["concurrency"], len(found["groups"])]
    if needed := NEEDED.search(found["error"]):
        longest = LONGEST.search(found["error"])
        return {"needed_gib": float(needed.group(1)), "longest": int(longest.group(1)) if longest else 0}
    return found["error"].split(":")[0]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("--seed", type=int, default=11)
    making.add_argument("--count", type=int, default=330)
    making.add_argument("--compressed", action="store_true", help="layers of DeepSeek-V4's kind instead")
    making.add_argument("--rings", action="store_true", help="layers with a ring of raw rows instead")
    asking = commands.add_parser("ask")
    asking.add_argument("cases", type=Path)
    asking.add_argument("--model", required=True)
    packing = commands.add_parser("pack")
    packing.add_argument("files", nargs="+", metavar="VERSION=FILE")
    given = parser.parse_args()
    if given.command == "make":
        making_cases = make_rings if given.rings else make_compressed if given.compressed else make
        json.dump(making_cases(given.seed, given.count), sys.stdout, separators=(",", ":"))
    elif given.command == "ask":
        ask(json.loads(given.cases.read_text(encoding="utf-8")), given.model)
    else:
        json.dump(pack(given.files), sys.stdout, separators=(",", ":"))


if __name__ == "__main__":
    main()
