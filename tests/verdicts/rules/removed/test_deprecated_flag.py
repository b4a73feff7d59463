from verdicts.harness import fires, quiet


def test_a_deprecated_flag_is_named_with_its_successor() -> None:
    found = fires("deprecated-flag", "Qwen/Qwen3-8B --disable-log-requests", "0.16.0")
    assert "--no-enable-log-requests" in found.message


def test_its_successor_is_not() -> None:
    quiet("deprecated-flag", "Qwen/Qwen3-8B --no-enable-log-requests", "0.16.0")
