"""Build server/vllm_triage/facts/data/gpus.json from a survey of accelerators.

    python tools/build_gpu_catalogue.py SURVEY.json [--check]

The survey (schema ``gpus/1``) is a list of devices with marketing names, rates and the source of each figure. This
script turns it into the catalogue's form: one row per device *as vLLM sees it* (a dual-die MI250X is two devices),
rates dense, units in the field names, and for every row the name the driver reports, because vLLM tests that name.
`--check` compares instead of writing and exits 1 on a difference.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

CATALOGUE = Path(__file__).parent.parent / "server" / "vllm_triage" / "facts" / "data" / "gpus.json"

# Names as the driver reports them. Source: device_name= of the tuned kernel configurations shipped inside vLLM 0.32.0
# (model_executor/layers/fused_moe/configs, quantization/utils/configs), underscores read as spaces.
DEVICE_NAMES = {
    "A100-40GB-SXM": "NVIDIA A100-SXM4-40GB",
    "A100-80GB-SXM": "NVIDIA A100-SXM4-80GB",
    "A100-80GB-PCIe": "NVIDIA A100 80GB PCIe",
    "A800-80GB": "NVIDIA A800-SXM4-80GB",
    "B200": "NVIDIA B200",
    "B300": "NVIDIA B300 SXM6 AC",
    "GB10": "NVIDIA GB10",
    "GB200": "NVIDIA GB200",
    "RTX 4090": "NVIDIA GeForce RTX 4090",
    "H100-SXM": "NVIDIA H100 80GB HBM3",
    "H100-PCIe": "NVIDIA H100 PCIe",
    "H20": "NVIDIA H20",
    "H200-SXM": "NVIDIA H200",
    "H800-SXM": "NVIDIA H800",
    "L20": "NVIDIA L20",
    "L40S": "NVIDIA L40S",
    "RTX PRO 6000 Blackwell": "NVIDIA RTX PRO 6000 Blackwell Server Edition",
    "MI300X": "AMD Instinct MI300X",
    "MI308X": "AMD Instinct MI308X",
    "MI325X": "AMD Instinct MI325X",
    "MI350X": "AMD Instinct MI350X",
    "MI355X": "AMD Instinct MI355X",
}

# What torch reports as total memory, GiB, where a public startup log or out-of-memory message shows it for that device.
# Drivers differ by up to 0.15 GiB; the value seen most often is kept.
TORCH_TOTAL_GIB: dict[str, tuple[float, str]] = {
    "T4": (14.57, "out-of-memory message naming the device"),
    "V100-16GB": (15.77, "vLLM startup logs, four"),
    "V100-32GB": (31.74, "vLLM startup log"),
    "GB10": (121.63, "vLLM startup logs, four"),
    "A10": (22.06, "out-of-memory message naming the device"),
    "A10G": (22.06, "vLLM startup log"),
    "L4": (22.03, "out-of-memory messages naming the device, three"),
    "RTX 3090": (23.68, "vllm-project/vllm#16343; 23.58 and 23.69 also seen"),
    "RTX 4090": (23.64, "ali-vilab/VGen#104; 23.65 also seen"),
    "A100-40GB-PCIe": (39.5, "TianheWu/CoSeR#10, for 40960 MiB"),
    "A100-40GB-SXM": (39.5, "TianheWu/CoSeR#10, for 40960 MiB"),
    "A100-80GB-PCIe": (79.15, "out-of-memory messages beside 81920 MiB in nvidia-smi"),
    "A100-80GB-SXM": (79.15, "out-of-memory messages beside 81920 MiB in nvidia-smi"),
    "L40S": (44.39, "out-of-memory messages naming the device; 44.53 in vllm-project/vllm#15598"),
    "H100-SXM": (79.19, "vLLM startup logs, 59; 79.18 and 79.22 also seen"),
    "H200-SXM": (139.8, "vLLM startup log"),
    "RTX PRO 6000 Blackwell": (94.97, "vLLM startup logs, two"),
    "B200": (178.35, "out-of-memory messages naming the device, two"),
}

# What a reader of the figures should know, in our words.
NOTES = {
    "T4": "no BF16: vLLM runs float16",
    "V100-16GB": "no BF16: vLLM runs float16",
    "V100-32GB": "no BF16: vLLM runs float16",
    "A10G": "slower than the A10, whose figure is often given for it",
    "A100-80GB-SXM": "vLLM keeps devices named A100 on its small batch defaults",
    "L4": "72 W: clocks fall under sustained load",
    "RTX 3090": "rate with FP32 accumulation; FP16 accumulation doubles it",
    "RTX 4090": "rate with FP32 accumulation; FP16 accumulation doubles it; no NVLink",
    "RTX 5090": "has none of the datacenter Blackwell kernels",
    "RTX PRO 6000 Blackwell": "the Max-Q board (300 W) is slower",
    "H20": "little compute beside its bandwidth: decode turns compute-bound at a small batch",
    "B200": "sold as 192 GB",
    "B300": "INT8 is cut down on Blackwell Ultra",
    "GB10": "unified memory: the utilisation is a share of what the system uses too; small batch defaults from 0.33",
    "MI250X": "two dies: vLLM sees two devices, and the figures are for one of them",
    "MI300X": "FP8 is the FNUZ kind",
    "Gaudi3": "served by a plugin of its own",
    "Gaudi2": "served by a plugin of its own",
}

# Names people and clouds use, beyond those of the survey.
MORE_ALIASES = {
    "A100-40GB-SXM": ["a100 40gb sxm"],
    "A100-80GB-SXM": ["a100 80gb sxm", "a100-sxm4-80gb", "a100 sxm"],
    "H100-SXM": ["h100 80gb", "h100 80gb sxm", "h100 80gb sxm5"],
    "RTX PRO 6000 Blackwell": ["rtx pro 6000 blackwell workstation edition"],
    "MI325X": ["mi325 oam", "mi325"],
    "MI350X": ["mi350 oam", "mi350"],
    "MI355X": ["mi355 oam", "mi355"],
    "RTX A6000": ["nvidia rtx a6000"],
}

# Sources whose wording in the survey is for its makers.
SOURCES = {
    "SMI": "nvidia-smi transcripts in public repositories",
    "VK": "vendor datasheet, not read again for this catalogue",
}

# Names the survey gives a device that belong to another one.
WRONG_ALIASES = {"H20": {"h20-3e (141gb)"}}

# Devices the survey lacks and public records of vLLM name. Memory as the driver shows it: nvidia-smi transcripts in
# public repositories. BF16 with FP32 accumulation is tensor cores x boost clock x 128, which gives the RTX 5090's 209.5.
MORE_DEVICES = [
    {
        "name": name,
        "device_name": f"NVIDIA GeForce {name}",
        "aliases": aliases,
        "vendor": "nvidia",
        "arch": "blackwell_consumer",
        "compute_capability": "12.0",
        "marketing_gb": 16,
        "memory_mib": memory,
        **total,
        "bandwidth_gb_s": bandwidth,
        "bf16_tflops": rate,
        "fp16_tflops": rate,
        "fp8_tflops": 2 * rate,
        "interconnect": "pcie",
        "interconnect_gb_s": link,
        "sources": ["DB", "SMI"],
        "unverified": ["bf16_tflops", "fp16_tflops", "fp8_tflops", "interconnect_gb_s"],
        "note": "rates from tensor cores and boost clock; has none of the datacenter Blackwell kernels" + said,
    }
    for name, aliases, memory, total, bandwidth, rate, link, said in (
        ("RTX 5060 Ti 16GB", ["5060 ti", "5060ti", "rtx 5060 ti", "rtx 5060ti", "geforce rtx 5060 ti",
                              "geforce rtx 5060 ti 16gb", "nvidia geforce rtx 5060 ti"],
         16311, {"torch_total_gib": 15.48}, 448, 47.4, 32, "; torch total memory: vLLM startup logs, three"),
        ("RTX 5070 Ti", ["5070 ti", "5070ti", "rtx 5070ti", "geforce rtx 5070 ti"], 16303, {}, 896, 87.9, 64, ""),
        ("RTX 5080", ["5080", "geforce rtx 5080"], 16303, {}, 960, 112.6, 64, ""),
    )
]  # fmt: skip

FIELDS: dict[str, str | None] = {
    "mem_gb_marketing": "marketing_gb",
    "mem_visible_mib": "memory_mib",
    "mem_bw_gbs": "bandwidth_gb_s",
    "mem_bw": "bandwidth_gb_s",
    "bf16_tflops_dense": "bf16_tflops",
    "fp16_tflops_dense": "fp16_tflops",
    "fp8_tflops_dense": "fp8_tflops",
    "fp4_tflops_dense": "fp4_tflops",
    "int8_tops_dense": "int8_tops",
    "scaleup": "interconnect_gb_s",
    "flops": "bf16_tflops",
    "tdp": None,
    "tdp_w": None,
    "pcie": None,
}
RATES = ("bf16_tflops", "fp16_tflops", "fp8_tflops", "fp4_tflops", "int8_tops")
INTERCONNECT = (
    ("nvlink", "nvlink"),
    ("xgmi", "infinity_fabric"),
    ("infinity", "infinity_fabric"),
    ("pcie", "pcie"),
    ("ici", "ici"),
    ("roce", "ethernet"),
    ("connectx", "ethernet"),
)


def unverified_fields(notes: list[str]) -> list[str]:
    """Field names of the catalogue that the survey's remarks call unverified ("bf16/fp8 dense (...)" names two)."""
    fields: set[str] = set()
    for note in notes:
        word = note.split()[0]
        if word == "all":
            fields |= {"memory_mib", "bandwidth_gb_s", "interconnect_gb_s", *RATES}
        elif "/" in word:
            fields |= {f"{kind}_tflops" for kind in word.split("/")}
        else:
            found = FIELDS[word]
            fields |= {found} if found else set()
    return sorted(fields)


