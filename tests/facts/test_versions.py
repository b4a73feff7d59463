"""Any version text is answered by a release the catalogue knows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vllm_triage.facts.versions import KNOWN, NEWEST, at_least, between, nearest, number


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("0.18.0", "0.18.0"),
        ("v0.18.0", "0.18.0"),
        ("0.32.0+cpu", "0.32.0"),
        ("v0.19.1rc2+cu129", "0.19.1"),
        ("0.6.6.post1", "0.6.6.post1"),
        ("0.8.5.post1", "0.8.5"),
        ("0.31", "0.31.0"),
        ("latest", NEWEST),
        ("nightly-2f1c", NEWEST),
        (" 0.12.0.dev14 ", "0.12.0"),
    ],
)
def test_prefixes_suffixes_and_moving_tags_do_not_hide_the_release(text: str, release: str) -> None:
    assert nearest(text) == release


def test_a_patch_release_is_answered_by_its_minor() -> None:
    assert nearest("0.23.7") == "0.23.0"
    assert nearest("0.13.1") == "0.13.0"


def test_older_than_all_is_answered_by_the_oldest_and_newer_by_the_newest() -> None:
    assert nearest("0.1.0") == KNOWN[0]
    assert nearest("0.99.0") == nearest("1.0") == NEWEST


def test_known_releases_ascend_without_repeats() -> None:
    numbers = [number(version) for version in KNOWN]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("text", ["", "new", "v", "abc", "-1", "..", "\x00"])
def test_text_that_is_no_version_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected something like 0\."):
        number(text)


def test_comparison_is_by_number_and_not_by_text() -> None:
    assert at_least("0.20.0", "0.9.2")
    assert at_least("0.18.0", "0.18.0")
    assert not at_least("0.17.1", "0.18.0")
    assert between("0.18.1", "0.18.0", "0.19.0")
    assert not between("0.19.0", "0.18.0", "0.19.0")


@given(st.tuples(st.integers(0, 3), st.integers(0, 60), st.integers(0, 9)))
def test_every_number_has_a_known_release_that_is_never_further_than_another_of_its_minor(parts: tuple[int, int, int]) -> None:
    found = nearest(".".join(map(str, parts)))
    assert found in KNOWN
    same_minor = [known for known in KNOWN if number(known)[:2] == parts[:2]]
    assert not same_minor or number(found)[:2] == parts[:2]


@given(st.text(max_size=40))
def test_any_text_gives_a_release_or_a_clear_refusal(text: str) -> None:
    try:
        assert nearest(text) in KNOWN
    except ValueError as refusal:
        assert "not a vLLM version" in str(refusal)  # noqa: PT017
