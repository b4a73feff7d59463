"""Shell text of any kind: scripts, prompts, one-liners, and the scripts inside them."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from ..lazy import Lazy
from .draft import MAX_DEPTH, MAX_IDLE, Draft, Reading
from .program import find_flags, may_matter, mentions_server
from .shell_functions import MAX_CALLS, functions_of
from .shell_variables import MAX_VALUE, Scope
from .shell_words import MAX_PIECES, Command, ShellLexer
from .start import SLIPS, Start, start

__all__ = ["Walk", "read_shell"]

_ASSIGN = Lazy(r"([A-Za-z_]\w*)=(.*)", re.S)
_OPENERS = frozenset({"if", "for", "while", "until", "case", "select"})
_CLOSERS = frozenset({"fi", "done", "esac"})
_NOISE = frozenset(
    {"then", "do", "else", "elif", "!", "time", "coproc", "$", "%", ">", "❯", "➜", "#", "&", "λ", "-", "*", "•", "%env"}
)
_PROMPT = Lazy(r"[\w.-]+@[\w.-]+:?\S*[$#%>]|\S*\w:\S*[$#]|In|\(\S+\)|bash-\d\.\d[$#]")
_PROMPT_ENDS = frozenset("$#%>n)")
_DECLARE = frozenset({"export", "declare", "local", "readonly", "typeset", "set", "setenv"})
_FISH_OPTION = Lazy(r"-[gxlUu]+|--(?:global|export|local|universal)")
_STARTS = frozenset({"vllm", "python", "python3", "docker", "podman", "nohup", "exec", "sudo", "uv", "numactl", "srun"})
_MOST_KNOWN_WORDS = 40


class Walk:
    """One pass over a script's commands, in order, with the variables assigned so far."""

    def __init__(
        self, text: str, reading: Reading, scope: Scope, source: str, *, line: int = 1, where: str = "",
        functions: Mapping[str, tuple[int, str]] | None = None,
    ) -> None:  # fmt: skip
        self.functions = functions or {}
        self.first_line = line
        self.text, self.reading, self.scope, self.source = text, reading, scope, source
        self.line, self.where = line, where
        self._counted = 0
        self._blocks = 0
        self._maybe = False  # the command runs only if the one before it did, or did not
        self._held: dict[str, int] = {}  # variables that hold a whole launch, with the line they were set on
        self._unexported: dict[str, int] = {}
        self._branches: set[str] = set()
        self._known: set[tuple[str, ...]] = set()  # commands that start nothing: a log or a table has them many times

    def run(self, commands: Iterable[Command]) -> None:
        """Read every command, then the launches that a variable holds and nothing ran."""
        first = len(self.reading.drafts)
        for command in commands:
            if self.reading.full:
                break
            if self.reading.idle >= MAX_IDLE:
                self.reading.say(
                    self.line, f"what follows is not read: {MAX_IDLE} commands name the server and start none"
                )
                break
            self.line += self.text.count("\n", self._counted, command.start)
            self._counted = max(self._counted, command.start)
            self._command(command)
            self._maybe = command.terminator in ("&&", "||")
        if len(self.reading.drafts) == first:
            for name, line in self._held.items():
                self.line = line
                self._nested(self.scope.values.get(name, ""), [], f"the variable {name}", {})

    def _command(self, command: Command) -> None:
        words = self._after_keywords(command.words)
        if words and words[0] in _DECLARE:
            words = self._declare(words)
            self._assign(command.assigned, export=False)
        elif not words:
            self._assign(command.assigned, export=False)
        env = dict(command.assigned) if words else {}
        while words and "=" in words[0] and (match := _ASSIGN.fullmatch(words[0])):  # `$ X=1 vllm ...`: assignments after a prompt
            env[match[1]] = match[2]
            words = words[1:]
        if words and words[0] == "shift" and self.scope.arguments:
            self.scope.arguments = self.scope.arguments[int(words[1]) if words[1:] and words[1].isdigit() else 1 :]
        elif words and words[0] in self.functions:
            self._call(words, env)
        elif words and self._matters(command, words):
            self._start(command, words, env)
        elif env and not command.assigned:
            self._assign(env, export=False)
        self._inner_texts(command, env)

    def _call(self, words: list[str], env: dict[str, str]) -> None:
        """A function of the script, with its arguments."""
        self.reading.calls += 1
        if self.reading.calls > MAX_CALLS:
            return
        before, functions = self.line, self.functions
        above, body = functions[words[0]]
        self.line = self.first_line + above
        self.functions = {name: found for name, found in functions.items() if name != words[0]}  # none calls itself
        self._nested(body, words[1:], f"called on line {before}", env)
        self.line, self.functions = before, functions

    def _matters(self, command: Command, words: list[str]) -> bool:
        segment = self.text[command.start : command.end]
        return may_matter(segment) or ("$" in segment and any(map(may_matter, words))) or command.end == 0

    def _after_keywords(self, words: list[str]) -> list[str]:
        """The command behind keywords (``then``), prompts (``$``) and list marks; loops and branches are counted."""
        for index, head in enumerate(words):
            if head in _OPENERS:
                self._blocks += 1
                if head == "for" and index + 3 < len(words) and words[index + 2] == "in":
                    self._loop(words[index + 1], words[index + 3 :])
                if head in ("for", "case", "select"):
                    return []
            elif head in _CLOSERS:
                self._blocks = max(0, self._blocks - 1)
            elif head.startswith("!") and len(head) > 1:  # a notebook's shell line
                return [head[1:], *words[index + 1 :]]
            elif not (head in _NOISE or (head[-1:] in _PROMPT_ENDS and len(head) <= 120 and _PROMPT.fullmatch(head))):
                return words[index:] if index else words
        return []

    def _loop(self, name: str, values: list[str]) -> None:
        self.scope.values[name] = values[0]
        if len(values) > 1:
            self.reading.say(self.line, f"a loop over {len(values)} values of {name}: read for {values[0]}")

    def _assign(self, assigned: dict[str, str], *, export: bool) -> None:
        scope = self.scope
        self.reading.keep_secret(assigned)
        for name, whole in assigned.items():
            value = whole[:MAX_VALUE]
            # In a branch the first value stays: which branch runs is not known.
            if (self._blocks or self._maybe) and scope.values.get(name) and scope.values[name] != value:
                self._branches.add(name)
                continue
            scope.values[name] = value
            scope.arrays.pop(name, None)
            if export or name in scope.exported:
                scope.exported.add(name)
                self._unexported.pop(name, None)
            elif name.startswith(("VLLM_", "CUDA_VISIBLE", "NCCL_")):
                self._unexported[name] = self.line
            if " " in value and (mentions_server(value) or ("--model" in value and find_flags(value.split()))):
                self._held[name] = self.line

    def _declare(self, words: list[str]) -> list[str]:
        """``export A=1 B=2``; a text flattened into one line goes on with the command itself."""
        exports = words[0] in ("export", "setenv") or any(word.startswith("-") and "x" in word for word in words[1:3])
        if words[0] in ("set", "setenv"):
            self._set(words)
            return []
        for index, word in enumerate(words[1:], 1):
            if match := _ASSIGN.fullmatch(word):
                self._assign({match[1]: self._again(match[2])}, export=exports)
            elif word in _DECLARE:
                exports = word == "export"
            elif word.rsplit("/", 1)[-1] in _STARTS:
                return [self._again(rest) for rest in words[index:]]
            elif exports and word.isidentifier():
                self.scope.exported.add(word)
                self._unexported.pop(word, None)
        return []

    def _set(self, words: list[str]) -> None:
        """``setenv A 1`` of csh, ``set -gx A 1`` of fish. In bash ``set`` takes options and sets no variable of a name."""
        at = 1
        while at < len(words) and _FISH_OPTION.fullmatch(words[at]):
            at += 1
        if at < len(words) - 1 and words[at].isidentifier():
            exports = words[0] == "setenv" or any("x" in word for word in words[1:at])
            self._assign({words[at]: " ".join(words[at + 1 :])}, export=exports)

    def _again(self, word: str) -> str:
        """A word of a flattened text, whose variables were assigned earlier in the same line."""
        if "$" not in word:
            return word
        return re.sub(r"\$(?:\{(\w+)\}|(\w+))", lambda m: self.scope.values.get(m[1] or m[2], m[0]), word)

    def _start(self, command: Command, words: list[str], env: dict[str, str]) -> None:
        said = command.said
        first, unread = len(self.reading.drafts), len(self.reading.unread)
        if (typed := tuple(words)) in self._known:
            return
        started = start(Start(
            words, self._environment(env), said, self.reading, line=self.line, where=self.where, source=self.source,
            nested=lambda text, arguments, where: self._nested(text, arguments, where, env, command),
            lookup=self.scope.values.get,
        ))  # fmt: skip
        if not started:
            self._nothing(command, typed, said_something=len(self.reading.unread) > unread)
        for draft in self.reading.drafts[first:]:
            draft.notes.extend(
                f"{name} may be changed in a branch of the script; read as {self.scope.values.get(name)}"
                for name in sorted(self._branches)
                if name in self.scope.values
            )
            draft.notes.extend(
                f"{name} is set on line {line} but not exported: vLLM does not see it"
                for name, line in self._unexported.items()
                if name not in draft.env
            )

    def _nothing(self, command: Command, typed: tuple[str, ...], *, said_something: bool) -> None:
        """Remember a command that starts nothing; a text that names the server again and again has an end."""
        if not said_something and len(typed) <= _MOST_KNOWN_WORDS:
            self._known.add(typed)
        if mentions_server(self.text[command.start : command.end]):
            self.reading.idle += 1

    def _environment(self, env: dict[str, str]) -> dict[str, str]:
        exported = {name: self.scope.values[name] for name in sorted(self.scope.exported) if name in self.scope.values}
        return {**exported, **env}

    def _inner_texts(self, command: Command, env: dict[str, str]) -> None:
        for body in command.heredocs:
            if command.written_to:
                self.reading.files[command.written_to.rsplit("/", 1)[-1]] = body
            self._nested(body, [], "inside a here-document", env)
        for body in command.said.substitutions:
            if mentions_server(body):
                self._nested(body, [], "inside $(...)", env)

    def _nested(
        self, text: str, arguments: list[str], where: str, env: dict[str, str], outer: Command | None = None
    ) -> None:
        """A text inside this one, read with what is known so far."""
        reading = self.reading
        if reading.depth >= MAX_DEPTH or not may_matter(text):
            return
        first = len(reading.drafts)
        reading.depth += 1
        if where == "inside a here-document" and reading.inner and looks_like_document(text):
            reading.inner(text, reading, self.line + 1)
        else:
            scope = self.scope.copy()
            scope.arguments = arguments or self.scope.arguments
            inner_where = f"{self.where}, {where}" if self.where else where
            walk = Walk(text, reading, scope, self.source, line=self.line, where=inner_where, functions=self.functions)
            walk.run(commands_of(text, scope, reading, self.line, self.functions))
        reading.depth -= 1
        for draft in reading.drafts[first:]:
            draft.env = {**self._environment(env), **draft.env}
            if outer is not None:
                self._inherit(draft, outer)

    @staticmethod
    def _inherit(draft: Draft, outer: Command) -> None:
        """What was said of the string that holds the script also holds for the launch inside it."""
        text = " ".join(draft.words)
        draft.unset.extend(
            name for name in outer.said.unset if name not in draft.unset and f"${name.lstrip('$')}" in text
        )
        draft.notes.extend(note for note in outer.said.notes if note not in draft.notes)
        draft.unread.extend(f"{draft.place}: {what}" for what in outer.said.unread)
        known = {problem.code for problem in draft.problems}
        draft.problems.extend(SLIPS[code] for code in dict.fromkeys(outer.said.codes) if code not in known)


