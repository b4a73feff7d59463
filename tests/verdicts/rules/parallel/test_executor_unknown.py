from verdicts.harness import fires, quiet


def test_a_word_is_no_class() -> None:
    found = fires("executor-unknown", "Qwen/Qwen3-8B -tp 2 --distributed-executor-backend mpi", "0.33.0")
    assert "mpi" in found.message


def test_mp_is_there() -> None:
    quiet("executor-unknown", "Qwen/Qwen3-8B -tp 2 --distributed-executor-backend mp", "0.33.0")
