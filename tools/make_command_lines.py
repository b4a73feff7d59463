"""Make command lines of every kind a parser can meet: valid, abbreviated, misspelt, mixed, JSON, dotted, human numbers.

    python tools/make_command_lines.py VERSION [--lines 3200] [--api-server 300] [--seed 1] > LINES.jsonl

The same seed gives the same lines. ``record_arguments.py`` has the release answer them; ``differential_arguments.py`` compares.
"""

import argparse
import json
import random
from collections.abc import Callable
from typing import Any

from vllm_triage.facts.flag_configs import config_class
from vllm_triage.facts.flags import FlagSpec, history, table
from vllm_triage.facts.versions import KNOWN

MODELS = ["Qwen/Qwen3-8B", "meta-llama/Llama-3.1-70B-Instruct", "m", "./model", "/models/x.y", "s3://bucket/m"]
NUMBERS = [
    "1", "0", "-1", "2", "8", "16", "256", "8192", "8_192", "1k", "1K", "4k", "32K", "1.5k", "1.5K", "25.6k", "2M", "1g", "1G", "1T",
    "1t", "auto", "AUTO", "1e3", "0x10", " 5", "5 ", "+5", "1_", "_1", "1.0", "8192.0", "inf", "nan", "-inf", "0.9", "-0.5", ".5",
    "1,2", "None", "", "\u0663", "1kk", "k", "1 k", "-1k", "--1", "-", "999999999999999999999",
]  # fmt: skip
WORDS = ["x", "auto", "None", "", "a b", "true", "False", "a,b", "name=path", "a=b,c=d", "-x", "--", "x.y", "=", "\u2013x", "0", "null"]
JSONS = [
    "{}", "[]", "null", "1", '"x"', "{", "}", '{"a": 1}', '{"a": {"b": [1, 2]}}', "{'a': 1}", '{"a": 80m}', '{"a": NaN}', "[1,2]",
    '["a","b"]', " {} ", '{"a":1}\n', "true", "3", "text", '{"a": "80m"}', '{"a": 1.5K}', "", "None", '{"a": 1, "a": 2}', "{}{}",
]  # fmt: skip
STRANGE = [
    ["--"], ["-"], [""], ["-1"], ["-0.5", "x"], ["-x"], ["--x y"], ["-h"], ["--help"], ["--help=all"], ["-O"], ["-O3"], ["-O", "3"],
    ["-O", "4"], ["-O=2"], ["-Ofast"], ["-O.level=3"], ["-O.mode", "3"], ["-O3", "-O2"], ["-tp2"], ["-tp=2"], ["-tp", "2"], ["-t", "2"],
    ["-n4"], ["-n=4"], ["-nx"], ["-qawq"], ["-q=awq"], ["-ep"], ["-ep=true"], ["-eph"], ["-hx"], ["-dp2"], ["-d", "2"], ["-p", "2"],
    ["-s", "{}"],
    ["-r0"], ["-r", "0"], ["-cc", "{}"], ["-cc=3"], ["-cc", "3"], ["-cc.mode=3"], ["-cc.mode", "3", "-cc.cudagraph_mode=FULL"],
    ["-cc.level=3"], ["-cc.pass_config.fuse_norm_quant=true"], ["-cc.custom_ops+", "none"], ["-cc.custom_ops+=+a,-b"],
    ["-cc.mode=3", "-cc.mode=2"], ["-cc", '{"mode":2}', "-cc.mode=3"], ["-cc.x"], ["--.x", "1"], ["--x.y", "1"], ["-x.y=1"], ["-1.5", "x"],
    ["-ac.backend=FLASH_ATTN"], ["-sc.method", "ngram"], ["-sc", '{"method":"ngram"}'], ["--tp", "2"], ["--dp", "2"], ["--tp-size", "2"],
    ["--model", "b"], ["--model=b"], ["--model="], ["--model"], ["--model", "--port"], ["--served-model-name", "a", "b"],
    ["--served_model_name=a"], ["--task", "embed"], ["--enable-chunked-prefill", "True"], ["--enable-chunked-prefill=False"],
    ["--disable-chunked-prefill"], ["--no-disable-log-stats"], ["--enable-log-stats"], ["--mem-fraction-static", "0.8"],
    ["--max-num", "4"], ["--max-num-s", "4"], ["--max", "4"], ["--no-enable", ""], ["--no"], ["--e"], ["--disable-log-requests"],
    ["--swap-space", "4"], ["--lora-modules", "a=b", '{"name":"x","path":"y"}'], ["--lora-modules", "{}"], ["--lora-modules", "a,b"],
    ["--lora-modules", ""], ["--lora-modules", '["a"]'], ["--lora-modules", "null"], ["--lora-modules", '{"name":"x","path":"y","z":1}'],
    ["--port", "80", "--port=81"], ["--middleware", "a", "--middleware", "b"], ["--omni"], ["--Port", "1"], ["--gpu_memory-utilization=.9"],
    ["--gpu_memory_utilization", "0.9"], ["--gpu-memory-util", "0.9"], ["--kv-transfer-config.kv_port=1_0"], ["-v"], ["--version"],
    ["--kv-transfer-config.kv_connector=X"], ["--kv-transfer-config.kv_role", "kv_both"], ["--hf-overrides.a.b", "1"],
    ["--hf_overrides.a_b", "1"],
]  # fmt: skip


