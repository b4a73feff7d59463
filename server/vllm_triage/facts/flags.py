"""Every option of ``vllm serve``, release by release: what the parser of that release holds.

The catalogue (``data/flags.json``) is written by ``tools/build_flag_catalogue.py`` from each release's own parser and stores an
option once, with what changed when. A table of one release is put together on first use and kept.
"""

import json
from bisect import bisect_left
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from .rows import entry
from .versions import nearest, number

__all__ = [
    "FlagHistory", "FlagKnowledge", "FlagSpec", "FlagTable", "OtherEngine", "history", "knowledge", "of_another_engine", "table",
]  # fmt: skip

Value = None | bool | int | float | str | list["Value"] | dict[str, "Value"]
"""What a default may be: any JSON value."""

Action = Literal["store", "flag", "bool", "toggle", "maybe", "append", "help", "lora", "adapter"]
"""``store`` takes values; ``flag`` only turns on; ``bool`` also has ``--no-x``; ``toggle`` (0.33 on) also pairs
``--enable-x`` with ``--disable-x``; ``maybe`` (up to 0.7) takes an optional true or false; ``append`` gathers; ``lora`` and
``adapter`` take ``name=path`` words."""

Kind = Literal[
    "str", "int", "float", "bool", "json", "human", "human_auto", "dict_or_str", "config", "backend", "ids",
    "reasoning", "nullable", "pairs",
]  # fmt: skip
"""How a value is read. ``human`` is an integer with k/K/m/M/g/G/t/T; ``human_auto`` also takes ``auto`` and -1; ``config``
is the JSON of a configuration class; ``dict_or_str`` a JSON object or any text; ``backend`` a lower-cased name with ``_``;
``ids`` numbers or names separated by commas; ``reasoning`` a name where ``none`` is the empty one; ``nullable`` text or
nothing; ``pairs`` ``a=1,b=2``."""


class FlagSpec(NamedTuple):
    """One option as one release declares it."""

    dest: str
    """The parser's destination, such as ``max_num_seqs``; the key everywhere else in this product."""
    flag: str
    """The canonical long name, such as ``--max-num-seqs``; the destination for the positional model."""
    option_strings: tuple[str, ...]
    """Every spelling the parser accepts exactly, ``--no-`` and hidden ones included; empty for the positional model."""
    action: Action
    type: Kind
    optional: bool
    """True when ``None`` and the empty word are accepted for "not set"."""
    nargs: str | None
    """None one value, ``?`` at most one, ``+`` one or more; irrelevant for ``flag``, ``bool`` and ``toggle``."""
    choices: tuple[Value, ...]
    """The accepted values; empty when any value of the type will do."""
    default: Value
    const: Value
    """The value of an option with ``?`` given without one."""
    group: str
    """The configuration the option belongs to, such as ``SchedulerConfig``, or ``Frontend``."""
    negatives: frozenset[str] = frozenset()
    """The spellings that set False."""
    config: str | None = None
    """The configuration class whose JSON the option takes (``facts.flag_configs``)."""
    required: bool = False
    """True when the parser refuses a command line without it (the model, up to 0.7)."""
    deprecated: bool = False
    """True when the release's parser itself calls the option deprecated."""

    @property
    def takes_value(self) -> bool:
        """True when the option reads at least one following word (or may read one)."""
        return self.action not in ("flag", "bool", "toggle", "help")


class FlagTable:
    """The options of one release, in the order its parser declares them."""

    def __init__(self, version: str, specs: tuple[FlagSpec, ...]) -> None:
        self.version = version
        self.specs = specs
        self.by_dest = {spec.dest: spec for spec in specs}
        self.options = {option: spec for spec in specs for option in spec.option_strings}
        """Every accepted spelling, in declaration order (argparse searches abbreviations in this order)."""

    def by_option(self, option: str) -> FlagSpec | None:
        """The option with exactly this spelling (underscores are read as dashes), or None."""
        if option.startswith("--"):
            option = option.replace("_", "-")
        return self.options.get(option)

    @cached_property
    def long_options(self) -> tuple[str, ...]:
        """The spellings that begin with two dashes."""
        return tuple(o for o in self.options if o.startswith("--"))

    @cached_property
    def _sorted(self) -> tuple[tuple[str, ...], dict[str, int]]:
        """The long options in alphabetical order, and the place of each in the order of declaration."""
        return tuple(sorted(self.long_options)), {option: place for place, option in enumerate(self.long_options)}

    def beginning(self, text: str) -> list[str]:
        """The long options that begin with `text`, in the order the parser declares them."""
        ordered, places = self._sorted
        first = bisect_left(ordered, text)
        last = first
        while last < len(ordered) and ordered[last].startswith(text):
            last += 1
        return sorted(ordered[first:last], key=places.__getitem__)

    @cached_property
    def short_options(self) -> dict[str, FlagSpec]:
        """The options as a word with one leading dash abbreviates them: by every spelling that it may begin."""
        return {o: spec for o, spec in self.options.items() if not o.startswith("--")}


