"""A shell's words, without a shell: commands, assignments, arrays, redirections and here-documents; nothing is ever
run."""

import re
from collections.abc import Collection

from .program import may_matter
from .shell_quotes import ASSIGN, PLACEHOLDER, Command, Pieces, grown
from .shell_variables import MAX_VALUE, Scope, short

__all__ = ["MAX_PIECES", "Command", "ShellLexer"]

_REDIRECT = re.compile(r"&>>?|<<<|<<-?|<&-?|<>|>>|>&-?|>\||[<>]")
_OPTION_LINE = re.compile(r"\n\s*(?=--?[A-Za-z])")
_PLAIN_WORDS = re.compile(r"(?:[^\s'\"\\$`;&|<>()#]+[ \t]+)+")
_BODY_ESCAPE = re.compile(r"\\([\\$`])")
_DULL = re.compile(
    r"[ \t]*(?!(?:if|for|while|until|case|select|fi|done|esac|then|do|else|elif|"
    r"export|declare|local|readonly|typeset|set|setenv|shift)\b)[^\n'\"\\$`=<>(){};&|#!]*"
    r"\n(?!\s*--?[A-Za-z])"
)
"""A line that assigns nothing, opens nothing and goes on nowhere: output, prose, a plain command."""
MAX_PIECES = 6_000
"""Pieces of words read from one text. A script of a thousand lines has fewer; a text that has more is none, or cannot
be told in the time an answer may take."""


