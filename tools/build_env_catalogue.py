"""Build server/vllm_triage/facts/data/env_vars.json: which VLLM_* variables each release reads.

    python tools/build_env_catalogue.py SOURCES

SOURCES holds a folder for each release of ``facts.versions.KNOWN`` with its ``vllm`` package (a wheel unzipped). A
release reads a variable when its name stands quoted anywhere in the package: most are declared in ``envs.py``, a few
are read in place.
"""

import argparse
import json
import re
import sys
from pathlib import Path

from vllm_triage.facts.versions import KNOWN

CATALOGUE = Path(__file__).parent.parent / "server" / "vllm_triage" / "facts" / "data" / "env_vars.json"
QUOTED = re.compile(r"""["'](VLLM_[A-Z0-9_]+)["']""")


def read_by(package: Path) -> set[str]:
    """Names of VLLM_* variables that stand quoted in a package."""
    if not (package / "envs.py").exists():
        raise SystemExit(f"{package}: no envs.py")
    names: set[str] = set()
    for path in sorted(package.rglob("*.py")):
        names.update(QUOTED.findall(path.read_text(encoding="utf-8", errors="replace")))
    return names


def build(sources: Path) -> str:
    """The catalogue: each name with the spans of releases that read it, an open span for those that still do."""
    spans: dict[str, list[list[str | None]]] = {}
    before: set[str] = set()
    for version in KNOWN:
        names = read_by(sources / version / "vllm")
        for name in sorted(names - before):
            spans.setdefault(name, []).append([version, None])
        for name in before - names:
            spans[name][-1][1] = version
        before = names
    rows = ",\n".join(f" {json.dumps(name)}: {json.dumps(spans[name])}" for name in sorted(spans))
    return f"{{\n{rows}\n}}\n"


def main() -> int:
    """Write the catalogue."""
    parser = argparse.ArgumentParser(description="Build the catalogue of environment variables from releases' sources.")
    parser.add_argument("sources", type=Path)
    CATALOGUE.write_text(build(parser.parse_args().sources), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
