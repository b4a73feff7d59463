from verdicts.harness import fires, quiet


def test_ray_places_nodes_itself() -> None:
    fires("nodes-need-mp", "Qwen/Qwen3-30B-A3B -dp 4 --nnodes 2 --data-parallel-backend ray", "0.33.0")


def test_mp_needs_the_number() -> None:
    quiet("nodes-need-mp", "Qwen/Qwen3-30B-A3B -dp 4 --nnodes 2 --data-parallel-backend mp", "0.33.0")
