from verdicts.harness import fires, quiet


def test_ray_turns_it_off_in_0_18() -> None:
    assert "ray" in fires("async-lost", "Qwen/Qwen3-8B -tp 2 --distributed-executor-backend ray", "0.18.0").message


def test_mp_keeps_it() -> None:
    quiet("async-lost", "Qwen/Qwen3-8B -tp 2", "0.18.0")