class ShellLexer(Pieces):
    """Reads simple commands from a text, one call of :meth:`command` each."""

    def __init__(self, text: str, scope: Scope) -> None:
        super().__init__(text, scope)
        self._pending: list[tuple[str, bool, bool]] = []  # here-documents whose body starts on the next line
        self.left = MAX_PIECES
        self.kept: Collection[str] = ()
        """First words of lines that matter whatever else they hold."""

    def command(self) -> Command | None:
        """The next simple command, or None at the end of the text."""
        text, size = self.text, len(self.text)
        while self.pos < size and text[self.pos] in " \t\r\n;&|(){}":
            if text[self.pos] == "\n" and self._pending:
                break
            self.pos += 1
        while not self._pending and (line := _DULL.match(text, self.pos)) and not self._told(line[0]):
            self.pos = line.end()
        if self.pos >= size or self.left <= 0:
            return None
        command = Command(self.pos)
        self.left -= 2  # what a command takes besides its pieces
        self._read(command)
        command.end = self.pos
        return command

    def _told(self, line: str) -> bool:
        """True for a line that may start a server after all, or calls one of the script's functions."""
        return may_matter(line) or (bool(self.kept) and line.split(None, 1)[:1] != [] and line.split(None, 1)[0] in self.kept)

    def _read(self, out: Command) -> None:
        text, size = self.text, len(self.text)
        word: list[str] | None = None
        while self.pos < size and self.left > 0:
            self.left -= 1
            char = text[self.pos]
            if word is None:
                if char == "#":
                    self._skip_line()
                    continue
                if not out.words and (match := ASSIGN.match(text, self.pos)):
                    self._assignment(match, out)
                    continue
                if out.words and (match := _PLAIN_WORDS.match(text, self.pos)):  # the common case, at once
                    out.words += match[0].split()
                    self.pos = match.end()
                    continue
            if char in " \t\r":
                word = self.finish(word, out)
                self.pos += 1
            elif char == "\\":
                word = self.backslash(word, out)
            elif char in "<>" or (char == "&" and text.startswith("&>", self.pos)):
                word = self._angle(word, out)
            elif char in "\n;&|()":
                word = self.finish(word, out)
                if char == "\n" and out.words and not self._pending and (option := _OPTION_LINE.match(text, self.pos)):
                    out.said.codes.append("missing-backslash")
                    self.pos = option.end()
                    continue
                self._terminate(char, out)
                return
            else:
                word = self.piece(word if word is not None else [], out)
        self.finish(word, out)

    def _skip_line(self) -> None:
        end = self.text.find("\n", self.pos)
        self.pos = len(self.text) if end < 0 else end

    def _terminate(self, char: str, out: Command) -> None:
        two = self.text[self.pos : self.pos + 2]
        out.terminator = two if two in ("&&", "||", ";;", "|&") else char
        self.pos += len(out.terminator)
        if char == "\n" and self._pending:
            self._heredoc_bodies(out)

    def _angle(self, word: list[str] | None, out: Command) -> list[str] | None:
        """A placeholder such as ``<model>``, which a shell would take for a redirection; or a redirection."""
        if match := PLACEHOLDER.match(self.text, self.pos):
            out.said.notes.append(f"{match[0]} is a placeholder to fill in")
            self.pos = match.end()
            return grown(word, match[0])
        if word and len(word) == 1 and word[0].isdigit():
            word = None  # the number of a file descriptor
        self.finish(word, out)
        self._redirect(out)
        return None

    def _assignment(self, match: re.Match[str], out: Command) -> None:
        """``NAME=value``, ``NAME+=value`` or ``NAME=(array)`` before a command."""
        name, operator = match[1], match[2]
        self.pos = match.end()
        if self.text.startswith("(", self.pos):
            items = self._array(out)
            before = self.scope.arrays.get(name)
            if operator == "+=" and before is not None:
                before += items[: 1000 - len(before)]
            elif items or before is None:
                self.scope.arrays[name] = items
            self.scope.values.pop(name, None)
            return
        value = self._assigned_value(out)
        if operator == "+=":
            value = (self.scope.values.get(name, "") + value)[:MAX_VALUE]
        out.assigned[name] = value

    def _assigned_value(self, out: Command) -> str:
        text, size = self.text, len(self.text)
        parts: list[str] = []
        while self.pos < size and self.left > 0 and text[self.pos] not in " \t\r\n;&|()":
            self.left -= 1
            char = text[self.pos]
            if char == "\\":
                before = self.pos
                parts = self.backslash(parts, out) or parts
                if text[before : self.pos].endswith("\n"):
                    break
            elif char == "$" and not text.startswith(("$'", '$"'), self.pos):
                pieces, self.pos = self.expander.at(text, self.pos, out.said, quoted=True, limit=size)
                parts.append(" ".join(pieces))
            elif char in "<>":
                parts.append(char)
                self.pos += 1
            else:
                parts = self.piece(parts, out) or parts
        return "".join(parts)[:MAX_VALUE]

    def _array(self, out: Command) -> list[str]:
        text, size = self.text, len(self.text)
        self.pos += 1
        inner = Command(self.pos, said=out.said)
        word: list[str] | None = None
        while self.pos < size and self.left > 0:
            self.left -= 1
            char = text[self.pos]
            if char == ")":
                self.pos += 1
                break
            if char in " \t\r\n":
                word = self.finish(word, inner)
                self.pos += 1
            elif char == "#" and word is None:
                self._skip_line()
            elif char == "\\":
                word = self.backslash(word, inner)
            elif char in ";&|(<>":
                self.pos += 1
            else:
                word = self.piece(word if word is not None else [], inner)
        self.finish(word, inner)
        return inner.words[:1000]

    def _redirect(self, out: Command) -> None:
        """A redirection and its target; a here-document is remembered until its line ends."""
        text = self.text
        match = _REDIRECT.match(text, self.pos)
        operator = match[0] if match else text[self.pos]
        self.pos += len(operator)
        while self.pos < len(text) and text[self.pos] in " \t":
            self.pos += 1
        literal = text[self.pos : self.pos + 1] in ("'", '"', "\\")
        target: list[str] = []
        scratch = Command(self.pos)
        while self.pos < len(text) and text[self.pos] not in " \t\r\n;&|()<>":
            if text[self.pos] == "\\":
                target = self.backslash(target, scratch) or target
                if text[self.pos - 1] == "\n":
                    break
            else:
                target = self.piece(target, scratch) or target
        name = "".join(target)
        if operator in ("<<", "<<-"):
            self._pending.append((name, operator == "<<-", literal))
        elif operator in (">", ">>", ">|"):
            out.written_to = name

    def _heredoc_bodies(self, out: Command) -> None:
        text = self.text
        for delimiter, stripped, literal in self._pending:
            blank = r"[\t ]*" if stripped else ""
            if self.expander.budget <= 0 or not delimiter:
                continue
            found = re.compile(rf"^{blank}{re.escape(delimiter)}[ \t\r]*$", re.M).search(text, self.pos)
            if found is None:
                self.expander.budget -= len(text) - self.pos
                out.said.unread.append(f"a here-document that never ends ({short(delimiter, 20)})")
                continue
            body = text[self.pos : found.start()]
            out.heredocs.append(body if literal else _BODY_ESCAPE.sub(r"\1", body))
            self.pos = found.end()
        self._pending.clear()