ANYTHING = [None, True, 0, 1, -1, 3, 0.5, 1.0, 2**70, "", "x", "1", "true", "on", "auto", [], [1], ["a"], {}, {"a": 1}]


class Maker:
    """Makes lines for one release."""

    def __init__(self, version: str, seed: int) -> None:
        self.version = version
        self.random = random.Random(f"{version}/{seed}")  # noqa: S311
        self.specs = [spec for spec in table(version).specs if spec.option_strings and spec.action != "help" and spec.dest != "config"]
        self.configs = [spec for spec in self.specs if spec.type == "config" and spec.config]
        self.others = [o for v in KNOWN for o in table(v).options if o.startswith("--") and table(version).by_option(o) is None]

    def line(self) -> list[str]:
        """The words behind ``vllm serve``."""
        choose = self.random
        parts: list[list[str]] = []
        kinds: list[tuple[Callable[[], list[str]], int]] = [
            (self.good, 50), (self.abbreviated, 12), (self.misspelt, 4), (self.any_value, 14), (self.json, 12), (self.dotted, 12),
            (self.strange, 14), (self.other_release, 3),
        ]  # fmt: skip
        clean = choose.random() < 0.35
        for _ in range(choose.choice([1, 1, 1, 2, 2, 3, 4, 6, 9])):
            make = self.good if clean else choose.choices([k for k, _ in kinds], [w for _, w in kinds])[0]
            parts.append(make())
        if choose.random() < 0.85:
            parts.insert(0 if choose.random() < 0.8 else choose.randint(0, len(parts)), [choose.choice(MODELS)])
        return [word for part in parts for word in part]

    def config_line(self) -> tuple[list[str], dict[str, Any]]:
        """A line with ``--config`` and the content of its file."""
        choose = self.random
        content: dict[str, Any] = {}
        for _ in range(choose.randint(1, 4)):
            spec = choose.choice(self.specs)
            key = (spec.flag if choose.random() < 0.8 else choose.choice(spec.option_strings)).lstrip("-")
            key = key.replace("-", "_") if choose.random() < 0.3 else key
            content[key] = choose.choice([True, False, 1, "x", [1, 2], [], {"a": 1}, None, self.value(spec), self.value(spec)])
        if choose.random() < 0.2:
            content["model"] = "from-file"
        words = self.line()
        at = choose.randint(0, len(words))
        place = choose.choice([["--config", "launch.yaml"]] * 8 + [["--config=launch.yaml"], ["--config"], ["--config", "launch.txt"]])
        return [*words[:at], *place, *words[at:]], content

    def spelled(self, spec: FlagSpec) -> str:
        """The option in one of its spellings."""
        option = self.random.choice(spec.option_strings) if self.random.random() < 0.3 else spec.flag
        return "--" + option[2:].replace("-", "_") if option.startswith("--") and self.random.random() < 0.1 else option

    def with_value(self, option: str, values: list[str]) -> list[str]:
        """The option with its values, as separate words or behind ``=``."""
        if len(values) == 1 and self.random.random() < 0.25:
            return [f"{option}={values[0]}"]
        return [option, *values]

    def value(self, spec: FlagSpec) -> str:
        """A value the option accepts (mostly)."""
        choose = self.random
        if spec.choices:
            return str(choose.choice(spec.choices))
        if spec.type in ("int", "human", "human_auto"):
            human = ["8k", "4K", "1.5k", "auto", "-1"] if spec.type != "int" else []
            return choose.choice(["1", "2", "8", "16", "256", "8192", "8_192", *human])
        if spec.type == "float":
            return choose.choice(["0.9", "0.5", "1", "1e-2", ".25"])
        if spec.type == "config" and spec.config:
            return json.dumps(self.object(spec.config, good=True))
        if spec.type in ("json", "config", "dict_or_str"):
            return choose.choice(['{"a": 1}', "{}", '{"a": {"b": 2}}'])
        return choose.choice(["x", "auto", "name", "/a/b", "1"])

    def good(self) -> list[str]:
        """An option with a value it accepts."""
        spec = self.random.choice(self.specs)
        option = self.spelled(spec)
        if not spec.takes_value:
            return [option]
        count = self.random.randint(1, 3) if spec.nargs == "+" else 1
        return self.with_value(option, [self.value(spec) for _ in range(count)])

    def abbreviated(self) -> list[str]:
        """The beginning of an option."""
        spec = self.random.choice(self.specs)
        option = self.random.choice(spec.option_strings)
        cut = option[: self.random.randint(min(4, len(option)), len(option))]
        return self.with_value(cut, [self.value(spec)] if spec.takes_value else [])

    def misspelt(self) -> list[str]:
        """An option with a letter dropped, doubled, swapped or in capitals."""
        spec = self.random.choice(self.specs)
        option = spec.flag
        i = self.random.randint(2, max(2, len(option) - 2))
        before, letter, after = option[:i], option[i], option[i + 1 :]
        swapped = before + after[:1] + letter + after[1:]
        wrong = self.random.choice([before + after, before + letter + letter + after, swapped, option.upper()])
        return self.with_value(wrong, [self.value(spec)] if spec.takes_value else [])

    def any_value(self) -> list[str]:
        """An option with any value, or with none."""
        spec = self.random.choice(self.specs)
        number = spec.type in ("int", "float", "human", "human_auto")
        pool = NUMBERS if number else JSONS if spec.type in ("json", "config", "dict_or_str") else WORDS + NUMBERS[:4]
        values = [self.random.choice(pool) for _ in range(self.random.choice([0, 1, 1, 1, 1, 2]))]
        return self.with_value(self.spelled(spec), values)

    def json(self) -> list[str]:
        """A configuration option with JSON."""
        spec = self.random.choice(self.configs or self.specs)
        text = json.dumps(self.object(spec.config or "", good=self.random.random() < 0.5))
        if self.random.random() < 0.1:
            text = text.replace("1", "1k", 1)
        return self.with_value(self.random.choice(spec.option_strings), [text])

    def dotted(self) -> list[str]:
        """A configuration option, key by key."""
        spec = self.random.choice([s for s in self.specs if s.type in ("config", "json", "dict_or_str")])
        option = self.random.choice(spec.option_strings)
        out: list[str] = []
        found = self.object(spec.config or "", good=self.random.random() < 0.6) or {"a": 1}
        for key, value in found.items():
            plus = "+" if isinstance(value, list) and self.random.random() < 0.5 else ""
            text = ",".join(map(str, value)) if plus else value if isinstance(value, str) else json.dumps(value)
            name = f"{option}.{key}{plus}"
            out += [f"{name}={text}"] if self.random.random() < 0.5 else [name, text]
        return out

    def strange(self) -> list[str]:
        """Words that the rules of the parser turn on."""
        return list(self.random.choice(STRANGE))

    def other_release(self) -> list[str]:
        """An option that other releases have."""
        option = self.random.choice(self.others)
        assert history(option) is None or option
        return [option, *self.random.choice([[], ["1"], ["x"]])]

    def object(self, name: str, *, good: bool) -> dict[str, Any]:
        """An object for a configuration class."""
        cls = config_class(name, self.version)
        if cls is None:
            return self.random.choice([{}, {"a": 1}, {"a": {"b": 2}}])
        known = sorted({*cls.fields} - {"inductor_passes", "reasoning_parser_plugin"})  # files that only the user has
        fields = self.random.sample(known, min(len(known), self.random.choice([1, 1, 2, 3])))
        out = {field: self.field(cls.fields[field], good=good) for field in {*fields, *(cls.required if good else ())}}
        if not good and self.random.random() < 0.3:
            out[self.random.choice(["nope", fields[0] + "s"])] = 1
        return dict(sorted(out.items()))

    def field(self, description: Any, *, good: bool) -> Any:
        """A value for a field that is so described."""
        choose = self.random
        if not good and choose.random() < 0.5:
            return choose.choice(ANYTHING)
        if isinstance(description, str):
            choices: dict[str, list[Any]] = {"bool": [True, False], "int": [0, 1, 2, 64], "float": [0.5, 1, 2.0], "str": ["x", "y.z", ""]}
            return choose.choice(choices.get(description, [{"a": 1}, 1, "x"]))
        assert isinstance(description, list)
        kind, *rest = description
        match kind:
            case "lit":
                return choose.choice(rest[0])
            case "enum":
                name = choose.choice(list(rest[0]))
                return choose.choice([name, name.lower(), rest[0][name]])
            case "list":
                return [self.field(rest[0], good=good) for _ in range(choose.randint(0, 2))]
            case "dict":
                return {choose.choice(["k", "full_attention"]): self.field(rest[1], good=good)}
            case "union" | "tuple":
                return self.field(choose.choice(rest[0]), good=good)
            case "cls":
                return self.object(str(rest[0]), good=good)
            case "?":
                return None if choose.random() < 0.2 else self.field(rest[0], good=good)
            case "via":
                return self.field(rest[1], good=good)
        return self.field(rest[0], good=good)


def main() -> None:
    """Print the lines."""
    parser = argparse.ArgumentParser(description="Make command lines for a release.")
    parser.add_argument("version")
    parser.add_argument("--lines", type=int, default=3200)
    parser.add_argument("--api-server", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    maker = Maker(arguments.version, arguments.seed)
    for index in range(arguments.lines + arguments.api_server):
        out: dict[str, Any] = {"a": maker.line()}
        if index % 25 == 24:
            words, content = maker.config_line()
            out = {"a": words, "c": content}
        if index >= arguments.lines:
            out["e"] = "api_server"
        print(json.dumps(out, ensure_ascii=False, separators=(",", ":")))


if __name__ == "__main__":
    main()
