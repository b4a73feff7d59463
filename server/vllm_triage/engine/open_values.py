"""Values that a paste leaves open: ``--max-num-seqs $SEQS`` where nothing says what ``SEQS`` is, ``--port YOUR_PORT``.

What a parser says of such a word is not said of the launch: the real value is not known. It is neither refused nor
taken for the default. A placeholder that the parser takes as it is (``--served-model-name your-model``, a model) stays a value.
"""

from collections.abc import Iterable, Mapping

from ..domain import Json, Problem, Setting
from ..readers.arguments import Arguments, Given
from ..readers.launches import Launch

__all__ = ["close", "left_open", "still_open", "unknown"]

_GIVEN = "given as "


def left_open(launch: Launch, arguments: Arguments) -> dict[str, str]:
    """Destinations whose value the paste leaves open, each with the words that were typed."""
    if not launch.unset and not launch.placeholders:
        return {}
    refused = {problem.flag for problem in arguments.problems if problem.severity == "fatal"}
    return {
        given.spec.dest: given.given_as
        for given in arguments.given
        if given.spec is not None
        and not given.overridden
        and (launch.is_open(given.given_as) or (given.flag in refused and launch.is_placeholder(given.given_as)))
    }


def close(launch: Launch, arguments: Arguments) -> Arguments:
    """The arguments without what was made of open values; each is named as a problem that asks for it."""
    open_ = left_open(launch, arguments)
    model = arguments.model
    model_open = model is not None and launch.is_open(model)
    placeholder = model is not None and not model_open and launch.is_placeholder(model)
    words = [p for p in arguments.problems if p.code == "stray-word" and launch.is_open(p.message)]
    if not open_ and not model_open and not placeholder and not words:
        return arguments
    flags = {given.flag for given in arguments.given if given.spec is not None and given.spec.dest in open_}
    problems = [p for p in arguments.problems if p.flag not in flags and p not in words]
    problems += [_asking(given) for given in arguments.given if given.spec is not None and given.spec.dest in open_]
    if words:
        problems.append(_further(words))
    if model_open or placeholder:
        what = "only stands for one" if placeholder else "has no value in this paste"
        message = f"The model is given as {model}, which {what}: sizes and limits are left open."
        problems.append(
            Problem(severity="info", code="open-value", message=message, fix="paste its value, or give model_config")
        )
    hidden = {*open_, *(("model", "model_tag") if model_open else ())}
    return arguments._replace(
        values={dest: value for dest, value in arguments.values.items() if dest not in hidden},
        given=tuple(_not_judged(given, open_) for given in arguments.given),
        model=None if model_open else arguments.model,
        problems=tuple(problems),
    )


def still_open(settings: Mapping[str, Setting]) -> dict[str, str]:
    """What :func:`unknown` marked, so that a changed launch keeps it open."""
    return {
        n: s.why.removeprefix(_GIVEN) for n, s in settings.items() if s.origin == "assumed" and s.why.startswith(_GIVEN)
    }


def unknown(settings: Mapping[str, Setting], open_: Mapping[str, str]) -> dict[str, Setting]:
    """The settings, with those the paste leaves open not known rather than at their default."""
    asked = {dest: Setting(value=None, origin="assumed", why=f"{_GIVEN}{words}") for dest, words in open_.items()}
    return {name: asked.get(name, setting) for name, setting in settings.items()}


def _asking(given: Given) -> Problem:
    message = f"{given.given_as} is left to be filled in: what depends on it is open."
    return Problem(
        severity="info", flag=given.flag, code="open-value", message=message, fix="paste the value, or where it is set"
    )


def _further(words: Iterable[Problem]) -> Problem:
    """Variables that stand by themselves hold arguments, or nothing."""
    named = ", ".join(problem.message.rpartition(" ")[2] for problem in words)
    message = f"{named} may hold further arguments, or nothing: its value is not in this paste."
    return Problem(severity="info", code="open-value", message=message, fix="paste the value, or where it is set")


def _not_judged(given: Given, open_: Iterable[str]) -> Given:
    if given.spec is None or given.spec.dest not in open_:
        return given
    value: Json = given.given_as.partition("=")[2] or given.given_as.partition(" ")[2] or None
    return given._replace(value=value, status="ok", note="its value is not in this paste")
