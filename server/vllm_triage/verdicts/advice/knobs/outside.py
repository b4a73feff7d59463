"""Actions that are not flags: the client, the workload, the host, more GPUs."""

from collections.abc import Sequence

from ....domain import Exhausted
from ..situation import Candidate, Situation

__all__ = ["client_first", "host_first", "link_first", "scale_outs", "shorter_requests"]


def client_first(_: Situation) -> Candidate | Exhausted:
    """Looks at the sender before the scheduler."""
    return Candidate(
        action="measure the client first: run `vllm bench serve` on the server's own host with the same lengths and concurrency",
        kind="client",
        why="the engine is not given the work: a client-side tokenizer, the Python GIL of one client process, a connection pool "
        "or requests sent one after another hold it back",
        expected="if the benchmark is faster than your client, the difference is the client's",
        watch="vllm:num_requests_running + vllm:num_requests_waiting against the concurrency the client believes it offers",
        risk="none",
        undo="nothing to undo",
    )


def host_first(_: Situation) -> Candidate | Exhausted:
    """Frees the CPU that feeds the GPU."""
    return Candidate(
        action="free the host: give the API server and the engine whole physical cores, and raise --api-server-count if one "
        "front-end process is at 100% CPU",
        kind="environment",
        why="the step takes longer than the device needs: Python, tokenisation or launches fill the gap",
        expected="TPOT falls towards the floor while the GPU's own work stays the same",
        watch="CPU use of the API server and EngineCore processes; TPOT at concurrency 1",
        risk="none",
        undo="take --api-server-count out",
    )


def link_first(s: Situation) -> Candidate | Exhausted:
    """Prefers fewer, better connected ranks over a slow link."""
    tp = s.number("tensor_parallel_size") or 1
    if tp <= 1:
        return Exhausted(change="fewer tensor-parallel ranks", because="there is one")
    return Candidate(
        action="check the link: `nvidia-smi topo -m` and NCCL's log (NCCL_DEBUG=INFO); tensor parallelism wants NVLink or P2P",
        kind="environment",
        why=f"{tp:.0f} ranks exchange activations twice a layer; over PCIe without P2P that dominates a decode step",
        expected="with P2P or NVLink in use the step falls towards its floor; without, fewer ranks or pipeline parallelism are faster",
        watch="TPOT at concurrency 1 for each tensor-parallel size",
        risk="none",
        undo="nothing to undo",
    )


def shorter_requests(s: Situation) -> Candidate | Exhausted:
    """Says what a shorter request would buy."""
    each, held = s.tokens_per_request, s.roofline.seats_kv
    if each is None or held is None:
        return Exhausted(change="shorter requests", because="the lengths are not known")
    return Candidate(
        action="cap output length (max_tokens) and trim prompts where the application allows it",
        kind="workload",
        why=f"a request holds about {each:,.0f} tokens of the pool for as long as it runs",
        expected=f"seats in the pool grow in inverse proportion: {held:.0f} now, {held * 2:.0f} at half the length",
        watch="vllm:kv_cache_usage_perc and vllm:num_requests_waiting",
        risk="truncated answers",
        undo="restore the limits",
    )


def scale_outs(s: Situation, exhausted: Sequence[Exhausted]) -> list[Candidate | Exhausted]:
    """Twice the GPUs, once nothing else is left: the model split further, and a second replica."""
    why = f"tried and spent: {'; '.join(e.change for e in exhausted)}"
    return [_split(s, why), _replica(why)]


def _split(s: Situation, why: str) -> Candidate | Exhausted:
    model, tp = s.deployment.model, int(s.number("tensor_parallel_size") or 1)
    wider = tp * 2
    splits = model is not None and model.q_heads % wider == 0 and (model.vocab or wider) % wider == 0
    if not splits or model is None or model.uses_mla:
        return Exhausted(change=f"--tensor-parallel-size {wider}", because="the model does not split further, or not its cache")
    ranks = wider * int(s.number("pipeline_parallel_size") or 1) * int(s.number("data_parallel_size") or 1)
    has = s.deployment.gpu_count
    return Candidate(
        action=f"split the model over {wider} GPUs: --tensor-parallel-size {wider}",
        kind="scale_out",
        flag="--tensor-parallel-size",
        old=tp,
        new=wider,
        changes={"tensor_parallel_size": wider},
        deployment=s.deployment.but(gpu_count=ranks) if has is not None and has < ranks else None,
        why=why,
        expected="weights per GPU halve; " + s.pool_gain({"tensor_parallel_size": wider}),
        watch="the startup log's KV cache size; TPOT (collectives are added)",
        risk="slower per GPU without NVLink",
        undo=f"--tensor-parallel-size {tp}",
    )


def _replica(why: str) -> Candidate | Exhausted:
    pools = "half the requests for each replica, so half the load on pool and queue"
    return Candidate(
        action="add a replica behind a load balancer",
        kind="scale_out",
        why=why,
        expected=pools,
        watch="vllm:num_requests_waiting on each replica",
        risk="prefix-cache hits fall unless routing keeps sessions together",
        undo="remove the replica",
        replicas=2,
    )
