"""Measure the reading of launches on the public pastes and the captured servers of the shared folder.

    python tools/measure_launches.py                       # counts, and words against an independent splitting
    python tools/measure_launches.py --oracle PYTHON       # and asks vLLM's own parser what it makes of the words

The folder is ``../shared`` beside the checkout, or where VLLM_TRIAGE_SHARED points. `PYTHON` runs the release to ask.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "server"))

from vllm_triage.readers.arguments import read_arguments  # noqa: E402
from vllm_triage.readers.launches import Launch, read_launches  # noqa: E402
from vllm_triage.readers.secrets import BLANK  # noqa: E402

SHARED = Path(os.environ.get("VLLM_TRIAGE_SHARED", ROOT.parent / "shared"))
START = re.compile(r"vllm[\w.-]*\s+serve\b|-m\s+vllm\.entrypoints\.openai\.api_server\b")


def main() -> None:
    """Print what was found, and what disagrees."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--oracle", help="the Python that holds the vLLM release to ask")
    options.add_argument("--version", default="0.32.0", help="that release")
    given = options.parse_args()
    records = [json.loads(line) for line in (SHARED / "corpus/commands.jsonl").read_text(encoding="utf-8").splitlines()]
    launches = pastes(records)
    captures()
    if given.oracle:
        ask(launches, given.oracle, given.version)


def pastes(records: list[dict[str, str]]) -> list[tuple[int, Launch]]:
    """Read every paste; compare with a plain splitting where the paste is one plain command."""
    found: list[tuple[int, Launch]] = []
    none: list[int] = []
    plain: Counter[str] = Counter()
    for number, record in enumerate(records, 1):
        paste = read_launches(record["text"])
        found += [(number, launch) for launch in paste.launches]
        if not paste.launches:
            none.append(number)
        expected = plainly_split(record["text"])
        if expected is not None and len(paste.launches) == 1:
            same = [word for word in paste.launches[0].words if word != BLANK] == [
                w for w in expected if w in paste.launches[0].words
            ]
            whole = len(paste.launches[0].words) == len(expected)
            plain["same" if same and whole else "different"] += 1
            if not (same and whole):
                print(f"  paste {number} ({record['kind']}) splits differently")
    print(f"{len(records)} pastes: {len(found)} launches; no launch in {len(none)} ({', '.join(map(str, none))})")
    print(f"plain commands, against shlex: {dict(plain)}")
    return found


def plainly_split(text: str) -> list[str] | None:
    """The words by Python's own splitter, for a text that is one command without variables, comments or slips."""
    starts = START.findall(text)
    if (
        len(starts) != 1
        or re.search(r"[$<>`#{]\w|[“”‘’–—]|\\[ \t]+\n|\\[ ]\S|^\s*-\s|%\w+%", text, re.M)
        or "$" in text
    ):
        return None
    tail = text[START.search(text).end() :].replace("\\\n", " ")  # type: ignore[union-attr]
    if "\n" in tail.strip():
        return None
    try:
        return shlex.split(tail)
    except ValueError:
        return None


def captures() -> None:
    """The command of each captured server and what its log shows must be the same launch."""
    same = total = 0
    for folder in sorted((SHARED / "runs").iterdir()):
        typed = read_launches((folder / "command.txt").read_text(encoding="utf-8")).launches[0]
        for name in ("startup.log", "server.log"):
            if (folder / name).exists() and (
                shown := read_launches((folder / name).read_text(encoding="utf-8")).launches
            ):
                total += 1
                version = shown[0].version or "0.32.0"
                same += read_arguments(typed.words, version).values == read_arguments(shown[0].words, version).values
    print(f"captured logs that show the launch that was typed: {same} of {total}")


def ask(launches: list[tuple[int, Launch]], python: str, version: str) -> None:
    """What vLLM's own parser makes of the words, beside our reading of them."""
    asked = [(n, launch) for n, launch in launches if launch.words and launch.entrypoint != "llm" and not launch.unset]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as batch:
        batch.writelines(" ".join(map(shlex.quote, one_line(launch))) + "\n" for _, launch in asked)
    done = subprocess.run(
        [python, "oracle_parse.py", "--batch", batch.name],
        cwd=SHARED / "oracle",
        capture_output=True,
        text=True,
        check=True,
    )
    answers: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    agree = accepted = 0
    for (number, launch), answer in zip(asked, answers, strict=True):
        ours = read_arguments(one_line(launch), version, "serve", launch.config)
        refused = any(problem.severity == "fatal" for problem in ours.problems)
        accepted += bool(answer["ok"])
        agree += refused != answer["ok"]
        if refused == answer["ok"]:
            print(
                f"  paste {number}: vLLM {'accepts' if answer['ok'] else answer['error']}, we say {ours.problems[:1]}"
            )
    print(f"vLLM {version} accepts {accepted} of {len(asked)} launches without open variables; we agree on {agree}")


def one_line(launch: Launch) -> list[str]:
    """The words with blanks in place of line breaks, which a batch file cannot hold."""
    return [word.replace("\n", " ") for word in launch.words]


if __name__ == "__main__":
    main()
