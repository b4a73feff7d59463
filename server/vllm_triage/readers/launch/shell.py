"""Shell text of any kind: scripts, prompts, one-liners, and the scripts inside them."""

import re

from ...domain import Problem
from .containers import Container, read_container, serves_by_itself
from .draft import Draft, Reading
from .program import find_server, mentions_server, nested_scripts
from .shell_words import Command, Scope, ShellLexer

__all__ = ["read_shell"]

_MAX_DEPTH = 5
_ASSIGN = re.compile(r"([A-Za-z_]\w*)=(.*)$", re.S)
_OPENERS = frozenset({"if", "for", "while", "until", "case", "select"})
_CLOSERS = frozenset({"fi", "done", "esac"})
_NOISE = frozenset({"then", "do", "else", "elif", "!", "time", "coproc", "$", "%", ">", "❯", "➜", "#"})
_DECLARE = frozenset({"export", "declare", "local", "readonly", "typeset", "set", "setenv"})
_TRAILERS = frozenset({
    "and", "but", "with", "on", "gives", "then", "which", "is", "are", "when", "my", "the", "for", "i", "it", "get", "using",
})
_SLIPS = {
    "comment-after-backslash": Problem(
        severity="error", message="A comment stands after a backslash: a shell ends the command there, and vLLM never gets "
        "the lines below it.", fix="Put the comment on a line of its own above the command, or remove it.",
        code="comment-after-backslash"),
    "space-after-backslash": Problem(
        severity="warning", message="Blanks stand after a backslash at the end of a line: a shell does not continue the "
        "command there, and runs the lines below it as other commands.", fix="Remove the blanks after the backslash.",
        code="space-after-backslash"),
}


