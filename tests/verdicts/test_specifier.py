import pytest

from vllm_triage.verdicts.specifier import holds


@pytest.mark.parametrize(
    ("specifier", "version", "answer"),
    [
        (">=0.17,<0.28", "0.17.0", True),
        (">=0.17,<0.28", "0.27.1", True),
        (">=0.17,<0.28", "0.28.0", False),
        ("==0.18.*", "0.18.1", True),
        ("==0.18.*", "0.19.0", False),
        ("!=0.18.*", "0.18.0", False),
        ("==0.18.0", "0.18.1", False),
        (">0.18", "0.18.1", True),
        ("<=0.18", "0.18.0", True),
        ("", "0.6.6.post1", True),
        (">=0.32", "v0.32.0+cpu", True),
        (">=0.19.1", "0.19.1rc1", True),
    ],
)
def test_a_specifier_answers_for_a_release(specifier: str, version: str, answer: bool) -> None:
    assert holds(specifier, version) is answer


def test_a_specifier_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"not a version specifier: .about 0\.18."):
        holds("about 0.18", "0.18.0")
