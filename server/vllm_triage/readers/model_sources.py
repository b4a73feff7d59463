"""Where a model may be read from beside the catalogue: nowhere, until whoever starts the process says so.

The tools are closed to the machine they run on and to the network. ``--model-dir`` and ``--allow-download`` on the
command line, ``--allow-model-dirs`` and ``--allow-hub`` of the MCP server, open one door each for the whole process; a
caller of a tool cannot.
"""

import re
from pathlib import Path
from typing import NamedTuple

from .model_files import ModelFiles

__all__ = ["Permission", "downloaded", "in_folder", "permit", "permitted"]


class Permission(NamedTuple):
    """What may be read."""

    folder: Path | None = None
    """The one folder that describes the launch's model, whatever the launch calls it."""
    roots: tuple[Path, ...] = ()
    """Folders whose subfolders a launch may name: by path, by name, or by hub id in a Hugging Face cache."""
    hub: bool = False
    """Whether the hub is asked for models the catalogue does not list."""

    @property
    def none(self) -> bool:
        """True when nothing beside the catalogue may be read."""
        return self == Permission()


_NOTHING = Permission()
_given: list[Permission] = []


def permit(permission: Permission) -> None:
    """Allow `permission`, and nothing else, from here on in this process."""
    _given[:] = [permission]


def permitted() -> Permission:
    """What is allowed; nothing unless :func:`permit` was called."""
    return _given[0] if _given else _NOTHING


def in_folder(name: str | None) -> ModelFiles | None:
    """The model of a folder that may be read; None where the launch names none.

    Raises:
        UnreadableModel: the folder is there, and no model in it can be read.
    """
    allowed = permitted()
    if allowed.none:
        return None
    from .model_folder import read_model_folder  # noqa: PLC0415 (only where a door was opened)

    if allowed.folder is not None:
        return read_model_folder(allowed.folder)
    if not name or len(name) > 1024 or "\0" in name:
        return None
    for root in allowed.roots:
        if (found := _below(root, name)) is not None:
            return read_model_folder(found)
    return None


def downloaded(name: str, revision: str | None) -> ModelFiles | None:
    """The hub's model of that name; None where the hub may not be asked, or `name` cannot be one of its.

    Raises:
        UnreadableModel: it gave none.
    """
    if not permitted().hub:
        return None
    from .hub import download, is_repository  # noqa: PLC0415 (only where a door was opened)

    return download(name, revision or "main") if is_repository(name) else None


def _below(root: Path, name: str) -> Path | None:
    """The folder `name` stands for below `root`; None when there is none, or it lies elsewhere."""
    base = root.resolve()
    for candidate in (Path(name), base / name, _snapshot(base, name)):
        if candidate is None or not candidate.is_absolute():
            continue
        try:
            real = candidate.resolve()
            if real.is_relative_to(base) and real.is_dir():
                return real
        except (OSError, ValueError, RuntimeError):
            continue
    return None


def _snapshot(base: Path, name: str) -> Path | None:
    """The current snapshot of a hub id in a Hugging Face cache."""
    from .hub import is_repository  # noqa: PLC0415

    if not is_repository(name):
        return None
    repository = base / f"models--{name.replace('/', '--')}"
    current = repository / "refs" / "main"
    try:
        if not current.is_file():  # a pipe would block
            return None
        with current.open("rb") as file:
            commit = file.read(64).decode("ascii", "replace").strip()
    except OSError:
        return None
    return repository / "snapshots" / commit if re.fullmatch(r"[0-9a-f]{7,64}", commit) else None