class _Walk:
    """One pass over a script's commands, in order, with the variables assigned so far."""

    def __init__(self, text: str, reading: Reading, scope: Scope, source: str, base_line: int, inside: str) -> None:
        self.text, self.reading, self.scope, self.source = text, reading, scope, source
        self.base_line, self.inside = base_line, inside
        self.blocks = 0
        self.maybe = False  # the command runs only if the one before it did (or did not)
        self.line, self.line_pos = base_line, 0

    def run(self) -> None:
        lexer = ShellLexer(self.text, self.scope)
        while (command := lexer.command()) is not None:
            self._command(command)
            self.maybe = command.terminator in ("&&", "||")

    def place(self, command: Command) -> str:
        self.line += self.text.count("\n", self.line_pos, command.start)
        self.line_pos = max(self.line_pos, command.start)
        return f"line {self.line}" + (f", inside {self.inside}" if self.inside else "")

    def _command(self, command: Command) -> None:
        words = self._block_words(command.words)
        if not words:
            self._assign(command.assigned, export=False)
            self._substitutions(command)
            return
        if words[0] in _DECLARE:
            words = self._declare(words)
        env = dict(command.assigned)
        while words and (match := _ASSIGN.match(words[0])):  # `$ X=1 vllm ...`: assignments after a prompt
            env[match[1]] = match[2]
            words = words[1:]
        if words:
            self._start(command, words, env)
        self._substitutions(command)

    def _block_words(self, words: list[str]) -> list[str]:
        while words:
            head = words[0]
            if head in _OPENERS:
                self.blocks += 1
                if head == "for" and len(words) > 3 and words[2] == "in":
                    self.scope.values[words[1]] = words[3].rstrip(";")
                    if len(words) > 4:
                        self.reading.notes.append(f"{words[1]} runs over {len(words) - 3} values; read for {words[3]}")
                    return []
                if head in ("for", "case", "select"):
                    return []
                words = words[1:]
            elif head in _CLOSERS:
                self.blocks = max(0, self.blocks - 1)
                words = words[1:]
            elif head in _NOISE or (head.endswith(("$", "%", ">")) and "@" in head):
                words = words[1:]
            else:
                break
        return words

    def _assign(self, assigned: dict[str, str], *, export: bool) -> None:
        for name, value in assigned.items():
            if name in self.scope.arrays and name not in self.scope.values and not export:
                continue  # the lexer has put the array in place
            # In a branch the first value stays: which branch runs is not known.
            if (self.blocks or self.maybe) and self.scope.values.get(name):
                self.reading.notes.append(f"{name} may be changed in a branch; read as {self.scope.values[name]}")
                continue
            self.scope.values[name] = value
            self.scope.arrays.pop(name, None)
            if export:
                self.scope.exported.add(name)

    def _declare(self, words: list[str]) -> list[str]:
        """``export A=1 B=2``; a text flattened into one line goes on with the command itself."""
        exports = words[0] in ("export", "setenv") or "-x" in words[1:3]
        index = 1
        if words[0] == "setenv" and len(words) >= 3:
            self._assign({words[1]: words[2]}, export=True)
            return []
        while index < len(words):
            word = words[index]
            if match := _ASSIGN.match(word):
                self._assign({match[1]: self._again(match[2])}, export=exports)
            elif word in _DECLARE:
                exports = word == "export"
            elif re.fullmatch(r"[A-Za-z_]\w*", word) and word not in ("vllm", "python", "python3", "docker"):
                if exports:
                    self.scope.exported.add(word)
            elif not word.startswith("-"):
                return words[index:]
            elif word.startswith("--"):
                return []
            index += 1
            if index < len(words) and words[index].rsplit("/", 1)[-1] in ("vllm", "python", "python3", "docker"):
                return words[index:]
        return []

    def _again(self, value: str) -> str:
        return value

    def _start(self, command: Command, words: list[str], env: dict[str, str]) -> None:
        container = read_container(words)
        if container is not None:
            self._container(command, container, env)
        elif found := find_server(words):
            for index, word in enumerate(found.before):
                if match := _ASSIGN.match(word.removeprefix("--env=").removeprefix("--export=")):
                    env[match[1]] = match[2]
                elif word in ("-e", "--env") and index + 1 < len(found.before):
                    pass
            draft = Draft(self.source, found.entrypoint, self._trim(found.arguments, command), self._environment(env))
            self._emit(draft, command)
        else:
            for script in nested_scripts(words):
                self._nested(script, command, self._what(words), env)
        for body in command.heredocs:
            self._nested(body, command, "a here-document", env)

    @staticmethod
    def _what(words: list[str]) -> str:
        return " ".join(words[:2])[:40].strip()

    def _container(self, command: Command, container: Container, env: dict[str, str]) -> None:
        for name in container.env_passed:
            if name in self.scope.values:
                container.env[name] = self.scope.values[name]
        arguments = container.arguments
        entry = [word for word in container.entrypoint or []]
        found = find_server([*entry, *arguments])
        place_count = len(self.reading.drafts)
        if found:
            draft = Draft("docker-run", found.entrypoint, self._trim(found.arguments, command))
        elif scripts := nested_scripts([*(entry or ["bash"]), *arguments]):
            for script in scripts:
                self._nested(script, command, "the container", env)
            for draft in self.reading.drafts[place_count:]:
                draft.source = "docker-run"
                draft.env = {**container.env, **draft.env}
                draft.version = draft.version or container.version
                draft.gpu_count = draft.gpu_count or container.gpu_count
            return
        elif not entry and serves_by_itself(container.image, arguments):
            if arguments[:1] == ["serve"]:
                arguments = arguments[1:]
            draft = Draft("docker-run", "serve", self._trim(arguments, command))
        else:
            if mentions_server(" ".join([container.image, *arguments])):
                self.reading.say(self.place(command), "a container that starts no vLLM server by itself")
            return
        draft.env = container.env
        draft.version = container.version
        draft.gpu_count = container.gpu_count
        for name in container.env_files:
            draft.unread.append(f"--env-file {name}: the file is not in this paste")
        self._emit(draft, command)

    def _environment(self, env: dict[str, str]) -> dict[str, str]:
        exported = {name: self.scope.values[name] for name in self.scope.exported if name in self.scope.values}
        return {**self.reading.env, **exported, **env}

    def _trim(self, arguments: list[str], command: Command) -> list[str]:
        """Cuts a sentence that goes on after the command: ``... --max-model-len 8192 on 8 GPUs``."""
        for index, word in enumerate(arguments):
            if index and word.lower() in _TRAILERS and not arguments[index - 1].startswith("-"):
                rest = " ".join(arguments[index:])
                command.unread.append(f"text after the command: {rest[:160]}")
                return arguments[:index]
        return arguments

    def _emit(self, draft: Draft, command: Command) -> None:
        place = self.place(command)
        draft.place = place
        draft.unset.extend(name for name in dict.fromkeys(command.unset) if name not in draft.unset)
        draft.notes.extend(dict.fromkeys(command.notes))
        draft.unread.extend(f"{place}: {what}" for what in dict.fromkeys(command.unread))
        draft.problems.extend(_SLIPS[code] for code in dict.fromkeys(command.codes))
        self.reading.drafts.append(draft)

    def _substitutions(self, command: Command) -> None:
        for body in command.substitutions:
            if mentions_server(body):
                self._nested(body, command, "$(...)", {})

    def _nested(self, text: str, command: Command, inside: str, env: dict[str, str]) -> None:
        if self.reading.depth >= _MAX_DEPTH or not mentions_server(text):
            return
        scope = self.scope.copy()
        before = len(self.reading.drafts)
        self.reading.depth += 1
        place = self.place(command)
        line = int(re.sub(r"\D.*", "", place.removeprefix("line ")) or 1)
        _Walk(text, self.reading, scope, self.source, line, inside).run()
        self.reading.depth -= 1
        for draft in self.reading.drafts[before:]:
            draft.env = {**self._environment(env), **draft.env}
            draft.unset.extend(name for name in command.unset if name not in draft.unset and f"${name}" in str(draft.words))
            draft.problems.extend(_SLIPS[code] for code in dict.fromkeys(command.codes) if _SLIPS[code] not in draft.problems)


def read_shell(text: str, reading: Reading, source: str = "shell", scope: Scope | None = None, line: int = 1) -> None:
    """Read every vLLM server start of a shell text into `reading`."""
    scope = scope or Scope()
    _Walk(text, reading, scope, source, line, "").run()
