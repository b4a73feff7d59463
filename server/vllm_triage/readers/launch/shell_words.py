"""A shell's words, without a shell: quoting, continuations, variables and arrays; nothing is ever run.

The reader follows POSIX shell and bash quoting. What a shell would have to execute (``$(...)``, backticks,
arithmetic) is left in the word as typed and reported.
"""

import re
from dataclasses import dataclass, field

__all__ = ["Command", "Scope", "ShellLexer"]

_PLAIN = re.compile(r"[^\s'\"\\$`;&|<>()#]+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ASSIGN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?=)")
_DOUBLE = re.compile(r"[^\"\\$`]+")
_PLACEHOLDER = re.compile(r"<[A-Za-z_](?:[\w ./:|-]{0,78}\w)?>")
_BLANK_TAIL = re.compile(r"[ \t]*(?:\r?\n|\Z)")
_COMMENT_TAIL = re.compile(r"[ \t]+#[^\n]*(?:\n|\Z)")
_CONTRACTION = re.compile(r"'(?:s|t|re|ve|ll|d|m)\b")
_LIST_NAME = re.compile(r"(?:ARGS?|ARGUMENTS?|OPTS?|OPTIONS?|FLAGS?|EXTRAS?|PARAMS?|PARAMETERS?)$", re.I)
_MAX_DEPTH = 12


@dataclass(slots=True)
class Scope:
    """Variables assigned in the paste so far."""

    values: dict[str, str] = field(default_factory=dict)
    arrays: dict[str, list[str]] = field(default_factory=dict)
    exported: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    """Variables whose value went into a word."""

    def copy(self) -> "Scope":
        """A scope that a nested text may change without changing this one."""
        return Scope(dict(self.values), {k: list(v) for k, v in self.arrays.items()}, set(self.exported), self.used)


@dataclass(slots=True)
class Command:
    """One simple command: assignments before it, its words, what was decided while reading it."""

    start: int
    words: list[str] = field(default_factory=list)
    assigned: dict[str, str] = field(default_factory=dict)
    unset: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    """Named troubles met: ``comment-after-backslash``, ``space-after-backslash``."""
    unread: list[str] = field(default_factory=list)
    substitutions: list[str] = field(default_factory=list)
    """Bodies of ``$(...)`` and backticks, never run."""
    heredocs: list[str] = field(default_factory=list)
    """Bodies of here-documents, in order."""
    terminator: str = ""
    unterminated: bool = False


