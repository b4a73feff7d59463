import re
from importlib import import_module
from pkgutil import iter_modules

import pytest

from vllm_triage.readers import secrets
from vllm_triage.readers.lazy import Lazy


def test_a_lazy_pattern_finds_what_the_pattern_finds() -> None:
    lazy, eager = Lazy(r"(\w)=(\d)", re.IGNORECASE), re.compile(r"(\w)=(\d)", re.IGNORECASE)
    text = "A=1, b=2"
    assert list(lazy.pairs(text)) == eager.findall(text)
    assert [m.span() for m in lazy.finditer(text)] == [m.span() for m in eager.finditer(text)]
    assert lazy.sub("-", text, count=1) == eager.sub("-", text, count=1)
    found, wanted = lazy.search(text, 2), eager.search(text, 2)
    assert found is not None
    assert wanted is not None
    assert found.span() == wanted.span()
    assert lazy.match("x") is eager.match("x") is None


def test_a_broken_pattern_is_found_when_it_is_used_and_not_before() -> None:
    lazy = Lazy("(")
    with pytest.raises(re.error):
        lazy.search("")


def test_every_pattern_of_the_readers_compiles() -> None:
    from vllm_triage.readers import (  # noqa: PLC0415
        engine_log,
        logged_settings,
        prometheus_api,
        prose,
        startup_failure,
        startup_log,
        utilisation,
    )  # fmt: skip

    modules = (engine_log, logged_settings, prometheus_api, prose, startup_failure, startup_log, utilisation)
    found = [value for module in modules for value in vars(module).values() if isinstance(value, Lazy)]
    found += [
        part
        for table in (startup_log._FIGURES, startup_log._SETTINGS, startup_log._DEVICES)
        for row in table
        for part in row
        if isinstance(part, Lazy)
    ]
    assert len(found) > 40
    for lazy in found:
        lazy.search("")


def test_every_pattern_of_the_launch_readers_compiles() -> None:
    launch = import_module("vllm_triage.readers.launch")
    modules = [import_module(f"{launch.__name__}.{found.name}") for found in iter_modules(launch.__path__)]
    found = [value for module in modules for value in vars(module).values() if isinstance(value, Lazy)]
    found += [rule.pattern for rule in secrets._rules()]
    assert len(found) > 100
    for lazy in found:
        lazy.search("")


def test_a_lazy_pattern_keeps_to_the_part_it_is_given_and_splits_and_counts() -> None:
    lazy, eager = Lazy(r"\d"), re.compile(r"\d")
    text = "1a2b3"
    assert lazy.findall(text, 1, 4) == eager.findall(text, 1, 4) == ["2"]
    assert lazy.fullmatch(text, 0, 1) is not None
    assert lazy.fullmatch(text) is None
    assert lazy.match(text, 1) is None
    assert lazy.split(text) == eager.split(text)
    assert lazy.subn("-", text) == eager.subn("-", text)
