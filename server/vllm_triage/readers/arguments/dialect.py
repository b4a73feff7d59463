"""How the parser's own rules differ between releases.

vLLM's parser is Python's ``argparse`` behind a class of its own that rewrites the words first (``FlexibleArgumentParser``, in
``vllm/utils/argparse_utils.py`` from 0.12 on, ``vllm/utils/__init__.py`` before). Each field names the release it changed in.
"""

from functools import lru_cache
from typing import Literal, NamedTuple

from vllm_triage.facts.versions import number

__all__ = ["Dialect", "dialect"]


class Dialect(NamedTuple):
    """The rewriting rules of one release."""

    version: str
    """The release as asked for."""
    model_option: Literal["plain", "refused", "moved"]
    """``--model`` under ``vllm serve``: up to 0.8.2 an ordinary option (refused later), then refused by the parser, from 0.11 moved
    in front as the positional model."""
    model_equals: Literal["plain", "moved", "moved_if_filled"]
    """``--model=x``: an ordinary option up to 0.10, moved from 0.11, from 0.17 moved unless empty."""
    served_name_needs_model: bool
    """From 0.17 ``--served-model-name`` without a model in first place is refused."""
    optimization: Literal["", "-O.level", "-O.mode", "--optimization-level"]
    """What ``-O3`` is rewritten to (up to 0.9.1 nothing, 0.11: mode, 0.12: an option of its own)."""
    dotted_o_is_cc: bool
    """0.12 only: ``-O.x`` is rewritten to ``-cc.x``."""
    help_search: bool
    """From 0.11 ``--help=word`` searches the help."""
    dotted: Literal["none", "text", "full"]
    """``--x.key value``: from 0.9.0 for options with two dashes and values kept as text; from 0.9.2 with one dash too, values read
    as JSON, and lists with ``+``."""
    whole_name_dashes: bool
    """Up to 0.9.0 underscores become dashes in the keys of ``--x.a_b`` too."""
    dotted_suffixes: bool
    """From 0.20 ``--x.key 80g`` is 80 billion, and JSON of configuration options may hold ``80g``."""
    tera: bool
    """From 0.13 the suffixes t and T exist."""
    config_dict: bool
    """From 0.16 a mapping inside ``--config`` becomes JSON; before, its Python text."""
    config_list: bool
    """From 0.10.2 a list inside ``--config`` becomes several words; before, its Python text."""
    config_needs_place: bool
    """Up to 0.8.2 ``--config`` right after ``vllm serve`` is refused: a model must come first."""
    config_no_key: bool
    """From 0.28 ``key: false`` becomes ``--no-key``, but only where the parser has no subcommand."""
    config_without_command: bool
    """From 0.10.2 ``--config`` also works where the first word is an option (``api_server``)."""
    bare_level: bool
    """Up to 0.9.1 ``-O3`` and ``--compilation-config 3`` set the level of the compilation configuration."""
    python_literal: bool
    """Up to 0.8 ``--compilation-config`` takes a Python literal, not JSON: ``true`` is refused, ``True`` is meant."""
    pairs_for_json: bool
    """Up to 0.9 the engine's JSON options also take ``a=1,b=2``, and nothing else that is no object."""
    loose_object: bool
    """From 0.10 the JSON object of a dict-or-text option may have spaces around it and line breaks in it."""


@lru_cache(maxsize=64)
def dialect(version: str) -> Dialect:
    """The rules of the release `version`."""
    at = number(version)
    optimization: Literal["", "-O.level", "-O.mode", "--optimization-level"]
    optimization = "--optimization-level" if at >= (0, 12, 0) else "-O.mode" if at >= (0, 11, 1) else "-O.level"
    return Dialect(
        version=version,
        model_option="moved" if at >= (0, 11, 1) else "refused" if at >= (0, 8, 3) else "plain",
        model_equals="moved_if_filled" if at >= (0, 17, 0) else "moved" if at >= (0, 11, 1) else "plain",
        served_name_needs_model=at >= (0, 17, 0),
        optimization=optimization if at >= (0, 9, 2) else "",
        dotted_o_is_cc=(0, 12, 0) <= at < (0, 13, 0),
        help_search=at >= (0, 11, 0),
        dotted="full" if at >= (0, 9, 2) else "text" if at >= (0, 9, 0) else "none",
        whole_name_dashes=at < (0, 9, 1),
        dotted_suffixes=at >= (0, 20, 0),
        tera=at >= (0, 13, 0),
        config_dict=at >= (0, 16, 0),
        config_list=at >= (0, 10, 2),
        config_needs_place=at < (0, 8, 3),
        config_no_key=at >= (0, 28, 0),
        config_without_command=at >= (0, 10, 2),
        bare_level=at < (0, 9, 2),
        python_literal=at < (0, 9, 0),
        pairs_for_json=at < (0, 10, 0),
        loose_object=at >= (0, 10, 0),
    )