_DOCUMENT = Lazy(
    r"^(?:apiVersion|kind|services|modelArtifacts|servingEngineSpec)\s*:|^\[(?:Unit|Service)\]|^ExecStart=", re.M
)


def looks_like_document(text: str) -> bool:
    """True when a here-document holds a manifest or a unit file rather than a script."""
    return _DOCUMENT.search(text) is not None


def commands_of(
    text: str, scope: Scope, reading: Reading, line: int = 1, functions: Collection[str] = ()
) -> Iterator[Command]:
    """The simple commands of a shell text, in order; where the reading stops short of its end, that is said."""
    lexer = ShellLexer(text, scope)
    lexer.kept = functions
    while (command := lexer.command()) is not None:
        yield command
    if lexer.left <= 0:
        at = line + text.count("\n", 0, lexer.pos)
        reading.say(at, f"what follows is not read: the text has more than {MAX_PIECES:,} words, quotes and marks")


def read_shell(
    text: str, reading: Reading, source: str = "shell", scope: Scope | None = None, *, line: int = 1, where: str = ""
) -> None:
    """Read every vLLM server start of a shell text into `reading`."""
    if not may_matter(text):
        return
    scope = scope or Scope()
    text, functions = functions_of(text)
    walk = Walk(text, reading, scope, source, line=line, where=where, functions=functions)
    walk.run(commands_of(text, scope, reading, line, functions))
