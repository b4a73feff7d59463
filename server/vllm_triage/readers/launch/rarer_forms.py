"""The forms that most pastes are not in, looked at only where a mark of one stands in the text: descriptions of pods, files of
pm2, NixOS modules, TOML, Terraform and Nomad, and files that hold nothing but variables."""

from .by_environment import looks_like_settings, settings_of
from .described import looks_like_described, manifest_of
from .draft import Reading
from .hcl import looks_like_hcl
from .js_literal import looks_like_ecosystem, objects
from .manifests import read_hcl, read_tree
from .nix import looks_like_nix, nix_containers, nix_scripts
from .shell import read_shell
from .shell_variables import Scope
from .toml_text import toml_tree

__all__ = ["read_rarer_form"]


def read_rarer_form(text: str, reading: Reading, line: int) -> bool:
    """Read what the text starts in the first of these forms that it has; False when there is none."""
    if looks_like_described(text) and read_tree(manifest_of(text), reading, line, "kubernetes"):
        return True
    if looks_like_ecosystem(text) and any([read_tree(found, reading, line, "pm2") for found in objects(text)]):  # noqa: C419 (every one)
        return True
    if looks_like_nix(text) and _read_nix(text, reading, line):
        return True
    if (tree := toml_tree(text)) is not None and read_tree(tree, reading, line, "toml"):
        return True
    if looks_like_hcl(text) and read_hcl(text, reading, line):
        return True
    if (variables := looks_like_settings(text)) and (settings := settings_of(variables, "environment")) is not None:
        settings.line = line
        reading.add(settings)
        return True
    return False


def _read_nix(text: str, reading: Reading, line: int) -> bool:
    """The services of a NixOS module, then its containers; False when none starts a server."""
    before = len(reading.drafts)
    for at, script, env in nix_scripts(text):
        if reading.full:
            break
        scope = Scope(dict(env), exported=set(env))
        read_shell(script, reading, "nix", scope, line=line + text.count("\n", 0, at))
    for container in nix_containers(text) if "cmd" in text else ():
        if not reading.full:
            read_tree([container], reading, line, "nix")
    return len(reading.drafts) > before