class ShellLexer:
    """Reads simple commands from a text, one call of :meth:`command` each.

    `budget` bounds the characters looked at over the whole text, so that no input makes the reading slower than
    linear: once spent, strings no longer reach over the end of their line.
    """

    def __init__(self, text: str, scope: Scope) -> None:
        self.text = text
        self.scope = scope
        self.pos = 0
        self.budget = 6 * len(text) + 4096
        self._pending: list[tuple[str, bool]] = []  # here-documents whose body starts on the next line

    def command(self) -> Command | None:
        """The next simple command, or None at the end of the text."""
        text, size = self.text, len(self.text)
        while self.pos < size and text[self.pos] in " \t\r\n;&|(){}":
            self.pos += 1
        if self.pos >= size:
            return None
        command = Command(self.pos)
        self._read(command)
        self.budget -= self.pos - command.start
        return command

    # One method per thing a character can begin; the loop below only dispatches.

    def _read(self, out: Command) -> None:
        text, size = self.text, len(self.text)
        word: list[str] | None = None
        leading = True  # assignments may still come
        while self.pos < size:
            char = text[self.pos]
            if word is None and leading and (match := _ASSIGN.match(text, self.pos)):
                self._assignment(match, out)
                continue
            if char in " \t\r":
                word = self._finish(word, out)
                self.pos += 1
                leading = leading and not out.words
                continue
            if char == "#" and word is None:
                self._skip_line()
                continue
            if char == "\\":
                word = self._backslash(word, out)
                leading = leading and not out.words
                continue
            if char in "\n;&|()" or char in "<>":
                if char in "<>" or text.startswith("&>", self.pos):
                    if match := _PLACEHOLDER.match(text, self.pos):
                        word = [*(word or []), match[0]]
                        out.notes.append(f"{match[0]} is a placeholder")
                        self.pos = match.end()
                        continue
                    if word and "".join(word).isdigit():
                        word = None  # the number of a file descriptor
                    word = self._finish(word, out)
                    self._redirect(out)
                    continue
                word = self._finish(word, out)
                self._terminate(char, out)
                return
            word = self._piece(word if word is not None else [], out)
            leading = leading and not out.words
        self._finish(word, out)

    def _finish(self, word: list[str] | None, out: Command) -> None:
        if word is not None:
            out.words.append("".join(word))

    def _skip_line(self) -> None:
        end = self.text.find("\n", self.pos)
        self.pos = len(self.text) if end < 0 else end

    def _terminate(self, char: str, out: Command) -> None:
        two = self.text[self.pos:self.pos + 2]
        out.terminator = two if two in ("&&", "||", ";;", "|&") else char
        self.pos += len(out.terminator)
        if char == "\n" and self._pending:
            self._heredoc_bodies(out)

    def _backslash(self, word: list[str] | None, out: Command) -> list[str] | None:
        """Continuations, with the slips people make after them; else one quoted character."""
        text, pos = self.text, self.pos
        after = pos + 1
        if text.startswith("\\", after) and _BLANK_TAIL.match(text, after + 1):
            after += 1  # `\\` at the end of a line: the text comes from inside a here-document
            out.notes.append("a doubled backslash ends a line: read as a continuation")
        tail = _BLANK_TAIL.match(text, after)
        if tail:
            if tail[0].strip("\r\n"):
                out.codes.append("space-after-backslash")
            self.pos = tail.end()
            return word
        comment = _COMMENT_TAIL.match(text, after) if word is None else None
        if comment:
            out.codes.append("comment-after-backslash")
            self.pos = comment.end()
            return None
        if word is None and text[after] in " \t":
            out.notes.append("a backslash stands alone inside a line: a continuation flattened into one line")
            self.pos = after
            return None
        self.pos = after + 1
        return [*(word or []), text[after]]

    def _piece(self, word: list[str], out: Command) -> list[str] | None:
        text, pos = self.text, self.pos
        char = text[pos]
        if char == "'":
            if word and word[-1][-1:].isalpha() and _CONTRACTION.match(text, pos):
                self.pos = pos + 1
                return [*word, "'"]
            return self._single(word, out)
        if char == '"':
            return self._double(word, out)
        if char == "`":
            return self._backtick(word, out)
        if char == "$":
            return self._dollar(word, out)
        if char == "#":
            self.pos = pos + 1
            return [*word, "#"]
        match = _PLAIN.match(text, pos)
        if match is None:  # an odd space such as a form feed
            self.pos = pos + 1
            return word
        self.pos = match.end()
        word.append(match[0])
        return word

    def _line_end(self) -> int:
        end = self.text.find("\n", self.pos)
        return len(self.text) if end < 0 else end

    def _limit(self) -> int:
        """How far a string may reach."""
        return len(self.text) if self.budget > 0 else self._line_end()

    def _single(self, word: list[str], out: Command) -> list[str]:
        end = self.text.find("'", self.pos + 1, self._limit())
        if end < 0:
            self.budget -= len(self.text) - self.pos
            return self._stray("'", word, out)
        word.append(self.text[self.pos + 1:end])
        self.pos = end + 1
        return word

    def _stray(self, quote: str, word: list[str], out: Command) -> list[str]:
        out.unterminated = True
        out.unread.append(f"a {quote} that is never closed")
        self.pos += 1
        return word

    def _double(self, word: list[str], out: Command) -> list[str]:
        """A double-quoted string; variables inside it expand without splitting."""
        text, start, limit = self.text, self.pos, self._limit()
        parts: list[str] = []
        marks = (len(out.unset), len(out.unread), len(out.notes), len(out.substitutions))
        pos = start + 1
        while pos < limit:
            char = text[pos]
            if char == '"':
                self.pos = pos + 1
                word.append("".join(parts))
                return word
            if char == "\\":
                following = text[pos + 1:pos + 2]
                if following == "\n":
                    pass
                elif following and following in '"\\$`':
                    parts.append(following)
                else:
                    parts.append("\\" + following)
                pos += 2
                continue
            if char == "$":
                self.pos = pos
                parts.extend(self._expansion(out, quoted=True))
                pos = self.pos
                continue
            if char == "`":
                end = text.find("`", pos + 1, limit)
                if end < 0:
                    parts.append("`")
                    pos += 1
                else:
                    out.substitutions.append(text[pos + 1:end])
                    out.unread.append(f"{_short(text[pos:end + 1])} is not run")
                    parts.append(text[pos:end + 1])
                    pos = end + 1
                continue
            match = _DOUBLE.match(text, pos, limit)
            if match is None:
                break
            parts.append(match[0])
            pos = match.end()
        self.budget -= limit - start
        del out.unset[marks[0]:], out.unread[marks[1]:], out.notes[marks[2]:], out.substitutions[marks[3]:]
        self.pos = start
        return self._stray('"', word, out)

    def _backtick(self, word: list[str], out: Command) -> list[str]:
        end = self.text.find("`", self.pos + 1, self._limit())
        if end < 0:
            self.budget -= len(self.text) - self.pos
            return self._stray("`", word, out)
        body = self.text[self.pos:end + 1]
        out.substitutions.append(body[1:-1])
        out.unread.append(f"{_short(body)} is not run")
        self.pos = end + 1
        word.append(body)
        return word

    def _dollar(self, word: list[str], out: Command) -> list[str] | None:
        """An unquoted expansion: its value splits into words at blanks, as in a shell."""
        if self.text.startswith("$'", self.pos):
            self.pos += 1
            return self._single(word, out)
        if self.text.startswith('$"', self.pos):
            self.pos += 1
            return self._double(word, out)
        start = self.pos
        before = len(out.unset)
        pieces = self._expansion(out, quoted=False)
        text = self.text
        alone = not word and (self.pos >= len(text) or text[self.pos] in " \t\r\n;&|)")
        if len(out.unset) > before and alone and self._stands_for_arguments(text[start:self.pos], out):
            out.unread.append(f"{text[start:self.pos]}: further arguments that are not in this paste")
            return None
        if not pieces:
            return word or None
        for piece in pieces[:-1]:
            out.words.append("".join([*word, piece]))
            word = []
        word.append(pieces[-1])
        return word

    def _stands_for_arguments(self, typed: str, out: Command) -> bool:
        """True when an unset variable can only stand for a list of arguments, not for one value."""
        name = typed.strip("${}").split("[")[0].split(":")[0]
        if name in ("@", "*") or "[@]" in typed or "[*]" in typed or _LIST_NAME.search(name):
            return True
        previous = out.words[-1] if out.words else ""
        return len(out.words) > 2 and not previous.startswith("-") and not previous.endswith("serve")

    def _expansion(self, out: Command, *, quoted: bool, depth: int = 0) -> list[str]:
        """The words of one ``$...`` at `pos`; moves `pos` behind it."""
        text, start = self.text, self.pos
        following = text[start + 1:start + 2]
        if following == "(":
            return self._substitution(out)
        if following == "{":
            return self._braces(out, quoted=quoted, depth=depth)
        if match := _NAME.match(text, start + 1):
            self.pos = match.end()
            return self._value(match[0], out, quoted=quoted)
        if following and following in "@*#?$!-0123456789":
            self.pos = start + 2
            out.unset.append("$" + following)
            if following in "@*":
                out.unread.append(f'"${following}": the script\'s own arguments are not in this paste')
                return []
            return [text[start:self.pos]]
        self.pos = start + 1
        return ["$"]

    def _value(self, name: str, out: Command, *, quoted: bool) -> list[str]:
        scope = self.scope
        if name in scope.arrays and name not in scope.values:
            items = scope.arrays[name]
            scope.used.add(name)
            return items[:1]
        if name not in scope.values:
            out.unset.append(name)
            return [f"${name}"]
        scope.used.add(name)
        value = scope.values[name]
        return [value] if quoted else value.split()

    def _braces(self, out: Command, *, quoted: bool, depth: int) -> list[str]:
        text, start = self.text, self.pos
        end = _closing_brace(text, start + 2, min(len(text), start + 4096))
        if end < 0:
            self.pos = start + 2
            out.unread.append("a ${ that is never closed")
            return ["${"]
        body = text[start + 2:end]
        self.pos = end + 1
        return self._parameter(body, out, quoted=quoted, depth=depth)

    def _parameter(self, body: str, out: Command, *, quoted: bool, depth: int) -> list[str]:
        match = re.match(r"([A-Za-z_]\w*|[@*0-9])(\[[@*0-9]+\])?", body)
        whole = "${" + body + "}"
        if match is None or depth > _MAX_DEPTH:
            out.unset.append(body[:40])
            return [whole]
        name, index, rest = match[1], match[2], body[match.end():]
        scope = self.scope
        if index and index[1] in "@*":
            if name in scope.arrays:
                scope.used.add(name)
                return list(scope.arrays[name])
            out.unset.append(name)
            out.unread.append(f"{whole}: an array that is not in this paste")
            return []
        operator = re.match(r":?[-=+?]", rest)
        given = scope.values.get(name)
        if given is None and name in scope.arrays:
            position = int(index[1:-1]) if index else 0
            given = scope.arrays[name][position] if position < len(scope.arrays[name]) else ""
        if name in "@*" and not operator:
            out.unset.append("$" + name)
            out.unread.append(f'"{whole}": the script\'s own arguments are not in this paste')
            return []
        if not rest:
            return self._value(name, out, quoted=quoted) if given is None or not index else [given]
        if operator is None:
            if given is None:
                out.unset.append(name)
            out.unread.append(f"{_short(whole)} is not evaluated")
            return [whole]
        word = rest[operator.end():]
        empty = given is None or (operator[0].startswith(":") and given == "")
        sign = operator[0][-1]
        if sign == "+":
            if given is None:
                out.notes.append(f"{name} is not set in this paste: {_short(whole)} adds nothing")
            return [] if empty else self._nested(word, out, quoted=quoted, depth=depth)
        if not empty:
            scope.used.add(name)
            return [given or ""] if quoted else (given or "").split()
        if sign == "?":
            out.unset.append(name)
            return [f"${name}"]
        pieces = self._nested(word, out, quoted=quoted, depth=depth)
        value = " ".join(pieces)
        out.notes.append(f"{name} is not set in this paste: its default {_short(value) or 'nothing'} is used")
        if sign == "=":
            scope.values[name] = value
        return pieces

    def _nested(self, word: str, out: Command, *, quoted: bool, depth: int) -> list[str]:
        """The default inside ``${X:-default}``, itself expanded."""
        inner = ShellLexer(word, self.scope)
        inner.budget = min(self.budget, 4096)
        if not quoted:
            command = Command(0)
            while inner.pos < len(word):
                if word[inner.pos] in " \t\r\n;&|()<>":
                    inner.pos += 1
                    continue
                got = inner._piece([], command) if word[inner.pos] != "\\" else inner._backslash([], command)
                while got is not None and inner.pos < len(word) and word[inner.pos] not in " \t\r\n;&|()<>\\":
                    got = inner._piece(got, command)
                if got is not None:
                    command.words.append("".join(got))
            _merge(out, command)
            return command.words
        parts: list[str] = []
        while inner.pos < len(word):
            if word[inner.pos] == "$" and depth < _MAX_DEPTH:
                parts.extend(inner._expansion(out, quoted=True, depth=depth + 1))
            elif word[inner.pos] in "\"'" and word.count(word[inner.pos]) > 1 and word[inner.pos] == '"':
                inner.pos += 1
            else:
                parts.append(word[inner.pos])
                inner.pos += 1
        return ["".join(parts)]

    def _substitution(self, out: Command) -> list[str]:
        text, start = self.text, self.pos
        # A configuration's own $(NAME), as Kubernetes writes it, is a variable, not a command.
        if match := re.compile(r"\$\(([A-Za-z_]\w*)\)").match(text, start):
            name = match[1]
            if name in self.scope.values:
                self.pos = match.end()
                self.scope.used.add(name)
                return [self.scope.values[name]]
        end = _closing_paren(text, start + 1, self._limit())
        if end < 0:
            self.budget -= self._limit() - start
            self.pos = start + 2
            out.unread.append("a $( that is never closed")
            return ["$("]
        body = text[start:end + 1]
        self.pos = end + 1
        out.unread.append(f"{_short(body)} is not run")
        out.unset.append(_short(body))
        if not body.startswith("$(("):
            out.substitutions.append(body[2:-1])
        return [body]

    def _assignment(self, match: re.Match[str], out: Command) -> None:
        """``NAME=value``, ``NAME+=value`` or ``NAME=(array)`` before a command."""
        name, operator = match[1], match[2]
        self.pos = match.end()
        text = self.text
        if text.startswith("(", self.pos):
            items = self._array(out)
            if operator == "+=":
                items = [*self.scope.arrays.get(name, []), *items]
            out.assigned[name] = " ".join(items)
            self.scope.arrays[name] = items
            self.scope.values.pop(name, None)
            return
        value = self._assigned_value(out)
        if operator == "+=":
            value = self.scope.values.get(name, "") + value
        out.assigned[name] = value

    def _assigned_value(self, out: Command) -> str:
        text, size = self.text, len(self.text)
        parts: list[str] = []
        while self.pos < size and text[self.pos] not in " \t\r\n;&|()<>":
            char = text[self.pos]
            if char == "\\":
                got = self._backslash(parts, out)
                parts = got if got is not None else parts
                if self.pos and text[self.pos - 1] == "\n":
                    break
            elif char == "$" and not text.startswith(("$'", '$"'), self.pos):
                parts.extend(self._expansion(out, quoted=True))
            else:
                parts = self._piece(parts, out) or parts
        return "".join(parts)

    def _array(self, out: Command) -> list[str]:
        text, size = self.text, len(self.text)
        self.pos += 1
        inner = Command(self.pos)
        word: list[str] | None = None
        while self.pos < size:
            char = text[self.pos]
            if char == ")":
                self.pos += 1
                break
            if char in " \t\r\n":
                word = self._finish(word, inner)
                self.pos += 1
            elif char == "#" and word is None:
                self._skip_line()
            elif char == "\\":
                word = self._backslash(word, inner)
            elif char in ";&|(<>":
                self.pos += 1
            else:
                word = self._piece(word if word is not None else [], inner)
        self._finish(word, inner)
        _merge(out, inner)
        return inner.words

    def _redirect(self, out: Command) -> None:
        """A redirection and its target; a here-document is remembered until its line ends."""
        text = self.text
        match = re.compile(r"&>>?|<<<|<<-?|<&-?|<>|>>|>&-?|>\||[<>]").match(text, self.pos)
        operator = match[0] if match else text[self.pos]
        self.pos += len(operator)
        while self.pos < len(text) and text[self.pos] in " \t":
            self.pos += 1
        target: list[str] | None = []
        scratch = Command(self.pos)
        while self.pos < len(text) and text[self.pos] not in " \t\r\n;&|()<>":
            if text[self.pos] == "\\":
                target = self._backslash(target or [], scratch)
            else:
                target = self._piece(target or [], scratch)
        if operator in ("<<", "<<-"):
            self._pending.append(("".join(target or []), operator == "<<-"))

    def _heredoc_bodies(self, out: Command) -> None:
        text = self.text
        for delimiter, stripped in self._pending:
            blank = r"[\t ]*" if stripped else ""
            found = re.compile(rf"^{blank}{re.escape(delimiter)}[ \t\r]*$", re.M).search(text, self.pos)
            if found is None:
                out.unread.append(f"a here-document that never ends ({_short(delimiter)})")
                continue
            out.heredocs.append(text[self.pos:found.start()])
            self.pos = found.end()
        self._pending.clear()


def _merge(out: Command, inner: Command) -> None:
    for name in ("unset", "notes", "codes", "unread", "substitutions"):
        getattr(out, name).extend(getattr(inner, name))


def _closing_brace(text: str, pos: int, limit: int) -> int:
    depth = 1
    while pos < limit:
        char = text[pos]
        if char == "\\":
            pos += 1
        elif char == "{" and text[pos - 1] == "$":
            depth += 1
        elif char == "}":
            depth -= 1
            if not depth:
                return pos
        elif char == "\n":
            return -1
        pos += 1
    return -1


def _closing_paren(text: str, pos: int, limit: int) -> int:
    depth = 0
    quote = ""
    for match in re.compile(r"[()'\"\\]").finditer(text, pos, limit):
        char = match[0]
        if match.start() and text[match.start() - 1] == "\\":
            continue
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if not depth:
                return match.start()
    return -1


def _short(text: str, size: int = 80) -> str:
    text = " ".join(text.split())
    return text if len(text) <= size else text[: size - 1] + "…"
