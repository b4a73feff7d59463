"""Compare the reading of command lines with a release's own answers to them.

    python tools/differential_arguments.py VERSION ANSWERS.jsonl [--show 20]

ANSWERS is what ``record_arguments.py`` printed (or its gzip). Exit status 1 when anything differs.
"""

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vllm_triage.facts.flag_configs import config_class
from vllm_triage.facts.flags import FlagTable, table
from vllm_triage.readers.arguments import Arguments, read_arguments
from vllm_triage.readers.arguments.reader import SECRET

__all__ = ["differences", "lines"]

# Fields that vLLM's classes fill or change themselves once the JSON was read.
CHANGED = frozenset({
    "custom_ops", "engine_id", "inductor_compile_config", "inductor_passes", "backend_per_kind",
    "torch_profiler_dir", "proton_profiler_dir", "mode", "level", "use_activation", "seq_pooling_type",
    "tok_pooling_type", "publisher", "pass_config", "minimax_m3_msa_decode_backend", "backend", "ir_op_priority",
    "cudagraph_mode", "profiler", "linear", "moe", "logit_mean", "logit_sigma", "logit_bias", "logit_scale",
    "indexer_kv_dtype", "use_fp4_indexer_cache", "debug_dump_path", "fuse_act_padding", "fuse_mla_dual_rms_norm",
    "fuse_rope_kvcache", "fuse_qk_norm_rope_kvcache", "enable_qk_norm_rope_fusion", "fuse_rope_kvcache_cat_mla",
    "dynamic_shapes_config", "splitting_ops",
})  # fmt: skip


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The answers in a file."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    yield from (json.loads(line) for line in text.split("\n") if line.startswith("{"))


def differences(line: dict[str, Any], version: str) -> list[str]:
    """What we read differently from the release itself; empty when nothing."""
    entrypoint = line.get("e", "serve")
    got = read_arguments(line["a"], version, entrypoint, line.get("c"))
    refused = [f"{p.code}: {p.message}" for p in got.problems if p.severity == "fatal" and not p.code.startswith("out-of-range")]
    if "x" in line:
        return [] if refused else [f"accepted, but the release says: {line['x']}"]
    if refused:
        return [f"refused, but the release accepts: {refused[0]}"]
    return list(different_values(got, line["v"], table(version), version, serve=entrypoint == "serve"))


def different_values(got: Arguments, want: dict[str, Any], flags: FlagTable, version: str, *, serve: bool) -> Iterator[str]:
    """The destinations whose values differ."""
    if serve and want.get("model_tag") is not None:
        want = {**want, "model": want["model_tag"]}
    for dest in {*got.values, *want} - {"model_tag", "config"}:
        spec = flags.by_dest[dest]
        ours, theirs = got.values.get(dest, spec.default), want.get(dest, spec.default)
        if dest in SECRET:
            continue
        if spec.config is not None and isinstance(ours, dict) and isinstance(theirs, dict):
            cls = config_class(spec.config, version)
            known = cls.defaults if cls is not None else {}
            for key, value in ours.items():
                unset = key not in theirs and known.get(key) is None  # it equals a default that only a call would tell
                unset = unset or isinstance(value, dict)  # a class inside the class: its defaults are not told either
                if key not in CHANGED and not unset and not same(value, theirs.get(key, known.get(key))):
                    yield f"{dest}.{key}: {value!r}, but the release reads {theirs.get(key, known.get(key))!r}"
        elif spec.action == "lora" and isinstance(theirs, list):
            given = [{key: item for key, item in found.items() if item not in (None, False)} for found in theirs]
            if not same(ours, given):
                yield f"{dest}: {ours!r}, but the release reads {theirs!r}"
        elif not same(ours, theirs):
            yield f"{dest}: {ours!r}, but the release reads {theirs!r}"


def same(ours: Any, theirs: Any) -> bool:
    """Equal, NaN included."""
    return json.dumps(ours, sort_keys=True) == json.dumps(theirs, sort_keys=True) or ours == theirs


def main() -> None:
    """Compare, count, show."""
    parser = argparse.ArgumentParser(description="Compare with a release's own answers.")
    parser.add_argument("version")
    parser.add_argument("answers", type=Path)
    parser.add_argument("--show", type=int, default=20)
    arguments = parser.parse_args()
    count = agree = 0
    for line in lines(arguments.answers):
        count += 1
        found = differences(line, arguments.version)
        agree += not found
        if found and count - agree <= arguments.show:
            print(json.dumps({k: line[k] for k in ("a", "c", "e") if k in line}, ensure_ascii=False), *found, sep="\n    ")
    print(f"{arguments.version}: {agree} of {count} agree")
    sys.exit(agree != count)


if __name__ == "__main__":
    main()
