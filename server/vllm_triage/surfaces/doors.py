"""The options that open a door: reading a model's own folder, and asking the hub. All are shut unless they are given."""

import argparse
import os
from pathlib import Path

from ..report.arguments import BadArguments

__all__ = ["add_server_options", "add_tool_options", "open_for_server", "open_for_tool"]

DOWNLOAD = "VLLM_TRIAGE_ALLOW_DOWNLOAD"
"""Environment variable that stands for ``--allow-download``."""


def add_tool_options(parser: argparse.ArgumentParser) -> None:
    """``--model-dir`` and ``--allow-download``, of a command about a launch."""
    parser.add_argument(
        "--model-dir",
        metavar="DIR",
        help=("the model's folder: its config.json and safetensors headers (never the weights) outrank the catalogue"),
    )
    parser.add_argument(
        "--allow-download",
        action="store_true",
        help=(
            f"ask the Hugging Face hub for the config of a model the catalogue lacks (or {DOWNLOAD}=1; HF_TOKEN, HF_ENDPOINT)"
        ),
    )


def open_for_tool(options: argparse.Namespace) -> None:
    """Permit what the options of one command allow.

    Raises:
        BadArguments: the folder is not there.
    """
    from ..readers.model_sources import Permission, permit  # noqa: PLC0415 (the tools themselves are loaded when asked)

    folder = None if options.model_dir is None else _folder("--model-dir", options.model_dir)
    hub = options.allow_download or os.environ.get(DOWNLOAD, "").lower() in ("1", "true", "yes")
    permit(Permission(folder=folder, hub=hub))


def add_server_options(parser: argparse.ArgumentParser) -> None:
    """``--allow-model-dirs`` and ``--allow-hub``, of the MCP server."""
    parser.add_argument(
        "--allow-model-dirs",
        metavar="DIR",
        action="append",
        default=[],
        help=(
            "let launches name model folders below DIR: their config.json and safetensors headers are read (repeatable)"
        ),
    )
    parser.add_argument(
        "--allow-hub",
        action="store_true",
        help=(
            "let the tools ask the Hugging Face hub for configs of models the catalogue lacks (HF_TOKEN, HF_ENDPOINT)"
        ),
    )


def open_for_server(options: argparse.Namespace) -> bool:
    """Permit what the options of the server allow, for every call; True where the tools may reach the network.

    Raises:
        BadArguments: a folder is not there.
    """
    roots = tuple(_folder("--allow-model-dirs", given) for given in options.allow_model_dirs)
    if roots or options.allow_hub:
        from ..readers.model_sources import Permission, permit  # noqa: PLC0415 (a server that may not starts without)

        permit(Permission(roots=roots, hub=options.allow_hub))
    return bool(options.allow_hub)


def _folder(option: str, given: str) -> Path:
    try:
        if given and Path(given).is_dir():
            return Path(given)
    except (OSError, ValueError):
        pass
    raise BadArguments(f"{option} {given[:200]!a}: no such folder")
