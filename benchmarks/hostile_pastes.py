"""How long a paste of 64 KiB can take at most: CPU time of one answer, worst of several dozen hostile kinds.

    python benchmarks/hostile_pastes.py [WORD ...]      # kinds whose name holds a word; all of them unless said

Each kind is one pattern repeated until the paste is full: the densest options, nested quotes, manifests, Python, logs...
The figures are the best of five in one process, in milliseconds of CPU, so that a busy machine hurts little; beside them
a typical command, read and answered.
"""

import gc
import json
import random
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from vllm_triage.facts.flags import table
from vllm_triage.readers.arguments import read_arguments
from vllm_triage.readers.launches import read_launches
from vllm_triage.report.tools import call

SIZE = 64 * 1024
VERSION = "0.33.0"
TYPICAL = (
    "VLLM_LOGGING_LEVEL=INFO vllm serve meta-llama/Llama-3.1-8B-Instruct --port 8000 --max-model-len 16k --max-num-seqs {} "
    "--gpu-memory-utilization 0.92 --enable-chunked-prefill --max-num-batched-tokens 8192 --kv-cache-dtype fp8 -tp 2"
)


def full(pattern: str, head: str = "") -> str:
    """`head`, then `pattern` again and again."""
    return (head + pattern * (SIZE // len(pattern) + 1))[:SIZE]


def counted(pattern: str, head: str = "", tail: str = "") -> str:
    """As :func:`full`, with a number in every copy, so that no two are alike."""
    copies = (pattern.replace("N", str(number)) for number in range(SIZE // len(pattern) + 1))
    return (head + "".join(copies))[: SIZE - len(tail)] + tail


def every_option() -> str:
    """Each option of the release once, with a value where it takes one."""
    specs = table(VERSION).specs
    return " ".join(f"{spec.flag} 1" if spec.takes_value else spec.flag for spec in specs) + " "


def random_words() -> str:
    """Options no two of which are alike, and none like an option of vLLM."""
    draw = random.Random(1)  # noqa: S311 (the same words every time)
    return " ".join(f"--{draw.randbytes(6).hex()} 1" for _ in range(4000))[:SIZE]


def kinds() -> dict[str, str]:
    """The pastes, by what they are made of."""
    m = "vllm serve m "
    speculation = json.dumps({"method": "ngram", "num_speculative_tokens": 3})
    return {
        "options, densest": full("-tp=2 ", m), "options, every one": full(every_option(), m),
        "options, underscores": full("--max_num_seqs=1k ", m), "options, abbreviated": full("--max-num-s 1 ", m),
        "options, misspelt": full("--max-num-seqz 1 ", m), "options, misspelt each in its way": counted("--max-num-seqN 1 ", m),
        "options, unknown": m + random_words(), "options, JSON": full(f"--speculative-config '{speculation}' ", m),
        "options, bad JSON": full("--compilation-config '{a' ", m),
        "options, dotted": counted("--compilation-config.aN.b 1 ", m),
        "options, deep JSON": m + "--compilation-config '" + "[" * 30_000 + "]" * 30_000 + "'",
        "words": full("a ", m), "one word": full("a", m), "dashes": full("-", m), "blanks": full(" ", m),
        "quotes, nested": full("'\"`$(", m), "quotes, open": full("\"'", m), "substitutions": full("$(", m),
        "variables": full("$A ", "A=x; " + m), "defaults": full("${A:-", m), "backticks": full("`vllm serve m` "),
        "backslashes": full("\\", m), "continuations": full("\\\n", m), "comments": full("# vllm serve m\n"),
        "launches in a line": full("vllm serve m;"), "launches": full("vllm serve m -tp 2\n"),
        "containers": full("docker run vllm/vllm-openai:v0.18.0 --model m\n"),
        "here-documents": counted("cat <<EN\n", m + "\n"), "scripts in scripts": full("bash -c '", "vllm"),
        "loops": full("for i in 1 2 3; do vllm serve m; done\n"), "arrays": full("A+=(--port 1)\n") + "\nvllm serve m ${A[@]}",
        "a variable that doubles": "a=xxxxxxxx\n" + full("a=$a$a\n") + "\nvllm serve m $a",
        "assignments": counted("export AN=$A1\n", tail="\nvllm serve m $A3"),
        "variables of vLLM": counted("VLLM_AN=1 ", tail=m),
        "YAML, lists": full("- a: b\n  vllm: serve\n"), "YAML, flow": full("[{a: ", "vllm: "),
        "YAML, pods": full("---\nkind: Pod\nspec:\n  containers:\n  - image: vllm/vllm-openai\n    args: [--model, m]\n"),
        "YAML, anchors": counted("bN: &bN [*a,*a]\n", "a: &a [vllm]\n"), "YAML, text": full("command: |\n  vllm serve m\n"),
        "Helm values": full("servingEngineSpec:\n  modelSpec:\n  - modelURL: m\n    vllmConfig:\n      maxModelLen: 1024\n"),
        "Terraform": full('resource "x" "y" {\n image = "vllm/vllm-openai"\n args = ["--model", "m"]\n}\n'),
        "templates": full("{{ .Values.a }} ", m), "JSON, deep": full('{"vllm":'), "JSON, lists": full('["vllm serve m",'),
        "Python, calls": full("LLM(model='m', max_model_len=10)\n"), "Python, nested": full("LLM(", "vllm "),
        "Python, arguments": counted("aN=1,", "from vllm import LLM\nLLM('m',", ")"),
        "Python, a list that grows": full('cmd += ["-tp", "2"]\n', 'cmd = ["vllm", "serve"]\nsubprocess.run(cmd)\n'),
        "Dockerfile": full('FROM vllm/vllm-openai\nCMD ["--model","m"]\n'), "units": full("[Service]\nExecStart=vllm serve m\n"),
        "log, arguments": full("INFO non-default args: {'model': 'm', 'max_num_seqs': 4}\n"),
        "log, engine": full("Initializing a V1 LLM engine (v0.18.0) with config: model='m', "),
        "Makefile": full("a:\n\tvllm serve $(M) --port 1\n", "M = x\n"),
        "Makefile, variables": counted("AN = $(AN) $(BN)\n", "serve:\n\tvllm serve $(A1)\n"),
        "justfile": full("s p='1':\n    vllm serve {{m}} --port {{p}}\n", "m := 'x'\n"),
        "NixOS": full('ExecStart = "vllm serve m";\n', "systemd.services.a = {\n"),
        "NixOS, lists": full("ExecStart = [ ", "systemd.services vllm serve "),
        "JavaScript": full("module.exports = {apps:[{script:'vllm',args:'serve m'}]}\n"),
        "JavaScript, keys": counted("aN: 'x',", "module.exports = {script: 'vllm', "),
        "described pods": full("  v:\n    Image: vllm/vllm-openai\n    Args:\n      --model\n      m\n", "Containers:\n"),
        "Helm, settings": counted("--set aN.b[0]=1 ", "helm install a vllm "),
        "Helm, one setting": "helm install a vllm --set " + "a." * 30_000 + "b=1",
        "functions": counted("fN() {\n vllm serve $1\n}\nfN m\n"), "redirections": full("> a \\\n", "vllm serve m \\\n"),
        "settings": counted("A_N=1\n", "MODEL_NAME=m/x\nMAX_MODEL_LEN=1\n"), "quoted commands": counted('x "vllm serve mN --port 1" '),
        "placeholders": counted("--max-num-seqs <aN> ", "vllm serve <m> "),
        "launches, each another": counted("vllm serve m -tp 2 --port N\n"),
        "pods, each another": counted(
            "---\nkind: Pod\nspec:\n  containers:\n  - image: vllm/vllm-openai\n    args: [--model, m, --port, 'N']\n"
        ),
        "playbook": counted('    vN: "{{ v }}"\n', "- vars:\n    command: vllm serve {{ v1 }}\n"),
        "fences": full("```bash\nvllm serve m\n```\n"), "fences, open": full("```\nvllm "), "carets": full("vllm serve m ^\n"),
        "PowerShell": full("vllm serve m `\n"), "tables": full("| a | b |\n", "vllm serve\n"),
        "prose": full("I run vllm serve with max_num_seqs of 4 and it is slow. "), "HTML": full("<code>vllm serve m</code>"),
        "typographic quotes": full("\u201c\u2013", m), "control characters": full("\x1b[0m\x00", m),
        "secrets": full("sk-aaaaaaaaaaaaaaaaaaaaaaaa ", m + "--api-key "), "addresses": full("https://u:p@h/ ", m),
    }  # fmt: skip


def ask(command: str) -> None:
    """One answer; a refusal in words is one too."""
    with suppress(ValueError):
        call("parse_vllm_command", {"command": command, "vllm_version": VERSION, "gpu": "h100"})


def milliseconds(work: Callable[[], None], rounds: int = 5) -> float:
    """The least CPU time of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best * 1e3


def reference() -> None:
    """A million additions: what this machine is worth right now, for a figure taken on a busy one says little alone."""
    total = 0
    for number in range(1_000_000):
        total += number


def typical() -> None:
    """A hundred commands that differ, so that none is answered from the last few read."""
    for number in range(100):
        ask(TYPICAL.format(number + 1))


def typical_read() -> None:
    """The same commands, read as vLLM's parser reads them and no further."""
    for number in range(100):
        (launch,) = read_launches(TYPICAL.format(number + 1)).launches
        read_arguments(launch.words, VERSION)


def main(words: list[str]) -> None:
    """Print the kinds, slowest first."""
    ask(TYPICAL.format(1))
    print(f"{milliseconds(reference):8.2f} ms  a million additions, for reference")
    print(f"{milliseconds(typical_read) / 100:8.2f} ms  a typical command, every word read as vLLM's parser reads it")
    print(f"{milliseconds(typical) / 100:8.2f} ms  a typical command, answered: settings, defaults, what each flag does")
    wanted = {name: paste for name, paste in kinds().items() if not words or any(word in name for word in words)}
    # One blank more each time: the last few commands read are kept, and would be answered without reading.
    rows = []
    for name, paste in wanted.items():
        again = iter(range(1, 20))
        rows.append((milliseconds(lambda paste=paste, again=again: ask(paste + " " * next(again))), name))  # type: ignore[misc]
    for took, name in sorted(rows, reverse=True):
        print(f"{took:8.1f} ms  {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