class FlagHistory(NamedTuple):
    """When a spelling existed."""

    flag: str
    spans: tuple[tuple[str, str | None], ...]
    """(first, last) release of each stretch in which the spelling was accepted; the last is None while the newest accepts it."""
    deprecated_in: str | None = None
    replaced_by: str | None = None
    note: str = ""
    """What else to know: where its job went, or that nothing took it over."""

    @property
    def first_seen(self) -> str:
        """First release in the catalogue that accepts it."""
        return self.spans[0][0]

    @property
    def last_seen(self) -> str | None:
        """Last release that accepts it; None while the newest does."""
        return self.spans[-1][1]

    def since(self, version: str) -> str | None:
        """The next release after `version` that accepts it (again), or None."""
        return next((first for first, _ in self.spans if number(first) > number(version)), None)

    def until(self, version: str) -> str | None:
        """The last release before `version` that accepted it, or None."""
        ended = [last for _, last in self.spans if last is not None and number(last) < number(version)]
        return ended[-1] if ended else None


class FlagKnowledge(NamedTuple):
    """What a flag does, in our words."""

    dest: str
    one_line: str
    controls: str = ""
    """The behaviour it controls."""
    raising: str = ""
    """What a higher value (or turning it on) trades."""
    lowering: str = ""
    """What a lower value (or turning it off) trades."""
    watch: str = ""
    """What to measure when changing it."""


class OtherEngine(NamedTuple):
    """An option that people bring along from another inference engine."""

    flag: str
    engine: str
    ours: str | None
    """vLLM's option for the same end."""
    note: str
    takes_value: bool


def _read(name: str) -> dict[str, object]:
    path = Path(__file__).parent / "data" / name
    found: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return found


@cache
def _catalogue() -> tuple[dict[str, int], dict[str, list[tuple[int, dict[str, object] | None]]]]:
    read = _read("flags.json")
    versions: list[str] = read["versions"]  # type: ignore[assignment]
    flags: dict[str, list[tuple[int, dict[str, object] | None]]] = read["flags"]  # type: ignore[assignment]
    return {version: index for index, version in enumerate(versions)}, flags


_INVERSE = (("--enable-", "--disable-"), ("--disable-", "--enable-"))


def _spellings(declared: list[str], action: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """All accepted spellings in the order the parser registers them, and which of them set False."""
    if action not in ("bool", "toggle"):
        return tuple(declared), frozenset()
    accepted: list[str] = []
    for option in declared:
        accepted.append(option)
        if option.startswith("--"):
            accepted.append("--no-" + option[2:])
    negatives = {option for option in accepted if option not in declared}
    if action == "bool":
        negatives |= {option for option in accepted if option.startswith("--no-")}
    else:
        inverses = [to + o.removeprefix(frm) for o in declared for frm, to in _INVERSE if o.startswith(frm)]
        accepted += inverses
        negatives |= set(inverses)
    return tuple(accepted), frozenset(negatives)


def _spec(dest: str, row: dict[str, object]) -> FlagSpec:
    action = str(row["a"])
    kind = "bool" if action in ("flag", "bool", "toggle") else str(row.get("t", "str"))
    spellings, negatives = _spellings(row["o"], action)  # type: ignore[arg-type]
    return FlagSpec(
        dest=dest,
        flag=next((o for o in spellings if o.startswith("--")), dest),
        option_strings=spellings,
        action=action,  # type: ignore[arg-type]
        type=kind.removesuffix("?"),  # type: ignore[arg-type]
        optional=kind.endswith("?"),
        nargs=row.get("n"),  # type: ignore[arg-type]
        choices=tuple(row.get("c") or ()),  # type: ignore[arg-type]
        default=row.get("d"),  # type: ignore[arg-type]
        const=row.get("k"),  # type: ignore[arg-type]
        group=str(row.get("g", "")),
        negatives=negatives,
        config=row.get("x"),  # type: ignore[arg-type]
        required=bool(row.get("r")),
        deprecated=bool(row.get("p")),
    )


@cache
def _table(version: str) -> FlagTable:
    versions, flags = _catalogue()
    wanted = versions[version]
    specs: list[FlagSpec] = []
    for dest, changes in flags.items():
        row: dict[str, object] | None = None
        for index, change in changes:
            if index > wanted:
                break
            row = None if change is None else {**row, **change} if row else change
        if row is not None:
            specs.append(_spec(dest, row))
    return FlagTable(version, tuple(specs))


def table(version: str) -> FlagTable:
    """The options of the catalogue's release that answers for `version` (see ``versions.nearest``)."""
    return _table(nearest(version))


@lru_cache(maxsize=2048)
def history(flag: str) -> FlagHistory | None:
    """When an option existed, or None for one that no known release ever had. Underscores are read as dashes."""
    if flag.startswith("--"):
        flag = flag.replace("_", "-")
    spans: list[list[str | None]] | None = entry("flags_history.json", flag)
    if spans is None:
        return None
    deprecated, replaced, note = entry("flags_replaced.json", flag) or (None, None, None)
    return FlagHistory(flag, tuple((str(first), last) for first, last in spans), deprecated, replaced, note or "")


@lru_cache(maxsize=2048)
def knowledge(dest: str) -> FlagKnowledge | None:
    """What a flag does in our words, by its destination (``max_num_seqs``), or None."""
    row: dict[str, str] | None = entry("flag_knowledge.json", dest)
    return None if row is None else FlagKnowledge(dest, **row)


@cache
def _other_engines() -> dict[str, OtherEngine]:
    read = _read("flags_other_engines.json")
    return {flag: OtherEngine(flag, *row) for flag, row in read.items()}  # type: ignore[misc]


def of_another_engine(flag: str) -> OtherEngine | None:
    """What an option of SGLang, TGI, TensorRT-LLM or llama.cpp is called in vLLM, or None for one unknown there too."""
    return _other_engines().get(flag.replace("_", "-"))
