"""The traffic of one of several replicas.

Approximation: the replicas serve alike, so one is simulated and the figures of all are its own, times their number.
Requests go round: each replica gets every n-th, which is what vLLM's balancing by load comes to while the requests are
alike (0.33.0 v1/engine/core_client.py DPLBAsyncMPClient.get_core_engine_for_request picks the least loaded). Gaps that
are gamma distributed with shape k are, n at a time, gamma distributed with shape n k.
"""

from ...domain import Workload

__all__ = ["share_of"]


def share_of(workload: Workload, replicas: int) -> tuple[Workload, float]:
    """The traffic of one replica, and what to multiply its rates and counts by to get those of all."""
    if replicas <= 1:
        return workload, 1.0
    requests = None if workload.requests is None else max(1, round(workload.requests / replicas))
    changes: dict[str, object] = {"requests": requests}
    scale = float(replicas)
    if workload.concurrency is not None:
        changes["concurrency"] = max(1, round(workload.concurrency / replicas))
    if workload.arrivals == "closed" and workload.concurrency is not None:
        # ten users on four replicas: two or three on each, and ten in all
        scale = workload.concurrency / max(1, round(workload.concurrency / replicas))
    elif workload.arrivals == "at_once" and workload.requests is not None and requests:
        scale = workload.requests / requests
    elif workload.arrivals == "open" and workload.request_rate is not None:
        changes |= {"request_rate": workload.request_rate / replicas, "burstiness": workload.burstiness * replicas}
    elif workload.arrivals == "trace":
        changes["trace"] = workload.trace[::replicas]
    return workload.but(**changes), scale