def row(survey: dict[str, Any], sources: frozenset[str]) -> dict[str, Any]:
    """One catalogue row from one device of the survey."""
    name = survey["name"]
    kind = survey["scaleup"]["type"]
    link = next(ours for prefix, ours in INTERCONNECT if kind.startswith(prefix))
    out: dict[str, Any] = {
        "name": name,
        "device_name": DEVICE_NAMES.get(name),
        "aliases": sorted(
            {*(alias.lower() for alias in survey["aliases"]), *MORE_ALIASES.get(name, ())}
            - WRONG_ALIASES.get(name, set())
        ),
        "vendor": survey["vendor"],
        "arch": survey["arch"],
        "compute_capability": survey["compute_capability"],
        "marketing_gb": survey["mem_gb_marketing"],
        "memory_mib": survey["mem_visible_mib"],
        "torch_total_gib": TORCH_TOTAL_GIB.get(name, (None, ""))[0],
        "bandwidth_gb_s": survey["mem_bw_gbs"],
        **{rate: survey.get(f"{rate}_dense") for rate in RATES},
        "interconnect": link,
        "interconnect_gb_s": survey["pcie_gbs_unidir"] if link == "pcie" else survey["scaleup"]["gbs_unidir"],
        "unified_memory": survey["unified_memory"],
        "sources": [key for key in survey["sources"] if key in sources],
        "unverified": unverified_fields(survey["unverified"]),
    }
    if name == "MI250X":  # two dies, two devices: the survey's figures are for the board
        halves = ("marketing_gb", "memory_mib", "bandwidth_gb_s", *RATES)
        out.update({key: out[key] / 2 if out[key] else out[key] for key in halves})
        out["marketing_gb"], out["memory_mib"] = int(out["marketing_gb"]), int(out["memory_mib"])
    total = f"torch total memory: {TORCH_TOTAL_GIB[name][1]}" if name in TORCH_TOTAL_GIB else ""
    out["note"] = "; ".join(filter(None, (NOTES.get(name, ""), total)))
    return {key: value for key, value in out.items() if value not in (None, "", [], False)}


def build(survey: dict[str, Any]) -> str:
    """The catalogue file's text: sources first, then one device per line."""
    sources = {key: SOURCES.get(key, text) for key, text in survey["sources"].items()}
    rows = [*(row(gpu, frozenset(sources)) for gpu in survey["gpus"]), *MORE_DEVICES]
    lines = ",\n".join("  " + json.dumps(entry, ensure_ascii=False) for entry in rows)
    head = json.dumps(sources, indent=2, ensure_ascii=False).replace("\n", "\n ")
    return f'{{\n "sources": {head},\n "gpus": [\n{lines}\n ]\n}}\n'


def main() -> int:
    """Write or check the catalogue."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("survey", type=Path)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    text = build(json.loads(options.survey.read_text(encoding="utf-8")))
    if options.check:
        return int(CATALOGUE.read_text(encoding="utf-8") != text)
    CATALOGUE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
