"""What stands between quotes, behind a backslash or a dollar: the pieces that words are made of.

The reader follows POSIX shell and bash. What a shell would have to execute (``$(...)``, backticks, arithmetic) stays
in the word as typed and is reported. It never fails: an unclosed quote is named and dropped, and reading goes on
behind it.
"""

import re
from dataclasses import dataclass, field

from ..lazy import Lazy
from .shell_variables import Expander, Said, Scope, short

__all__ = ["ASSIGN", "PLACEHOLDER", "Command", "Pieces", "grown"]

ASSIGN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?=)")
PLACEHOLDER = Lazy(r"<[A-Za-z_](?:[\w ./:|-]{0,78}\w)?>")
_PLAIN = re.compile(r"[^\s'\"\\$`;&|<>()#]+")
_DOUBLE = re.compile(r"[^\"\\$`]+")
_BLANK_TAIL = Lazy(r"[ \t]*(?:\n|\Z)")
_COMMENT_TAIL = Lazy(r"[ \t]*#[^\n]*(?:\n|\Z)|[ \t]+(?://|--\s)[^\n]*(?:\n|\Z)")
_CONTRACTION = Lazy(r"'(?:s|t|re|ve|ll|d|m)\b")
_LIST_NAME = Lazy(r"(?:ARGS?|ARGUMENTS?|OPTS?|OPTIONS?|FLAGS?|EXTRAS?|PARAMS?|PARAMETERS?)$", re.I)
_DECLARES = (["export"], ["local"], ["declare"], ["readonly"], ["typeset"])


@dataclass(slots=True, eq=False, repr=False)
class Command:
    """One simple command: assignments before it, its words, what was decided while reading it."""

    start: int
    words: list[str] = field(default_factory=list)
    assigned: dict[str, str] = field(default_factory=dict)
    said: Said = field(default_factory=Said)
    heredocs: list[str] = field(default_factory=list)
    """Bodies of here-documents, in order."""
    written_to: str = ""
    """The file its output goes to."""
    terminator: str = ""
    end: int = 0


