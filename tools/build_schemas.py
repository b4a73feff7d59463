"""Write report/schemas.json from the tools' models: ``python tools/build_schemas.py``, ``--check`` only compares."""

import json
import sys

from vllm_triage.report.schemas import PUBLISHED, input_schema, output_schema
from vllm_triage.report.tools import TOOLS

__all__ = ["main", "text"]


def text() -> str:
    """The file's text: one tool after the other, in the order of the registry."""
    made = {tool.name: {"input": input_schema(tool.arguments), "output": output_schema(tool.answer)} for tool in TOOLS}
    return json.dumps(made, indent=1) + "\n"


def main(arguments: list[str]) -> int:
    """Write the file, or with ``--check`` compare it; 1 when it is stale."""
    if "--check" not in arguments:
        PUBLISHED.write_text(text(), encoding="utf-8")
        return 0
    fresh = PUBLISHED.is_file() and PUBLISHED.read_text(encoding="utf-8") == text()
    print("fresh" if fresh else f"stale: {PUBLISHED.name}")
    return 0 if fresh else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
