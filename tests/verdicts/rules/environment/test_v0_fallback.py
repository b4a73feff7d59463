from verdicts.harness import fires, quiet


def test_an_old_scheduler_flag_brings_the_old_engine() -> None:
    found = fires("v0-fallback", "Qwen/Qwen2.5-7B-Instruct --preemption-mode recompute", "0.9.2")
    assert "--preemption-mode" in found.message


def test_without_it_the_new_one_runs() -> None:
    quiet("v0-fallback", "Qwen/Qwen2.5-7B-Instruct", "0.9.2")