class Pieces:
    """Reads the pieces of words at a position of a text.

    A budget bounds the characters looked at over the whole text, so that no input makes the reading slower than
    linear: once spent, quotes and expansions are taken for plain letters.
    """

    def __init__(self, text: str, scope: Scope) -> None:
        self.text = text
        self.scope = scope
        self.pos = 0
        self.expander = Expander(scope, self._default_words, budget=len(text) + 8192)

    @staticmethod
    def finish(word: list[str] | None, out: Command) -> None:
        if word is not None:
            out.words.append("".join(word))

    def backslash(self, word: list[str] | None, out: Command) -> list[str] | None:
        """Continuations, with the slips people make after them; else one quoted character."""
        text, after = self.text, self.pos + 1
        if text.startswith("\\", after) and _BLANK_TAIL.match(text, after + 1):
            after += 1  # `\\` at the end of a line: the text comes from inside a here-document or a quoted string
            out.said.notes.append("a doubled backslash ends a line: read as a continuation")
        tail = _BLANK_TAIL.match(text, after)
        if tail:
            if tail[0].strip("\n"):
                out.said.codes.append("space-after-backslash")
            self.pos = tail.end()
            return word
        comment = _COMMENT_TAIL.match(text, after) if word is None else None
        if comment:
            out.said.codes.append("comment-after-backslash")
            self.pos = comment.end()
            return None
        if word is None and text[after] in " \t":
            out.said.notes.append("a backslash stands inside a line: read as a continuation that lost its line break")
            self.pos = after
            return None
        self.pos = after + 1
        return grown(word, text[after])

    def piece(self, word: list[str], out: Command) -> list[str] | None:
        text, pos = self.text, self.pos
        char = text[pos]
        if char == "'":
            if word and word[-1][-1:].isalpha() and _CONTRACTION.match(text, pos):
                self.pos = pos + 1
                return grown(word, "'")
            return self._single(word, out)
        if char == '"':
            if word and word[-1][-1:] in ("{", "["):
                out.said.codes.append("unquoted-json")
            return self._double(word, out)
        if char == "`":
            return self._backtick(word, out)
        if char == "$":
            return self._dollar(word, out)
        match = _PLAIN.match(text, pos)
        if match is None:  # `#` inside a word, or an odd blank such as a form feed
            self.pos = pos + 1
            return grown(word, char) if char == "#" else word
        self.pos = match.end()
        word.append(match[0])
        return word

    def _single(self, word: list[str], out: Command) -> list[str]:
        end = self.text.find("'", self.pos + 1) if self.expander.budget > 0 else -1
        if end < 0:
            return self._stray("'", word, out, len(self.text) - self.pos)
        word.append(self.text[self.pos + 1 : end])
        self.pos = end + 1
        return word

    def _stray(self, quote: str, word: list[str], out: Command, looked: int) -> list[str]:
        self.expander.budget -= looked
        out.said.unread.append(f"a {quote} that is never closed")
        self.pos += 1
        return word

    def _double(self, word: list[str], out: Command) -> list[str] | None:
        """A double-quoted string; variables in it expand without splitting, lists such as ``"$@"`` stay lists."""
        text, start, limit = self.text, self.pos, len(self.text)
        if self.expander.budget <= 0 or text.find('"', start + 1) < 0:
            return self._stray('"', word, out, limit - start)
        parts: list[str] = []
        said, words_before = Said(), len(out.words)
        none_at_all = False
        pos = start + 1
        head = word
        while pos < limit:
            char = text[pos]
            if char == '"':
                self.pos = pos + 1
                _merge(out.said, said)
                if none_at_all and not parts and not head:
                    return None
                head.extend(parts)
                return head
            if char == "\\":
                following = text[pos + 1 : pos + 2]
                if following != "\n":
                    parts.append(following if following and following in '"\\$`' else "\\" + following)
                pos += 2
            elif char == "$":
                pieces, pos = self.expander.at(text, pos, said, quoted=True, limit=limit)
                if self.expander.split and len(pieces) > 1:
                    for piece in pieces[:-1]:
                        out.words.append("".join([*head, *parts, piece]))
                        head, parts = [], []
                none_at_all = none_at_all or (self.expander.split and not pieces)
                parts.extend(pieces[-1:])
            elif char == "`":
                end = text.find("`", pos + 1) if self.expander.budget > 0 else pos
                self.expander.budget -= max(end - pos, 1) if end >= 0 else limit - pos
                end = pos if end < 0 else end
                if end > pos:
                    said.substitutions.append(text[pos + 1 : end])
                    said.unread.append(f"{short(text[pos : end + 1])} is not run")
                parts.append(text[pos : end + 1])
                pos = end + 1
            else:
                match = _DOUBLE.match(text, pos, limit)
                if match is None:
                    break
                parts.append(match[0])
                pos = match.end()
        del out.words[words_before:]
        return self._stray('"', word, out, limit - start)

    def _backtick(self, word: list[str], out: Command) -> list[str]:
        end = self.text.find("`", self.pos + 1) if self.expander.budget > 0 else -1
        if end < 0:
            return self._stray("`", word, out, len(self.text) - self.pos)
        body = self.text[self.pos : end + 1]
        if PLACEHOLDER.fullmatch(body, 1, len(body) - 1):
            out.said.notes.append(f"{body[1:-1]} is a placeholder to fill in")
            self.pos = end + 1
            return grown(word, body[1:-1])
        out.said.substitutions.append(body[1:-1])
        out.said.unread.append(f"{short(body)} is not run")
        self.pos = end + 1
        word.append(body)
        return word

    def _dollar(self, word: list[str], out: Command) -> list[str] | None:
        """An unquoted expansion: its value splits into words at blanks, as in a shell."""
        text, start = self.text, self.pos
        if text.startswith("$'", start):
            self.pos += 1
            return self._single(word, out)
        if text.startswith('$"', start):
            self.pos += 1
            return self._double(word, out)
        before = len(out.said.unset)
        # `export A=$B` does not split the value, unlike the words of any other command.
        declared = bool(word) and out.words[:1] in _DECLARES and ASSIGN.match(word[0]) is not None
        pieces, self.pos = self.expander.at(text, start, out.said, quoted=declared, limit=len(text))
        alone = not word and (self.pos >= len(text) or text[self.pos] in " \t\r\n;&|)")
        typed = text[start : self.pos]
        if len(out.said.unset) > before and alone and pieces and self._stands_for_arguments(typed, out):
            out.said.unread.append(f"{short(typed)}: further arguments that are not in this paste")
            return None
        if not pieces:
            return word or None
        for piece in pieces[:-1]:
            out.words.append("".join([*word, piece]))
            word = []
        return grown(word, pieces[-1])

    @staticmethod
    def _stands_for_arguments(typed: str, out: Command) -> bool:
        """True when an unset variable can only stand for a list of arguments, not for one value."""
        name = typed.strip("${}").split("[")[0].split(":")[0]
        previous = out.words[-1] if out.words else ""
        if _LIST_NAME.search(name):
            return not previous.startswith("--") or "=" in previous
        return len(out.words) > 2 and not previous.startswith("-") and previous not in ("serve", "vllm", "\\")

    def _default_words(self, word: str, said: Said, quoted: bool, depth: int) -> list[str]:
        """The default inside ``${X:-default}``, itself expanded."""
        inner = Pieces(word, self.scope)
        inner.expander.budget = min(max(self.expander.budget, 0), 4096)
        self.expander.budget -= len(word)
        if quoted:
            return ["".join(inner._quoted_default(said, depth))]
        command = Command(0, said=said)
        while inner.pos < len(word):
            inner._loose(command)
        return command.words

    def _loose(self, out: Command) -> None:
        """Words of a text in which operators mean nothing."""
        word: list[str] | None = None
        while self.pos < len(self.text):
            char = self.text[self.pos]
            if char in " \t\r\n":
                word = self.finish(word, out)
                self.pos += 1
            elif char == "\\":
                word = self.backslash(word, out)
            elif char in ";&|()<>":
                word = grown(word, char)
                self.pos += 1
            else:
                word = self.piece(word if word is not None else [], out)
        self.finish(word, out)

    def _quoted_default(self, said: Said, depth: int) -> list[str]:
        text, parts = self.text, []
        while self.pos < len(text):
            char = text[self.pos]
            if char == "$":
                pieces, self.pos = self.expander.at(text, self.pos, said, quoted=True, limit=len(text), depth=depth)
                parts.extend(pieces)
            elif char == "\\" and text[self.pos + 1 : self.pos + 2] in ('"', "\\", "$", "`", "}"):
                parts.append(text[self.pos + 1])
                self.pos += 2
            else:
                if char != '"':
                    parts.append(char)
                self.pos += 1
        return parts


def grown(word: list[str] | None, piece: str) -> list[str]:
    """The word with one more piece; begun when there is none. Grows in place, for words of many pieces."""
    if word is None:
        return [piece]
    word.append(piece)
    return word


def _merge(out: Said, inner: Said) -> None:
    for name in Said.__slots__:
        getattr(out, name).extend(getattr(inner, name))
